"""A reference or a note in; the card that an editor shows of it out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.record import Author, Note, Reference
from pressmark.text import escape_markdown, plain

if TYPE_CHECKING:
    from pressmark.library import Library

ABSTRACT = 500
NAMES = 8


def card(library: Library, ref: Reference, path: str) -> str:
    """Title, authors, venue, year, what happened to it, the beginning of its abstract, copies."""
    lines = []
    if ref.notice:
        note = f": {_safe(ref.notice_note)}" if ref.notice_note else ""
        lines.append(f"**{ref.notice.replace('-', ' ').upper()}**{note}")
    lines.append(f"**{_safe(ref.title)}**")
    lines.append(_people(ref))
    lines.append(", ".join(filter(None, (_safe(ref.venue or ref.publisher or ""), ref.year or ""))))
    if ref.stage:
        lines.append(f"*{_safe(ref.stage)}: nobody has kept it yet*")
    if ref.abstract:
        lines.append(_abstract(ref.abstract))
    lines.append(" · ".join(_copies(library, ref, path)))
    return "\n\n".join(filter(None, lines))


def note_card(note: Note, title: str) -> str:
    """Title, tags, and how the note begins."""
    lines = [f"**{_safe(title)}**"]
    if note.tags:
        lines.append(" ".join(f"#{_safe(tag)}" for tag in note.tags))
    lines.append(note.body.strip()[:ABSTRACT])
    return "\n\n".join(filter(None, lines))


def _people(ref: Reference) -> str:
    named = ref.authors or ref.editors
    shown = [_safe(Author.parse(name).readable) for name in named[:NAMES]]
    more = f" and {len(named) - NAMES} more" if len(named) > NAMES else ""
    return f"{', '.join(shown)}{more}" if shown else ""


def _abstract(text: str) -> str:
    """Its beginning on one line; it is Markdown of ours already, but may link and picture."""
    flat = " ".join(plain(text).split())
    flat = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", flat)
    cut = flat[:ABSTRACT].rpartition(" ")[0] if len(flat) > ABSTRACT else flat
    return f"{_safe(cut)}{'…' if len(cut) < len(flat) else ''}"


def _copies(library: Library, ref: Reference, path: str) -> list[str]:
    """The key, its addresses, and the copies that are here."""
    found = [f"`{ref.key}`"]
    if ref.doi:
        address = f"https://doi.org/{quote(ref.doi, safe='/')}"
        found.append(f"[`doi:{_coded(ref.doi)}`]({address})")
    elif ref.arxiv:
        found.append(
            f"[arXiv:{_safe(ref.arxiv)}](https://arxiv.org/abs/{quote(ref.arxiv, safe='/')})"
        )
    if ref.oa:
        found.append(f"open access: {_safe(ref.oa)}")
    base = path.removesuffix(".md")
    for name, other in (("full text", layout.beside(path)), ("PDF", f"{base}.pdf")):
        if disk.exists(library.root, other):
            found.append(f"[{name}]({(library.root / other).as_uri()})")
    return found


def _coded(text: str) -> str:
    """An identifier as code: its points and dashes need no escape there."""
    return " ".join(plain(text).replace("`", "").split())


def _safe(text: str) -> str:
    return escape_markdown(" ".join(plain(text).split()))
