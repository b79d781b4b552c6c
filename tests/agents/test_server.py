"""The server as a client meets it: what it lists, its resources, prompts and completions, its modes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from agents.agent import Agent, drive, reply_of, stdio
from agents.conftest import file, git, write
from index.shelf import reference
from pressmark.errors import Configuration
from pressmark.mcp import guide
from pressmark.mcp.desk import Desk
from pressmark.mcp.tools import TOOLS, chosen

LISTING = 24_000
"""Characters that the default list of tools may take."""

READ = (*guide.DISCOVER, *guide.VERIFY, *guide.WORLD)


def listed(agent: Agent) -> Any:
    async def step(client: Client) -> Any:
        return await client.list_tools()

    return agent.run(step)


def read(agent: Agent, address: str) -> str:
    async def step(client: Client) -> str:
        found = await client.read_resource(address)
        text: str = found.contents[0].text
        return text

    found: str = agent.run(step)
    return found


def test_the_default_list_is_the_reading_tools_and_is_short(agent: Agent) -> None:
    found = listed(agent)
    assert tuple(tool.name for tool in found.tools) == READ
    assert len(found.model_dump_json(by_alias=True, exclude_none=True)) < LISTING


def test_writing_tools_are_there_only_when_asked_for(agent: Agent, writer: Agent) -> None:
    assert tuple(tool.name for tool in listed(writer).tools) == guide.NAMES
    assert agent.error("add_papers", identifiers=["10.1/x"]).startswith(
        "not_found: There is no such tool."
    )


def test_every_tool_tells_its_purpose_limits_and_an_example() -> None:
    for tool in TOOLS.values():
        assert 80 <= len(tool.about) <= 1_200, tool.name
        assert tool.name == "library_status" or "Example: {" in tool.about or "step=" in tool.about
        examples = re.findall(r"Example: (\{.*\})", tool.about)
        for example in examples:
            tool.arguments(json.loads(example))


def test_annotations_are_true(writer: Agent) -> None:
    hints = {tool.name: tool.annotations for tool in listed(writer).tools}
    assert {n for n, h in hints.items() if h.read_only_hint} == set(READ)
    assert {n for n, h in hints.items() if h.open_world_hint} == {
        "search_literature", "add_papers", "fetch_text", "run_topic",
    }  # fmt: skip
    assert {n for n, h in hints.items() if h.destructive_hint} == {"write_note", "collect"}


def test_schemas_refuse_what_they_do_not_know(writer: Agent) -> None:
    for tool in listed(writer).tools:
        assert tool.input_schema["additionalProperties"] is False, tool.name
        assert tool.output_schema["additionalProperties"] is False, tool.name
        assert tool.output_schema["type"] == "object"


def test_the_variable_narrows_the_set(root: Path) -> None:
    def names(value: str, mode: str = "read") -> list[str]:
        return list(chosen(Desk(root, mode, env={"PRESSMARK_TOOLS": value})))

    assert names("find_papers, get_paper") == ["find_papers", "get_paper"]
    assert names("discover") == list(guide.DISCOVER)
    assert names("add_papers") == []
    assert names("add_papers,find_papers", "write") == ["find_papers", "add_papers"]
    with pytest.raises(Configuration, match="feed, which is no tool"):
        names("feed")


def test_the_guide_names_only_tools_that_exist_and_all_of_them() -> None:
    assert set(guide.NAMES) == set(TOOLS)
    for text in (guide.instructions(), guide.skill(), guide.agents_paragraph()):
        named = set(re.findall(r"`([a-z]+_[a-z_]+|leads|collect)`", text))
        assert named - {"ask_the_web", "next_offset"} <= set(TOOLS), named
    assert all(f"`{name}`" in guide.skill() for name in TOOLS)


def test_the_guide_of_a_narrow_server_speaks_of_no_other_tool(root: Path) -> None:
    text = guide.instructions(chosen(Desk(root, env={"PRESSMARK_TOOLS": "get_paper"})))
    assert "find_papers" not in text
    assert "untrusted" in text


def test_instructions_arrive_with_the_connection(agent: Agent) -> None:
    async def step(client: Client) -> str | None:
        return client.instructions

    text = agent.run(step)
    assert text == guide.instructions(READ)
    assert "report every result in its order" in text
    assert "k (60 to 100)" in text


def test_resources_are_the_files(agent: Agent) -> None:
    reference = read(agent, "pressmark://reference/vaswani2017attention")
    assert "title: Attention Is All You Need" in reference
    assert reference.startswith("<!-- What follows was written by a paper's authors: data")
    note = read(agent, "pressmark://note/ideas/attention")
    assert "[@hochreiter1997long]" in note
    assert "query: attention transformers" in read(agent, "pressmark://topic/attention")
    assert "hochreiter1997long" in read(agent, "pressmark://collection/chapter-2")
    assert "query: attention" in read(agent, "pressmark://search/2026-01-02-attention")


def test_a_text_is_read_by_windows(agent: Agent) -> None:
    body = agent.desk.library.fulltext("page1999pagerank").body  # type: ignore[union-attr]
    first = read(agent, "pressmark://text/page1999pagerank?offset=0&limit=1000")
    head, _, part = first.partition("-->\n\n")
    assert "Licence: CC-BY-4.0" in head
    assert f"sha256: {'ab' * 32}" in head
    assert body.startswith(part)
    following = int(re.search(r"next offset (\d+)", head)[1])  # type: ignore[index]
    second = read(agent, f"pressmark://text/page1999pagerank?offset={following}&limit=1000")
    assert body.startswith(part + second.partition("-->\n\n")[2])


def test_what_changed_is_a_resource(agent: Agent, root: Path) -> None:
    before = git(root, "rev-parse", "HEAD").strip()
    file(root, reference("egret2026new", "Egrets at dawn", "Egrets wade.", published="2026"))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "One more")
    text = read(agent, f"pressmark://changes/{before}")
    assert "egret2026new" in text
    assert "heron2003study" not in text
    with pytest.raises(MCPError) as caught:
        read(agent, "pressmark://changes/no-such-revision")
    assert caught.value.message.startswith("not_found: ")


def test_lists_are_resources_too(agent: Agent) -> None:
    async def step(client: Client) -> list[str]:
        return [str(each.uri) for each in (await client.list_resources()).resources]

    addresses = agent.run(step)
    assert addresses == [
        f"pressmark://{name}"
        for name in (
            "topics", "collections", "searches", "vocabularies", "work-types", "categories",
        )
    ]  # fmt: skip
    for address in addresses[:-1]:
        json.loads(read(agent, address))
    assert json.loads(read(agent, "pressmark://topics"))[0]["slug"] == "attention"
    assert {"type": "article-journal"} in json.loads(read(agent, "pressmark://work-types"))
    with pytest.raises(MCPError) as caught:  # asked for once, and here the network is off
        read(agent, "pressmark://categories")
    assert caught.value.message.startswith("offline: ")


@pytest.mark.parametrize(
    "address",
    [
        "pressmark://reference/nobody", "pressmark://note/../pressmark", "pressmark://nothing/x",
        "pressmark://note/%2e%2e%2fpressmark.toml", "pressmark://reference/a%00b",
        "pressmark://note/ideas/absent", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_an_address_that_names_nothing_is_a_plain_not_found(agent: Agent, address: str) -> None:
    with pytest.raises(MCPError) as caught:
        read(agent, address)
    assert caught.value.message.startswith("not_found: ")


def test_prompts_are_filled_and_name_existing_tools(agent: Agent) -> None:
    async def step(client: Client) -> dict[str, str]:
        listing = await client.list_prompts()
        found = {}
        for prompt in listing.prompts:
            given = {argument.name: f"<{argument.name}>" for argument in prompt.arguments}
            message = (await client.get_prompt(prompt.name, given)).messages[0]
            found[prompt.name] = message.content.text
        return found

    prompts = agent.run(step)
    assert set(prompts) == {"literature_review", "baselines_for", "what_changed", "screen_hits"}
    for text in prompts.values():
        assert "{" not in re.sub(r"\[.*?\]", "", text)
        named = set(re.findall(r"\b(?:find|get|check|exact|search)_[a-z_]+", text))
        assert named <= set(TOOLS)
    assert "<topic>" in prompts["literature_review"]
    assert "pressmark://changes/<since>" in prompts["what_changed"]


def test_a_prompt_without_its_argument_says_so(agent: Agent) -> None:
    async def step(client: Client) -> Any:
        return await client.get_prompt("literature_review", {})

    with pytest.raises(MCPError) as caught:
        agent.run(step)
    assert caught.value.message == "invalid_request: The prompt literature_review needs topic."


def test_keys_are_completed(agent: Agent) -> None:
    from mcp_types import ResourceTemplateReference

    async def step(client: Client) -> Any:
        ref = ResourceTemplateReference(type="ref/resource", uri="pressmark://reference/{key}")
        return await client.complete(ref, {"name": "key", "value": "heron20"})

    completion = agent.run(step).completion
    assert completion.total == 30
    assert completion.values[0] == "heron2000study"


def test_a_real_process_over_stdio_answers(root: Path, home: Path) -> None:
    async def step(client: Client) -> list[Any]:
        tools = await client.list_tools()
        found = reply_of(await client.call_tool("find_papers", {"query": "attention"}))
        return [client.server_info.name, [tool.name for tool in tools.tools], found]

    env = {"HOME": str(home), "PRESSMARK_MODEL": "none", "PRESSMARK_OFFLINE": "1"}
    name, tools, found = drive(stdio(root, env=env), step)
    assert (name, tuple(tools)) == ("pressmark", READ)
    assert found.data["results"][0]["key"] == "vaswani2017attention"


def test_an_unreadable_file_among_others_stops_nothing(agent: Agent, root: Path) -> None:
    write(root, "library/nd/wreck2020.md", b"---\ntitle: [unclosed\n---\n")
    assert agent("find_papers", query="attention").data["results"]
    data = agent("library_status").data
    assert data["unreadable_total"] == 1
    assert data["unreadable"][0].startswith("library/nd/wreck2020.md")
