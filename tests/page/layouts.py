"""Hand-made layouts for the property tests: the same fields as people and editors write them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from pressmark.page.dump import double, scalar

Draw = Callable[[st.SearchStrategy[Any]], Any]

WORDS = (
    "Attention Is All You Need", "no", "0123", "2101.00010", "a: b", "it's", 'say "hi"', "# x", "a #b",
    "ends with:", "Šimić, Ján", "漢字", "😀", "- dash", "x", "y z", "[a]", "{G}", "@at", "2017", "~",
)  # fmt: skip
words = st.sampled_from(WORDS)
TEXTS = ("title", "venue", "doi", "publisher", "volume", "language")
LISTS = ("authors", "isbn", "keywords", "tags", "cites")
FREE = ("status", "rating", "my-list", "nested")
COMMENTS = ("# note", "# a: b", "#tight", "# 'quote", "# - dash", "# ü 😀")


@dataclass
class Layout:
    """A file's lines, each with the field that owns it (None: comments, blanks, the frame)."""

    lines: list[tuple[str | None, str]] = field(default_factory=list)
    newline: str = "\n"
    bom: bool = False
    final: bool = True
    body: str = ""

    @property
    def data(self) -> bytes:
        text = "".join(line + self.newline for _, line in self.lines)
        body = self.body.replace("\n", self.newline)
        if not self.final and not body:
            text = text.removesuffix(self.newline)
        return (("\ufeff" if self.bom else "") + text + body).encode()

    def others(self, changed: set[str]) -> list[str]:
        """The lines that no change of these fields may touch; blank ones come and go."""
        return [line for owner, line in self.lines if owner not in changed and line.strip()]


@st.composite
def layouts(draw: Draw) -> Layout:
    """A reference in some layout that a person could have written."""
    names = draw(st.permutations(TEXTS[1:] + LISTS + FREE))[: draw(st.integers(0, 6))]
    names = sorted(["title", *names], key=lambda _: draw(st.integers(0, 3)))
    made = Layout(
        newline=draw(st.sampled_from(["\n", "\n", "\r\n"])),
        bom=draw(st.booleans()) and draw(st.booleans()),
        final=draw(st.booleans()),
        body=draw(st.sampled_from(["", "\n## Abstract\n\ntext\n", "text", "\n---\n\nx", "  \n\n"])),
    )
    blank = draw(st.sampled_from(["never", "always", "sometimes"]))
    made.lines.append((None, draw(st.sampled_from(["---", "---", "--- "]))))
    for place, name in enumerate(names):
        if place and (blank == "always" or (blank == "sometimes" and draw(st.booleans()))):
            made.lines.append((None, draw(st.sampled_from(["", "", "  "]))))
        if draw(st.integers(0, 4)) == 0:
            made.lines.append((None, draw(st.sampled_from(COMMENTS))))
            if draw(st.booleans()):
                made.lines.append((None, ""))
        made.lines += [(name, line) for line in _field(draw, name)]
    if draw(st.integers(0, 5)) == 0:
        made.lines.append((None, draw(st.sampled_from(COMMENTS))))
    made.lines.append((None, draw(st.sampled_from(["---", "---", "---", "--- ", "..."]))))
    return made


def _field(draw: Draw, name: str) -> list[str]:
    key = draw(st.sampled_from([name, name, name, f"'{name}'", f'"{name}"', f"{name} "]))
    if name == "nested":
        return [f"{key}:", "  a: {x: 1, y: [2, 3]}  # kept", "  'b':", "  - c", "", "  # in", "  - - d", "    - e"]  # fmt: skip
    if name in LISTS or name == "my-list":
        return _list(draw, key)
    return _text(draw, key)


def _text(draw: Draw, key: str) -> list[str]:
    value = draw(words)
    style = draw(st.sampled_from(["canonical", "'", '"', "|", ">", "below", "folded", "empty"]))
    beside = _beside(draw)
    if style == "empty" and key.strip("'\" ") != "title":
        return [f"{key}:{beside}"]
    if style in ("|", ">"):
        sign = draw(st.sampled_from(["", "-"]))
        indent = draw(st.sampled_from([" ", "  ", "    "]))
        return [f"{key}: {style}{sign}{beside}", f"{indent}{value}", f"{indent}second"]
    if style == "below":
        return [f"{key}:{_beside(draw)}", f"  {scalar(value)}{beside}"]
    if style == "folded":
        return [f'{key}:  "{double(value)[1:-1]}', "", f'   on and on"{beside}']
    return [f"{key}: {scalar(value, style='' if style == 'canonical' else style)}{beside}"]


def _list(draw: Draw, key: str) -> list[str]:
    values = draw(st.lists(words, max_size=4))
    style = draw(st.sampled_from(["block", "block", "block", "flow", "flow lines", "one", "empty"]))
    if style == "empty" or not values:
        return [f"{key}:{draw(st.sampled_from(['', ' []', ' # none']))}"]
    if style == "one":
        return [f"{key}: {scalar(values[0])}{_beside(draw)}"]
    if style == "flow":
        inner = ", ".join(_spelled(draw, value, flow=True) for value in values)
        return [f"{key}: [{inner}]{_beside(draw)}"]
    if style == "flow lines":
        inner_lines = [f"  {_spelled(draw, value, flow=True)},{_beside(draw)}" for value in values]
        return [f"{key}: [{_beside(draw)}", *inner_lines, f"]{_beside(draw)}"]
    indent = draw(st.sampled_from(["", "  ", "    "]))
    gap = draw(st.sampled_from([" ", " ", "   "]))
    lines = [f"{key}:{_beside(draw)}"]
    for value in values:
        if draw(st.integers(0, 5)) == 0:
            lines.append(indent + draw(st.sampled_from(COMMENTS)))
        if draw(st.integers(0, 7)) == 0:
            lines.append("")
        if draw(st.integers(0, 9)) == 0:
            lines += [f"{indent}-{gap}>-", f"{indent}    {value}"]
        else:
            lines.append(f"{indent}-{gap}{_spelled(draw, value)}{_beside(draw)}")
        if draw(st.integers(0, 9)) == 0:
            lines.append(f"{indent}-")
    return lines


def _spelled(draw: Draw, value: str, *, flow: bool = False) -> str:
    return scalar(value, flow=flow, style=draw(st.sampled_from(["", "", "'", '"'])))


def _beside(draw: Draw) -> str:
    return draw(st.sampled_from(["", "", "", "  ", " # beside", "\t# tab"]))
