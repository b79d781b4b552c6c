"""A bibliographic record in; the strings that say which work it is out."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TypeVar

from pressmark.ids.identifiers import (
    normalise_arxiv,
    normalise_doi,
    normalise_isbn,
    normalise_openalex,
    normalise_pmcid,
    normalise_pmid,
    normalise_s2,
)
from pressmark.record import Author, Work
from pressmark.text import fold, from_tex
from pressmark.text import title as plain_title

W = TypeVar("W", bound=Work)

_RUNGS = (
    ("doi", normalise_doi),
    ("pmcid", normalise_pmcid),
    ("pmid", normalise_pmid),
    ("arxiv", normalise_arxiv),
    ("openalex", normalise_openalex),
    ("s2", normalise_s2),
)
_WHOLE_BOOKS = frozenset({"book", "collection", "classic"})
_BREAK = re.compile(r"[\W_]+")
_SUBTITLE = re.compile(r"\s*(?:[:?!]|\.\s|\s[-–—]\s|—)\s*")


def identities(work: Work) -> tuple[str, ...]:
    """Every string by which the work is known, the surest first; the title's comes last.

    An ISBN counts only for a whole book: the chapters of a book share it.
    """
    found: dict[str, None] = {}
    for kind, normalise in _RUNGS:
        value = getattr(work, kind)
        if value and (known := normalise(value)):
            found[f"{kind}:{known}"] = None
        if kind == "arxiv" and work.doi and (own := _own_arxiv(work.doi)):
            found[f"arxiv:{own}"] = None
    if work.type in _WHOLE_BOOKS:
        found |= {f"isbn:{known}": None for isbn in work.isbn if (known := normalise_isbn(isbn))}
    if work.title:
        found[_title_identity(work)] = None
    return tuple(found)


def canonical(work: W) -> W:
    """The work with its identifiers in their normal form, whatever spelling a person gave them."""
    changes: dict[str, str] = {}
    for kind, normalise in _RUNGS:
        value = getattr(work, kind)
        if value and (known := normalise(value)) and known != value:
            changes[kind] = known
    return replace(work, **changes) if changes else work  # type: ignore[arg-type]


def identity(work: Work) -> str:
    """The surest of `identities`; empty for a record with neither identifier nor title."""
    return next(iter(identities(work)), "")


def _own_arxiv(doi: str) -> str | None:
    """The arXiv id in the DOI that arXiv itself registers, `10.48550/arXiv.…`."""
    return normalise_arxiv(doi) if "10.48550/arxiv." in doi.lower() else None


def _title_identity(work: Work) -> str:
    family = Author.parse(work.authors[0]).family if work.authors else ""
    words = _words(work.title) or _signs(work.title)
    return f"title:{words}:{work.year or '-'}:{_words(family)}"


def _words(value: str) -> str:
    return _BREAK.sub(" ", fold(value)).strip()


def _signs(value: str) -> str:
    return " ".join(value.split()).casefold()


def same_title(a: str, b: str) -> bool:
    """Whether two titles name one work: case, accents, punctuation, TeX and tags do not matter.

    One may lack the other's subtitle, when what is left is long enough to mean something.
    """
    mine, other = _compared(a), _compared(b)
    if not mine or not other:  # signs alone: `…`, `🧬`
        return bool(a.strip()) and _signs(a) == _signs(b)
    if mine == other:
        return True
    shorter, longer = sorted((a, b), key=lambda each: len(_compared(each)))
    main = _SUBTITLE.split(plain_title(longer), maxsplit=1)[0]
    return len(_words(shorter).split()) > 2 and _compared(main) == _compared(shorter)


def title_words(title: str) -> str:
    """A title as two are compared: what `same_title` calls equal without a subtitle is equal."""
    return _compared(title)


def _compared(value: str) -> str:
    """The letters and digits alone: where tags glued or parted words, blanks mean nothing."""
    value = from_tex(plain_title(value)).replace("&", " and ").replace("$", "")
    value = "".join(_spelt(letter) for letter in fold(value))
    return _BREAK.sub("", value)


def _spelt(letter: str) -> str:
    """A Greek letter by its name, as the TeX of another provider spells it."""
    if not "α" <= letter <= "ω":
        return letter
    return unicodedata.name(letter, letter).rpartition(" ")[2].lower()
