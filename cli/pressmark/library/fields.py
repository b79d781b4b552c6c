"""A field's name and what a person typed for it in; the value a reference holds out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pressmark import ids
from pressmark.errors import BadInput
from pressmark.record import NOTICES, TYPES, Reference, attribute
from pressmark.text import clean

_NOT_BY_HAND = {
    "sources": "it records which provider gave what",
    "cites": "it records the paper's own reference list",
}
_ELSEWHERE = {
    "year": "published", "date": "published", "journal": "venue", "booktitle": "venue",
    "container-title": "venue", "address": "place", "publisher-place": "place",
    "school": "publisher", "institution": "publisher", "eprint": "arxiv",
    "citekey": "cite-as", "subject": "keywords", "topic": "topics", "entrytype": "type",
}  # fmt: skip
"""Other formats' names of our fields."""
_CHOICES: dict[str, Sequence[str]] = {
    "type": TYPES,
    "notice": NOTICES,
    "stage": ("candidate",),
}


def assign(reference: Reference, name: str, value: str | None) -> Reference:
    """The reference with a field set, or cleared by None; BadInput names what is off."""
    name = _known(reference, name)
    if name in Reference.REQUIRED and not (value and value.strip()):
        raise BadInput(f"{reference.key} cannot be without a {name}.")
    if name not in Reference.FIELDS:
        extra = {**reference.extra, name: value or ""}
        return replace(reference, extra={n: v for n, v in extra.items() if v})
    if value is None:
        return _with(reference, name, () if name in Reference.LISTS else None)
    if name in Reference.LISTS:
        return _with(reference, name, _sorted(name, _items(name, value)))
    return _with(reference, name, checked(name, value))


def extend(reference: Reference, name: str, items: Iterable[str]) -> Reference:
    """The reference with items added to one of its lists."""
    name = _list(reference, name)
    held: tuple[str, ...] = getattr(reference, attribute(name))
    new = [checked(name, item) for item in items]
    return _with(reference, name, _sorted(name, (*held, *new)))


def shrink(reference: Reference, name: str, items: Iterable[str]) -> Reference:
    """The reference with items taken out of one of its lists; letter case does not matter."""
    name = _list(reference, name)
    gone = {item.strip().casefold() for item in items}
    held: tuple[str, ...] = getattr(reference, attribute(name))
    return _with(reference, name, tuple(item for item in held if item.casefold() not in gone))


def checked(name: str, value: str) -> str:
    """A single value, cleaned and in its canonical form."""
    value = clean(value).strip()
    if name in _CHOICES and value not in _CHOICES[name]:
        close = difflib.get_close_matches(value, _CHOICES[name], n=1)
        raise BadInput(
            f"{name}={value} is not known." + (f" Did you mean {close[0]!r}?" if close else ""),
            next=f"{name} takes {', '.join(_CHOICES[name])}",
        )
    if name == "published" and not re.fullmatch(r"\d{4}(-\d\d){0,2}", value):
        raise BadInput(f"published={value} is not YYYY, YYYY-MM or YYYY-MM-DD.")
    if name in ids.NORMALISERS:
        known = ids.NORMALISERS[name](value)
        if known is None:
            raise BadInput(f"{value!r} is no {name}.")
        return known
    return value


def _items(name: str, value: str) -> list[str]:
    """`a; b`: names hold commas, so only `;` parts authors; elsewhere a comma does where it is."""
    mark = ";" if ";" in value or name in ("authors", "editors", "conflicts") else ","
    return [checked(name, item) for item in value.split(mark) if item.strip()]


def _sorted(name: str, items: Iterable[str]) -> tuple[str, ...]:
    unique = list(dict.fromkeys(item for item in items if item))
    return tuple(sorted(unique) if name in Reference.SORTED else unique)


def _with(reference: Reference, name: str, value: Any) -> Reference:
    changes: Mapping[str, Any] = {attribute(name): value}
    return replace(reference, **changes)


def _list(reference: Reference, name: str) -> str:
    name = _known(reference, name)
    if name not in Reference.LISTS:
        raise BadInput(f"{name} holds one value, not a list.", next=f"use --set {name}=VALUE")
    return name


def _known(reference: Reference, name: str) -> str:
    name = name.strip().replace("_", "-")
    if name == "key":
        raise BadInput("The key is the file's name.", next="pressmark rename OLD NEW")
    if name in _NOT_BY_HAND:
        raise BadInput(
            f"{name} is not set by hand: {_NOT_BY_HAND[name]}.", next="edit the file if you must"
        )
    if name in Reference.FIELDS or name in reference.extra:
        return name
    close = [_ELSEWHERE[name]] if name in _ELSEWHERE else None
    close = close or difflib.get_close_matches(name, Reference.FIELDS, n=1)
    raise BadInput(
        f"A reference has no field {name!r}." + (f" Did you mean {close[0]!r}?" if close else ""),
        next="write a field of your own into the file; it is kept",
    )
