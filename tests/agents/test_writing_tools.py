"""The tools that write: one commit each with its trailer, or a proposal on a branch."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from printed import column, pdf

from agents.agent import Agent
from agents.conftest import git
from double import HTML, RATE_LIMITED, Double
from pressmark.mcp.desk import Desk
from story import story_routes


def trailer(root: Path, rev: str = "HEAD") -> str:
    return git(root, "log", "-1", "--format=%(trailers:key=Agent,valueonly)", rev).strip()


def test_a_note_is_created_updated_and_deleted_each_in_one_commit(
    writer: Agent, root: Path
) -> None:
    made = writer(
        "write_note", action="create", title="Memory and attention", tags=["reading"],
        text="Cells remember [@hochreiter1997long].", about=["vaswani2017attention"],
    )  # fmt: skip
    slug = made.data["note"]
    path = root / "notes" / f"{slug}.md"
    text = path.read_text("utf-8")
    assert "title: Memory and attention" in text
    assert "about:\n- vaswani2017attention" in text
    assert text.endswith("# Memory and attention\n\nCells remember [@hochreiter1997long].\n")
    assert made.data["commit"] == git(root, "rev-parse", "HEAD").strip()
    assert trailer(root) == "mcp"
    again = writer("write_note", action="update", note=slug, text="# New\n\nWords.", tags=[])
    assert again.data["commit"] == git(root, "rev-parse", "HEAD").strip()
    text = path.read_text("utf-8")
    assert text.endswith("# New\n\nWords.\n")
    assert "tags:" not in text
    assert "title: Memory and attention" in text
    gone = writer("write_note", action="delete", note="Memory and attention")
    assert gone.data["deleted"] is True
    assert not path.exists()
    absent = writer("write_note", action="delete", note="Memory and attention")
    assert (absent.data["deleted"], absent.data["changes"]) == (False, [])
    assert git(root, "status", "--porcelain") == ""


def test_a_note_about_nobody_is_refused_and_nothing_is_written(writer: Agent, root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    line = writer.error("write_note", action="create", title="X", about=["nobody1999"])
    assert line.startswith("not_found: ")
    assert writer.error("write_note", action="create").startswith("invalid_request: ")
    assert writer.error("write_note", action="update", text="x").startswith("invalid_request: ")
    assert writer.error("write_note", action="update", note="nothing", text="x").startswith(
        "not_found: "
    )
    assert git(root, "rev-parse", "HEAD") == head


def test_a_reading_list_is_made_filled_and_thinned_out(writer: Agent, root: Path) -> None:
    assert writer("collect", action="new", collection="Chapter 3").data["collection"] == "chapter-3"
    filled = writer(
        "collect", action="add", collection="chapter-3",
        papers=["arxiv:1706.03762", "heron2003study", "nobody1999"],
    )  # fmt: skip
    assert filled.data["members"] == ["heron2003study", "vaswani2017attention"]
    assert [each["paper"] for each in filled.data["rejected"]] == ["nobody1999"]
    assert trailer(root) == "mcp"
    thinned = writer("collect", action="remove", collection="chapter-3", papers=["heron2003study"])
    assert thinned.data["members"] == ["vaswani2017attention"]
    shown = writer("collect", action="show", collection="chapter-3")
    assert (shown.data["changes"], shown.data["members"]) == ([], ["vaswani2017attention"])


def test_a_topic_is_registered_without_a_request(writer: Agent, root: Path) -> None:
    made = writer("add_topic", follow="heron migration", providers=["arxiv"], why="They move.")
    text = (root / "topics" / f"{made.data['topic']}.md").read_text("utf-8")
    assert "query: heron migration" in text
    assert "They move." in text
    assert writer.error("add_topic", follow="research:nobody?q=x").startswith("invalid_request: ")


def test_a_proposal_goes_to_a_branch_and_the_files_stay(root: Path) -> None:
    agent = Agent(Desk(root, "branch", offline=True))
    head = git(root, "rev-parse", "main")
    made = agent("write_note", action="create", title="A proposal", text="Words.")
    branch = made.data["branch"]
    assert branch == f"agent/{agent.desk.today}"
    assert "the user's files are as they were" in made.text
    assert git(root, "rev-parse", "main") == head
    assert git(root, "status", "--porcelain") == ""
    assert not (root / "notes/a-proposal.md").exists()
    assert trailer(root, branch) == "mcp"
    agent("collect", action="add", collection="chapter-2", papers=["heron2003study"])
    assert git(root, "rev-list", "--count", f"main..{branch}").strip() == "2"
    assert "heron2003study" in git(root, "show", f"{branch}:topics/collections/chapter-2.md")


def test_a_proposal_grows_by_calls_that_see_the_checkout_only(root: Path) -> None:
    agent = Agent(Desk(root, "branch", offline=True))
    branch = agent("collect", action="add", collection="New", papers=["heron2003study"]).data[
        "branch"
    ]
    agent("collect", action="add", collection="New", papers=["vaswani2017attention"])
    agent("collect", action="add", collection="New", papers=["heron2003study"])  # says it again
    listed = git(root, "show", f"{branch}:topics/collections/new.md")
    assert listed.count("- heron2003study") == listed.count("- vaswani2017attention") == 1
    assert git(root, "rev-list", "--count", f"main..{branch}").strip() == "2"
    agent("write_note", action="create", title="A proposal", text="Words.")
    again = agent.error("write_note", action="create", title="A proposal", text="Other words.")
    assert again.startswith(f"changed_meanwhile: The branch {branch} holds another version")
    assert "Words." in git(root, "show", f"{branch}:notes/a-proposal.md")


@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_a_proposal_moves_no_files_while_somebody_is_on_its_branch(
    root: Path, tmp_path: Path, where: str
) -> None:
    agent = Agent(Desk(root, "branch", offline=True))
    taken = f"agent/{agent.desk.today}"
    if where == "here":
        git(root, "switch", "-q", "-c", taken)
    else:
        git(root, "worktree", "add", "-q", str(tmp_path / "other"), "-b", taken)
    head = git(root, "rev-parse", "HEAD")
    made = agent("collect", action="add", collection="chapter-2", papers=["heron2003study"])
    assert made.data["branch"] == f"{taken}-2"
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == (head, "")
    assert git(root, "rev-parse", taken) == head
    assert git(root, "rev-list", "--count", f"{taken}..{taken}-2").strip() == "1"


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as found:
        yield found


@pytest.fixture
def online(root: Path, home: Path, double: Double, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """An agent that may write, with the providers of the invented world."""
    contact = 'contact = "ada@reader.invalid"\n'
    monkeypatch.setenv("PRESSMARK_CONFIG", str(double.write_config(home / "c.toml", extra=contact)))
    return Agent(Desk(root, "write"))


SOURCES = ["arxiv", "crossref", "openalex"]


def test_literature_is_found_and_nothing_is_filed(online: Agent, root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    reply = online("search_literature", query="graph transformers", sources=SOURCES)
    assert reply.size <= 7_000
    titles = [row["untrusted"]["title"] for row in reply.data["results"]]
    assert "Graph Transformers for Tidal Networks" in titles
    assert {p["source"]: p["status"] for p in reply.data["providers"]} == dict.fromkeys(
        SOURCES, "ok"
    )
    assert (reply.data["broken"], reply.data["results"][0]["held_as"]) == ([], None)
    assert "Tidal" not in reply.text
    assert git(root, "rev-parse", "HEAD") == head
    assert git(root, "status", "--porcelain") == ""


def test_every_hit_of_a_merged_answer_can_be_had(online: Agent, double: Double) -> None:
    asked = {"query": "graph transformers", "sources": SOURCES}
    whole = online("search_literature", limit=50, **asked)
    names = [row["identifier"] for row in whole.data["results"]]
    assert (len(names), whole.data["next_offset"], whole.data["left_out"]) == (5, None, 0)
    seen, offset = [], 0
    while offset is not None:
        part = online("search_literature", limit=2, offset=offset, **asked)
        seen += [row["identifier"] for row in part.data["results"]]
        offset = part.data["next_offset"]
        assert (offset is None) is (part.data["left_out"] == 0)
        assert offset is None or f"more from offset {offset}" in part.text
    merged = {name for name in names if name in seen}
    assert len(seen) == len(set(seen)) and len(merged) == len(seen) > 2
    beyond = online("search_literature", limit=2, offset=100, **asked)
    assert (beyond.data["results"], beyond.data["next_offset"]) == ([], None)


def test_a_failing_provider_is_a_row_and_no_error(online: Agent, double: Double) -> None:
    double.fail("/at-openalex/*", RATE_LIMITED)
    double.fail("/at-crossref/*", HTML)
    reply = online("search_literature", query="graph transformers", sources=SOURCES)
    states = {each["source"]: each["status"] for each in reply.data["providers"]}
    assert states == {"arxiv": "ok", "openalex": "unavailable", "crossref": "broken"}
    assert reply.text.startswith("! BROKEN: crossref.\nNot heard: openalex.")
    assert reply.data["broken"] == ["crossref"]
    assert reply.data["results"]


def test_when_nobody_answers_the_error_says_so(online: Agent, double: Double) -> None:
    double.fail("*", RATE_LIMITED)
    line = online.error("search_literature", query="graph transformers", sources=SOURCES)
    assert line.startswith("rate_limited: No source answered")
    assert online.error("search_literature", query="x", sources=["nowhere"]).startswith(
        "invalid_request: "
    )


def test_papers_are_filed_by_identifier_only(online: Agent, root: Path, double: Double) -> None:
    reply = online(
        "add_papers", identifiers=["arXiv:9801.00011", "../../etc/passwd", "A title of words"],
        tags=["found"],
    )  # fmt: skip
    assert (reply.data["added"], len(reply.data["rejected"])) == (1, 2)
    key = reply.data["papers"][0]["key"]
    assert git(root, "log", "-1", "--format=%s").startswith("add: ")
    assert trailer(root) == "mcp"
    assert "- found" in (root / online.desk.library.path(key)).read_text("utf-8")
    again = online("add_papers", identifiers=["https://arxiv.org/abs/9801.00011v2"])
    assert (again.data["added"], again.data["changes"]) == (0, [])
    asked = len(double.requests)
    assert online.error("add_papers", identifiers=["/etc/passwd"]).startswith("invalid_request: ")
    assert len(double.requests) == asked


def test_a_topic_brings_candidates(online: Agent, root: Path) -> None:
    made = online("add_topic", follow="graph transformers", providers=SOURCES)
    ran = online("run_topic", topic=made.data["topic"])
    assert ran.data["answered"] is True
    assert all(each["status"] == "ok" for each in ran.data["providers"])
    for key in ran.data["new"]:
        assert online.desk.library.get(key).stage == "candidate"


def test_text_is_fetched_with_progress(online: Agent, root: Path) -> None:
    key = online("add_papers", identifiers=["arXiv:9801.00011"]).data["papers"][0]["key"]
    reply = online("fetch_text", papers=[key])
    row = reply.data["papers"][0]
    assert row["status"] in ("fetched", "none")
    if row["status"] == "fetched":
        assert row["resource"] == f"pressmark://text/{key}"
        assert online("get_paper", paper=key, part="text").data["window"]["total"] > 2_000


def test_a_pdf_is_filed_beside_its_paper_whole_or_in_chunks(writer: Agent, root: Path) -> None:
    key = "heron2003study"
    data = pdf(
        [column(["A study of herons, part 3", *["Herons wade in the river and wait. " * 2] * 50])]
    )
    content = base64.b64encode(data).decode()
    whole = writer("upload_pdf", step="whole", paper=key, filename="../../x.pdf",
                   content_base64=content, rights="from the author")  # fmt: skip
    assert whole.data["resource"] == f"pressmark://text/{key}"
    text = (root / "library/nd" / f"{key}.fulltext.md").read_text("utf-8")
    assert "filename: x.pdf" in text
    assert "rights: from the author" in text
    assert whole.data["commit"] is None  # without an open licence it stays out of git
    session = writer("upload_pdf", step="begin", filename="y.pdf").data["session_id"]
    middle = len(data) // 2
    for index, part in enumerate((data[:middle], data[middle:])):
        got = writer("upload_pdf", step="chunk", session_id=session, index=index,
                     content_base64=base64.b64encode(part).decode())  # fmt: skip
        assert got.data["received_index"] == index
    assert got.data["bytes_so_far"] == len(data)
    done = writer("upload_pdf", step="finish", session_id=session, paper=key)
    assert done.data["key"] == key
    assert writer.error("upload_pdf", step="finish", session_id=session, paper=key).startswith(
        "not_found: "
    )


def test_another_papers_pdf_is_refused_without_its_words(writer: Agent) -> None:
    data = pdf(
        [column(["Solar cells of tomorrow", *["Perovskites absorb light very well. " * 2] * 50])]
    )
    line = writer.error(
        "upload_pdf", step="whole", paper="hochreiter1997long",
        content_base64=base64.b64encode(data).decode(),
    )  # fmt: skip
    assert "The document was refused: it gives no text of this paper." in line
    assert "Solar" not in line
