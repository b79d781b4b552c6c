"""The text of a front matter in, a tree of strings with their places out: libyaml's events.

Strings first: every scalar is what is written, because YAML's guesses damage identifiers.
Aliases, anchors, tags, several documents and duplicate keys are refused, depth is capped, and
nothing here recurses over the input.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from pressmark.page.fault import Fault, short

if TYPE_CHECKING:
    from pressmark.record import Extra


class PythonParser(Reader, Scanner, Parser):
    """PyYAML's own parser, for a PyYAML without libyaml: the same events, 18 times slower."""

    def __init__(self, stream: str) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)


EventParser: Any = PythonParser
with suppress(ImportError):
    from yaml import cyaml

    EventParser = cyaml.CParser  # type: ignore[attr-defined]

MAX_DEPTH = 20
_ODD_BREAK = re.compile("[\x85\u2028\u2029]|\r(?!\n)")


class Node:
    """One value: `value` as strings, lists and mappings, and where it stands in the text."""

    __slots__ = (
        "children", "end", "flow", "key", "keys", "kind", "line", "start", "style", "value",
    )  # fmt: skip

    def __init__(self, kind: str, event: Any, value: Any, style: str | None, flow: bool) -> None:
        start = event.start_mark
        self.kind = kind  # "scalar", "list" or "map"
        self.value: Any = value
        self.style = style or ""  # a scalar's: "", "'", '"', "|" or ">"
        self.flow = flow
        self.start: int = start.index
        self.line: int = start.line  # from 0
        self.end: int = event.end_mark.index
        self.children: list[Node] = []  # a list's items, a mapping's values
        self.keys: list[Node] = []
        self.key: Node | None = None  # the key that waits for its value

    @property
    def mapping(self) -> dict[str, Extra]:
        """The value of a mapping node."""
        value: dict[str, Extra] = self.value
        return value

    @property
    def absent(self) -> bool:
        """Nothing is written: `tags:`, or a lone dash."""
        return self.kind == "scalar" and self.value == "" and not self.style

    def drop_newline(self) -> None:
        """Take the newline off that ends every block scalar."""
        if self.style in ("|", ">"):
            self.value = self.value.rstrip("\n")

    def reach(self, text: str) -> int:
        """Where the last thing written in it ends (a block's end mark is the next token's)."""
        node = self
        while node.kind != "scalar" and not node.flow:
            node = node.children[-1]
        if node.style in ("|", ">"):
            # A line of blanks at its end is content if it is indented deeper than the rest.
            value = node.value.rstrip("\n")
            blanks = "\r\n" if value[-1:].isspace() else None
            return node.start + len(text[node.start : node.end].rstrip(blanks))
        return node.end


def compose(text: str) -> Node:
    """The root mapping of a front matter; Fault when it cannot be read."""
    if text.startswith("\ufeff"):  # libyaml would skip it without counting it
        raise Fault("there is an invisible character U+FEFF", 0, next="remove it")
    try:
        root = _compose(EventParser(text))
    except yaml.YAMLError as error:
        from pressmark.page.faults import from_yaml  # slow to import, and most files are sound

        raise from_yaml(error, text) from None
    if _ODD_BREAK.search(text):
        _recount(root, [found.start() for found in re.finditer("\n", text)])
    return root


def _recount(node: Node, ends: list[int]) -> None:
    """Count lines as editors do: for YAML, U+2028 and a lone carriage return end one too."""
    node.line = bisect_left(ends, node.start)
    for each in (*node.keys, *node.children):
        _recount(each, ends)


def _compose(parser: Any) -> Node:
    root: Node | None = None
    stack: list[Node] = []
    next_event = parser.get_event
    while True:
        event = next_event()
        kind = event.__class__
        if kind is ScalarEvent:
            node = Node("scalar", event, event.value, event.style, False)
        elif kind is MappingStartEvent:
            node = Node("map", event, {}, None, event.flow_style)
        elif kind is SequenceStartEvent:
            node = Node("list", event, [], None, event.flow_style)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            stack.pop().end = event.end_mark.index
            continue
        elif kind is StreamEndEvent:
            break
        else:
            _refuse_event(event, seen=root is not None)
            continue
        if event.anchor is not None or event.tag is not None:
            raise _refuse_mark(event)
        if stack:
            _attach(stack[-1], node)
        else:
            root = node
        if kind is not ScalarEvent:
            if len(stack) == MAX_DEPTH:
                raise Fault(f"the front matter is nested deeper than {MAX_DEPTH}", node.line)
            stack.append(node)
    if root is None:
        return nothing()
    if root.kind != "map":
        raise Fault(
            "the front matter is not made of `field: value` lines", root.line,
            next="write one field a line, with a space behind its colon",
        )  # fmt: skip
    return root


def _attach(parent: Node, node: Node) -> None:
    if parent.kind == "list":
        parent.children.append(node)
        parent.value.append(node.value)
    elif parent.key is None:
        if node.kind != "scalar":
            raise Fault("a field's name is a list or a mapping", node.line)
        if node.value in parent.value:
            raise Fault("the field is there twice", node.line, node.value, next="keep one of them")
        parent.key = node
        parent.value[node.value] = ""
    else:
        parent.keys.append(parent.key)
        parent.children.append(node)
        parent.value[parent.key.value] = node.value
        parent.key = None


def _refuse_event(event: Any, *, seen: bool) -> None:
    """Let through what frames a single plain document."""
    line = event.start_mark.line
    if event.__class__ is AliasEvent:
        raise Fault(
            f"an alias (`*{short(str(event.anchor))}`) is not read",
            line,
            next="write the value out, or put it in quotes",
        )
    if event.__class__ is DocumentStartEvent and (seen or event.explicit):
        raise Fault("the front matter holds more than one document", line)


def _refuse_mark(event: Any) -> Fault:
    if event.anchor is not None:
        what = f"an anchor (`&{short(event.anchor)}`)"
    else:
        what = f"a tag (`{short(event.tag)}`)"
    return Fault(
        f"{what} is not read", event.start_mark.line, next="remove it, or put the value in quotes"
    )


def nothing() -> Node:
    """The root of an empty front matter."""
    mark = yaml.Mark("", 0, 0, 0, None, 0)
    return Node("map", MappingStartEvent(None, None, True, mark, mark), {}, None, False)
