"""PDF bytes in, Markdown out: pages in a child process with limits, then our own reading of lines.

Pypdf's plain mode keeps the order of the content stream, which is the reading order of papers;
its layout mode loses whole pages of them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pressmark import ids
from pressmark.fulltext.extracted import Extracted, State
from pressmark.fulltext.garbled import is_garbled
from pressmark.fulltext.pdf.lines import Page, read_pages
from pressmark.fulltext.pdf.process import Answer, pages
from pressmark.fulltext.pdf.write import write

LIMIT = 50 * 1024 * 1024
FEWEST_LETTERS = 5
"""A page that shows fewer, on the average of three, is a picture."""


def to_markdown(data: bytes, password: str = "") -> Extracted:
    """Read one document; never raises for what the bytes hold."""
    if len(data) > LIMIT:
        return _failed("too_large", "the file is over 50 MB")
    if b"%PDF-" not in data[:1024]:
        return _failed("damaged", "it does not begin as a PDF does")
    answer = pages(data, password)
    if answer.state != "ok":
        return _failed(answer.state, answer.reason, answer.extractor)
    return replace(_convert(answer), warnings=_warnings(answer, data), extractor=answer.extractor)


def _failed(state: State, reason: str, extractor: str = "pypdf") -> Extracted:
    return Extracted(
        format="pdf", state=state, extractor=extractor, warnings=(reason,) if reason else ()
    )


def _convert(answer: Answer) -> Extracted:
    read, hidden = read_pages(answer.pages)
    shown = "".join(span[0] for page in answer.pages for line in page["lines"] for span in line)
    base = Extracted(format="pdf", author=answer.author, pages=answer.count, hidden=hidden)
    if sum(char.isalpha() for char in shown) < FEWEST_LETTERS * min(len(read), 3):
        return replace(base, state="no_text_layer")
    if is_garbled(shown):
        return replace(base, state="garbled")
    written = write(read, answer.title)
    return replace(
        base,
        title=written.title,
        body=written.body,
        references=written.references,
        identifiers=_identifiers(read),
        version=_version(read),
        opening=" ".join(line.text for page in read[:2] for line in page.lines)[:6000],
    )


def _identifiers(read: list[Page]) -> tuple[str, ...]:
    """What the first page says the document is; a reference list would name others."""
    first = "\n".join(line.text for page in read[:1] for line in page.lines)
    margin = " ".join(stamp for page in read[:1] for stamp in page.stamps)
    found = [str(one) for one in ids.find_all(re.sub(r"\s+", " ", f"{margin} {first}"[:6000]))]
    return tuple(dict.fromkeys(one for one in found if one.split(":")[0] in _OWN))


def _version(read: list[Page]) -> str | None:
    """The version that arXiv stamps into the margin of the first page: `v2`."""
    margin = " ".join(stamp for page in read[:1] for stamp in page.stamps)
    found = re.search(r"\barxiv:\s*(?:[a-z.-]+/\d{7}|\d{4}\.\d{4,5})(v\d+)\b", margin, re.I)
    return found[1] if found else None


_OWN = frozenset({"doi", "arxiv", "pmid", "pmcid"})


def _warnings(answer: Answer, data: bytes) -> tuple[str, ...]:
    found = [f"page {number} was not read: {reason}" for number, reason in answer.failed]
    if b"%%EOF" not in data[-4096:]:
        found.append("the file has no end mark; it may be cut")
    return (*found[:20], *answer.warnings)
