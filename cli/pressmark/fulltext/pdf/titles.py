"""The rows over the columns of a table in; which columns each title covers, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from pressmark.fulltext.pdf.pieces import Piece

Rule = tuple[float, float, float]
Row = Sequence[Piece]
Join = Callable[[str, str], str]


class Unsure(Exception):
    """The pieces do not fall into columns."""


def over(one: Piece, spans: Sequence[tuple[float, float]]) -> list[int]:
    """The columns that a piece stands in."""
    return [at for at, (x, end) in enumerate(spans) if one.x < end - 0.5 and one.end > x + 0.5]


def read(
    printed: Sequence[Row], spans: Sequence[tuple[float, float]], rules: Sequence[Rule], join: Join
) -> list[list[tuple[int, int, str]]]:
    """The titles of each row: first column, number of columns, text. `rules` are the short ones.

    Raises `Unsure` where a title may be of other columns than those it stands over.
    """
    head = [_head(row, spans, rules) for row in printed]
    _check_heads(head, printed, spans)
    return _lined(head, join)


def short(printed: Sequence[Row], rules: Sequence[Rule]) -> list[Rule]:
    """The rules that do not run over the whole table: each joins the columns of one title."""
    left, right = min(row[0].x for row in printed), max(row[-1].end for row in printed)
    return [rule for rule in rules if rule[2] - rule[0] < 0.8 * (right - left)]


def _head(
    row: Row, spans: Sequence[tuple[float, float]], short: Sequence[Rule]
) -> list[tuple[int, int, str]]:
    """A row of the head as first column, number of columns, text."""
    out: list[tuple[int, int, str]] = []
    even = _even(row, spans)
    for one in row:
        at = over(one, spans)
        under = [
            rule for rule in short
            if rule[0] - 3 <= one.middle <= rule[2] + 3 and 0 < one.y - rule[1] < 1.3 * one.size
        ]  # fmt: skip
        joined = [
            n for n, span in enumerate(spans) for x, _, end in under[:1]
            if x - 3 <= sum(span) / 2 <= end + 3
        ]  # fmt: skip
        if joined:
            at = joined
        elif one in even:
            at = list(even[one])
        elif len(at) < 2 and (two := _between(one, row, spans)):
            at = two
        elif not at:
            at = [_nearest(one, spans)]
        elif len(at) > 1 and not _is_centred(one, spans[at[0]], spans[at[-1]]):
            raise Unsure
        if out and at[0] < out[-1][0] + out[-1][1]:
            if (at[0], len(at)) != out[-1][:2]:
                raise Unsure
            out[-1] = (*out[-1][:2], f"{out[-1][2]} {one.text}")
        else:
            out.append((at[0], len(at), one.text))
    return out


def _even(row: Row, spans: Sequence[tuple[float, float]]) -> dict[Piece, range]:
    """Titles that each stand over the middle of as many columns, the first column left out."""
    titles = [one for one in row if one.x > spans[0][1]]
    over = len(spans) - 1
    if len(titles) < 2 or over % len(titles) or over == len(titles):
        return {}
    step = over // len(titles)
    found = {one: range(1 + n * step, 1 + n * step + step) for n, one in enumerate(titles)}
    good = all(_is_centred(one, spans[at[0]], spans[at[-1]], 0.2) for one, at in found.items())
    return found if good else {}


def _between(one: Piece, row: Row, spans: Sequence[tuple[float, float]]) -> list[int]:
    """The two columns whose middle a narrow title stands over, and none other of its row: it is
    over the gutter rather than over one of them."""
    for left, right in pairwise(range(1, len(spans))):
        first, last = spans[left], spans[right]
        near = abs(one.middle - (first[0] + last[1]) / 2) < 0.06 * (last[1] - first[0])
        aside = not (first[0] <= one.middle <= first[1] or last[0] <= one.middle <= last[1])
        free = not any(
            other is not one and other.x < last[1] and other.end > first[0] for other in row
        )
        if near and aside and free:
            return [left, right]
    return []


def _lined(
    head: Sequence[list[tuple[int, int, str]]], join: Join
) -> list[list[tuple[int, int, str]]]:
    """Rows of titles over one column each as one row: the lines of a title, not titles over it."""
    out: list[list[tuple[int, int, str]]] = []
    for row in head:
        flat = all(count == 1 for _, count, _ in row)
        if flat and out and all(count == 1 for _, count, _ in out[-1]):
            above = {first: text for first, _, text in out[-1]}
            for first, _, text in row:
                above[first] = _gone_on(above.get(first, ""), text, join)
            out[-1] = [(first, 1, above[first]) for first in sorted(above)]
        else:
            out.append(row)
    return out


def _nearest(one: Piece, spans: Sequence[tuple[float, float]]) -> int:
    """The column whose middle a title stands over, where it is narrower than the gutter."""
    apart = [abs(one.middle - (x + end) / 2) for x, end in spans]
    at = apart.index(min(apart))
    others = sorted(apart)
    if len(others) > 1 and others[1] < 2 * others[0]:
        raise Unsure
    return at


def _is_centred(
    one: Piece, first: tuple[float, float], last: tuple[float, float], within: float = 0.08
) -> bool:
    width = last[1] - first[0]
    middle = (first[0] + last[1]) / 2
    return abs(one.middle - middle) < within * width or one.end - one.x > 0.85 * width


def _check_heads(
    head: Sequence[list[tuple[int, int, str]]], printed: Sequence[Row],
    spans: Sequence[tuple[float, float]],
) -> None:  # fmt: skip
    """Not sure where a title over one column stands to the side of it, and its neighbour has
    none in that row: it may be the title of both."""
    taken: set[int] = set()  # in this row or over it
    for titles, row in zip(head, printed, strict=True):
        taken |= {place for first, count, _ in titles for place in range(first, first + count)}
        for first, count, _ in titles:
            x, end = spans[first]
            own = [one for one in row if first in over(one, spans)]
            beside = {first - 1, first + 1} & set(range(1, len(spans))) - taken
            for one in own if count == 1 and beside and len(head) > 1 else ():
                middle = abs(one.middle - (x + end) / 2) < max(0.15 * (end - x), 2)
                if not middle and abs(one.x - x) > 2 and abs(one.end - end) > 2:
                    raise Unsure


def _gone_on(above: str, text: str, join: Join) -> str:
    """A title and its next line; a hyphen before a capital is its own."""
    if above[-1:] == "-":
        return join(above, text) if text[:1].islower() else above + text
    return f"{above} {text}".strip()
