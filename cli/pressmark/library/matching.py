"""A paper and what the shelf holds in; the reference it is the same work as, or none, out.

An identifier is proof, unless two different DOIs or, in a person's own file, two different titles
stand against it. A title is proof only with the year and the first author, and only where nothing
else contradicts it: 59 % of the title + year warnings of other programs are false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from pressmark import ids
from pressmark.record import Author, Paper, Reference, Work
from pressmark.text import fold

W = TypeVar("W", bound=Work)

PREPRINT_DOIS = (
    "10.48550/", "10.1101/", "10.64898/", "10.21203/", "10.31234/", "10.31235/", "10.31219/",
    "10.2139/ssrn", "10.26434/", "10.20944/preprints", "10.36227/techrxiv", "10.35542/",
    "10.22541/", "10.31223/", "10.31222/",
)  # fmt: skip
"""arXiv, bioRxiv and medRxiv, Research Square, PsyArXiv, SocArXiv, OSF, SSRN, ChemRxiv, …"""

SLIP = 90
"""The likeness, of 100, from which two titles of one entry are one title and its correction."""

_ARXIV_DOI = "10.48550/arxiv."
_IDENTIFIERS = frozenset({"doi", "arxiv", "pmid", "pmcid", "openalex", "s2"})


class Shelf(Protocol):
    """What is held while papers are filed: the library and what this call has added to it."""

    def holders(self, identity: str) -> list[str]:
        """Keys of the references that have an identity."""

    def get(self, key: str) -> Reference:
        """The reference with this key."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a paper belongs.

    `key` is the reference it is the same work as; `also` are others that turn out to be it too;
    `linked` are held works it is a version of; `clash` says why a shared identifier proves nothing.
    """

    key: str | None = None
    also: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    clash: str = ""
    shared: tuple[str, ...] = ()


def match(paper: Paper, shelf: Shelf, identities: Sequence[str] | None = None) -> Match:
    """The held reference that is the same work, looked for by identifiers, then by its title.

    `identities` are the paper's, where the caller knows them.
    """
    identities = ids.identities(paper) if identities is None else identities
    sure = [each for each in identities if not each.startswith(("title:", "isbn:"))]
    keys = _holders(sure, shelf)
    same = [key for key in keys if not _refuses(shelf.get(key), paper)]
    if same:
        return Match(same[0], _also(same, shelf))
    clash = _clash(keys, sure, paper, shelf)
    titled = [shelf.get(key) for key in _holders(identities, shelf) if key not in keys]
    bare = without(paper, clash.shared)
    for held in titled:
        if same_by_title(held, bare):
            return replace(clash, key=held.key)
    versions = [held.key for held in titled if is_version(held, paper)]
    return replace(clash, linked=tuple(dict.fromkeys((*clash.linked, *versions))))


def different_works(a: Work, b: Work) -> bool:
    """Whether two DOIs say so; an arXiv DOI beside a publisher's is a version, not another work."""
    first, second = published_doi(a), published_doi(b)
    if first and second:
        return first != second
    return bool(_arxiv(a) and _arxiv(b) and _arxiv(a) != _arxiv(b))


def same_by_title(a: Work, b: Work) -> bool:
    """Whether equal titles, years and first authors are contradicted by nothing else."""
    if not ids.same_title(a.title, b.title) or _first_author(a) != _first_author(b):
        return False
    if a.year != b.year or is_version(a, b) or not same_venue(a, b) or _other_files(a, b):
        return False
    one, two = ids.canonical(a), ids.canonical(b)
    if any(_differ(one, two, name) for name in ("doi", "arxiv", "pmid", "pmcid")):
        return False
    if "webpage" in (a.type, b.type) and _differ(a, b, "url"):
        return False  # posts of a year share title and author often: a digest, an editorial
    if _first_author(a) and a.year:
        return True
    return not any(_differ(a, b, name) for name in ("volume", "issue", "number", "pages", "url"))


def same_entry(held: Reference, paper: Paper) -> bool:
    """Whether a paper is the entry of a person's own file that a reference once came from.

    Its source line says so, but keys are given twice in the world: an identifier must agree, or
    two of title, year and first author, with a title at least that differs by a slip of the pen.
    """
    if not by_hand(paper) or set(held.sources).isdisjoint(paper.sources):
        return False
    one, two = ids.canonical(held), ids.canonical(paper)
    if different_works(held, paper) or any(_differ(one, two, name) for name in _IDENTIFIERS):
        return False
    if any(getattr(one, name) and getattr(two, name) for name in _IDENTIFIERS):
        return True
    if not same_venue(held, paper) or not _alike(held.title, paper.title):
        return False
    agree = (
        ids.same_title(held.title, paper.title),
        bool(held.year) and held.year == paper.year,
        bool(_first_author(held)) and _first_author(held) == _first_author(paper),
    )
    return sum(agree) >= 2


def _alike(one: str, two: str) -> bool:
    """Whether two titles differ by a slip at most; another number is another volume."""
    from rapidfuzz import fuzz

    mine, other = ids.title_words(one), ids.title_words(two)
    if re.findall(r"\d+", mine) != re.findall(r"\d+", other):
        return False
    return ids.same_title(one, two) or fuzz.ratio(mine, other) >= SLIP


def without(paper: W, identities: Iterable[str]) -> W:
    """The paper without these identifiers."""
    names = {identity.split(":", 1)[0] for identity in identities}
    fields = dict.fromkeys(names & _IDENTIFIERS)
    return replace(paper, **fields) if fields else paper  # type: ignore[arg-type]


def agree_on_doi(held: Reference, offered: Paper) -> tuple[Reference, Paper]:
    """Both ready to merge: a publisher's DOI replaces the one that only repeats the arXiv id.

    An identifier that is held in a person's own spelling is offered in that spelling.
    """
    offered = _in_its_spelling(held, offered)
    mine, theirs = _doi(held) or "", _doi(offered) or ""
    if mine.startswith(_ARXIV_DOI) and theirs and not theirs.startswith(_ARXIV_DOI):
        held = replace(held, doi=theirs, arxiv=held.arxiv or _arxiv(held))
    elif theirs.startswith(_ARXIV_DOI) and mine and not mine.startswith(_ARXIV_DOI):
        offered = replace(offered, doi=None, arxiv=offered.arxiv or _arxiv(offered))
    return held, offered


def _in_its_spelling(held: Reference, offered: Paper) -> Paper:
    names = [name for name in _IDENTIFIERS if _differ(held, offered, name)]
    if not names:
        return offered
    one, two = ids.canonical(held), ids.canonical(offered)
    alike = (name for name in names if getattr(one, name) == getattr(two, name))
    return replace(offered, **{name: getattr(held, name) for name in alike})


def elder(a: Reference, b: Reference) -> tuple[Reference, Reference]:
    """The one whose key stays, then the other.

    A file says nothing of when it was filed but the dates of its sources; one without a date came
    from the user's own files, whose keys their prose cites, and is the elder.
    """
    return (a, b) if _age(a) <= _age(b) else (b, a)


def _age(reference: Reference) -> tuple[str, int, str]:
    dates = [line.partition(" ")[2] for line in reference.sources]
    return min(dates, default="9999"), -len(dates), reference.key.casefold()


def published_doi(work: Work) -> str | None:
    """A DOI that is not the arXiv id over again."""
    doi = _doi(work)
    return doi if doi and not doi.startswith(_ARXIV_DOI) else None


def _doi(work: Work) -> str | None:
    return (ids.normalise_doi(work.doi) or work.doi) if work.doi else None


def is_preprint(work: Work) -> bool:
    """Whether all that is known of a work is its preprint."""
    doi = published_doi(work)
    if doi:
        return doi.startswith(PREPRINT_DOIS)
    return bool(_arxiv(work)) and (not work.venue or "arxiv" in fold(work.venue))


def by_hand(work: Paper | Reference) -> bool:
    """Whether only a person's own file vouches for it: such a source carries no date."""
    return not any(" " in line for line in work.sources)


def by_bytes(work: Work) -> bool:
    """Whether only the bytes of a file vouch for it: even its title may be the file's name."""
    lines = getattr(work, "sources", ())
    return bool(lines) and all(line.startswith("file:") for line in lines)


def _other_files(a: Work, b: Work) -> bool:
    """Whether both are known by the bytes of a file alone, and those are not the same."""
    if not (by_bytes(a) and by_bytes(b)):
        return False
    return set(getattr(a, "sources", ())).isdisjoint(getattr(b, "sources", ()))


def _refuses(held: Reference, paper: Paper) -> bool:
    if different_works(held, paper):
        return True
    if by_bytes(held):
        return False
    if not (by_hand(held) or by_hand(paper)) or not (held.title and paper.title):
        return False
    return not ids.same_title(held.title, paper.title)


def _also(same: list[str], shelf: Shelf) -> tuple[str, ...]:
    """Further references this paper brings together with the first: their titles must agree."""
    first = shelf.get(same[0])
    others = [shelf.get(key) for key in same[1:]]
    return tuple(
        other.key
        for other in others
        if ids.same_title(first.title, other.title) and not different_works(first, other)
    )


def _clash(keys: list[str], sure: list[str], paper: Paper, shelf: Shelf) -> Match:
    """What is shared with references that are other works all the same."""
    if not keys:
        return Match()
    shared = tuple(each for each in sure if set(shelf.holders(each)) & set(keys))
    held = shelf.get(keys[0])
    if different_works(held, paper):
        return Match(linked=tuple(keys), shared=shared)
    return Match(clash=f"{shared[0]} is held by {held.key}, whose title differs", shared=shared)


def _holders(identities: Iterable[str], shelf: Shelf) -> list[str]:
    found = (key for identity in identities for key in shelf.holders(identity))
    return list(dict.fromkeys(found))


def is_version(a: Work, b: Work) -> bool:
    """Whether one is the preprint of what the other is the publication of."""
    if is_preprint(a) == is_preprint(b):
        return False
    published = b if is_preprint(a) else a
    known = published_doi(published) or published.pmid or published.venue
    return bool(known) and ids.same_title(a.title, b.title) and _first_author(a) == _first_author(b)


def _differ(a: Work, b: Work, name: str) -> bool:
    mine, theirs = getattr(a, name), getattr(b, name)
    return bool(mine and theirs and fold(mine) != fold(theirs))


def same_venue(a: Work, b: Work) -> bool:
    """Whether two venues can be one: `Nat Methods` abbreviates `Nature Methods`."""
    if not a.venue or not b.venue:
        return True
    short, long = sorted((_words(a.venue), _words(b.venue)), key=len)
    rest = iter(long)
    return all(any(word.startswith(part) or part.startswith(word) for word in rest)
               for part in short)  # fmt: skip


def _words(value: str) -> list[str]:
    return [word for word in re.findall(r"\w+", fold(value)) if word not in _SMALL]


_SMALL = frozenset({"the", "of", "and", "for", "in", "on", "de", "der", "la", "et"})


def _first_author(work: Work) -> str:
    return fold(Author.parse(work.authors[0]).family) if work.authors else ""


def _arxiv(work: Work) -> str | None:
    if work.arxiv:
        return ids.normalise_arxiv(work.arxiv) or work.arxiv
    doi = _doi(work) or ""
    return doi.removeprefix(_ARXIV_DOI) if doi.startswith(_ARXIV_DOI) else None
