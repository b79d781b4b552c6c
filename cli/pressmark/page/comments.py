"""A front matter's text and a place in it in, the comments that stand there out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pressmark.page.front import Entry
from pressmark.page.nodes import Node

_COMMENT = re.compile(r"#[^\n]*")
_HEADER = re.compile(r"[|>][-+0-9]*[ \t]+(?=#)")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment, from its `#` to the end of its line."""

    place: int
    text: str


def within(text: str, entry: Entry) -> list[Comment]:
    """The comments on a field's own lines: every `#` that stands in no scalar."""
    found: list[Comment] = []
    place = entry.colon
    for leaf in _leaves(entry.node):
        found += _find(text, place, leaf.start)
        header = _HEADER.match(text, leaf.start) if leaf.style in ("|", ">") else None
        if header:
            found += _find(text, header.end(), text.index("\n", header.end()))
        place = leaf.reach(text)
    return found + list(_find(text, place, entry.stop))


def around(
    gap: str, *, first: bool = False, last: bool = False
) -> tuple[list[str], list[list[str]], list[str]]:
    """The comments between two fields: behind the upper one, apart from both, above the lower."""
    groups: list[list[str]] = [[]]
    for line in gap.split("\n")[:-1]:
        if line.strip():
            groups[-1].append(line.strip())
        else:
            groups.append([])
    # Only a group without a blank line between touches: the first one, or the last.
    above = [] if last else groups.pop()
    behind = groups.pop(0) if groups and not first else []
    return behind, [group for group in groups if group], above


def _find(text: str, start: int, stop: int) -> Iterator[Comment]:
    for found in _COMMENT.finditer(text, start, stop):
        yield Comment(found.start(), found[0].rstrip())


def _leaves(node: Node) -> Iterator[Node]:
    if node.kind == "scalar":
        yield node
    elif node.kind == "list":
        for child in node.children:
            yield from _leaves(child)
    else:
        for key, child in zip(node.keys, node.children, strict=True):
            yield key
            yield from _leaves(child)
