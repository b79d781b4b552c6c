"""A record in, the values of its rows out (folded for comparing); and its JSON back to a record."""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any, NamedTuple

from pressmark.catalogue.filters import words_of
from pressmark.catalogue.layout import CLASSES, folded
from pressmark.record import Author, Record, Reference, attribute

_NAMES = {cls: tuple(each.name for each in fields(cls)) for cls in CLASSES.values()}


class Columns(NamedTuple):
    """The columns of `refs` after `id`: what filters compare, each text folded."""

    key: str
    folded: str
    year: int | None
    type: str
    stage: str
    notice: str
    url: str
    present: str
    sources: str
    title: str
    authors: str
    venue: str
    words: str


def encode(record: Record) -> str:
    """A record as JSON, its empty fields left out."""
    values = ((name, getattr(record, name)) for name in _NAMES[type(record)])
    held = {name: value for name, value in values if value}
    text = json.dumps(held, separators=(",", ":"), ensure_ascii=False)
    return text if safe(text) == text else json.dumps(held, separators=(",", ":"))


def checksum(text: str) -> int:
    """What tells a flipped bit: the catalogue is never trusted further than that."""
    return zlib.crc32(text.encode())


def decode(kind: str, text: str, crc: int) -> Record:
    """The record again, lists as tuples; DatabaseError when the text is not what was stored."""
    if checksum(text) != crc:
        raise sqlite3.DatabaseError("a record of the catalogue is damaged")
    held: dict[str, Any] = json.loads(text)
    # What was stored is a record's own values, so its constructor has nothing left to check;
    # without it a library of 20,000 is read in half the time.
    record = object.__new__(CLASSES[kind])
    for name, default, is_list in _SLOTS[kind]:
        value = held.get(name, default)
        _assign(record, name, tuple(value) if is_list else {} if value is MISSING else value)
    return record


_assign = object.__setattr__


def _slots(cls: type[Record]) -> list[tuple[str, Any, bool]]:
    """Every attribute of a record class with its default, and whether it is a tuple."""
    lists = {attribute(name) for name in cls.LISTS}
    return [
        (each.name, each.default, each.name in lists)  # only `extra` has none: a new mapping
        for each in fields(cls)
    ]


_FIELDS = [(name, attribute(name)) for name in Reference.FIELDS if name != "fulltext"]

_SLOTS = {kind: _slots(cls) for kind, cls in CLASSES.items()}


def columns(reference: Reference) -> Columns:
    """What the filters look at."""
    title = words_of(reference.title)
    authors = " | ".join(_name(each) for each in (*reference.authors, *reference.editors))
    venue = words_of(" ".join(filter(None, (reference.venue, reference.event, reference.series))))
    tags = words_of(" ".join((*reference.tags, *reference.keywords)))
    key = " ".join((folded(reference.key), words_of(reference.key)))
    return Columns(
        safe(reference.key),
        folded(reference.key),
        year(reference),
        safe(reference.type or ""),
        safe(reference.stage or ""),
        safe(reference.notice or "").casefold(),
        safe(web_address(reference.url or "")),
        f" {' '.join(present(reference))} ",
        safe(f" {' '.join(providers(reference))} "),
        f" {title}",
        f" {authors}",
        f" {venue}",
        f" {title} | {authors} | {venue} | {tags} | {key}",
    )


def year(reference: Reference) -> int | None:
    """The publication year as a number, where there is one."""
    found = re.match(r"\d{4}", reference.published or "")
    return int(found[0]) if found else None


def present(reference: Reference) -> Iterator[str]:
    """The names of the fields that hold something; `fulltext` is a file, asked elsewhere."""
    for name, held in _FIELDS:
        if getattr(reference, held):
            yield name
    if reference.published:
        yield "year"
    if reference.body.strip():
        yield "body"
        if reference.abstract:
            yield "abstract"


def providers(reference: Reference) -> list[str]:
    """The providers that contributed, folded and sorted."""
    return sorted({line.split(":", 1)[0].casefold() for line in reference.sources})


def names(reference: Reference) -> list[tuple[str, int]]:
    """Every name a reference answers to, folded, with its rank: key 0, alias 1, cite-as 2."""
    ranked = [(reference.key, 0), *((alias, 1) for alias in reference.aliases)]
    if reference.cite_as:
        ranked.append((reference.cite_as, 2))
    return [(safe(folded(name)), rank) for name, rank in ranked]


def web_address(url: str) -> str:
    """A URL without what does not tell two pages apart: scheme, `www.`, a closing slash."""
    bare = re.sub(r"^https?://(www\.)?", "", url.strip(), flags=re.I)
    host, slash, rest = bare.partition("/")
    return (host.casefold() + slash + rest).rstrip("/")


def _name(name: str) -> str:
    """`family given family`, so that both orders of a name are found as a phrase."""
    author = Author.parse(name)
    family = words_of(author.family)
    return f"{family} {words_of(author.given)} {family}" if author.given else family


def safe(value: str) -> str:
    """A text that SQLite takes: lone surrogates (from odd file names or escapes) replaced."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode()
    return value
