"""The bytes of a CSL-JSON file in; its papers, and a sentence for each trouble, out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pressmark import ids
from pressmark.errors import BadInput
from pressmark.formats.csljson import fields, values
from pressmark.formats.reading import Problem, Read
from pressmark.record import TYPES, Extra, Paper, Reference, attribute
from pressmark.text import clean, from_jats
from pressmark.text import title as plain_title

_TYPES = {
    "journal-article": "article-journal", "proceedings-article": "paper-conference",
    "book-chapter": "chapter", "posted-content": "article", "preprint": "article",
    "dissertation": "thesis", "monograph": "book", "edited-book": "book",
}  # fmt: skip
"""Crossref serves its own types in what it calls CSL-JSON."""

_TAKEN = frozenset({*Reference.FIELDS, "key", "body", "extra"})


def read(data: bytes) -> tuple[list[Paper], list[str]]:
    """The papers of a file, and what a person should know about its entries."""
    found = taken(entries(data))
    return found.papers, [_sentence(problem) for problem in found.problems]


def _sentence(problem: Problem) -> str:
    between = " " if problem.lost else ": "
    return f"{problem.entry}{between}{problem.message}"


def taken(entries: list[Any], form: str = "csl-json") -> Read:
    """A paper for each entry of a list, or a problem with its number and reason."""
    found = Read(form)
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            found.say("is not an object and was left out.", entry=f"Entry {number}", lost=True)
            continue
        reader = _Entry(entry, form)
        paper = reader.paper()
        name = f"Entry {number}" + (f" ({reader.id})" if reader.id else "")
        for problem in reader.problems:
            found.say(problem, entry=name)
        if paper is None:
            found.say("has no title and was left out.", entry=name, lost=True)
        else:
            found.take(paper)
    return found


def entries(data: bytes) -> list[Any]:
    """The entries of a file, before any is looked at; BadInput for what is no CSL-JSON."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        found = json.loads(data.decode(encoding))
    except json.JSONDecodeError as trouble:
        raise _unreadable(f"{trouble.msg}, line {trouble.lineno} column {trouble.colno}") from None
    except UnicodeDecodeError as trouble:
        raise _unreadable(f"byte {trouble.start} is not {encoding[:6].upper()}") from None
    except (ValueError, RecursionError):
        raise _unreadable("a number too long or lists too deep") from None
    if isinstance(found, dict):
        listed = found.get("items", found.get("references"))
        return listed if isinstance(listed, list) else [found]
    if not isinstance(found, list):
        raise _unreadable("neither a list of entries nor an entry")
    return found


def _unreadable(reason: str) -> BadInput:
    return BadInput(
        f"The file cannot be read as CSL-JSON: {reason}.", next="export it as CSL-JSON again"
    )


class _Entry:
    """One entry while it is read: the fields found so far, and the problems."""

    def __init__(self, entry: Mapping[str, Any], form: str = "csl-json") -> None:
        self.entry = entry
        self.form = form
        self.id = values.text(entry.get("id"))
        self.problems: list[str] = []
        self._extra: dict[str, Extra] = {}
        self._fields: dict[str, Any] = {}

    def paper(self) -> Paper | None:
        """The entry as a paper; None where it has no title."""
        entry = self.entry
        title = values.text(entry.get("title")) or values.text(entry.get("title-short"))
        if not title:
            return None
        self._fields["title"] = plain_title(title) or clean(title)
        self._fields["abstract"] = from_jats(values.text(entry.get("abstract"), lines=True)) or None
        self._texts()
        self._type()
        self._date()
        self._identifiers()
        self._others(entry, fields.READ)
        self._custom()
        self._arxiv()
        source = re.sub(r"\s", "%20", self.id) or ids.identity(Paper(**self._fields))
        self._fields["sources"] = (f"{self.form}:{source}",)
        return Paper(**self._fields, extra=self._extra, key_hint=self._key())

    def _texts(self) -> None:
        for name, ours in fields.TEXTS.items():
            self._fields[ours] = self._fields.get(ours) or self._plain(name)
        for name, ours in fields.NAMES.items():
            self._fields[ours] = values.names(self.entry.get(name))
        self._fields["keywords"] = values.keywords(self.entry.get("keyword"))

    def _plain(self, name: str) -> str | None:
        value = self.entry.get(name)
        if isinstance(value, dict):
            self._extra[_own(name)] = values.kept(value)
        text = values.text(value)
        return (plain_title(text) if "<" in text else values.unescaped(text)) or None

    def _key(self) -> str | None:
        """The key that people cite by: not an address, nor a number out of a database."""
        key = values.text(self.entry.get("citation-key")) or self.id
        return None if not key or "/" in key or key.isdigit() else key

    def _type(self) -> None:
        said = values.text(self.entry.get("type"))
        name = said.casefold().replace(" ", "-")
        name = _TYPES.get(name, name)
        self._fields["type"] = name if name in TYPES else "document" if said else None
        if said and name not in TYPES:
            self.problems.append(f"the type “{said}” is none of CSL's; it became “document”.")

    def _date(self) -> None:
        value = self.entry.get("issued")
        self._fields["published"] = values.date(value)
        if not values.is_no_date(value) and not values.is_whole_date(value):
            self._extra["issued"] = values.kept(value)
            if not self._fields["published"]:
                self.problems.append("the date has no year that can be read; it is kept as it is.")

    def _identifiers(self) -> None:
        for name, ours in fields.IDENTIFIERS.items():
            value = values.text(self.entry.get(name))
            self._fields[ours] = ids.NORMALISERS[ours](value) if value else None
            if value and not self._fields[ours]:
                self._extra[name] = value
                self.problems.append(f"“{value}” is no {name}; it is kept as it is.")
        self._fields["isbn"], left = values.isbns(self.entry.get("ISBN"))
        if left:
            self._extra["ISBN"] = left
            self.problems.append(f"“{left}” is no ISBN; it is kept as it is.")
        self._fields["issn"] = values.issns(self.entry.get("ISSN"))

    def _others(self, entry: Mapping[str, Any], read: frozenset[str]) -> None:
        """Whatever is not read stays, under its own name unless that means something here."""
        for name, value in entry.items():
            if name in read:
                continue
            whole = name in fields.DATES and values.is_whole_date(value)
            kept = (values.date(value) if whole else None) or values.kept(value)
            name = clean(name)
            if name and kept not in ("", [], {}):
                self._extra[_own(name)] = kept

    def _custom(self) -> None:
        custom = self.entry.get("custom")
        if not isinstance(custom, dict):
            return
        for name in fields.CUSTOM_TEXTS:
            self._fields[attribute(name)] = values.text(custom.get(name)) or None
        for name in fields.CUSTOM_LISTS:
            self._fields[name] = values.several(custom.get(name))
        self._fields["keywords"] = self._fields["keywords"] or values.several(
            custom.get("keywords")
        )
        read = {*fields.CUSTOM_TEXTS, *fields.CUSTOM_LISTS, "keywords"}
        self._others(custom, frozenset(read))

    def _arxiv(self) -> None:
        """An arXiv id stands wherever an exporter found room for one."""
        if self._fields.get("arxiv"):
            return
        entry = self.entry
        places = " ".join(values.text(entry.get(name)) for name in ("number", "note", "URL", "DOI"))
        found = []
        if "arxiv" in places.casefold():
            found = [each.value for each in ids.find_all(places) if each.kind == "arxiv"]
        if "arxiv" in values.text(entry.get("archive")).casefold():
            shelf = values.text(entry.get("archive_location") or entry.get("archive-location"))
            found = [ids.normalise_arxiv(shelf) or "", *found]
        self._fields["arxiv"] = next(filter(None, found), None)


def _own(name: str) -> str:
    """What a variable is called among the fields that are the user's."""
    return f"csl-{name}" if name in _TAKEN else name
