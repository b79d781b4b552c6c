"""An entry and the entries it names as parents in; the entry with what it inherits, out.

`crossref` and `xdata` as BibTeX and biblatex (appendix B of its manual) have them. What says which
work an entry is (its DOI, its address) is never inherited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pressmark.formats.bibtex.blocks import Entry

PARENTS = re.compile(r"\b(?:crossref|xdata)\s*=\s*[{\"]\s*([^}\"]*)", re.I)
"""Where a file names the entries that others inherit from."""

CONTAINERS = frozenset({"xdata", "set"})
"""Entries that are no works: they hold fields, or names, for others."""

_IN_BOOKS = frozenset({
    "inproceedings", "conference", "incollection", "inbook", "bookinbook", "suppbook",
    "suppcollection", "inreference",
})  # fmt: skip
_OWN = frozenset({
    "ids", "crossref", "xref", "xdata", "entryset", "entrysubtype", "execute", "label", "options",
    "presort", "related", "relatedoptions", "relatedstring", "relatedtype", "shorthand", "sortkey",
    "sortname", "sorttitle", "doi", "url", "urldate", "eprint", "eprinttype", "archiveprefix",
    "eprintclass", "primaryclass", "pmid", "pmcid", "abstract", "file", "pages", "note", "annote",
    "annotation", "keywords", "pagetotal", "numpages", "shorttitle", "titleaddon", "indextitle",
})  # fmt: skip
_TITLES = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}

Find = Callable[[str], Entry | None]


def inherited(entry: Entry, find: Find, complain: Callable[[str], None]) -> Mapping[str, str]:
    """The entry's own fields and those of its parents, nearest first."""
    return _inherited(entry, find, complain, (entry.key.lower(),))


def _inherited(
    entry: Entry, find: Find, complain: Callable[[str], None], trail: tuple[str, ...]
) -> Mapping[str, str]:
    fields = dict(entry.fields)
    for name in ("xdata", "crossref"):
        for key in _keys(entry.fields.get(name, "")):
            if key.lower() in trail:
                complain(f"its {name} leads back to itself ({' → '.join((*trail, key))})")
                continue
            parent = find(key)
            if parent is None:
                complain(f"its {name} {key} is not in the file")
                continue
            given = _inherited(parent, find, complain, (*trail, key.lower()))
            for field, value in _offered(entry, parent, given, name == "xdata"):
                fields.setdefault(field, value)
    return fields


def _keys(value: str) -> list[str]:
    return [key.strip() for key in value.strip('{}" ').split(",") if key.strip()]


def _offered(
    entry: Entry, parent: Entry, given: Mapping[str, str], whole: bool
) -> list[tuple[str, str]]:
    """What a parent gives, under the names that it has in the child."""
    if whole:
        return [(name, value) for name, value in given.items() if name not in ("ids", "xdata")]
    renamed: Mapping[str, str] = {}
    if entry.kind in _IN_BOOKS and parent.kind not in _IN_BOOKS:
        renamed = _TITLES
    elif entry.kind in ("article", "suppperiodical") and parent.kind == "periodical":
        renamed = {"title": "journaltitle", "subtitle": "journalsubtitle"}
    found = [(name, value) for name, value in given.items() if name not in _OWN]
    if renamed:
        found.sort(key=lambda pair: pair[0] in renamed)  # a booktitle of the parent's own is surer
        found = [(renamed.get(name, name), value) for name, value in found]
        if entry.kind not in ("inbook", "bookinbook", "suppbook"):
            found = [(name, value) for name, value in found if name != "author"]
    return found
