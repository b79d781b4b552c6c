"""Why a front matter cannot be read: libyaml's complaint in, one sentence with a line out."""

from __future__ import annotations

import re
from typing import Any

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |\r?$)", re.M)
_NAME = re.compile(r"([^\s#:-][^:\r\n]*):(?:[ \t]|$)")
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_QUOTE = "put the whole value in single quotes"
_SENTENCES = (
    ("mapping values are not allowed", "the value holds a colon and is not in quotes", _QUOTE),
    ("could not find expected ':'", "the line is no `field: value` and no list item", None),
    ("did not find expected key", "the line is indented differently from its neighbours", None),
    ("did not find expected '-' indicator", "the list item has no dash", "start it with `- `"),
    ("unexpected end of stream", "a quoted value is never closed", "close the quote"),
    ("document indicator", "a quoted value is never closed", "close the quote"),
    ("did not find expected ',' or ']'", "the list is never closed by `]`", None),
    ("did not find expected ',' or '}'", "the mapping is never closed by `}`", None),
    ("cannot start any token", "a value cannot begin with this character", _QUOTE),
    ("alphabetic or numeric character", "a value cannot begin with `*` or `&`", _QUOTE),
    ("escape", "the double-quoted value holds an unknown escape", "use single quotes"),
    ("tab character", "a tab indents the line", "use spaces"),
    ("block entries are not allowed", "a list item cannot stand on this line", None),
    ("block sequence entries", "a list item cannot stand on this line", None),
    ("block mapping", "the line is indented differently from its neighbours", None),
)


class Fault(Exception):
    """What is wrong in a front matter: the line counts from 0 at its first line."""

    def __init__(
        self, message: str, line: int, field: str | None = None, *, next: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.field = field
        self.next = next


def from_yaml(error: Any, text: str) -> Fault:
    """Say libyaml's complaint in our words, with the field it is about."""
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start())
        return Fault(
            "the file holds the marks of an unfinished merge", line, next="resolve it with git"
        )
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", error))
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return _unprintable(text)
    context = getattr(error, "context_mark", None)
    message, advice = _sentence(problem)
    if context is not None and "never closed" in message:
        mark = context
    return Fault(message, mark.line, _field(text, mark.line), next=advice)


def _sentence(problem: str) -> tuple[str, str | None]:
    for words, message, advice in _SENTENCES:
        if words in problem:
            return message, advice
    return f"the front matter is not YAML: {problem}", None


def _unprintable(text: str) -> Fault:
    found = _UNPRINTABLE.search(text)
    if not found:
        return Fault("the front matter is not YAML", 0)
    line = text.count("\n", 0, found.start())
    return Fault(
        f"the front matter holds the control character U+{ord(found[0]):04X}",
        line,
        _field(text, line),
        next="remove it, or write it as an escape in double quotes",
    )


def _field(text: str, line: int) -> str | None:
    """The field that the line belongs to."""
    for each in reversed(text.split("\n")[: line + 1]):
        found = _NAME.match(each)
        if found:
            return found[1].strip().strip("'\"")
    return None
