"""A `Query` in, an SQL condition and its parameters out."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection

from pressmark.catalogue import layout, rows
from pressmark.catalogue.filters import KEYS, WORDS, Query, Term, year_range
from pressmark.errors import BadInput

Cited = Callable[[str], Collection[str]]
Clause = tuple[str, list[object]]


def where(query: Query, cited: Cited | None = None) -> Clause:
    """The condition on `refs` that a query stands for; values only as parameters."""
    clauses = [_term(term, cited) for term in query.terms]
    condition = " AND ".join(sql for sql, _ in clauses) or "1"
    return condition, [value for _, values in clauses for value in values]


def _term(term: Term, cited: Cited | None) -> Clause:
    if term.field == KEYS:
        return _among(term.values)
    clauses = [_clause(term.field, value, cited) for value in term.values]
    condition = f"({' OR '.join(sql for sql, _ in clauses)})"
    values = [value for _, each in clauses for value in each]
    return (f"NOT {condition}" if term.negated else condition), values


def _clause(field: str, value: str, cited: Cited | None) -> Clause:
    value = rows.safe(value)
    if field in _TEXTS:
        return f"instr(refs.{_TEXTS[field]}, ?) > 0", [_needle(value)]
    if field == "year":
        return _year(value)
    if field in ("has", "missing"):
        return _has(value, field == "has")
    if field == "cited":
        return _cited(value, cited)
    if (field, value) in _CONSTANT:
        return _CONSTANT[field, value], []
    return _SIMPLE[field], [value]


_TEXTS = {"author": "authors", "title": "title", "venue": "venue", WORDS: "words"}

_SIMPLE = {
    "tag": "refs.id IN (SELECT id FROM tags WHERE tag = ?)",
    "topic": "refs.id IN (SELECT id FROM topics WHERE topic = ?)",
    "collection": (
        "refs.id IN (SELECT names.id FROM members JOIN names ON name = member WHERE collection = ?)"
    ),
    "source": "instr(refs.sources, ' ' || ? || ' ') > 0",
    "type": "refs.type = ?",
    "notice": "refs.notice = ?",
    "stage": "refs.stage = ?",
    "key": "instr(refs.folded, ?) = 1",
}
_CONSTANT = {
    ("notice", "any"): "refs.notice <> ''",
    ("stage", "any"): "1",
    ("stage", "kept"): "refs.stage <> 'candidate'",
}


def _needle(value: str) -> str:
    """Words match from their beginning; scripts without blanks between words, anywhere."""
    return f" {value}" if value[0].isascii() else value


def _year(value: str) -> Clause:
    if value in ("nd", "any"):
        return f"refs.year IS {'NULL' if value == 'nd' else 'NOT NULL'}", []
    first, last = year_range(value)
    return "refs.year BETWEEN ? AND ?", [first or 0, 9999 if last is None else last]


def _has(name: str, held: bool) -> Clause:
    if name == "fulltext":
        condition = (
            "EXISTS(SELECT 1 FROM files AS own JOIN files AS text ON text.stem = own.stem "
            "AND text.kind = 'fulltext' WHERE own.id = refs.id)"
        )
        return condition if held else f"NOT {condition}", []
    return f"instr(refs.present, ?) {'>' if held else '='} 0", [f" {name} "]


def _cited(path: str, cited: Cited | None) -> Clause:
    if cited is None:
        raise BadInput(f"cited:{path} cannot be asked here: nothing reads your prose.")
    return _among(cited(path))


def _among(keys: Collection[str]) -> Clause:
    folded = sorted(layout.folded(key) for key in keys)
    return "refs.folded IN (SELECT value FROM json_each(?))", [json.dumps(folded)]
