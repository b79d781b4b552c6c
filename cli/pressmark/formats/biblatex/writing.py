"""References in; the text of a .bib file for biblatex out: one entry each, sorted, no warning.

Types, fields and what each type requires are those of biblatex's data model
(https://ctan.org/pkg/biblatex, `blx-dm.def`), which `biber --validate-datamodel` checks; an entry
that lacks one becomes `@misc`, or `@collection` for edited books.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pressmark import ids
from pressmark.formats.biblatex.model import LACKS
from pressmark.formats.bibtex import MARK, latex, parts, titles
from pressmark.formats.bibtex.latex import Letters
from pressmark.formats.bibtex.parts import ENTRY_TYPE, braced, dashed, how_published, own, people
from pressmark.record import Reference
from pressmark.text import fold

TYPES = {
    "article-journal": "article", "article-magazine": "article", "article-newspaper": "article",
    "review": "article", "review-book": "article", "periodical": "periodical",
    "paper-conference": "inproceedings", "chapter": "incollection", "entry": "inreference",
    "entry-dictionary": "inreference", "entry-encyclopedia": "inreference", "book": "book",
    "classic": "book", "collection": "collection", "thesis": "thesis", "report": "report",
    "webpage": "online", "post": "online", "post-weblog": "online", "dataset": "dataset",
    "software": "software", "patent": "patent", "manuscript": "unpublished",
    "pamphlet": "booklet", "article": "online",
}  # fmt: skip
"""biblatex's type for CSL's; all others are `misc`."""

_NEEDS: dict[str, tuple[set[str], ...]] = {
    "article": ({"author"}, {"journaltitle"}), "book": ({"author"},),
    "incollection": ({"author"}, {"editor"}, {"booktitle"}), "inbook": ({"author"}, {"booktitle"}),
    "inproceedings": ({"author"}, {"booktitle"}), "thesis": ({"author"}, {"institution"}),
    "inreference": ({"author"}, {"editor"}, {"booktitle"}), "periodical": ({"editor"},),
    "report": ({"author"}, {"institution"}), "online": ({"url", "doi", "eprint"},),
    "patent": ({"author"}, {"number"}), "unpublished": ({"author"},),
    "collection": ({"editor"},), "reference": ({"editor"},), "booklet": ({"author", "editor"},),
    "mvbook": ({"author"},), "bookinbook": ({"author"}, {"booktitle"}),
    "suppbook": ({"author"}, {"booktitle"}), "mvcollection": ({"editor"},),
    "suppcollection": ({"author"}, {"editor"}, {"booktitle"}), "mvreference": ({"editor"},),
}  # fmt: skip
"""Beside a title and a date: one of each of these sets."""

OWN_TYPES = frozenset({
    *_NEEDS, "manual", "proceedings", "mvproceedings", "dataset", "software", "misc",
})  # fmt: skip
"""Types that an import may have kept, which this data model knows."""

_INSTEAD = {"incollection": "inbook", "book": "collection", "inreference": "inbook"}
"""What takes the entry when its own type asks for more."""
_OWN_TEXTS = ("howpublished", "eid", "version", "pubstate", "titleaddon", "shorttitle", "addendum")
_LANGUAGES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
    "pt": "portuguese", "nl": "dutch", "sv": "swedish", "da": "danish", "fi": "finnish",
    "pl": "polish", "cs": "czech", "ru": "russian", "el": "greek",
}  # fmt: skip
"""babel's name for a language; another is left out, as biblatex stops at one it does not know."""


def write(references: Iterable[Reference], letters: Letters = Letters.LATIN) -> str:
    """The whole file, the same for the same references whatever their order.

    What pdfLaTeX cannot set is written as commands or in Latin letters, unless `letters` is ALL.
    """
    keyed = parts.keyed(sorted(references, key=lambda each: each.key), letters)
    body = "\n\n".join(_written(key, reference, letters) for key, reference in keyed)
    return "\n\n".join(filter(None, (MARK, parts.definitions(body), body))) + "\n"


def entry(reference: Reference, letters: Letters = Letters.LATIN) -> str:
    """One entry by itself, under the key that documents cite."""
    ((key, _),) = parts.keyed([reference], letters)
    written = _written(key, reference, letters)
    return "\n\n".join(filter(None, (parts.definitions(written), written)))


def _written(key: str, reference: Reference, letters: Letters) -> str:
    reference = ids.canonical(reference)
    kind = _kind(reference)
    fields = _fields(kind, reference, letters)
    while kind != "misc" and not _is_complete(kind, fields):
        kind = _INSTEAD.get(kind, "misc")
        fields = _fields(kind, reference, letters)
    lines = [f"  {name} = {value}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _kind(reference: Reference) -> str:
    kept = own(reference, ENTRY_TYPE)
    if kept in OWN_TYPES:
        return kept
    kind = TYPES.get(reference.type or "", "misc")
    preprint = fold(reference.venue or "") in parts.PREPRINT_SERVERS
    if reference.type in (None, "article") and reference.venue and not preprint:
        return "article"
    return "online" if kind == "article" and preprint else kind


def _is_complete(kind: str, fields: dict[str, str]) -> bool:
    return all(each & fields.keys() for each in _NEEDS.get(kind, ()))


def _fields(kind: str, reference: Reference, letters: Letters) -> dict[str, str]:
    """The fields that an entry has, in their order, in LaTeX and braces."""
    protected = parts.listed(reference.extra.get(parts.KEEP_CASE))
    title = titles.title(reference.title, reference.language, letters, protected)
    fields = {
        "author": people(reference.authors, letters),
        "editor": people(reference.editors, letters),
        "title": braced(title),
    }
    fields |= {name: _text(value, letters) for name, value in _texts(kind, reference).items()}
    fields["date"] = _date(reference.published)
    fields["edition"] = braced(_edition(reference.edition, letters))
    fields |= {name: _text(own(reference, name), letters) for name in _OWN_TEXTS}
    fields |= _links(reference)
    fields["keywords"] = _text(
        ", ".join(re.sub(r",\s*", " ", word) for word in reference.keywords), letters
    )
    fields["note"] = _note(kind, reference, letters)
    if kind == "misc":
        fields["howpublished"] = braced(how_published(reference, letters))
    lacking = LACKS.get(kind, frozenset())
    return {name: value for name, value in fields.items() if value and name not in lacking}


def _texts(kind: str, reference: Reference) -> dict[str, str | None]:
    """Where the work appeared and the numbers it has there, by what the type calls them."""
    fields: dict[str, str | None] = {}
    publisher = reference.publisher
    if kind in ("article", "suppperiodical"):
        fields["journaltitle"] = reference.venue
    elif kind in ("thesis", "report"):
        publisher = None
        fields["type"] = own(reference, "genre") or _BY_TYPE[kind]
        fields["institution"] = reference.publisher or reference.venue
    elif kind in _IN_BOOKS:
        fields["booktitle"] = reference.venue or (reference.event if _is_talk(kind) else None)
    elif kind in ("misc", "online", "dataset", "software", "unpublished", "booklet", "manual"):
        publisher = publisher or reference.venue
        fields["organization"] = publisher if kind == "online" else None
        publisher = None if kind in ("misc", "online", "unpublished") else publisher
        if kind in ("unpublished", "booklet") and not own(reference, "howpublished"):
            fields["howpublished"] = reference.venue or reference.publisher
    fields["eventtitle"] = reference.event
    fields["series"] = reference.series
    fields["volume"] = reference.volume if parts.whole(reference.volume or "") else None
    article = kind in ("article", "suppperiodical", "periodical")
    fields["number"] = (reference.issue or reference.number) if article else reference.number
    if not article and reference.issue:
        fields["issue"] = reference.issue
    fields["pages"] = dashed(reference.pages)
    fields["publisher"] = publisher
    fields["location"] = reference.place
    return fields


_IN_BOOKS = frozenset({
    "incollection", "inbook", "inproceedings", "inreference", "bookinbook", "suppbook",
    "suppcollection",
})  # fmt: skip
_BY_TYPE = {"thesis": "phdthesis", "report": "techreport"}


def _is_talk(kind: str) -> bool:
    return kind == "inproceedings"


def _date(published: str | None) -> str:
    """ISO as it is; without one the sign that biber takes for an unknown date."""
    whole = re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", published or "")
    return f"{{{published}}}" if whole else "{..}"


def _edition(value: str | None, letters: Letters) -> str:
    return (
        value if value and value.isascii() and value.isdigit() else latex.text(value or "", letters)
    )


def _links(reference: Reference) -> dict[str, str]:
    fields = {
        "isbn": braced(parts.isbn(reference)),
        "issn": braced(parts.issn(reference)),
        "doi": braced(latex.verbatim(reference.doi or "")),
        "url": braced(latex.verbatim(reference.url or "")),
    }
    if re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", accessed := own(reference, "accessed")):
        fields["urldate"] = f"{{{accessed}}}"
    if reference.arxiv:
        fields["eprint"] = braced(latex.verbatim(reference.arxiv))
        fields["eprinttype"] = "{arxiv}"
        fields["eprintclass"] = braced(latex.verbatim(reference.arxiv_class or ""))
    elif reference.pmid:
        fields |= {"eprint": f"{{{reference.pmid}}}", "eprinttype": "{pubmed}"}
    language = _LANGUAGES.get((reference.language or "").casefold()[:2], "")
    fields["langid"] = braced(language if language != "english" else "")
    return fields


def _note(kind: str, reference: Reference, letters: Letters) -> str:
    volume = reference.volume or ""
    odd = f"Vol. {volume}" if volume and not parts.whole(volume) and kind != "misc" else ""
    said = [parts.NOTICES.get(reference.notice or "", ""), odd, own(reference, "note")]
    return braced(". ".join(latex.text(each, letters) for each in said if each))


def _text(value: str | None, letters: Letters) -> str:
    return braced(latex.text(value or "", letters))
