"""Sixty ways in which people write notes; exactly the links, citations and tags that they mean.

The dialects are pandoc's, Obsidian's, Foam's and zk's. Pandoc itself is the second opinion on what
is a citation.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from pressmark.links import parse


class Habit(NamedTuple):
    """A text, and what it holds: cite keys, wikilinks and embeds, links, tags, block names."""

    name: str
    text: str
    cites: tuple[str, ...] = ()
    wiki: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()


HABITS = [
    # pandoc
    Habit("a citation in brackets", "Rivers branch [@simic2017].", ("simic2017",)),
    Habit("several in one pair", "So [@a2001; @b2002;@c2003].", ("a2001", "b2002", "c2003")),
    Habit("prefix and locator", "So [see @a2001, pp. 3-5; but also @b2002, ch. 2].", ("a2001", "b2002")),
    Habit("the year alone", "Simic says so [-@simic2017, p. 3].", ("simic2017",)),
    Habit("in the sentence", "@simic2017 says so, as does @b2002.", ("simic2017", "b2002")),
    Habit("in the sentence with a page", "@simic2017 [p. 33] says so.", ("simic2017",)),
    Habit("a key in braces", "As @{https://x.org/a?b=c} has it.", ("https://x.org/a?b=c",)),
    Habit("a key with a colon", "See [@doi:10.5555/r.17].", ("doi:10.5555/r.17",)),
    Habit("a key in a footnote", "Text.[^1]\n\n[^1]: See [@a2001].\n", ("a2001",)),
    Habit("an inline footnote", "Text.^[See @a2001.]", ("a2001",)),
    Habit("in a table", "| what | who |\n|---|---|\n| reeds | [@a2001] |\n", ("a2001",)),
    Habit("in emphasis", "*So @a2001 says*, and **[@b2002]** too.", ("a2001", "b2002")),
    Habit("in a heading", "## Rivers [@a2001]\n\nText.\n", ("a2001",)),
    Habit("in a list", "- one [@a2001]\n- two\n\n  with more @b2002\n", ("a2001", "b2002")),
    Habit("in a definition list", "Term\n\n:   Meaning @a2001.\n", ("a2001",)),
    Habit("a mail address is none", "Write to ada@reader.invalid or <bob@x.invalid>."),
    Habit("code is none", "Use `@pytest` and\n\n```python\n@property\ndef a(): ...\n```\n"),
    Habit("an indented block is none", "Text:\n\n    @decorator\n    def a(): ...\n"),
    Habit("math is none", "Let $x_@y$ and $$z@w$$ be."),
    Habit("an escaped sign is none", "Ask \\@ada about it."),
    Habit("a comment is none", "<!-- [@a2001] -->\n\nText.\n"),
    Habit("raw HTML is none", "<pre>\n@a2001\n</pre>\n"),
    Habit("front matter is none", "---\nauthor: '@ada'\n---\n\nSee [@a2001].\n", ("a2001",)),
    Habit("an address is none", "See https://social.invalid/@ada/1 and [x](https://x.invalid/@b)."
          , links=("https://x.invalid/@b",)),
    Habit("a suppressed author at the start", "[-@a2001] and [-@b2002, p. 1]", ("a2001", "b2002")),
    Habit("a link's own text cites", "[as @a2001 says](notes/x.md)", ("a2001",), links=("notes/x.md",)),
    Habit("a reference link", "See [the paper][p].\n\n[p]: library/2017/a2001.md\n",
          links=("library/2017/a2001.md",)),
    # Obsidian
    Habit("a wikilink", "See [[On branching]].", wiki=("On branching",)),
    Habit("shown as other words", "See [[branching|what branches]].", wiki=("branching",)),
    Habit("a heading", "See [[branching#What follows]].", wiki=("branching",)),
    Habit("a heading below a heading", "See [[branching#A#B]].", wiki=("branching",)),
    Habit("a heading of its own", "See [[#What follows]].", wiki=("",)),
    Habit("a block", "See [[branching#^claim]].", wiki=("branching",)),
    Habit("a block without a sharp", "See [[branching^claim]].", wiki=("branching",)),
    Habit("a named block", "Rivers branch. ^claim\n\nMore.\n", blocks=("claim",)),
    Habit("an embedded picture", "![[river.png|300]]", wiki=("river.png",)),
    Habit("an embedded note", "![[branching#^claim]]", wiki=("branching",)),
    Habit("a path", "See [[notes/deep/reeds]].", wiki=("notes/deep/reeds",)),
    Habit("in a table with an escaped bar", "| a |\n|---|\n| [[reeds\\|Reeds]] |\n", wiki=("reeds",)),
    Habit("tags", "#method #water/river and #Größe.", tags=("method", "water/river", "Größe")),
    Habit("a tag in brackets", "(#method, #todo)", tags=("method", "todo")),
    Habit("a number is no tag", "Issue #42 and colour #fff0 and a#b.", tags=("fff0",)),
    Habit("a heading is no tag", "# Rivers\n\n#river\n", tags=("river",)),
    Habit("a callout", "> [!note] Mind\n> [[reeds]] and [@a2001] #wet\n", ("a2001",), ("reeds",),
          tags=("wet",)),
    Habit("a task", "- [ ] read [[simic2017rivers]] #todo\n- [x] done @a2001\n", ("a2001",),
          ("simic2017rivers",), tags=("todo",)),
    Habit("a highlight", "==so [[reeds]] stand==", wiki=("reeds",)),
    Habit("a property", "---\nrelated: '[[reeds]]'\n---\n\nText.\n"),
    Habit("code hides links", "`[[reeds]]`\n\n```\n[[branching]] #tag\n```\n"),
    Habit("a citation as a wikilink", "See [[@simic2017]].", wiki=("@simic2017",)),
    # Foam
    Habit("a Markdown link with its ending", "See [[reeds.md]].", wiki=("reeds.md",)),
    Habit("reference definitions", "See [[reeds]].\n\n[reeds]: reeds.md \"Reeds\"\n", wiki=("reeds",),
          links=("reeds.md",)),
    Habit("a relative link", "See [reeds](../notes/reeds.md#stand).", links=("../notes/reeds.md",)),
    Habit("a name with blanks", "[x](On%20branching.md) and [y](<On reeds.md>)",
          links=("On branching.md", "On reeds.md")),
    Habit("a picture", "![a river](pictures/river.png)", links=("pictures/river.png",)),
    # zk
    Habit("a zk id", "See [[202611301200]].", wiki=("202611301200",)),
    Habit("a folge link", "[[reeds]]#", wiki=("reeds",)),
    Habit("colon tags are words", ":method:river:\n"),
    Habit("a multi-word tag is one word", "#rivers in spring#", tags=("rivers",)),
    # mixed
    Habit("a mention of a person", "Thanks, @ada!", ("ada",)),
    Habit("a bare address in brackets", "<https://x.invalid/@ada>"),
    Habit("CRLF", "See [@a2001]\r\nand [[reeds]]. ^end\r\n", ("a2001",), ("reeds",), blocks=("end",)),
    Habit("tabs", "-\titem [@a2001]\n\n\t\tcode @no\n", ("a2001",)),
    Habit("right beside brackets", "([@a2001])[[reeds]]“@b2002”", ("a2001", "b2002"), ("reeds",)),
]  # fmt: skip


def test_there_are_sixty_and_each_has_its_own_name() -> None:
    assert len({habit.name for habit in HABITS}) == len(HABITS) >= 60


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.name)
def test_what_is_written_is_what_is_found(habit: Habit) -> None:
    found = parse(habit.text)

    def of(*kinds: str) -> tuple[str, ...]:
        return tuple(link.target for link in found if link.kind in kinds)

    assert (of("cite"), of("wikilink", "embed"), of("link", "image"), of("tag"), of("block")) == (
        habit.cites, habit.wiki, habit.links, habit.tags, habit.blocks,
    )  # fmt: skip
    for link in found:
        written = habit.text[link.target_start : link.target_end]
        assert link.target in (written, written.replace("%20", " "))


DIFFERENT = {
    "an address is none": "pandoc reads no bare address, so it takes the @ inside one for a citation",
    "a citation as a wikilink": "[[@key]] is a link to the reference; pandoc sees brackets in brackets",
}
"""Where we mean to differ, and why."""


@pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
def test_pandoc_finds_the_same_citations(tmp_path: Path) -> None:
    # Each text is a file of its own scope, with a heading between two, so that one run does.
    names = []
    for at, habit in enumerate(HABITS):
        for name, text in ((f"{at:03}.md", habit.text), (f"{at:03}-end.md", "# END OF IT\n")):
            (tmp_path / name).write_bytes(text.encode())
            names.append(name)
    done = subprocess.run(
        ["pandoc", "--file-scope", "--from", "markdown", "--to", "json", *names],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    theirs: list[list[str]] = [[]]
    for block in json.loads(done.stdout)["blocks"]:
        if block["t"] == "Header" and block["c"][1][0].startswith("end-of-it"):
            theirs.append([])
        else:
            theirs[-1] += [each["citationId"] for each in _cited(block)]
    assert len(theirs) == len(HABITS) + 1
    apart = {
        habit.name: (habit.cites, found)
        for habit, found in zip(HABITS, theirs, strict=False)
        if found != list(habit.cites)
    }
    assert set(apart) == set(DIFFERENT), apart


def _cited(node: object) -> list[dict[str, str]]:
    """Every citation of pandoc's tree, in order."""
    if isinstance(node, dict):
        if node.get("t") == "Cite":
            return list(node["c"][0])
        return [each for value in node.values() for each in _cited(value)]
    if isinstance(node, list):
        return [each for value in node for each in _cited(value)]
    return []
