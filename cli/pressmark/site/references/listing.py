"""A reference in; the lines that name it in a list out, made once for all lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pressmark.record import Reference
from pressmark.render import people
from pressmark.site.references.head import coins

if TYPE_CHECKING:
    from pressmark.site.collect import Site


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
    who = write.text(people(ref))
    venue = write.emphasis(write.text(ref.venue)) if ref.venue else ""
    below = write.below(" · ".join(filter(None, (who, write.text(ref.year or "n.d."), venue))))
    span = write.html(f'<span class="Z3988" title="{coins(ref)}"></span>')
    return f"{title}{marks}{below}{span}"
