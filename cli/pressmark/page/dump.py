"""The canonical layout: fields in, the front matter's text out.

One line a value, one line a list item, a blank line between fields: that is what merges best.
A value stands bare only where every YAML reads it as the same string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.record import Extra

# What YAML does not print, and what turns a reviewer's reading direction around.
_UNSEEN = "\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
_UNPRINTABLE = re.compile(f"[{_UNSEEN}]")
_ESCAPED = re.compile(f'[\\\\"{_UNSEEN}]')
_BARE = re.compile(
    r"""(?![-?:,\[\]{}#&*!|>'"%@`=~+.\s])   # no indicator, nothing that begins a number or null
        (?!\d[-+\d_.,:eExXoObBa-fA-FtTzZ ]*\Z)    # no number, no date
        (?!<<\Z)
        (?:(?!:(?:\s|\Z)|\s\#)[^\n])+
        (?<!\s)\Z""",
    re.X,
)
_FLOW = re.compile(r"[,\[\]{}:?]")
_WORDS = frozenset({"y", "n", "yes", "no", "true", "false", "on", "off", "null"})
_NAMED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def scalar(value: str, *, flow: bool = False, style: str = "") -> str:
    """One line that reads back as `value`, in the wanted kind of quotes where that can be."""
    if style == '"' or _UNPRINTABLE.search(value):
        return double(value)
    bare = style != "'" and _BARE.match(value) and value.casefold() not in _WORDS
    if bare and not (flow and _FLOW.search(value)):
        return value
    return "'" + value.replace("'", "''") + "'"


def double(value: str) -> str:
    """A double-quoted scalar with everything unprintable escaped."""
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    code = ord(char)
    return _NAMED.get(char) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def lay_out(fields: Mapping[str, Extra]) -> str:
    """The front matter's lines, a blank one between fields."""
    return "\n".join(field_text(name, value) for name, value in fields.items())


def field_text(name: str, value: Extra, *, indent: str = "") -> str:
    """The lines of one field; `indent` stands before the dashes of a list."""
    return f"{scalar(name)}:{value_text(value, indent=indent)}\n"


def value_text(value: Extra, *, indent: str = "") -> str:
    """What follows the colon of a field, without the last newline."""
    lines = list(_lines(value))
    if isinstance(value, str) or not value:
        return f" {lines[0]}"
    if isinstance(value, dict):
        indent = "  "
    return "".join(f"\n{indent}{line}" for line in lines)


def item_lines(value: Extra, lead: str = "- ") -> list[str]:
    """The lines of one list item; `lead` is what stands before its text, dash included."""
    first, *others = _lines(value)
    return [lead + first, *(" " * len(lead) + line for line in others)]


def _lines(value: Extra) -> Iterator[str]:
    """Block style at column 0."""
    if isinstance(value, str):
        yield scalar(value)
    elif not value:
        yield "[]" if isinstance(value, Sequence) else "{}"
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _entry(name, each)
    else:
        for each in value:
            yield from item_lines(each)


def _entry(name: str, value: Extra) -> Iterator[str]:
    key = scalar(name)
    if isinstance(value, str) or not value:
        yield f"{key}: {next(_lines(value))}"
    elif isinstance(value, dict):
        yield f"{key}:"
        yield from (f"  {line}" for line in _lines(value))
    else:
        yield f"{key}:"
        yield from _lines(value)
