"""A reference and its neighbours in; a drawing of who cites whom out.

Left what it cites, right what cites it, lines between them; on a phone one below the other, along
a rail. Every name is a link. No script draws it, so that it prints and is there at once, and its
words are text of the page, which no screen makes too small to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pressmark.record import Reference
from pressmark.render import label
from pressmark.site.dialect import Dialect
from pressmark.site.maths import readable
from pressmark.text import plain

SHOWN = 10
"""Names on each side."""

LETTERS = 90
"""Characters of a title that a name is followed by."""


def draw(
    ref: Reference,
    cites: Sequence[Reference],
    cited_by: Sequence[Reference],
    write: Dialect,
    address: Callable[[str], str],
) -> str:
    """The drawing; `address` gives the link to a reference, with its root mark."""
    words = f"cites {len(cites)} and is cited by {len(cited_by)} in this library"
    here = f'<p class="pm-here">{write.text(_label(ref))}</p>'
    return (
        f'<figure class="pm-graph" role="group" '
        f'aria-label="{write.text(label(ref))} {words}">'
        f"{_arm('cites', cites, write, address)}{here}"
        f"{_arm('cited by', cited_by, write, address)}</figure>"
    )


def _arm(
    words: str, names: Sequence[Reference], write: Dialect, address: Callable[[str], str]
) -> str:
    """One side: how many, who, and the lines to the middle."""
    shown = names[:SHOWN]
    more = f", {SHOWN} shown" if len(names) > SHOWN else ""
    items = "".join(_node(other, write, address(other.key)) for other in shown)
    return (
        f'<div class="pm-arm"><ul><li class="pm-side">{words} {len(names)}{more}</li>{items}</ul>'
        f"{_wires(len(shown), words == 'cites')}</div>"
    )


def _node(ref: Reference, write: Dialect, href: str) -> str:
    title = readable(plain(ref.title))[:LETTERS]
    return (
        f'<li><a href="{href}">{write.text(_label(ref))}</a> '
        f'<span title="{write.text(title)}">{write.text(title)}</span></li>'
    )


def _wires(number: int, left: bool) -> str:
    """A line from the middle of each row but the first to the middle of the other edge.

    The drawing is stretched to the height of the list beside it.
    """
    if not number:
        return ""
    row = 100 / (number + 1)
    start, end = (0, 100) if left else (100, 0)
    paths = "".join(
        f"M{start} {row * (n + 1.5):.4g}C50 {row * (n + 1.5):.4g} 50 50 {end} 50"
        for n in range(number)
    )
    return (
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="pm-edge" d="{paths}"/></svg>'
    )


def _label(ref: Reference) -> str:
    return plain(label(ref)) or ref.key
