"""A file's bytes and the record it should mean in, the bytes with only the difference changed out.

One field at a time, each step read anew; at the end the whole file is read again and compared,
so that nothing is ever written that does not mean exactly the wanted record.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pressmark.errors import NotSpliceable, Unreadable
from pressmark.page import lists, load, schema
from pressmark.page.dump import field_text, scalar, value_text
from pressmark.page.frame import Frame, encode
from pressmark.page.front import Entry, Front, Odd, line_end
from pressmark.page.nodes import compose

if TYPE_CHECKING:
    from pressmark.page.schema import R
    from pressmark.record import Extra


_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def update(data: bytes, record: R, path: str) -> bytes:
    """The file with what differs from `record` spliced in; the same bytes when nothing does."""
    cls = type(record)
    frame, root = load.open_page(data, path)
    held = load.record(cls, frame, root, path)
    own: dict[str, Any] = {cls.STEM: schema.stem(cls, path)}
    wanted = replace(record, **own)
    if held == wanted:
        return data
    wanted = schema.scrubbed(wanted)
    names = schema.differing(held, wanted)
    if not names and held.body == wanted.body:
        return data
    try:
        front = frame.front
        for place, name in enumerate(names):
            if place:
                root = compose(front)
                load.tidy(cls, root)
            front = _set_field(Front.open(front, frame.newline, root), wanted, name)
    except Odd as odd:
        raise by_hand(odd, path) from None
    result = _assembled(frame, front, wanted)
    prove(result, wanted, path)
    return result


def by_hand(odd: Odd, path: str) -> NotSpliceable:
    """What is said of a form that we never rewrite."""
    return NotSpliceable(
        odd.message, path=path, line=odd.line + load.FIRST_LINE, next="edit the file by hand"
    )


def prove(result: bytes, wanted: R, path: str) -> None:
    """What is about to be written must mean the wanted record."""
    try:
        found = load.read(type(wanted), result, path)
    except Unreadable as error:
        reason = error.message
    else:
        names = schema.differing(found, wanted)
        if not names and found.body == wanted.body:
            return
        reason = f"`{names[0] if names else 'body'}` would not read back"
    raise NotSpliceable(
        f"the file's form does not allow the change: {reason}",
        path=path,
        next="edit the file by hand",
    )


def _assembled(frame: Frame, front: str, wanted: R) -> bytes:
    newline = frame.newline
    body = _spliced_body(frame, wanted.body)
    if frame.fronted:
        closing = frame.text[frame.stop : frame.rest]
        if body and not closing.endswith("\n"):
            closing += newline
        return encode(frame.text[: frame.start] + front + closing + body, bom=frame.bom)
    if not front:
        bare = encode(body, bom=frame.bom)
        if _stays_bare(bare, frame, wanted.body):
            return bare
    return encode(f"---{newline}{front}---{newline}{body}", bom=frame.bom)


def _stays_bare(data: bytes, frame: Frame, body: str) -> bool:
    """Whether a note without front matter still has none with its new body."""
    try:
        again, _ = load.open_page(data, "")
    except Unreadable:
        return False
    return not again.fronted and again.bom == frame.bom and again.body == body


def _spliced_body(frame: Frame, wanted: str) -> str:
    """The new body; lines that it shares with the old one at both ends keep their bytes."""
    raw = frame.text[frame.rest :]
    if frame.body == wanted:
        return raw
    if frame.newline == "\n":
        return wanted
    old, new = _LINE.findall(raw), _LINE.findall(wanted)
    bare = [line.replace("\r\n", "\n") for line in old]
    limit = min(len(bare), len(new))
    head = next((i for i in range(limit) if bare[i] != new[i]), limit)
    limit -= head
    tail = next((i for i in range(limit) if bare[-1 - i] != new[-1 - i]), limit)
    middle = [line.replace("\n", "\r\n") for line in new[head : len(new) - tail]]
    return "".join((*old[:head], *middle, *old[len(old) - tail :]))


def _set_field(front: Front, wanted: R, name: str) -> str:
    value = schema.value(wanted, name)
    entry = front.find(name)
    if value is None:
        return _without(front, entry) if entry else front.text
    if entry is None:
        return _with_new(front, type(wanted).FIELDS, name, value)
    node = entry.node
    if node.kind == "scalar" and isinstance(value, str):
        lead = " " if node.absent else ""
        return front.replaced(
            node.start, entry.reach, lead + lists.respell(front.text, node, value)
        )
    if node.kind == "list" and isinstance(value, list) and value:
        text = _with_items(front, entry, value, type(wanted))
        if text is not None:
            return text
    return _with_value(front, entry, value)


def _with_items(front: Front, entry: Entry, value: list[Extra], cls: type[R]) -> str | None:
    """Change single items of a list; None when its form does not allow it."""
    node = entry.node
    known = entry.name in cls.LISTS
    items = [each for each in node.children if not (known and each.absent)]
    ordered = entry.name not in cls.SORTED
    goal = lists.arrange([each.value for each in items], value, ordered=ordered)
    if node.flow and not node.children and all(isinstance(each, str) for each in goal):
        text = ", ".join(scalar(str(each), flow=True) for each in goal)
        return front.replaced(node.start, node.end, f"[{text}]")
    if node.flow:
        edits = lists.flow_edits(front.text, items, goal)
    else:
        edits = lists.block_edits(front.text, items, goal)
    return None if edits is None else lists.apply(front.text, edits, front.newline)


def _with_value(front: Front, entry: Entry, value: Extra) -> str:
    """Write a value anew; the comment on its last line stays on the field's first."""
    text = value_text(value, indent=front.indent)
    if not text.startswith("\n"):
        return front.replaced(entry.colon, entry.reach, text)
    end = line_end(front.text, entry.reach)
    comment = front.text[entry.reach : end].rstrip()
    return front.replaced(entry.colon, end, f"{comment}{text}\n")


def _without(front: Front, entry: Entry) -> str:
    """Remove a field's own lines, and one of the two blank lines that would then meet."""
    start, stop = entry.start, entry.stop
    above = front.blank_before(start)
    if front.blank_at(stop) and (above or start == 0):
        stop = line_end(front.text, stop)
    elif stop == len(front.text) and above:
        start = front.text.rfind("\n", 0, start - 1) + 1
    return front.replaced(start, stop, "")


def _with_new(front: Front, order: tuple[str, ...], name: str, value: Extra) -> str:
    """Put a new field at its canonical place, with the file's habit of blank lines."""
    place = _place(front, order, name)
    text = field_text(name, value, indent=front.indent)
    if front.spaced:
        if place > 0 and not front.blank_before(place):
            text = "\n" + text
        if place < len(front.text) and not front.blank_at(place):
            text += "\n"
    return front.replaced(place, place, text)


def _place(front: Front, order: tuple[str, ...], name: str) -> int:
    """Behind the nearest field that precedes it in canonical order; the user's go last."""
    if not front.entries:
        return len(front.text)
    if name not in order:
        return front.after(front.entries[-1])
    preceding = order[: order.index(name)]
    known = [each for each in front.entries if each.name in preceding]
    if known:
        return front.after(max(known, key=lambda each: preceding.index(each.name)))
    following = next((each for each in front.entries if each.name in order), front.entries[0])
    return front.before(following)
