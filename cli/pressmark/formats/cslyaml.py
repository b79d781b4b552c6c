"""CSL-YAML, as pandoc and Better BibTeX have it, in, papers out; references in, its text out.

https://pandoc.org/MANUAL.html#specifying-bibliographic-data: a list of CSL items under
`references:`, or the list itself; a date may be a text, or year, month and day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from pressmark.errors import BadInput
from pressmark.formats import csljson, plainyaml
from pressmark.formats.encoding import decode
from pressmark.formats.reading import Read
from pressmark.record import Reference

MARK = "# Written by Pressmark; the next export replaces this file, so edit the library instead."

_DATES = frozenset({"issued", "accessed", "event-date", "original-date", "submitted"})
_PLAIN = re.compile(r"[A-Za-z][\w./ -]*[\w.]")
_MEANS = re.compile(r"(?i)(?:null|true|false|yes|no|on|off|y|n)")


def read(data: bytes) -> Read:
    """Every item of a file: as a paper, or as a problem with its number and reason."""
    text, encoding, _ = decode(data)
    text = re.sub(r"\A---\s*\n|\n(?:---|\.\.\.)[ \t]*(?:\n.*)?\Z", "\n", text, flags=re.S)
    loaded = plainyaml.load(text, "CSL-YAML")
    items = loaded.get("references") if isinstance(loaded, dict) else loaded
    if not isinstance(items, list):
        raise BadInput("The file cannot be read as CSL-YAML: it has no list of references.")
    found = csljson.taken([_item(each) for each in items], "csl-yaml")
    found.encoding = encoding
    return found


def _item(item: object) -> object:
    """An item as CSL-JSON has it."""
    if not isinstance(item, dict):
        return item
    return {str(name): _date(value) if name in _DATES else value for name, value in item.items()}


def _date(value: Any) -> Any:
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(each, dict) and "year" in each for each in listed):
        return value
    parts = [[each[p] for p in ("year", "month", "day") if each.get(p)] for each in listed]
    rest = {k: v for each in listed for k, v in each.items() if k not in ("year", "month", "day")}
    return {"date-parts": parts, **rest}


def write(references: Iterable[Reference]) -> str:
    """The whole file, the same for the same references whatever their order."""
    lines = [MARK, "references:"]
    for item in csljson.items(references):
        lines += _block(item, "  ", first="- ")
    return "\n".join(lines) + "\n" if len(lines) > 2 else f"{MARK}\nreferences: []\n"


def _block(item: dict[str, Any], indent: str, first: str = "") -> list[str]:
    """A mapping, its first line led by the dash of its list."""
    lines: list[str] = []
    for name, value in item.items():
        head = f"{indent[: len(indent) - len(first)]}{first}{name}:"
        first = ""
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            lines.append(head)
            for each in value:
                lines += _block(each, f"{indent}  ", first="- ")
        elif isinstance(value, dict) and value:
            lines += [head, *_block(value, f"{indent}  ")]
        else:
            lines.append(f"{head} {_scalar(value)}")
    return lines


def _scalar(value: object) -> str:
    """A text that YAML reads as this very text; lists in one line."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and not _MEANS.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)
