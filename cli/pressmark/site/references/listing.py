"""A reference in; the lines that name it in a list out, made once for all lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pressmark.record import Author, Reference
from pressmark.render import people
from pressmark.site.references.head import coins
from pressmark.text import plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

NAMED = 4
"""Authors up to which a row of a list names all of them."""

KINDS = {
    "article": "Preprint",
    "article-journal": "Journal article",
    "book": "Book",
    "paper-conference": "Conference paper",
    "chapter": "Chapter",
    "thesis": "Thesis",
    "article-magazine": "Magazine article",
    "article-newspaper": "Newspaper article",
}
"""What the commonest types of CSL are called."""


def kind_name(kind: str) -> str:
    """What a kind of work is called, in words."""
    return KINDS.get(kind, kind.replace("-", " ").replace("_", " ").capitalize())


def rows(site: Site, references: Iterable[Reference]) -> str:
    """A list of references; for a browser's reference manager each carries a COinS."""
    return site.write.items((site.row(ref) for ref in references), kind="rows")


def row(site: Site, ref: Reference) -> str:
    """What it is called with its marks, and who wrote it, when, where."""
    write = site.write
    marks = ""
    if ref.notice:
        marks += " " + write.mark("notice", write.text(ref.notice.replace("-", " ")))
    if ref.stage:
        marks += " " + write.mark("stage", write.text(ref.stage))
    if ref.key in site.fulltexts and write.rich:
        marks += " " + write.mark("full", "full text")
    title = write.link(write.title(ref.title or ref.key), site.path(ref.key), kind="title")
    who, year = write.text(_who(ref)), write.text(ref.year or "n.d.")
    venue = write.emphasis(write.text(ref.venue)) if ref.venue else ""
    if write.rich:
        # The year leads, so that a reader's eye can run down it; a wide screen sets it aside.
        dot = "<span> · </span>" if who or venue else ""
        below = write.mark("year", f"{year}{dot}") + " · ".join(filter(None, (who, venue)))
    else:
        below = " · ".join(filter(None, (who, year, venue)))
    span = write.html(f'<span class="Z3988" title="{coins(ref)}"></span>')
    return f"{title}{marks}{write.below(below)}{span}"


def _who(ref: Reference) -> str:
    """The family names of up to four authors; of more the first three, and that there are more."""
    everybody = ref.authors or ref.editors
    if len(everybody) < 3:
        return people(ref)
    few = len(everybody) <= NAMED
    names = [Author.parse(name).family for name in everybody[: NAMED if few else NAMED - 1]]
    return plain(f"{', '.join(names[:-1])} & {names[-1]}" if few else f"{', '.join(names)} et al.")
