"""References in; the bytes of one CSL-JSON file, the same for the same references, out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from pressmark import ids
from pressmark.formats.csljson import fields
from pressmark.record import Author, Extra, Reference, attribute
from pressmark.text import to_html

_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def write(references: Iterable[Reference]) -> bytes:
    """Entries in the order of their ids, variables in a fixed order, UTF-8."""
    entries = items(references)
    return f"{json.dumps(entries, ensure_ascii=False, indent=2)}\n".encode()


def items(references: Iterable[Reference]) -> list[dict[str, Any]]:
    """The entries as data, in the order of their ids."""
    return sorted(map(item, references), key=lambda entry: str(entry["id"]))


def item(reference: Reference) -> dict[str, Any]:
    """One entry as data."""
    reference = ids.canonical(reference)
    entry: dict[str, Any] = {
        "id": reference.cite_as or reference.key,
        "type": reference.type,
        "title": reference.title,
    }
    for name, ours in fields.NAMES.items():
        entry[name] = [_name(Author.parse(each)) for each in getattr(reference, ours)]
    entry["issued"] = _date(reference.published) if reference.published else None
    named = {ours: name for name, ours in reversed(fields.TEXTS.items())}
    named |= {ours: name for name, ours in fields.IDENTIFIERS.items()}
    entry |= {name: getattr(reference, ours) for ours, name in reversed(named.items())}
    entry["ISBN"] = " ".join((*reference.isbn, *_strings(reference.extra.get("ISBN"))))
    entry["ISSN"] = " ".join(reference.issn)
    entry["keyword"] = _keywords(reference.keywords)
    entry["abstract"] = to_html(reference.abstract or "")
    custom = _custom(reference)
    _others(reference, entry, custom)
    entry["custom"] = custom
    return {name: value for name, value in entry.items() if value}


def _custom(reference: Reference) -> dict[str, Any]:
    custom: dict[str, Any] = {
        name: getattr(reference, attribute(name)) for name in fields.CUSTOM_TEXTS
    }
    custom |= {name: list(getattr(reference, name)) for name in fields.CUSTOM_LISTS}
    if reference.keywords and not _keywords(reference.keywords):
        custom["keywords"] = list(reference.keywords)
    return {name: value for name, value in custom.items() if value}


def _others(reference: Reference, entry: dict[str, Any], custom: dict[str, Any]) -> None:
    """Fields that are the user's: CSL's own names at the top, any other under `custom`."""
    for name, value in reference.extra.items():
        if name in fields.IDENTIFIERS:
            entry[name] = entry[name] or value
        elif name in fields.UNREAD:
            entry[name] = _date(value) if name in fields.DATES and isinstance(value, str) else value
        elif name not in fields.READ and name not in custom:
            custom[name] = value


def _name(author: Author) -> dict[str, str]:
    if author.group:
        return {"literal": author.family}
    parts = {"family": author.family, "given": author.given, "suffix": author.suffix}
    return {name: value for name, value in parts.items() if value}


def _date(value: str) -> dict[str, Any]:
    if not _DATE.fullmatch(value):
        return {"literal": value}
    return {"date-parts": [[int(part) for part in value.split("-")]]}


def _keywords(words: tuple[str, ...]) -> str:
    """The words between commas, or semicolons where a word has a comma; none where it has both."""
    if any(";" in word for word in words):
        return ""
    if any("," in word for word in words):
        return "; ".join(words) + (";" if len(words) == 1 else "")
    return ", ".join(words)


def _strings(value: Extra | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else ()
