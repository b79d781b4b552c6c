"""References in; the text of a .bib file out: one entry each, sorted, without a warning.

The entry types and their required fields are those of BibTeX's standard styles
(https://ctan.org/pkg/bibtex, btxdoc); an entry that lacks one becomes `@misc`, which requires
nothing, and tells what it has under `howpublished`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pressmark import ids
from pressmark.formats.bibtex import latex, parts, titles
from pressmark.formats.bibtex.parts import braced, dashed, people, readable
from pressmark.record import Reference
from pressmark.text import ascii_words, fold

MARK = "% Written by Pressmark; the next export replaces this file, so edit the library instead."
"""The first line of every file that `export` may overwrite."""

_TYPES = {
    "article-journal": "article", "article-magazine": "article", "article-newspaper": "article",
    "review": "article", "review-book": "article", "periodical": "article",
    "paper-conference": "inproceedings", "chapter": "incollection", "entry": "incollection",
    "entry-dictionary": "incollection", "entry-encyclopedia": "incollection", "book": "book",
    "classic": "book", "collection": "book", "thesis": "phdthesis", "report": "techreport",
}  # fmt: skip
"""BibTeX's type for CSL's; all others are `misc`."""

_NEEDS: dict[str, set[str]] = {
    "article": {"title", "journal", "year"},
    "inproceedings": {"title", "booktitle", "year"},
    "incollection": {"title", "booktitle", "publisher", "year"},
    "book": {"title", "publisher", "year"},
    "phdthesis": {"title", "school", "year"},
    "mastersthesis": {"title", "school", "year"},
    "techreport": {"title", "institution", "year"},
    "proceedings": {"title", "year"},
    "misc": set(),
}
"""Beside an author, or for a book an editor."""
_INSTEAD = {"incollection": "inproceedings", "book": "proceedings"}
"""What the styles set the same way, and biber asks no editor of, or no author."""
_REALLY = {"inproceedings": "chapter", "proceedings": "book"}
"""What such an entry is, for who reads it again; no style prints `entrysubtype`."""
_HOST = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle",
    "phdthesis": "school", "mastersthesis": "school", "techreport": "institution",
}  # fmt: skip
"""Where the venue goes, or for a thesis or report the publisher."""

UNDATED = "{..}"
"""biber wants a date or a year of every entry and takes this for an unknown one; BibTeX ignores
the field."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def write(references: Iterable[Reference]) -> str:
    """The whole file, the same for the same references whatever their order."""
    keyed = parts.keyed(sorted(references, key=lambda each: each.key))
    entries = [_written(key, reference) for key, reference in keyed]
    body = "\n\n".join(entries)
    return "\n\n".join(filter(None, (MARK, parts.definitions(body), body))) + "\n"


def entry(reference: Reference) -> str:
    """One entry by itself, under the key that documents cite."""
    ((key, _),) = parts.keyed([reference])
    written = _written(key, reference)
    return "\n\n".join(filter(None, (parts.definitions(written), written)))


def _written(key: str, reference: Reference) -> str:
    reference = ids.canonical(reference)
    kind = _kind(reference)
    fields = _fields(kind, reference)
    if _is_complete(kind, fields) and _lacks_people(kind, fields):
        kind = _INSTEAD[kind]
        fields = {**_fields(kind, reference), "entrysubtype": braced(_REALLY[kind])}
    if not _is_complete(kind, fields):
        kind, fields = "misc", _fields("misc", reference)
    if not _sorted_by(kind) & fields.keys():
        words = ascii_words(reference.title)[:4]
        fields["key"] = f"{{{' '.join(words) or reference.key}}}"  # what plain styles sort by
    lines = [f"  {name} = {value}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _kind(reference: Reference) -> str:
    kind = _TYPES.get(reference.type or "", "misc")
    if reference.type in (None, "article") and reference.venue:
        kind = "article"
    if kind == "article" and fold(reference.venue or "") in parts.PREPRINT_SERVERS:
        return "misc"
    if kind == "phdthesis" and "master" in fold(str(reference.extra.get("genre", ""))):
        kind = "mastersthesis"
    return kind


def _is_complete(kind: str, fields: dict[str, str]) -> bool:
    return bool(_sorted_by(kind) & fields.keys()) and fields.keys() >= _NEEDS[kind]


def _lacks_people(kind: str, fields: dict[str, str]) -> bool:
    """Whether biblatex wants more names of the type than the entry has."""
    wanted = {"incollection": "editor", "book": "author"}.get(kind)
    return wanted is not None and wanted not in fields


def _sorted_by(kind: str) -> set[str]:
    return {"author", "editor"} if kind in ("book", "proceedings") else {"author"}


def _fields(kind: str, reference: Reference) -> dict[str, str]:
    """The fields that an entry has, in their order, in LaTeX and braces."""
    notes: list[str] = []
    fields = {"author": people(reference.authors), **_editors(kind, reference, notes)}
    protected = parts.listed(reference.extra.get(parts.KEEP_CASE))
    title = titles.title(reference.title, reference.language, protected=protected)
    fields["title"] = braced(title)
    fields |= _place_of_publication(kind, reference)
    fields |= _date(reference)
    fields |= _numbers(kind, reference, notes)
    fields |= _links(kind, reference)
    if reference.notice in parts.NOTICES:
        notes.insert(0, parts.NOTICES[reference.notice])
    notes += filter(None, [latex.text(parts.own(reference, "note"))])
    fields["note"] = braced(". ".join(notes))
    return {name: value for name, value in fields.items() if value}


def _editors(kind: str, reference: Reference, notes: list[str]) -> dict[str, str]:
    """Editors, where the type has room for them beside the authors."""
    if kind == "book" and reference.authors and reference.editors:
        notes.append(f"Edited by {' and '.join(readable(name) for name in reference.editors)}")
        return {"editor": ""}
    if kind in _IN_BOOKS:
        return {"editor": people(reference.editors)}
    return {}


def _place_of_publication(kind: str, reference: Reference) -> dict[str, str]:
    if kind == "misc":
        return {"howpublished": braced(parts.how_published(reference))}
    host = reference.venue
    if kind == "inproceedings":
        host = host or reference.event
    if kind in ("phdthesis", "mastersthesis", "techreport"):
        host = reference.publisher or reference.venue
    fields = {_HOST[kind]: _text(host)} if kind in _HOST else {}
    if kind in _IN_BOOKS:
        fields["publisher"] = _text(reference.publisher)
    if kind != "article":
        fields["address"] = _text(reference.place)
    return fields


def _date(reference: Reference) -> dict[str, str]:
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-\d\d)?", reference.published or "")
    if not found:
        return {"year": _text(reference.published)} if reference.published else {"date": UNDATED}
    month = int(found[2] or 0)
    return {"year": f"{{{found[1]}}}", "month": _MONTHS[month - 1] if 1 <= month <= 12 else ""}


def _numbers(kind: str, reference: Reference, notes: list[str]) -> dict[str, str]:
    """Volume, number, series, edition, pages: only the combinations that the styles print."""
    if kind == "misc":
        return {}
    volume = reference.volume if kind in _IN_VOLUMES else None
    fields = {}
    if volume and parts.whole(volume):
        fields["volume"] = _text(volume)
    elif volume:
        notes.append(f"Vol.~{latex.text(volume)}")
    number = reference.issue or reference.number if kind == "article" else reference.number
    if kind == "article" and number and "volume" not in fields:
        notes.append(f"No.~{latex.text(number)}")
    elif kind in ("article", "techreport") or (
        kind in _IN_VOLUMES and reference.series and "volume" not in fields
    ):
        fields["number"] = _text(number)
    if kind in _IN_BOOKS:
        fields["series"] = _text(reference.series)
    if kind in ("book", "incollection"):
        fields["edition"] = braced(parts.edition(reference.edition))
    if kind in ("article", "incollection", "inproceedings"):
        fields["pages"] = _text(dashed(reference.pages))
    return fields


_IN_BOOKS = frozenset({"book", "proceedings", "incollection", "inproceedings"})
_IN_VOLUMES = _IN_BOOKS | {"article"}


def _links(kind: str, reference: Reference) -> dict[str, str]:
    fields = {}
    if kind == "article":
        fields["issn"] = braced(parts.issn(reference))
    elif kind in _IN_VOLUMES:
        fields["isbn"] = braced(parts.isbn(reference))
    fields["doi"] = braced(latex.verbatim(reference.doi or ""))
    fields["url"] = braced(latex.verbatim(reference.url or ""))
    if reference.arxiv:
        fields["eprint"] = braced(latex.verbatim(reference.arxiv))
        fields["archiveprefix"] = "{arXiv}"
        fields["primaryclass"] = braced(latex.verbatim(reference.arxiv_class or ""))
    return fields


def _text(value: str | None) -> str:
    return braced(latex.text(value or ""))
