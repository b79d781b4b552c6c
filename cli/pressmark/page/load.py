"""Bytes in, a record out, and a new record's bytes: the two plain halves of the round trip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pressmark.errors import Unreadable
from pressmark.page import schema
from pressmark.page.fault import Fault
from pressmark.page.frame import BOM, Frame, compose_file, encode, open_frame
from pressmark.page.nodes import Node, compose, nothing
from pressmark.record import Note

if TYPE_CHECKING:
    from pressmark.page.schema import R
    from pressmark.record import Extra

FIRST_LINE = 2
"""The line of a file on which its front matter begins; nodes count from 0."""


def open_page(data: bytes, path: str) -> tuple[Frame, Node]:
    """A file's parts and the tree of its front matter."""
    frame = open_frame(data, path)
    if not frame.fronted:
        return frame, nothing()
    try:
        return frame, compose(frame.front)
    except Fault as fault:
        from pressmark.page.faults import field_at  # slow to import, and most files are sound

        field = fault.field or field_at(frame.front.split("\n"), fault.line)
        raise Unreadable(
            fault.message, path=path, line=fault.line + FIRST_LINE, field=field, next=fault.next
        ) from None


def read(cls: type[R], data: bytes, path: str) -> R:
    """The record that a file means."""
    frame, root = open_page(data, path)
    return record(cls, frame, root, path)


def record(cls: type[R], frame: Frame, root: Node, path: str) -> R:
    """The record that a file's parts mean."""
    if not frame.fronted and cls.REQUIRED:
        raise Unreadable(
            "the file has no front matter", path=path, line=1,
            next="begin it with `---`, its fields, and `---`",
        )  # fmt: skip
    try:
        return schema.build(cls, tidy(cls, root), schema.stem(cls, path), frame.body)
    except schema.Misfit as misfit:
        raise _unreadable(misfit, root, path) from None


def tidy(cls: type[R], root: Node) -> dict[str, Extra]:
    """The fields' values, the known ones without what only their layout brings in.

    A lone dash is no item of a list, and the newline that ends a block scalar is no part of
    a text.
    """
    values = root.mapping
    for key, node in zip(root.keys, root.children, strict=True):
        name = key.value
        if node.kind == "list":
            if name in cls.LISTS:
                for each in node.children:
                    each.drop_newline()
                node.value = [each.value for each in node.children if not each.absent]
        elif name in cls.FIELDS:
            node.drop_newline()
        else:
            continue
        values[name] = node.value
    return values


def write(record: R) -> bytes:
    """A new file in the canonical layout."""
    try:
        return _written(record)
    except UnicodeEncodeError:
        return _written(schema.scrubbed(record))


def _written(record: R) -> bytes:
    values = schema.values(record)
    body = record.body
    # A note may do without front matter, if nothing in its body would be taken for the
    # beginning of one, or for another newline style than ours.
    mistaken = body.startswith(("---", BOM)) or "\r" in body
    if not values and isinstance(record, Note) and not mistaken:
        return encode(body)
    return encode(compose_file(dict(values), body))


def _unreadable(misfit: schema.Misfit, root: Node, path: str) -> Unreadable:
    line = 1
    for key, node in zip(root.keys, root.children, strict=True):
        if key.value == misfit.field:
            line = key.line + FIRST_LINE
            if misfit.item is not None:
                line = node.children[misfit.item].line + FIRST_LINE
    return Unreadable(misfit.message, path=path, line=line, field=misfit.field, next=misfit.next)
