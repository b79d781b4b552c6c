"""The pages of a PDF in; title, Markdown and reference list out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pressmark.fulltext import grid, lexicon
from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import Words, mended, parted, torn
from pressmark.fulltext.pdf import captions, floats, marks, references
from pressmark.fulltext.pdf.headings import Levels
from pressmark.fulltext.pdf.lines import Line, Page, body_size
from pressmark.fulltext.pdf.marks import Marks
from pressmark.fulltext.pdf.paragraphs import Block, blocks
from pressmark.fulltext.pdf.pieces import Float


@dataclass(frozen=True, slots=True)
class Written:
    """What the pages became."""

    title: str
    body: str
    references: tuple[str, ...]


def write(pages: Sequence[Page], title: str) -> Written:
    """The document as Markdown; `title` is the metadata's, for a page that shows none."""
    lines = [line for page in pages for line in page.lines]
    texts = [line.text for line in lines]
    words = Words(texts, lexicon.language(texts))
    pages = [_spaced(page, words, mend=torn(texts, words)) for page in pages]
    pages = floats.lifted(pages, words.join, body_size(pages))
    lines = [line for page in pages for line in page.lines]
    body = body_size(pages)
    list_ = references.cut(lines, words, body)
    body = body_size(pages, list_.lines if list_ else ())
    gone = list_.lines if list_ else frozenset()
    head = _title_lines(pages, body)
    kept = _without(pages, lines, gone, head)
    shown = md.clean(_joined(head, words) or _stated(title)).strip()
    found = _abstract(_front(blocks(kept, body)), words)
    levels = Levels([block.lines[0] for block in found if block.kind == "heading"])
    how = marks.read(found, list_, body)
    out = [md.heading(1, md.escape(shown))]
    page, front = 0, marks.front_end(found)
    for at, block in enumerate(found):
        while page < block.page:
            page += 1
            out.append(md.page_anchor(page))
        out += _markdown(block, words, levels, Marks() if at < front else how, body)
    out += [md.page_anchor(number) for number in range(page + 1, len(pages) + 1)]
    entries = list_.entries if list_ else ()
    out += md.references((f"ref-{n}", _escaped(text)) for n, text in enumerate(entries, 1))
    return Written(shown, md.document(out), tuple(md.clean(text).strip() for text in entries))


def _spaced(page: Page, words: Words, *, mend: bool) -> Page:
    """A page with the blanks that its font lost back, and those that it tore words with gone."""
    texts = [parted(mended(line.text, words) if mend else line.text, words) for line in page.lines]
    pairs = zip(page.lines, texts, strict=True)
    return replace(page, lines=tuple(replace(line, text=text) for line, text in pairs))


def _without(
    pages: Sequence[Page], lines: Sequence[Line], gone: frozenset[int], head: Sequence[Line]
) -> list[Page]:
    """The pages without the reference list and the title."""
    taken = {id(line) for at, line in enumerate(lines) if at in gone} | {id(line) for line in head}
    return [
        Page(page.number, tuple(line for line in page.lines if id(line) not in taken))
        for page in pages
    ]


def _title_lines(pages: Sequence[Page], body: float) -> list[Line]:
    """The first lines of the largest type on the first page that say three words or more."""
    first = [line for page in pages[:1] for line in page.lines if not _KIND.match(line.text)]
    groups: list[list[Line]] = []
    for line in first:
        if line.size <= body + 1 or not re.search(r"[^\W\d_]{2}", line.text):
            continue
        if groups and abs(groups[-1][0].size - line.size) < 0.6:
            groups[-1].append(line)
        else:
            groups.append([line])
    titles = [group for group in groups if 3 <= _words(group) <= 40 and len(group) <= 6]
    titles = titles or [group for group in groups if _words(group) == 2]
    return max(titles, key=lambda group: round(group[0].size), default=[])


_KIND = re.compile(
    r"^(?:(?:original|research|review|regular) (?:article|paper)|article|review)$", re.I
)


def _words(group: Sequence[Line]) -> int:
    return sum(len(line.text.split()) for line in group)


def _joined(head: Sequence[Line], words: Words) -> str:
    text = ""
    for line in head:
        text = words.join(text, line.text)
    return text


def _front(found: list[Block]) -> list[Block]:
    """Names and addresses before the first section are set large too, but head nothing."""
    for block in found:
        if block.page > 1 or (block.kind == "heading" and _BEGINS.match(block.lines[0].text)):
            break
        if block.kind == "heading":
            block.kind = "text"
    return found


def _abstract(found: list[Block], words: Words) -> list[Block]:
    """An abstract whose title runs into its text gets a heading like any other."""
    for place, block in enumerate(found):
        first = block.lines[0]
        start = _RUN_IN.match(first.text) if block.kind == "text" and block.page < 3 else None
        if start and len(block.text(words)) > 200:
            block.lines[0] = replace(first, text=first.text[start.end() :], lead="")
            heading = Block("heading", [replace(first, text="Abstract", lead="", bold=True)])
            return [*found[:place], heading, *found[place:]]
    return found


_RUN_IN = re.compile(r"^(?:abstract|summary)\s*[.:—–-]+\s*(?=\S)", re.I)


def _stated(title: str) -> str:
    """The title in the metadata, unless it is the name of a file."""
    named = re.search(
        r"\.(?:pdf|dvi|docx?|tex|ps|qxd|indd)\b|^untitled|^microsoft word", title, re.I
    )
    return "" if named or len(title.split()) < 2 else title


_BEGINS = re.compile(r"^(?:abstract|summary|(?:\d|I\.?|)\W*introduction|background|\d\.?\s)", re.I)


def _markdown(block: Block, words: Words, levels: Levels, how: Marks, body: float) -> list[str]:
    if block.kind == "float":
        return _float(block.lines[0].holds, how)
    text = block.text(words)
    if not any(char.isalnum() for char in text):
        return []  # a mark or a rule that stands alone
    if block.kind == "heading":
        return [md.heading(levels.of(block.lines[0]), _escaped(text))]
    if block.kind == "formula":
        return [md.paragraph(_escaped(text))]
    if block.kind == "caption" and (found := captions.cut(text)):
        label, rest = found
        shown = f"**{md.escape(label.rstrip('.'))}.** {how.linked(rest)}".strip()
        return [shown, *_float(block.lines[0].holds, how)]
    if how.notes and marks.is_small(block, body):
        notes = marks.split(block, words)
        if all(number in how.notes for number, _ in notes):
            return [md.Footnote(str(number), how.linked(note)).block for number, note in notes]
    lead = block.lines[0].lead
    if block.lines[0].bold != block.lines[-1].bold or not _is_title(lead, text):
        lead = ""
    if len(lead) > 3:
        return [md.paragraph(f"**{_escaped(lead)}**{how.linked(text[len(lead) :])}")]
    return [md.paragraph(how.linked(text))]


def _float(held: Float | None, how: Marks) -> list[str]:
    """The table or the printed lines under a caption."""
    if held is None:
        return []
    if not held.rows:
        return [md.fenced("\n".join(held.lines))]
    cells = [[grid.Cell(how.linked(text), across) for text, across in row] for row in held.rows]
    return [grid.table(cells, held.heads), *(md.paragraph(how.linked(one)) for one in held.notes)]


def _is_title(lead: str, text: str) -> bool:
    """Whether a paragraph begins with a run-in title, not with half a formula's letters."""
    whole = lead.count("(") == lead.count(")") and "[" not in lead
    cut = lead[-1:].isalnum() and re.match(r"[^\W_]", text[len(lead) :])
    return whole and not cut and text.startswith(lead)


def _escaped(text: str) -> str:
    return md.escape(md.clean(text))
