"""The pages of a PDF in; title, Markdown and reference list out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import Words, parted
from pressmark.fulltext.pdf import references
from pressmark.fulltext.pdf.headings import Levels
from pressmark.fulltext.pdf.lines import Line, Page, body_size
from pressmark.fulltext.pdf.paragraphs import CAPTION, Block, blocks


@dataclass(frozen=True, slots=True)
class Written:
    """What the pages became."""

    title: str
    body: str
    references: tuple[str, ...]


def write(pages: Sequence[Page], title: str) -> Written:
    """The document as Markdown; `title` is the metadata's, for a page that shows none."""
    lines = [line for page in pages for line in page.lines]
    words = Words(line.text for line in lines)
    pages = [_parted(page, words) for page in pages]
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
    cited = len(list_.entries) if list_ and list_.numbered else 0
    out = [md.heading(1, md.escape(shown))]
    page = 0
    for block in found:
        while page < block.page:
            page += 1
            out.append(md.page_anchor(page))
        out.append(_markdown(block, words, levels, cited))
    out += [md.page_anchor(number) for number in range(page + 1, len(pages) + 1)]
    entries = list_.entries if list_ else ()
    out += md.references((f"ref-{n}", _escaped(text)) for n, text in enumerate(entries, 1))
    return Written(shown, md.document(out), tuple(md.clean(text).strip() for text in entries))


def _parted(page: Page, words: Words) -> Page:
    return replace(
        page, lines=tuple(replace(line, text=parted(line.text, words)) for line in page.lines)
    )


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


def _markdown(block: Block, words: Words, levels: Levels, cited: int) -> str:
    text = block.text(words)
    if block.kind == "heading":
        return md.heading(levels.of(block.lines[0]), _escaped(text))
    if block.kind == "caption":
        found = CAPTION.match(text)
        if found:
            label = re.sub(r"\s+", " ", found["label"]).strip()
            rest = _linked(text[found.end() :], cited)
            return f"**{md.escape(label)}.** {rest}".strip()
    lead = block.lines[0].lead
    if (lead and block.lines[0].bold != block.lines[-1].bold) or not text.startswith(lead):
        lead = ""
    if len(lead) > 3 and "[" not in lead:
        return md.paragraph(f"**{_escaped(lead)}**{_linked(text[len(lead) :], cited)}")
    return md.paragraph(_linked(text, cited))


def _escaped(text: str) -> str:
    return md.escape(md.clean(text))


_MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]|([⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,⁻][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _linked(text: str, cited: int) -> str:
    """The text with its citations linked to the entries that they number."""
    if not cited:
        return _escaped(text)
    out = ""
    at = 0
    for found in _MARKER.finditer(text):
        numbers = [int(one.translate(_DIGITS)) for one in re.findall(r"\d+|[⁰-⁹¹²³]+", found[0])]
        if not all(0 < number <= cited for number in numbers):
            continue
        out = md.join(out, _escaped(text[at : found.start()]))
        out += re.sub(
            r"\d+|[⁰-⁹¹²³]+",
            lambda one: f"[{one[0]}](#ref-{int(one[0].translate(_DIGITS))})",
            found[0],
        )
        at = found.end()
    return md.join(out, _escaped(text[at:]))
