"""Pages in; the same pages with their tables and listings lifted out of the lines, out.

A float hangs on the line at which it stands: the caption's first, or a listing's own.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from statistics import median

from pressmark.fulltext.pdf import captions, figures, tables
from pressmark.fulltext.pdf.lines import Line, Page
from pressmark.fulltext.pdf.pieces import Float, Piece, laid_out, rows
from pressmark.fulltext.pdf.titles import Join

REACH = 45.0
"""Points between a caption and the first rule or row of its table."""

Rule = tuple[float, float, float]


def lifted(pages: Sequence[Page], join: Join, body: float) -> list[Page]:
    """The pages with each table, listing and words of a figure on their captions or on their own
    first lines; lines that were lifted are gone.

    Captions stand over the tables of a document, or under them: what most do decides where one
    could have either.
    """
    levels = [joined(page.rules) for page in pages]
    found = [
        [
            one
            for at, line in enumerate(page.lines) if captions.kind(line.text) in _TABLES
            for one in _regions(page, at, rules)
        ]
        for page, rules in zip(pages, levels, strict=True)
    ]  # fmt: skip
    down = _is_down(found)
    lines = [line for page in pages for line in page.lines]
    coded = 2 * sum(line.mono for line in lines) < len(lines)
    return [
        _lifted(page, _Found(regions, rules, join, down, coded, body))
        for page, regions, rules in zip(pages, found, levels, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of one page: what its captions may have, its rules; of its document, whether
    tables stand under their captions, whether letters of one width are code, the body's size."""

    regions: Sequence[Region]
    rules: Sequence[Rule]
    join: Join
    down: bool
    coded: bool
    body: float


def _is_down(found: Sequence[Sequence[Region]]) -> bool:
    """Whether the tables of a document stand under their captions: those without a choice vote."""
    votes = 0
    for regions in found:
        for at in {one.caption for one in regions}:
            own = [one for one in regions if one.caption == at]
            if len(own) == 1:
                votes += 1 if own[0].down else -1
    return votes > 0


def _lifted(page: Page, known: _Found) -> Page:
    taken: set[int] = set()
    held: dict[int, Float] = {}
    order = sorted(known.regions, key=lambda one: (one.down != known.down, one.walked, one.far))
    for region in order:
        if region.caption in held or taken & region.lines:
            continue
        held[region.caption] = _float(page, region, known)
        taken |= region.lines - {region.caption}
    _figures(page, known, held, taken)
    for listing in _listings(page, taken | held.keys()) if known.coded else ():
        held[listing[0]] = literal([page.lines[n] for n in listing], whole=True, least=1)
        taken |= set(listing[1:])
    for region in _uncaptioned(page, known.rules):
        if not (taken | held.keys()) & region.lines:
            held[region.caption] = _float(page, region, known)
            taken |= region.lines - {region.caption}
    kept = [
        replace(line, holds=held.get(at)) if at in held else line
        for at, line in enumerate(page.lines) if at not in taken
    ]  # fmt: skip
    return replace(page, lines=tuple(kept))


def _figures(page: Page, known: _Found, held: dict[int, Float], taken: set[int]) -> None:
    """Hang the words of each figure on its caption."""
    heads = {
        at: _caption_end(page, at, known.rules)
        for at, line in enumerate(page.lines) if captions.is_marked(line.text)
    }  # fmt: skip
    named = {n for at, end in heads.items() for n in range(at, end + 1)}
    for at, end in heads.items():
        if captions.kind(page.lines[at].text) != "figure" or at in held or at in taken:
            continue
        inside = figures.words_of(page.lines, at, end, named | taken | held.keys(), known.body)
        lines = [page.lines[n] for n in inside]
        if lines and not (known.coded and 5 * sum(one.mono for one in lines) > 4 * len(lines)):
            held[at] = figures.shown(lines)
            taken |= set(inside)


def literal(lines: Sequence[Line], *, whole: bool = False, least: int = 2) -> Float:
    """Lines as they are printed."""
    printed = rows([piece for line in lines for piece in line.printed])
    top, bottom = max(line.y for line in lines), min(line.y for line in lines)
    return Float(top, bottom, lines=laid_out(printed, least), whole=whole)


def _listings(page: Page, taken: Container[int]) -> list[list[int]]:
    """Runs of lines in letters of one width, under one another."""
    out: list[list[int]] = []
    lines = page.lines
    for n, line in enumerate(lines):
        if not line.mono or n in taken or captions.is_marked(line.text):
            continue
        last = out[-1][-1] if out else None
        if last == n - 1 and 0 < lines[n - 1].top - line.top < 3.2 * line.size:
            out[-1].append(n)
        else:
            out.append([n])
    return [run for run in out if len(run) > 1 and _is_code(lines, run)]


_ADDRESS = re.compile(r"\w://|\bwww\.|^\W*[⁰¹²³⁴⁵⁶⁷⁸⁹]|\S@\S+\.\w")


def _is_code(lines: Sequence[Line], run: Sequence[int]) -> bool:
    """Whether lines in letters of one width stand by themselves: addresses go on in the next line
    too, and names of a program may fill a line of a paragraph."""
    if _ADDRESS.search(lines[run[0]].text) or _ADDRESS.search(lines[run[-1]].text):
        return False
    for n, other in ((run[0], run[0] - 1), (run[-1], run[-1] + 1)):
        if 0 <= other < len(lines) and not captions.is_marked(lines[other].text):
            close = abs(lines[n].top - lines[other].top) < 1.45 * lines[n].size
            if close and abs(lines[n].left - lines[other].left) < 2:
                return False
    return True


def _uncaptioned(page: Page, rules: Sequence[Rule]) -> list[Region]:
    """Rows in columns between rules of one width, without a caption next to them."""
    out = []
    long = [rule for rule in rules if rule[2] - rule[0] > 80]
    for at, first in enumerate(long):
        alike = [
            one for one in long[at:] if abs(one[0] - first[0]) < 4 and abs(one[2] - first[2]) < 4
        ]
        for last in reversed(alike[1:]):
            inside = _inside(page, first, last)
            if any(captions.is_marked(page.lines[n].text) for n in inside):
                continue
            printed = rows([piece for n in inside for piece in page.lines[n].pieces])
            several = sum(len(row) > 1 for row in printed)
            if 3 * several >= 2 * len(printed) and tables.in_columns(printed):
                out.append(Region(min(inside), inside, False, 0))
                break
    return out


def _inside(page: Page, first: Rule, last: Rule) -> frozenset[int]:
    low, high = sorted((first[1], last[1]))
    return frozenset(
        n for n, line in enumerate(page.lines)
        if low - 1 < line.top < high and first[0] - 8 <= line.left and line.right <= first[2] + 12
    )  # fmt: skip


_TABLES = frozenset({"table", "algorithm"})
_STEP = re.compile(
    r"\(?\d{1,3}[:.)]\s|\d{1,3}\s|(?:input|output|require|ensure|procedure|function|for|while|if|"
    r"else|end|return|repeat|until|do|begin|initiali[sz]e)\b",
    re.I,
)
"""How a line of pseudo-code begins."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines that may be the table of a caption, under it or over it, and how far from it."""

    caption: int
    lines: frozenset[int]
    down: bool
    far: float
    walked: bool = False  # no rules hold it


def joined(rules: Sequence[Rule]) -> list[Rule]:
    """Rules that meet at one height as one, from the top; what is printed twice, once."""
    out: list[Rule] = []
    for x, y, end in sorted(rules, key=lambda one: (-round(one[1]), one[0])):
        if out and abs(out[-1][1] - y) < 1.6 and x < out[-1][2] + 2:
            out[-1] = (min(out[-1][0], x), out[-1][1], max(out[-1][2], end))
        else:
            out.append((x, y, end))
    return out


def _regions(page: Page, at: int, rules: Sequence[Rule]) -> list[Region]:
    """What a caption may belong to: lines between rules over or under it, else rows beside it."""
    last = _caption_end(page, at, rules)
    own = frozenset(range(at, last + 1))
    marked = (
        captions.is_marked(page.lines[at].text) or bool(page.lines[at].lead) or page.lines[at].bold
    )
    out = []
    for down in (True, False):
        edge = page.lines[last if down else at]
        found = _ruled(page, at, edge, own, rules, down=down)
        if found:
            out.append(found)
        elif marked:
            walked = _walked(page, at, last if down else at, down=down)
            if walked:
                out.append(walked)
    return out


def _caption_end(page: Page, at: int, rules: Sequence[Rule]) -> int:
    """The last line of a caption that begins at a line."""
    lines = page.lines
    end = at
    while end + 1 < len(lines):
        line, after = lines[end], lines[end + 1]
        step = line.top - after.top
        if not 0 < step < 1.45 * max(line.size, after.size) or abs(line.size - after.size) > 0.6:
            break
        between = any(
            after.top + 0.3 * after.size < y < line.top and x < line.left + 40 < end_ + 40
            for x, y, end_ in rules
        )
        if between or len(after.pieces) > 2 or after.mono or captions.is_marked(after.text):
            break
        end += 1
    return end


def _ruled(
    page: Page, at: int, edge: Line, own: frozenset[int], rules: Sequence[Rule], *, down: bool
) -> Region | None:
    """The lines between the rules next to a caption, as far as rules of one width go."""
    left, right = _extent([page.lines[n] for n in own])
    side = -1 if down else 1
    ordered = sorted(
        (rule for rule in rules if rule[2] - rule[0] > 50 and side * (rule[1] - edge.top) > -2),
        key=lambda rule: abs(rule[1] - edge.top),
    )
    near = [rule for rule in ordered if rule[0] < right and rule[2] > left]
    if not near or abs(near[0][1] - edge.top) > REACH:
        return None
    first = last = near[0]
    for rule in near[1:]:
        if abs(rule[0] - first[0]) > 8 or abs(rule[2] - first[2]) > 8:
            continue
        if _is_barred(page, sorted((last[1], rule[1])), first, own):
            break
        last = rule
    inside = _inside(page, first, last)
    if inside & own or len({round(page.lines[n].y) for n in inside}) < 2:
        return None
    if not down:
        inside |= _titled(page, inside, last, own)
    return Region(at, inside, down, abs(first[1] - edge.top))


def _titled(page: Page, inside: frozenset[int], top: Rule, own: frozenset[int]) -> frozenset[int]:
    """The title of a table's first group, in bold over the first rule, as others are inside."""
    before = min(inside) - 1
    if before < 0 or before in own:
        return frozenset()
    line, first = page.lines[before], page.lines[before + 1]
    alike = any(
        one.bold and len(one.pieces) == 1 and abs(one.left - line.left) < 2
        for one in (page.lines[n] for n in inside)
    )
    close = 0 < line.top - first.top < 1.7 * first.size and line.near(first.size)
    alone = line.bold and len(line.pieces) == 1 and top[0] - 8 <= line.left < top[2]
    return frozenset({before}) if alike and close and alone else frozenset()


def _is_barred(page: Page, between: Sequence[float], rule: Rule, own: frozenset[int]) -> bool:
    """Whether another caption, or a paragraph, stands between two rules."""
    low, high = between
    prose = 0
    for n, line in enumerate(page.lines):
        if not (low < line.top < high and rule[0] - 8 <= line.left < rule[2]):
            continue
        if n in own or captions.is_marked(line.text):
            return True
        prose += len(line.pieces) == 1 and line.right - line.left > 0.9 * (rule[2] - rule[0])
    return prose > 3


def _walked(page: Page, at: int, start: int, *, down: bool) -> Region | None:
    """The rows that follow or precede a caption in the file, while they are of several pieces."""
    lines = page.lines
    step = 1 if down else -1
    taken: list[int] = []
    n, far = start + step, lines[start].top
    gaps: list[float] = []
    loose = 0
    steps = captions.kind(lines[at].text) == "algorithm"  # numbered lines, not columns
    while 0 <= n < len(lines):
        line = lines[n]
        gap = step * (far - line.top)
        most = 3.2 * line.size
        if len(gaps) > 2 and (len(line.pieces) < 3 or len(line.text) > 25 * len(line.pieces)):
            most = min(1.8 * median(gaps[1:]), most)
        # A label that stands in the middle of its group may be printed before the rows of it.
        if not -6 * line.size < gap < (most if taken else max(most, REACH)):
            break
        if captions.is_marked(line.text) or not line.pieces:
            break
        if steps and not _STEP.match(line.text):
            break
        loose = loose + 1 if len(line.pieces) == 1 and not steps else 0
        if loose > 2 or (len(line.pieces) == 1 and len(line.text) > 60):
            break
        taken.append(n)
        if gap > 0.5 * line.size:
            far = line.top
            gaps.append(gap)
        n += step
    while taken and len(lines[taken[-1]].pieces) == 1 and not steps:
        if not down and _is_title([lines[one] for one in taken]):
            break
        taken.pop()
    if len(taken) < 3:
        return None
    several = sum(len(lines[one].pieces) > 1 for one in taken)
    printed = rows([piece for one in taken for piece in lines[one].pieces])
    if not steps and (2 * several < len(taken) or not tables.in_columns(printed)):
        return None
    far = abs(lines[taken[0]].top - lines[start].top)
    return Region(at, frozenset(taken), down, far, walked=True)


def _is_title(taken: Sequence[Line]) -> bool:
    """Whether the highest line is a title over several columns: bold as the heads under it, and
    right of the first."""
    if len(taken) < 2:
        return False
    heads, title = taken[-2:]
    set_in = title.left > _extent(taken)[0] + 10
    return title.bold and heads.bold and len(heads.pieces) > 1 and set_in


def _extent(lines: Sequence[Line]) -> tuple[float, float]:
    return min(line.left for line in lines), max(line.right for line in lines)


def _float(page: Page, region: Region, known: _Found) -> Float:
    lines = [page.lines[n] for n in sorted(region.lines)]
    inside = [piece for line in lines for piece in line.pieces]
    top, bottom = max(line.y for line in lines), min(line.y for line in lines)
    whole = region.caption in region.lines
    grid = None
    if captions.kind(page.lines[region.caption].text) == "table" or whole:
        high, low = max(one.y for one in inside), min(one.y for one in inside)
        grid = tables.read(rows(inside), _within(known.rules, inside, high, low), known.join)
    if grid is None:
        return literal(lines, whole=whole)
    made = tuple(tuple(row) for row in grid.rows)
    return Float(top, bottom, made, grid.heads, notes=tuple(grid.notes), whole=whole)


def _within(
    rules: Sequence[Rule], inside: Sequence[Piece], top: float, bottom: float
) -> list[Rule]:
    left, right = min(one.x for one in inside), max(one.end for one in inside)
    return [
        rule for rule in rules
        if bottom - 15 < rule[1] < top + 15 and rule[0] < right and rule[2] > left
    ]  # fmt: skip
