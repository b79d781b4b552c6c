"""A document's bytes and the reference it is for in; its text out, or why it is not kept."""

from __future__ import annotations

import re
from dataclasses import replace

from pressmark import ids
from pressmark.fulltext import markdown as md
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.garbled import too_poor
from pressmark.record import Reference
from pressmark.text import fold

SUFFIXES = {"jats": ".xml", "tei": ".xml", "html": ".html", "pdf": ".pdf"}
_OWN = ("doi", "pmcid", "pmid", "arxiv")
_NAMES = {"jats": "JATS XML", "tei": "TEI XML", "html": "an HTML page", "pdf": "a PDF"}
CLOSE = 90
"""The least likeness (0 to 100) of two titles that are the same one."""


def sniff(data: bytes) -> str:
    """What a document's first bytes say it is: `pdf`, `jats`, `tei`, `html`, or nothing."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")) or b"<html" in head[:1024]:
        return "html"
    root = re.search(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)", head)
    if root and root[1] == b"tei":
        return "tei"
    if re.match(rb"<\?xml|<!doctype|<article|<pmc-articleset|<oai-pmh|<record", head):
        return "jats"
    return ""


def extract(data: bytes, kind: str, password: str = "") -> Extracted:
    """Read a document of a known kind, in a process of its own with limits.

    Never raises for what the bytes hold; ReaderFault is a defect of ours.
    """
    from pressmark.fulltext import convert

    return convert.to_markdown(data, kind, password)


def unfit(data: bytes, kind: str) -> str:
    """Why bytes that were to be of a kind are not, or are not all; empty when they are."""
    found = sniff(data)
    if not data:
        return "the answer is empty"
    if found != kind:
        return f"the answer is {_NAMES.get(found, 'no document we know')}, not {_NAMES[kind]}"
    if kind == "pdf" and b"%%EOF" not in data[-4096:]:
        return "the PDF is cut short"
    if kind == "html" and b"</html" not in data[-4096:].lower():
        return "the page is cut short"
    return ""


def refusal(ref: Reference, found: Extracted) -> str:
    """Why a text is not kept for a reference; empty when it is."""
    if found.state != "ok":
        reason = found.warnings[0] if found.warnings else ""
        return f"{found.sentence} ({reason})" if reason else found.sentence
    return too_poor(md.plain(found.body)) or mismatch(ref, found)


def mismatch(ref: Reference, found: Extracted) -> str:
    """The evidence that a text is another work's; empty when an id or the title agrees."""
    own = {one for one in ids.identities(ref) if one.split(":", 1)[0] in _OWN}
    if own & set(found.identifiers):
        return ""
    shown = found.title or found.opening[:80]
    states = f" ({', '.join(found.identifiers[:3])})" if found.identifiers else ""
    if found.notice:
        return f"it is a notice about a work: {shown[:120]!r}{states}"
    score = likeness(ref.title, found)
    if score >= CLOSE:
        return ""
    return f"it is {shown[:120]!r}{states}, not {ref.title[:120]!r} (likeness {score} of 100)"


def likeness(title: str, found: Extracted) -> int:
    """How like a title is to what a document begins with, 0 to 100."""
    from rapidfuzz import fuzz

    wanted = _bare(title)
    if not wanted:
        return 0
    if len(wanted) < 15:  # `Bad medicine` is found in too many places to be looked for
        return round(fuzz.ratio(wanted, _bare(found.title)))
    opening = _bare(f"{found.title} {found.opening}")[:6000]
    # Letters only: a PDF may lose the blanks of its title, or break its words.
    closed = fuzz.partial_ratio(wanted.replace(" ", ""), opening.replace(" ", ""))
    return round(max(fuzz.partial_ratio(wanted, opening), closed))


def _bare(value: str) -> str:
    return " ".join(re.findall(r"\w+", fold(re.sub(r"\$[^$]*\$", " ", value))))


def titled(found: Extracted, title: str) -> Extracted:
    """The text under a title: the reference's own where the document shows none."""
    if found.title:
        return found
    heading = md.heading(1, md.escape(md.clean(title)))
    return replace(found, title=title, body=f"{heading}\n\n{found.body.lstrip()}")
