"""Which lines hold prose, held against another reader of CommonMark."""

from __future__ import annotations

import random

import pytest

from pressmark.links import blocks

UNITS = [
    "WORD", "WORD", "WORD", "    ", "  ", " ", "> ", "- ", "1. ", "2) ", "```", "~~~", "# ", "---",
    "***", "\n", "\n", "\n", "\n\n", "`",
]  # fmt: skip


def text_of(seed: int) -> str:
    """A small document of words, containers, fences and blanks."""
    chance = random.Random(seed)
    parts = [chance.choice(UNITS) for _ in range(chance.randint(3, 18))]
    return "".join(f"w{n} " if part == "WORD" else part for n, part in enumerate(parts))


def words(text: str) -> list[str]:
    return [word for word in text.replace(">", " ").split() if word.startswith("w")]


def test_prose_and_code_are_told_apart_as_commonmark_does() -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": False})
    reader = reader.disable(["html_block", "reference"])
    for seed in range(3000):
        text = text_of(seed)
        if text.startswith("---"):
            continue
        expected = [t.content for t in reader.parse(text) if t.type == "inline"]
        found = [text[span.start : span.end] for span in blocks.spans(text)]
        assert words(" ".join(found)) == words(" ".join(expected)), repr(text)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("---\na: 1\n---\nbody", 13),
        ("---\na: 1\n...\nbody", 13),
        ("---\r\n---\r\nbody", 10),
        ("\ufeff---\n---", 8),
        ("---\nno end\n", 0),
        ("text\n---\n---\n", 0),
        ("", 0),
    ],
)
def test_where_the_body_begins(text: str, end: int) -> None:
    assert blocks.front_matter_end(text) == end


def test_a_comment_and_raw_html_end_where_they_say() -> None:
    text = "<!-- a\n\nb --> after\n\n<PRE>c\n\nd</pre> behind\n\n<div>\ninside\n</div>\n"
    found = [text[span.start : span.end].strip() for span in blocks.spans(text)]
    assert found == ["after", "behind", "<div>\ninside\n</div>"]


@pytest.mark.timeout(60)
def test_three_thousand_lists_one_in_the_other_are_read_at_once() -> None:
    """Nine million characters, nearly all of them blanks; each level read them all again once."""
    text = "\n".join(f"{'  ' * level}- w{level}" for level in range(3_000))
    found = blocks.spans(text)
    assert len(found) == blocks.DEEPEST
    assert text[found[0].start : found[0].end] == "w0"
    assert text[found[-1].start : found[-1].end].endswith("- w2999")


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_nothing_in_the_deepest_container_is_no_block(mark: str) -> None:
    deep = mark * blocks.DEEPEST
    assert blocks.spans(f"{deep}\n") == []
    (found,) = blocks.spans(f"{deep}\n\nafter\n")
    assert (found.start, found.level) == (len(deep) + 2, 0)
