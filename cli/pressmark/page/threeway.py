"""Two versions of a record and their common ancestor in; the record both meant out: pure.

Field by field: a field that one side changed is that side's; a list is merged item by item; of a
scalar that both changed a provider's value yields to a person's and is kept in `conflicts`. What
two people wrote differently is left to a person.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from pressmark.page.schema import R
from pressmark.record import NOTICES, Author, Record, Reference, attribute

NAMES = frozenset({"authors", "editors"})
"""Lists whose items a person corrects: merged item by item one name would stand there twice."""

LATER = frozenset({"last-run", "extracted"})
"""Dates of which the later one tells all."""


@dataclass(frozen=True, slots=True)
class Merged(Generic[R]):
    """The merged record, and the fields that only a person can decide; they hold our value.

    The body is ours: text is merged elsewhere.
    """

    record: R
    clashes: tuple[str, ...] = ()


def merge(base: R | None, ours: R, theirs: R) -> Merged[R]:
    """Merge two versions of one record; `base` is None when both sides made the file."""
    root = base if base is not None else nothing(ours)
    values: dict[str, Any] = {}
    lost: list[str] = []
    clashes: list[str] = []
    brought = _brought(root, ours), _brought(root, theirs)
    for name in type(ours).FIELDS:
        at = attribute(name)
        trio = getattr(root, at), getattr(ours, at), getattr(theirs, at)
        found, value = _field(type(ours), name, *trio)
        if not found:
            value, offer = _yielding(name, trio[1], trio[2], *brought)
            if offer is None:
                clashes.append(name)
            else:
                lost.append(offer)
        values[at] = value
    if base is None and "stage" in values:
        values["stage"] = ours.stage and theirs.stage  # type: ignore[union-attr]
    extra, extra_clashes = _extra(root.extra, ours.extra, theirs.extra)
    record = replace(ours, **values, extra=extra)
    if lost and isinstance(record, Reference):
        record = replace(record, conflicts=tuple(sorted({*record.conflicts, *lost})))
    return Merged(record, (*clashes, *extra_clashes))


def taking(record: R, other: Record, names: Sequence[str]) -> R:
    """The record with another's values of some fields."""
    known = {attribute(name): getattr(other, attribute(name)) for name in names
             if name in type(record).FIELDS}  # fmt: skip
    extra = dict(record.extra)
    for name in names:
        if name not in type(record).FIELDS:
            extra.pop(name, None)
            if name in other.extra:
                extra[name] = other.extra[name]
    return replace(record, **known, extra=extra)


def nothing(record: R) -> R:
    """A record of the same name without any field: the ancestor of what both sides made."""
    cls: Any = type(record)
    made: R = cls(**{cls.STEM: getattr(record, cls.STEM)})
    return made


def _field(cls: type[Any], name: str, base: Any, ours: Any, theirs: Any) -> tuple[bool, Any]:
    """Whether it can be decided, and the value (ours where it cannot)."""
    if ours == theirs or theirs == base:
        return True, ours
    if ours == base:
        return True, theirs
    if name in cls.LISTS:
        if name == "sources":
            return True, _sources(base, ours, theirs)
        if name in NAMES:
            return _names(ours, theirs)
        if name in cls.SORTED:
            return True, tuple(sorted(_items(base, ours, theirs)))
        return True, tuple(_items(base, ours, theirs))
    return _scalar(name, ours, theirs)


def _scalar(name: str, ours: str | None, theirs: str | None) -> tuple[bool, str | None]:
    """What two different values of one field mean together, where that is plain."""
    if name in LATER and ours and theirs:
        return True, max(ours, theirs)
    if name == "published" and ours and theirs and (
        ours.startswith(theirs) or theirs.startswith(ours)
    ):  # fmt: skip
        return True, max(ours, theirs, key=len)
    if name == "notice":
        return True, min(filter(None, (ours, theirs)), key=NOTICES.index)
    if name == "fulltext" and ours and theirs and ours.startswith("none (") == theirs.startswith(
        "none ("
    ):  # fmt: skip
        return True, max(ours, theirs, key=lambda mark: mark.rpartition(", ")[2])
    if _plain(ours) == _plain(theirs):
        return True, ours  # one spelling of the same
    return False, ours


def _plain(value: str | None) -> str:
    return " ".join((value or "").split())


def _names(ours: Sequence[str], theirs: Sequence[str]) -> tuple[bool, Sequence[str]]:
    """The longer of two lists when it goes on where the other ends."""
    short, long = sorted((ours, theirs), key=len)
    if len(short) < len(long) and _families(long)[: len(short)] == _families(short):
        return True, long
    return False, ours


def _families(names: Sequence[str]) -> list[str]:
    return [Author.parse(name).family.casefold() for name in names]


def _items(base: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]) -> list[Any]:
    """What the sides kept and added, each once: ours in our order, theirs in their places."""
    was, mine, other = ({_mark(each) for each in side} for side in (base, ours, theirs))
    gone = (was - mine) | (was - other)
    kept = _once([each for each in ours if _mark(each) not in gone])
    marks = [_mark(each) for each in kept]
    behind: dict[str | None, list[Any]] = {None: [], **{mark: [] for mark in marks}}
    after: str | None = None  # what stands first in their list goes before what the ancestor had
    for each in _once(theirs):
        mark = _mark(each)
        if mark in behind:
            after = mark
        elif mark not in gone:
            behind[after].append(each)
    start = next((at for at, mark in enumerate(marks) if mark in was), len(marks))
    merged = [one for each, mark in zip(kept, marks, strict=True) for one in (each, *behind[mark])]
    ahead = sum(1 + len(behind[mark]) for mark in marks[:start])
    return [*merged[:ahead], *behind[None], *merged[ahead:]]


def _once(items: Sequence[Any]) -> list[Any]:
    return list({_mark(each): each for each in reversed(items)}.values())[::-1]


def _mark(item: Any) -> str:
    """What tells one item from another, whatever its kind."""
    return item if isinstance(item, str) else "\0" + json.dumps(item, sort_keys=True)


def _sources(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """One line a provider and external id; of two dates the first stands."""
    dates: dict[str, str] = {}
    for line in (*ours, *theirs):
        name, _, date = line.partition(" ")
        dates[name] = min(dates.get(name, date), date) if date else dates.get(name, date)
    was, mine, other = ({line.partition(" ")[0] for line in s} for s in (base, ours, theirs))
    gone = (was - mine) | (was - other)
    return tuple(sorted(f"{n} {d}".rstrip() for n, d in dates.items() if n not in gone))


def _brought(base: Record, side: Record) -> str:
    """The providers that a side's version heard and the ancestor had not, or nothing."""
    if not (isinstance(base, Reference) and isinstance(side, Reference)):
        return ""
    known = {line.partition(" ")[0] for line in base.sources}
    new = {line.partition(":")[0] for line in side.sources if line.partition(" ")[0] not in known}
    return ", ".join(sorted(new))


def _yielding(name: str, ours: Any, theirs: Any, mine: str, other: str) -> tuple[Any, str | None]:
    """The value that stands, and the `conflicts` line of the other; None when people differ.

    A side that heard a new provider has its value from there; one that did not was edited.
    """
    if other and theirs:
        return ours, _offer(name, theirs, other)
    if mine and ours:
        return theirs, _offer(name, ours, mine)
    return ours, None


def _offer(name: str, value: Any, provider: str) -> str:
    shown = "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"{name}: {shown} ({provider})"


def _extra(
    base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The user's own fields: a list item by item, a mapping key by key."""
    merged: dict[str, Any] = {}
    clashes: list[str] = []
    for name in [*ours, *(name for name in theirs if name not in ours)]:
        decided, value = _own(base.get(name), ours.get(name), theirs.get(name))
        if not decided:
            clashes.append(name)
        if value is not None:
            merged[name] = value
    return merged, clashes


def _own(base: Any, ours: Any, theirs: Any) -> tuple[bool, Any]:
    if ours == theirs or theirs == base:
        return True, ours
    if ours == base:
        return True, theirs
    if isinstance(ours, list) and isinstance(theirs, list):
        return True, _items(base if isinstance(base, list) else [], ours, theirs)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        merged, clashes = _extra(base if isinstance(base, dict) else {}, ours, theirs)
        return (not clashes, merged if not clashes else ours)
    return False, ours
