"""A file in any layout in, the same fields in the layout that merges best out.

Known fields are spelled anew in their fixed order. The user's own fields keep their lines and
stay behind the field they followed. A comment stays on its line, or above what it stood above.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pressmark.errors import BadInput, NotSpliceable
from pressmark.page import load, schema
from pressmark.page.comments import Comment, around, within
from pressmark.page.dump import item_lines, scalar, value_text
from pressmark.page.frame import encode
from pressmark.page.front import Entry, Front, Odd, line_end
from pressmark.page.nodes import compose
from pressmark.page.splice import by_hand, prove

if TYPE_CHECKING:
    from pressmark.page.schema import R
    from pressmark.record import Extra


@dataclass(slots=True)
class _Block:
    """A known field's rank and what moves with it: stretches of lines between blank lines."""

    rank: int
    stretches: list[list[str]] = field(default_factory=list)


def is_canonical(data: bytes, cls: type[R], path: str) -> bool:
    """Whether the file has the layout already; a form we never rewrite has not."""
    with suppress(BadInput):  # three times as fast, and true of nearly every file
        if load.write(load.read(cls, data, path)) == data:
            return True
    try:
        return canonical(data, cls, path) == data
    except NotSpliceable:
        return False


def canonical(data: bytes, cls: type[R], path: str) -> bytes:
    """The file with its front matter laid out anew, proved to mean the same."""
    frame, root = load.open_page(data, path)
    held = load.record(cls, frame, root, path)
    if not frame.fronted:
        return data
    try:
        text = frame.front.replace("\r\n", "\n")
        root = compose(text)
        load.tidy(cls, root)
        front = Front.open(text, "\n", root)
        stretches = ["".join(f"{line}\n" for line in lines) for lines in _arranged(front, held)]
    except Odd as odd:
        raise by_hand(odd, path) from None
    except BadInput as error:
        raise NotSpliceable(error.message, path=path, next=error.next) from None
    text = "\n".join(stretches).replace("\n", frame.newline)
    result = encode(frame.text[: frame.start] + text + frame.text[frame.stop :], bom=frame.bom)
    prove(result, held, path)
    return result


def _arranged(front: Front, held: R) -> Iterator[list[str]]:
    """The stretches of lines in canonical order."""
    ranks = {name: rank for rank, name in enumerate(type(held).FIELDS)}
    blocks = [_Block(-1)]
    loose: list[list[str]] = []  # comments that wait for the next field
    end = 0
    behind: list[str]
    apart: list[list[str]]
    above: list[str]
    inner: list[str]
    lines: list[str]
    for entry in front.entries:
        behind, apart, above = around(front.text[end : entry.start], first=end == 0)
        if end == 0:  # the head of the file stays at its head
            blocks[0].stretches += apart
        else:
            loose += apart
        (blocks[-1].stretches[-1] if blocks[-1].stretches else above).extend(behind)
        end = entry.stop
        inner, lines = _field(front.text, entry, held)
        if not lines:
            loose += [[*above, *inner]] if above or inner else []
            continue
        if entry.name in ranks:
            blocks.append(_Block(ranks[entry.name]))
        blocks[-1].stretches += [*loose, [*above, *inner, *lines]]
        loose = []
    behind, apart, above = around(front.text[end:], first=end == 0, last=True)
    if blocks[-1].stretches:
        blocks[-1].stretches[-1].extend(behind)
    else:
        loose.append(behind)
    for block in sorted(blocks, key=lambda each: each.rank):
        yield from block.stretches
    yield from (lines for lines in (*loose, *apart, above) if lines)


def _field(text: str, entry: Entry, held: R) -> tuple[list[str], list[str]]:
    """The comments to put above a field, and its lines; no lines when it says nothing."""
    cls = type(held)
    if entry.name not in cls.FIELDS:
        return [], text[entry.start : entry.stop].rstrip("\n").split("\n")
    value = schema.value(held, entry.name)
    comments = within(text, entry)
    if value is None:
        return [each.text for each in comments], []
    if isinstance(value, list) and entry.node.kind == "list" and not entry.node.flow:
        return [], _list_lines(text, entry, comments, in_order=entry.name not in cls.SORTED)
    end = line_end(text, entry.reach)
    beside: list[str] = [each.text for each in comments if entry.reach <= each.place < end]
    above = [each.text for each in comments if not entry.reach <= each.place < end]
    lines = _spelled(entry.name, value)
    lines[0] = " ".join((lines[0], *beside))
    return above, lines


def _spelled(name: str, value: Extra) -> list[str]:
    return f"{scalar(name)}:{value_text(value)}".split("\n")


def _list_lines(text: str, entry: Entry, comments: list[Comment], *, in_order: bool) -> list[str]:
    """A block list with each comment at the item it stood at."""
    items = [each for each in entry.node.children if not each.absent]
    above: list[list[str]] = [[] for _ in range(len(items) + 1)]
    beside: list[list[str]] = [[] for _ in range(len(items) + 1)]
    ends = [line_end(text, item.reach(text)) for item in items]
    head = [f"{scalar(entry.name)}:"]
    for each in comments:
        place = next((i for i, end in enumerate(ends) if each.place < end), len(items))
        if each.place < line_end(text, entry.start):
            head.append(each.text)
        elif place < len(items) and each.place >= items[place].reach(text):
            beside[place].append(each.text)
        else:
            above[place].append(each.text)
    order = list(range(len(items)))
    if not in_order:
        order.sort(key=lambda place: items[place].value)
    lines = [" ".join(head)]
    for place in order:
        spelled = item_lines(items[place].value)
        spelled[-1] = " ".join((spelled[-1], *beside[place]))
        lines += above[place] + spelled
    return lines + above[-1]
