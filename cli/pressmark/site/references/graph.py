"""A reference and its neighbours in; a drawing of who cites whom, as SVG, out.

Left what it cites, right what cites it; every name is a link, and a list stands beside it. No
script draws it, so that it prints and is there at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pressmark.record import Reference
from pressmark.render import label
from pressmark.site.dialect import Dialect
from pressmark.text import plain

SHOWN = 10
"""Names on each side."""

WIDTH, STEP, TOP = 720, 30, 34
COLUMN = 200
LETTERS = 26
"""Characters of a name that fit its column."""


def draw(
    ref: Reference,
    cites: Sequence[Reference],
    cited_by: Sequence[Reference],
    write: Dialect,
    address: Callable[[str], str],
) -> str:
    """The drawing; `address` gives the link to a reference, with its root mark."""
    left, right = list(cites[:SHOWN]), list(cited_by[:SHOWN])
    height = TOP + STEP * max(len(left), len(right), 1) + 10
    middle = TOP + STEP * max(len(left), len(right), 1) / 2 - STEP / 2 + 10
    start, end = WIDTH / 2 - COLUMN / 2, WIDTH / 2 + COLUMN / 2
    parts = []
    for side, names in (("cites", left), ("cited by", right)):
        first = middle - STEP * (len(names) - 1) / 2
        for n, other in enumerate(names):
            y = first + STEP * n
            parts += _edge(y, middle, start, end, side == "cites")
            parts.append(_node(other, y, side == "cites", write, address(other.key)))
    heads = [
        f'<text class="pm-side" x="0" y="14">{_counted("cites", len(cites))}</text>',
        f'<text class="pm-side" x="{WIDTH}" y="14" text-anchor="end">'
        f"{_counted('cited by', len(cited_by))}</text>",
    ]
    words = f"cites {len(cites)} and is cited by {len(cited_by)} in this library"
    centre = (
        f'<rect class="pm-centre" x="{start}" y="{middle - 15:g}" width="{COLUMN}" height="30" '
        'rx="15"/>'
        f'<text class="pm-here" x="{WIDTH / 2:g}" y="{middle + 5:g}" text-anchor="middle">'
        f"{write.text(_short(ref))}</text>"
    )
    return (
        f'<figure class="pm-graph" role="group" tabindex="0" '
        f'aria-label="{write.text(label(ref))} {words}">'
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
        f"{''.join(heads)}{''.join(parts)}{centre}</svg></figure>"
    )


def _edge(y: float, middle: float, start: float, end: float, left: bool) -> list[str]:
    here, there = (COLUMN, start) if left else (WIDTH - COLUMN, end)
    bend = (here + there) / 2
    return [
        f'<path class="pm-edge" d="M{here:g} {y:g}C{bend:g} {y:g} {bend:g} {middle:g} '
        f'{there:g} {middle:g}"/>'
    ]


def _node(ref: Reference, y: float, left: bool, write: Dialect, href: str) -> str:
    x, anchor = (COLUMN - 8, "end") if left else (WIDTH - COLUMN + 8, "start")
    return (
        f'<a href="{href}"><title>{write.text(ref.title)}</title>'
        f'<text class="pm-node" x="{x:g}" y="{y + 4:g}" text-anchor="{anchor}">'
        f"{write.text(_short(ref))}</text></a>"
    )


def _short(ref: Reference) -> str:
    words = plain(label(ref)) or ref.key
    return words if len(words) <= LETTERS else words[: LETTERS - 1].rstrip() + "…"


def _counted(words: str, number: int) -> str:
    return f"{words} {number}" + (f", {SHOWN} shown" if number > SHOWN else "")
