"""Lines in; headings and whole paragraphs out, across columns, pages and what stands between."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pressmark.fulltext.clean import Words, joined, parted
from pressmark.fulltext.pdf.captions import CAPTION
from pressmark.fulltext.pdf.formulas import gathered
from pressmark.fulltext.pdf.headings import NAMED, NUMBERED, is_heading, is_loud, needs_plain
from pressmark.fulltext.pdf.lines import Line, Page, indent, margins

_ENDED = re.compile(r"[.!?:;…][\"”’')\]\u2070-\u209f\u00b9\u00b2\u00b3\d]{0,4}$|[。！？]$")
_MARKED = re.compile(r"^(?:[•◦▪–—·■●∗*†‡§]\s*|\(?[a-z0-9]{1,3}[.)]\s|\[\d{1,3}\]\s)")


@dataclass
class Block:
    """Lines that belong together; `kind` is "text", "heading", "caption", "formula" or "float"."""

    kind: str
    lines: list[Line] = field(default_factory=list)

    @property
    def page(self) -> int:
        return self.lines[0].page

    @property
    def size(self) -> float:
        return self.lines[0].size

    def is_left_by(self, line: Line) -> bool:
        """Whether nothing can go on in a line: after a heading, a listing, or where a caption's
        table stands between."""
        held, last = self.lines[0].holds, self.lines[-1]
        if self.kind in ("heading", "formula", "float"):
            return True
        return held is not None and held.top < last.y and not last.y > line.y > held.top

    def text(self, words: Words) -> str:
        """All lines as one; a word that a line's end broke may have been glued to others."""
        return parted(joined([line.text for line in self.lines], words), words)


def blocks(pages: Sequence[Page], body: float) -> list[Block]:
    """The blocks of a document in reading order, sentences made whole again."""
    plain = needs_plain([line for page in pages for line in page.lines], body)
    out: list[Block] = []
    for page in pages:
        flow = Flow(margins(page.lines), _leading(page.lines), body, plain)
        before: Line | None = None
        for line in gathered(page.lines, flow.columns, flow.leading, body):
            for part in _parted(line):
                flow.place(out, part, before)
                before = part
    return _resumed(_spoken(_confirmed(out), body), body)


def _parted(line: Line) -> list[Line]:
    """A numbered run-in title and the text that goes on behind it, as two lines."""
    rest = line.text[len(line.lead) :].strip()
    if not line.lead or not rest or not NUMBERED.match(line.lead) or len(line.lead) < 8:
        return [line]
    title = replace(line, text=line.lead.rstrip(" ."), bold=True, lead="")
    return [title, replace(line, text=rest, bold=False, italic=False, lead="")]


def _confirmed(out: list[Block]) -> list[Block]:
    """A heading has text under it; what heads figures and the rows of tables has not."""
    kept: list[Block] = []
    listed = False  # inside a table of contents
    for place, block in enumerate(out):
        after = out[place + 1] if place + 1 < len(out) else None
        numbered = NUMBERED.match(block.lines[0].text) or NAMED.match(block.lines[0].text)
        text = " ".join(line.text for line in block.lines)
        listed = bool(_CONTENTS.match(text) or (listed and re.search(r"\s\d{1,3}$", text)))
        if (
            block.kind == "heading"
            and (
                len(text) > 200
                or (not numbered and len(text) > 70 and text[-1] == ".")  # a bold sentence
                or (listed and not _CONTENTS.match(text))
            )
        ) or (
            block.kind == "heading" and not numbered and not (after and _is_headed(after))
            and not (after and after.kind == "formula" and re.search(r"\d", text))
        ):  # fmt: skip
            block.kind = "text"
        if kept and _title_goes_on(kept[-1], block):
            first = block.lines[0]
            rest = first.text[len(first.lead) :].strip()
            kept[-1].lines.append(replace(first, text=first.lead.rstrip(" .:"), lead=""))
            block.lines[0] = replace(first, text=rest, italic=False, bold=False, lead="")
            kept.append(block)
        elif kept and _runs_in(kept[-1], block):
            kept[-1].lines += block.lines
            kept[-1].kind = "text"
        else:
            kept.append(block)
    return kept


_CONTENTS = re.compile(r"^\W*(?:table of )?contents\W*$|^inhalt(?:sverzeichnis)?$", re.I)


def _title_goes_on(title: Block, block: Block) -> bool:
    """Whether a numbered run-in title of two lines ends at the start of a paragraph's first."""
    if title.kind != "heading" or block.kind != "text":
        return False
    last, first = title.lines[-1], block.lines[0]
    close = 0 < last.y - first.y < 1.6 * first.size and last.page == first.page
    ends = first.lead[:1].islower() and first.lead.rstrip()[-1:] in tuple(".:")
    rest = first.text[len(first.lead) :].strip()
    return close and ends and bool(rest) and bool(NUMBERED.match(title.lines[0].text))


def _runs_in(title: Block, block: Block) -> bool:
    """Whether a bold line is the first of a sentence that goes on in the next, then in plain."""
    if title.kind != "heading" or block.kind != "text" or not block.lines[0].lead:
        return False
    last, first = title.lines[-1], block.lines[0]
    close = 0 < last.y - first.y < 1.6 * first.size and last.page == first.page
    return close and last.bold and not NUMBERED.match(title.lines[0].text)


def _is_headed(block: Block) -> bool:
    return block.kind in ("heading", "caption", "float") or _is_prose(block) or len(block.lines) > 4


@dataclass(frozen=True, slots=True)
class Flow:
    """How one page is set: its columns, its usual step from line to line, the body's size."""

    columns: Sequence[float]
    leading: float
    body: float
    plain: bool

    def place(self, out: list[Block], line: Line, before: Line | None) -> None:
        """Add a line to the open block or begin another."""
        last = out[-1] if out else None
        previous = before or (last.lines[-1] if last else None)
        if line.formula:
            out.append(Block("formula", [line]))
        elif line.holds and line.holds.whole:
            out.append(Block("float", [line]))
        elif last and last.kind == "heading" and before and self._same_heading(before, line):
            last.lines.append(line)
        elif is_heading(line, previous, self.body, plain=self.plain) and not _goes_on(
            previous, line, before, self.leading
        ):
            out.append(Block("heading", [line]))
        elif line.holds or (CAPTION.match(line.text) and not self._names(before, line)):
            out.append(Block("caption", [line]))
        elif last is None or before is None or last.is_left_by(line) or _breaks(
            before, line, self.columns, self.leading
        ):  # fmt: skip
            out.append(Block("text", [line]))
        else:
            last.lines.append(line)

    def _names(self, before: Line | None, line: Line) -> bool:
        """Whether a line that begins as a caption goes on in the sentence of the one above it."""
        if before is None or line.lead or line.bold or not before.near(line.size):
            return False
        close = 0 < before.y - line.y < 1.25 * self.leading and abs(before.x - line.x) < 16
        return close and before.text[-1:].isalpha() and len(before.text) > 0.7 * len(line.text)

    def _same_heading(self, first: Line, second: Line) -> bool:
        """The second line of a long heading."""
        same = first.bold == second.bold and abs(first.size - second.size) < 0.3
        close = 0 < first.y - second.y < max(1.3 * self.leading, 1.35 * first.size)
        loud = is_loud(second, self.body) and not second.lead
        fresh = NUMBERED.match(second.text) or NAMED.match(first.text) or first.text[-1:] in ".?"
        return same and close and loud and not fresh and len(second.text) < 100


def _goes_on(previous: Line | None, line: Line, before: Line | None, leading: float) -> bool:
    """Whether a line set like a heading is the middle of a bold sentence."""
    if previous is None or before is None or previous.page != line.page:
        return False
    same = previous.bold == line.bold and previous.near(line.size)
    close = 0 < previous.y - line.y < 1.25 * leading
    return same and close and previous.text[-1:] in ",-" and not NUMBERED.match(line.text)


def _breaks(before: Line, line: Line, columns: Sequence[float], leading: float) -> bool:
    """Whether a paragraph ends between two lines of one page."""
    if abs(before.size - line.size) > 0.6:
        return True
    ended = bool(_ENDED.search(before.text))
    gap = before.y - line.y
    if gap < -1 or gap > 6 * leading:  # another column, or far below: the flow decides later
        return ended or not line.text[:1].islower()
    if gap > 1.4 * leading:
        return ended or not line.text[:1].islower()
    if ended and (_MARKED.match(line.text) or len(before.text) < 0.6 * len(line.text)):
        return True
    step = indent(line, columns) - indent(before, columns)
    return ended and 4 < step < 40


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance between two lines."""
    steps: Counter[float] = Counter()
    for before, line in pairwise(lines):
        step = round((before.y - line.y) * 2) / 2
        if 4 < step < 40:
            steps[step] += 1
    return steps.most_common(1)[0][0] if steps else 12.0


def _spoken(out: list[Block], body: float) -> list[Block]:
    """A sentence with a displayed formula in it stays one paragraph, the formula in its place."""
    kept: list[Block] = []
    for block in out:
        at = len(kept)
        while at and kept[at - 1].kind == "formula":
            at -= 1
        goes_on = block.kind == "text" and block.lines[0].near(body) and at < len(kept)
        if (
            goes_on and at and kept[at - 1].kind == "text" and kept[at - 1].lines[-1].near(body)
            and re.match(r"[^\W\d_]{2}", block.lines[0].text) and block.lines[0].text[0].islower()
        ):  # fmt: skip
            for each in (*kept[at:], block):
                kept[at - 1].lines += each.lines
            del kept[at:]
        else:
            kept.append(block)
    return kept


def _resumed(out: list[Block], body: float) -> list[Block]:
    """Join a broken sentence with its rest, over notes, captions and figures in between."""
    kept: list[Block] = []
    waiting: Block | None = None
    for block in out:
        if block.kind == "heading":
            waiting = None
        elif block.kind == "text" and block.lines[0].near(body):
            if waiting is not None and _continues(waiting, block):
                waiting.lines += block.lines
                waiting = waiting if _open(waiting) else None
                continue
            if _open(block) and _is_prose(block):
                waiting = block
            elif waiting is not None and block.page - waiting.lines[-1].page > 1:
                waiting = None
        kept.append(block)
    return kept


def _is_prose(block: Block) -> bool:
    """Whether a block is running text, not a listing, a formula or the words of a figure."""
    text = " ".join(line.text for line in block.lines)
    shown = sum(char.isalpha() or char.isspace() for char in text)
    return shown > 0.85 * len(text) and len(text) > 25 * len(block.lines)


def _open(block: Block) -> bool:
    """Whether a block stops in the middle of a sentence."""
    last = block.lines[-1].text
    return (len(block.lines) > 1 and not _ENDED.search(last)) or last[-1:] == "-"


def _continues(waiting: Block, block: Block) -> bool:
    first = block.lines[0].text
    if waiting.lines[-1].text[-1:] == "-" or first[:1].islower():
        return bool(re.match(r"[\W\d]*[^\W\d_]", first))
    near = block.page - waiting.lines[-1].page <= 1
    prose = len(first) > 30 and sum(char.isalpha() for char in first) > 0.7 * len(first)
    return near and prose and not _MARKED.match(first) and first[:1].isupper() is False
