"""A list as it stands and as it is wanted in, the few edits between them out.

Each item keeps its own line, its indentation, its quotes and its comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from pressmark.page.dump import item_lines, scalar
from pressmark.page.front import dash, line_end, line_start
from pressmark.page.nodes import Node

_MAX_COMPARISONS = 4_000_000


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of a stretch."""

    start: int
    stop: int
    text: str


def apply(text: str, edits: Sequence[Edit], newline: str) -> str:
    """Make all edits, which do not overlap."""
    parts, place = [], 0
    for edit in sorted(edits, key=lambda each: (each.start, each.stop)):
        parts += [text[place : edit.start], edit.text.replace("\n", newline)]
        place = edit.stop
    return "".join((*parts, text[place:]))


def arrange(held: Sequence[Any], wanted: Sequence[Any], *, ordered: bool) -> list[Any]:
    """The order to write: as wanted, or, for a set, what stays where it stands."""
    if ordered:
        return list(wanted)
    if list(held) == sorted(held):
        return sorted(wanted)
    spare = Counter(wanted)
    kept = []
    for each in held:
        if spare[each]:
            spare[each] -= 1
            kept.append(each)
    for each in sorted(spare.elements()):
        place = next((i for i, other in enumerate(kept) if other > each), len(kept))
        kept.insert(place, each)
    return kept


def block_edits(text: str, items: Sequence[Node], wanted: Sequence[Any]) -> list[Edit] | None:
    """Edits of a list with one item a line; None when its form does not allow it."""
    leads = [dash(text, item) for item in items]
    if not items or not all(leads):
        return None
    lead = (leads[0] or "").replace("\t", " ")
    starts = [line_start(text, item.start) for item in items]
    stops = [line_end(text, item.reach(text)) for item in items]
    edits = []
    for first, last, new in _differences(items, wanted):
        pairs = min(last - first, len(new))
        for item, value in zip(items[first : first + pairs], new, strict=False):
            edits.append(_item_edit(text, item, value, lead))
        for gone in range(first + pairs, last):
            edits.append(Edit(starts[gone], stops[gone], ""))
        lines = [line for value in new[pairs:] for line in item_lines(value, lead)]
        if lines:
            place = stops[first + pairs - 1] if first + pairs else starts[0]
            edits.append(Edit(place, place, "".join(f"{line}\n" for line in lines)))
    return edits


def flow_edits(text: str, items: Sequence[Node], wanted: Sequence[Any]) -> list[Edit] | None:
    """Edits of a list in brackets; None when its form does not allow it."""
    simple = all(item.kind == "scalar" and not item.absent for item in items)
    if not items or not simple or not all(isinstance(value, str) for value in wanted):
        return None
    edits = []
    for first, last, new in _differences(items, wanted):
        pairs = min(last - first, len(new))
        for item, value in zip(items[first : first + pairs], new, strict=False):
            edits.append(Edit(item.start, item.end, respell(text, item, value, flow=True)))
        first += pairs
        if first < last == len(items):
            edits.append(Edit(items[first - 1].end, items[-1].end, ""))
        elif first < last:
            edits.append(Edit(items[first].start, items[last].start, ""))
        spelled = [scalar(value, flow=True) for value in new[pairs:]]
        if spelled and first:
            place = items[first - 1].end
            edits.append(Edit(place, place, "".join(f", {each}" for each in spelled)))
        elif spelled:
            place = items[0].start
            edits.append(Edit(place, place, "".join(f"{each}, " for each in spelled)))
    return edits


def respell(text: str, node: Node, value: str, *, flow: bool = False) -> str:
    """A scalar's new text: canonical where the old one was, else quoted as the old one."""
    held = text[node.start : node.end]
    style = "" if held == scalar(node.value, flow=flow) else node.style
    return scalar(value, flow=flow, style=style)


def _item_edit(text: str, item: Node, value: Any, lead: str) -> Edit:
    if item.kind == "scalar" and isinstance(value, str):
        return Edit(item.start, item.reach(text), respell(text, item, value))
    lines = "\n".join(item_lines(value, lead))
    return Edit(line_start(text, item.start), item.reach(text), lines)


def _differences(
    items: Sequence[Node], wanted: Sequence[Any]
) -> Iterator[tuple[int, int, Sequence[Any]]]:
    """Stretches of items to be replaced, each with what comes in its place."""
    held = [_comparable(item.value) for item in items]
    goal = [_comparable(value) for value in wanted]
    limit = min(len(held), len(goal))
    head = next((i for i in range(limit) if held[i] != goal[i]), limit)
    limit -= head
    tail = next((i for i in range(limit) if held[-1 - i] != goal[-1 - i]), limit)
    old, new = held[head : len(held) - tail], goal[head : len(goal) - tail]
    if len(old) * len(new) > _MAX_COMPARISONS:
        yield head, head + len(old), wanted[head : head + len(new)]
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            yield head + first, head + last, wanted[head + begin : head + end]


def _comparable(value: Any) -> str:
    return value if isinstance(value, str) else f"\0{value!r}"
