"""References in; the text of a .bib file out: one entry each, sorted, without a warning.

The entry types and their required fields are those of BibTeX's standard styles
(https://ctan.org/pkg/bibtex, btxdoc); an entry that lacks one becomes `@misc`, which requires
nothing, and tells what it has under `howpublished`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pressmark import ids
from pressmark.formats.bibtex import latex, titles
from pressmark.record import Author, Reference
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
    "misc": set(),
}
"""Beside an author, or for a book an editor."""
_HOST = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle",
    "phdthesis": "school", "mastersthesis": "school", "techreport": "institution",
}  # fmt: skip
"""Where the venue goes, or for a thesis or report the publisher."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOTICES = {
    "retracted": "Retracted", "withdrawn": "Withdrawn",
    "expression-of-concern": "Expression of concern published",
}  # fmt: skip
_PREPRINT_SERVERS = frozenset({
    "arxiv", "arxiv.org", "biorxiv", "medrxiv", "chemrxiv", "psyarxiv", "techrxiv", "osf preprints",
    "research square", "preprints.org", "ssrn", "ssrn electronic journal", "authorea", "zenodo",
})  # fmt: skip
_UNSAFE_KEY = re.compile(r"[^!-~]|[{}(),\"#%'=~\\]")


def write(references: Iterable[Reference]) -> str:
    """The whole file, the same for the same references whatever their order."""
    keyed = _keys(sorted(references, key=lambda each: each.key))
    entries = [_written(key, reference) for key, reference in keyed]
    body = "\n\n".join(entries)
    definitions = "\n".join(f'@preamble{{"{line}"}}' for line in latex.provided(body))
    return "\n\n".join(filter(None, (MARK, definitions, body))) + "\n"


def _keys(references: list[Reference]) -> list[tuple[str, Reference]]:
    """Each with the key that documents cite, unless BibTeX cannot read it or it is taken."""
    taken = {reference.key.casefold() for reference in references}
    keyed = []
    for reference in references:
        key = reference.cite_as or reference.key
        if key != reference.key and (_UNSAFE_KEY.search(key) or key.casefold() in taken):
            key = reference.key
        taken.add(key.casefold())
        keyed.append((key, reference))
    return sorted(keyed, key=lambda pair: (pair[0].casefold(), pair[0]))


def entry(reference: Reference) -> str:
    """One entry by itself, under the key that documents cite."""
    ((key, _),) = _keys([reference])
    return _written(key, reference)


def _written(key: str, reference: Reference) -> str:
    reference = ids.canonical(reference)
    kind = _kind(reference)
    fields = _fields(kind, reference)
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
    if kind == "article" and fold(reference.venue or "") in _PREPRINT_SERVERS:
        return "misc"
    if kind == "phdthesis" and "master" in fold(str(reference.extra.get("genre", ""))):
        kind = "mastersthesis"
    return kind


def _is_complete(kind: str, fields: dict[str, str]) -> bool:
    return bool(_sorted_by(kind) & fields.keys()) and fields.keys() >= _NEEDS[kind]


def _sorted_by(kind: str) -> set[str]:
    return {"author", "editor"} if kind == "book" else {"author"}


def _fields(kind: str, reference: Reference) -> dict[str, str]:
    """The fields that an entry has, in their order, in LaTeX and braces."""
    notes: list[str] = []
    fields = {"author": _people(reference.authors), **_editors(kind, reference, notes)}
    fields["title"] = _braced(titles.title(reference.title, reference.language))
    fields |= _place_of_publication(kind, reference)
    fields |= _date(reference)
    fields |= _numbers(kind, reference, notes)
    fields |= _links(kind, reference)
    if reference.notice in _NOTICES:
        notes.insert(0, _NOTICES[reference.notice])
    fields["note"] = _braced(". ".join(notes))
    return {name: value for name, value in fields.items() if value}


def _editors(kind: str, reference: Reference, notes: list[str]) -> dict[str, str]:
    """Editors, where the type has room for them beside the authors."""
    if kind == "book" and reference.authors and reference.editors:
        notes.append(f"Edited by {' and '.join(_readable(name) for name in reference.editors)}")
        return {"editor": ""}
    if kind in ("book", "incollection", "inproceedings"):
        return {"editor": _people(reference.editors)}
    return {}


def _place_of_publication(kind: str, reference: Reference) -> dict[str, str]:
    if kind == "misc":
        return {"howpublished": _braced(_how_published(reference))}
    host = reference.venue
    if kind == "inproceedings":
        host = host or reference.event
    if kind in ("phdthesis", "mastersthesis", "techreport"):
        host = reference.publisher or reference.venue
    fields = {_HOST[kind]: _text(host)} if kind in _HOST else {}
    if kind in ("book", "incollection", "inproceedings"):
        fields["publisher"] = _text(reference.publisher)
    if kind != "article":
        fields["address"] = _text(reference.place)
    return fields


def _how_published(reference: Reference) -> str:
    """What a reader needs to find a work of no standard type, in one line."""
    venue = reference.venue or reference.publisher or reference.event or ""
    told = {
        "": venue if fold(venue) != "arxiv" or not reference.arxiv else "",
        "vol.~": reference.volume,
        "no.~": reference.issue or reference.number,
        "pp.~": reference.pages,
        "arXiv:": reference.arxiv,
    }
    parts = [word + latex.text(_dashed(value)) for word, value in told.items() if value]
    return ", ".join(parts)


def _date(reference: Reference) -> dict[str, str]:
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-\d\d)?", reference.published or "")
    if not found:
        return {"year": _text(reference.published)}
    month = int(found[2] or 0)
    return {"year": f"{{{found[1]}}}", "month": _MONTHS[month - 1] if 1 <= month <= 12 else ""}


def _numbers(kind: str, reference: Reference, notes: list[str]) -> dict[str, str]:
    """Volume, number, series, edition, pages: only the combinations that the styles print."""
    if kind == "misc":
        return {}
    fields = {"volume": _text(reference.volume)} if kind in _IN_VOLUMES else {}
    number = reference.issue or reference.number if kind == "article" else reference.number
    if kind == "article" and number and not reference.volume:
        notes.append(f"No.~{latex.text(number)}")
    elif kind in ("article", "techreport") or (
        kind in _IN_VOLUMES and reference.series and not reference.volume
    ):
        fields["number"] = _text(number)
    if kind in ("book", "incollection", "inproceedings"):
        fields["series"] = _text(reference.series)
    if kind in ("book", "incollection"):
        fields["edition"] = _braced(_edition(reference.edition))
    if kind in ("article", "incollection", "inproceedings"):
        fields["pages"] = _text(_dashed(reference.pages))
    return fields


_IN_VOLUMES = frozenset({"article", "book", "incollection", "inproceedings"})


def _links(kind: str, reference: Reference) -> dict[str, str]:
    fields = {}
    if kind == "article":
        fields["issn"] = _text(next(iter(reference.issn), None))
    elif kind in _IN_VOLUMES:
        fields["isbn"] = _text(next(iter(reference.isbn), None))
    fields["doi"] = _braced(latex.verbatim(reference.doi or ""))
    fields["url"] = _braced(latex.verbatim(reference.url or ""))
    if reference.arxiv:
        fields["eprint"] = _braced(latex.verbatim(reference.arxiv))
        fields["archiveprefix"] = "{arXiv}"
        fields["primaryclass"] = _braced(latex.verbatim(reference.arxiv_class or ""))
    return fields


def _people(names: tuple[str, ...]) -> str:
    return _braced(" and ".join(filter(None, map(_person, names))))


def _person(name: str) -> str:
    """One name as BibTeX parses it: what it would split or take for a comma stands in braces."""
    author = Author.parse(name)
    if fold(name).strip(".{} ") in ("et al", "others"):
        return "others"
    if author.group or not (author.given or author.suffix):
        whole = latex.name(author.family)
        return f"{{{whole}}}" if author.group or " " in whole else whole
    parts = (author.family, author.suffix, author.given)
    return ", ".join(_name_part(part) for part in parts if part)


def _name_part(part: str) -> str:
    written = latex.name(part)
    return f"{{{written}}}" if re.search(r"(?i)\band\b|,", written) else written


def _readable(name: str) -> str:
    return latex.name(Author.parse(name).readable)


def _dashed(pages: str | None) -> str:
    """Ranges with an en dash: `123-130` and `S12–S20`, but not the hyphen in `A-12`."""
    spans = [span.strip() for span in re.split(r"[,;]", pages or "")]
    return ", ".join(
        re.sub(r"^(\w*\d\w*)\s*[-–—−]+\s*(\w*\d\w*)$", r"\1–\2", span) for span in spans
    )


def _edition(edition: str | None) -> str:
    """`2` as `2nd`: the styles put the word “edition” after it."""
    if not (edition and edition.isascii() and edition.isdigit()):
        return latex.text(edition or "")
    last = (
        "th" if edition[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(edition[-1], "th")
    )
    return f"{edition}{last}"


def _text(value: str | None) -> str:
    return _braced(latex.text(value or ""))


def _braced(value: str) -> str:
    return f"{{{value}}}" if value else ""
