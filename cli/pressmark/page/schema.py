"""What each kind of file may hold: a mapping of strings in, a record out, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, TypeAlias, TypeVar

from pressmark.errors import BadInput
from pressmark.record import (
    NOTICES,
    Collection,
    Extra,
    FullText,
    Note,
    Record,
    Reference,
    Search,
    Topic,
    Vocabulary,
    attribute,
)

R = TypeVar("R", bound=Record)

Rule: TypeAlias = Callable[[str, Any], Any]
"""Takes a field's name and its value from a file, gives the record's value; Misfit if none."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_PUBLISHED = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.A)
_MAX_NAME = 160  # each character may become six, and YAML reads a key of up to 1,024
_MAX_DEPTH = 20


class Misfit(Exception):
    """A value that its field cannot hold; `item` is the place in the list, if it is one's."""

    def __init__(
        self, field: str, message: str, *, item: int | None = None, next: str | None = None
    ) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.item = item
        self.next = next


def build(cls: type[R], values: Mapping[str, Extra], stem: str, body: str) -> R:
    """The record that a file's fields mean; Misfit when one does not fit."""
    table = _TABLES[cls.__name__]
    known: dict[str, Any] = {cls.STEM: stem, "body": body}
    extra: dict[str, Extra] = {}
    for name, value in values.items():
        rule = table.get(name)
        if rule is None:
            extra[name] = value
        elif value != "":
            known[rule[0]] = rule[1](name, value)
    for name in cls.REQUIRED:
        if not known.get(attribute(name)):
            raise Misfit(
                name, f"the field `{name}` is missing or empty",
                next=f"write `{name}:` and a value; one that begins with `#` needs quotes",
            )  # fmt: skip
    return cls(**known, extra=extra)


def values(record: Record) -> dict[str, Extra]:
    """A record's fields in canonical order; BadInput when a file could not hold them."""
    named = {name: value(record, name) for name in (*type(record).FIELDS, *record.extra)}
    return {name: each for name, each in named.items() if each is not None}


def value(record: Record, name: str) -> Extra | None:
    """What a file holds for one field, or None for nothing; BadInput when it cannot hold it."""
    cls = type(record)
    rule = _TABLES[cls.__name__].get(name)
    if rule is None:
        found = record.extra.get(name)
        return None if found is None else _outgoing(_as_it_is, name, found, ordered=True)
    if name in record.extra:
        raise BadInput(f"`{name}` is a field of its own and cannot stand among the others")
    held = getattr(record, rule[0])
    if held is None or held == "" or held == ():
        if name in cls.REQUIRED:
            raise BadInput(f"a {cls.__name__.lower()} needs a {name}")
        return None
    return _outgoing(rule[1], name, held, ordered=name not in cls.SORTED)


def differing(held: R, wanted: R) -> list[str]:
    """The names of the fields that differ; the order of a set is no difference."""
    cls: Any = type(held)
    names = [name for name in cls.FIELDS if not _agree(cls, name, held, wanted)]
    extra = (*held.extra, *(name for name in wanted.extra if name not in held.extra))
    return names + [name for name in extra if held.extra.get(name) != wanted.extra.get(name)]


def _agree(cls: type[Any], name: str, held: Record, wanted: Record) -> bool:
    mine, theirs = (getattr(each, attribute(name)) for each in (held, wanted))
    if mine == theirs:
        return True
    return name in cls.SORTED and sorted(mine) == sorted(theirs)


def scrubbed(record: R) -> R:
    """The same record with U+FFFD for lone surrogates, which no UTF-8 file can hold."""
    cls: Any = type(record)
    changes: dict[str, Any] = {}
    for name in ("body", "extra", *(attribute(each) for each in cls.FIELDS)):
        value = getattr(record, name)
        clean = _scrub(value)
        if clean is not value:
            changes[name] = clean
    return replace(record, **changes) if changes else record


def stem(cls: type[Any], path: str) -> str:
    """The key or slug that a file's path means."""
    parts = path.replace("\\", "/").split("/")
    if cls is Note and "notes" in parts:
        parts = parts[parts.index("notes") + 1 :]
    else:
        parts = parts[-1:]
    return "/".join(parts).removesuffix(".md")


def _outgoing(rule: Rule, name: str, value: Any, *, ordered: bool) -> Extra:
    plain = _thawed(value)
    try:
        checked = rule(name, plain)
        _check_nesting(name, plain)
    except Misfit as misfit:
        raise BadInput(misfit.message, next=misfit.next) from None
    if isinstance(checked, tuple):
        return list(checked) if ordered else sorted(checked)
    return checked  # type: ignore[no-any-return]


def _thawed(value: Any) -> Any:
    """Plain lists and mappings for a record's tuples and read-only mappings."""
    if isinstance(value, tuple | list):
        return [_thawed(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _thawed(each) for name, each in value.items()}
    return value


def _table(cls: type[Record]) -> dict[str, tuple[str, Rule]]:
    """Field name → attribute, and the check that turns a file's value into the record's."""
    table = {}
    for name in cls.FIELDS:
        rule = _texts if name in cls.LISTS else _RULES.get(name, _text)
        if cls is Search and name == "providers":
            rule = _mappings
        elif cls is Note and name == "anchors":
            rule = _anything
        table[name] = (attribute(name), rule)
    return table


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    what = "a list" if isinstance(value, list) else "a mapping"
    raise Misfit(name, f"`{name}` holds one text, not {what}")


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list):
        for place, each in enumerate(value):
            if not isinstance(each, str):
                raise Misfit(name, f"an item of `{name}` is not a text", item=place)
        return tuple(value)
    raise Misfit(name, f"`{name}` holds a list of texts, not a mapping")


def _mappings(name: str, value: Any) -> tuple[Mapping[str, str], ...]:
    if not isinstance(value, list):
        raise Misfit(name, f"`{name}` holds a list of mappings")
    for place, each in enumerate(value):
        if not isinstance(each, dict) or not all(isinstance(text, str) for text in each.values()):
            raise Misfit(name, f"an item of `{name}` is not a mapping of texts", item=place)
    return tuple(value)


def _anything(name: str, value: Any) -> tuple[Extra, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _as_it_is(name: str, value: Any) -> Extra:
    return value  # type: ignore[no-any-return]


def _published(name: str, value: Any) -> str:
    text = _text(name, value)
    found = _PUBLISHED.fullmatch(text)
    try:
        if found:
            date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
            return text
    except ValueError:
        pass
    raise Misfit(
        name,
        f"`{name}` is YYYY, YYYY-MM or YYYY-MM-DD, not {_short(text)}",
        next="write the paper's own date, as far as it is known",
    )


def _notice(name: str, value: Any) -> str:
    text = _text(name, value)
    if text in NOTICES:
        return text
    raise Misfit(name, f"`{name}` is one of {', '.join(NOTICES)}, not {_short(text)}")


def _stage(name: str, value: Any) -> str:
    text = _text(name, value)
    if text == "candidate":
        return text
    raise Misfit(
        name,
        f"`{name}` is `candidate` or absent, not {_short(text)}",
        next="remove the field to keep the reference",
    )


_RULES: dict[str, Rule] = {
    "published": _published,
    "notice": _notice,
    "stage": _stage,
}

_TABLES = {
    cls.__name__: _table(cls)
    for cls in (Reference, FullText, Topic, Search, Collection, Vocabulary, Note)
}


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _check_nesting(name: object, value: Any, depth: int = 2) -> None:
    """A file holds texts, lists and mappings, no deeper and with no longer names than it reads."""
    if not isinstance(name, str) or len(name) > _MAX_NAME:
        raise Misfit("", f"a field's name is a text of at most {_MAX_NAME} characters")
    if isinstance(value, str):
        return
    if not isinstance(value, dict | list):
        raise Misfit(name, f"`{name}` holds a {type(value).__name__}; a file holds texts")
    if depth > _MAX_DEPTH:
        raise Misfit(name, f"`{name}` is nested deeper than {_MAX_DEPTH}")
    pairs = value.items() if isinstance(value, dict) else ((name, each) for each in value)
    for key, each in pairs:
        _check_nesting(key, each, depth + 1)


def _scrub(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else _scrub_text(value)
    if isinstance(value, tuple | list):
        clean = [_scrub(each) for each in value]
        changed = any(a is not b for a, b in zip(clean, value, strict=True))
        return type(value)(clean) if changed else value
    if isinstance(value, Mapping):
        pairs = {_scrub(key): _scrub(each) for key, each in value.items()}
        return pairs if pairs != value else value
    return value


def _scrub_text(value: str) -> str:
    return _SURROGATE.sub("\ufffd", value) if _SURROGATE.search(value) else value
