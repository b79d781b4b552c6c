"""A discipline's terms in; a query's variants in indexed words, and titles that name them, out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import page, text
from pressmark.errors import BadInput, NotFound
from pressmark.record import Vocabulary
from pressmark.sources.query import parse, positive

if TYPE_CHECKING:
    from pressmark.library import Library

SHIPPED = Path(__file__).parent / "vocabularies"
MOST_VARIANTS = 2

_TERM = re.compile(r"(?P<name>.+?)\s*(?:\((?P<mesh>[^()]*)\))?")
_MESH = re.compile(r"D\d{6}(?:\d{3})?")
_ARROW = re.compile(r"\s*(?:→|->)\s*")
_BREAK = r"(?<![\w-])", r"(?![\w-])"


@dataclass(frozen=True)
class Terms:
    """A vocabulary as a search uses it."""

    slug: str
    title: str
    mesh: dict[str, str]
    """An indexed term to its MeSH id, or to an empty text."""
    synonyms: dict[str, str]
    """A synonym as it is written to the indexed term that it means."""
    measures: tuple[str, ...] = ()
    guidance: str = ""
    shipped: bool = False

    @cached_property
    def _concepts(self) -> dict[str, str]:
        """Every folded spelling of a term to one word that stands for it."""
        names = {text.fold(term): term for term in self.mesh}
        names |= {text.fold(natural(term)): term for term in self.mesh}
        names |= {text.fold(said): term for said, term in self.synonyms.items()}
        return {name: _concept(term) for name, term in names.items()}

    def named_in(self, title: str) -> list[str]:
        """The terms, by any of their names, and the measures that a title names."""
        folded = text.fold(title)
        said = {name: concept for name, concept in self._concepts.items() if _holds(folded, name)}
        terms = [term for term in self.mesh if _concept(term) in said.values()]
        return terms + [each for each in self.measures if _holds(folded, text.fold(each))]

    def mapped(self, words: str) -> str:
        """Words with every name of a term replaced by one that stands for all of them."""
        folded = text.fold(words)
        for name in sorted(self._concepts, key=len, reverse=True):
            folded = _swap(folded, name, self._concepts[name])
        return folded

    def variants(self, words: str) -> list[str]:
        """Up to two further queries, each with one synonym swapped for its indexed term.

        The longest synonyms first. An indexed term is never swapped for a synonym, and none is
        swapped in where the query has it already.
        """
        there = text.fold(" ".join(term.words for term in positive(parse(words))))
        taken: list[range] = []
        found = []
        for said in sorted(self.synonyms, key=lambda each: (-len(each), each)):
            term = self.synonyms[said]
            span = _place(words, said)
            if span is None or any(span.start < t.stop and t.start < span.stop for t in taken):
                continue
            taken.append(span)
            held = (text.fold(term), text.fold(natural(term)))
            if _holds(there, text.fold(said)) and not any(_holds(there, name) for name in held):
                name = natural(term)
                quoted = f'"{name}"' if " " in name else name
                found.append(words[: span.start] + quoted + words[span.stop :])
        return found[:MOST_VARIANTS]


def natural(term: str) -> str:
    """An inverted heading in the order of speech: `Fractures, Bone` is `Bone Fractures`."""
    head, comma, rest = term.partition(", ")
    return f"{rest} {head}" if comma and ", " not in rest else term


def get(slug: str, library: Library | None) -> Terms:
    """The vocabulary with this slug: the library's own first, else the one that ships."""
    known = {each.slug.casefold(): each for each in every(library)}
    found = known.get(slug.casefold())
    if found is None:
        names = ", ".join(sorted(known))
        raise NotFound(
            f"There is no vocabulary {slug!r} (vocabularies: {names}).",
            next="pressmark vocabulary list",
        )
    return found


def every(library: Library | None) -> list[Terms]:
    """All vocabularies, sorted by slug; the library's own stand in the place of those shipped."""
    found = {each.slug.casefold(): each for each in _shipped()}
    own = library.vocabularies() if library is not None else []
    found |= {each.slug.casefold(): terms(each) for each in own}
    return [found[slug] for slug in sorted(found)]


def terms(record: Vocabulary, *, shipped: bool = False) -> Terms:
    """Check a vocabulary's file: MeSH ids in their form, synonyms of terms that it has."""
    where = f"topics/vocabularies/{record.slug}.md"
    mesh = dict(_terms(record.terms, where))
    names = {text.fold(name): name for name in mesh}
    synonyms = {}
    for line in record.synonyms:
        said, *term = _ARROW.split(line)
        if len(term) != 1 or not said or text.fold(term[0]) not in names:
            raise BadInput(
                f"{where}: the synonym {line!r} names no term of this vocabulary.",
                next="write it as: what people say → the indexed term",
            )
        synonyms[said] = names[text.fold(term[0])]
    return Terms(
        record.slug, record.title, mesh, synonyms, record.measures, record.body.strip(), shipped
    )


def _terms(lines: Sequence[str], where: str) -> Iterator[tuple[str, str]]:
    for line in lines:
        found = _TERM.fullmatch(line.strip())
        if not found:
            continue
        mesh = (found["mesh"] or "").strip()
        if mesh and not _MESH.fullmatch(mesh):
            raise BadInput(
                f"{where}: {mesh!r} is no MeSH id.", next="a MeSH id is D and six or nine digits"
            )
        yield found["name"], mesh


def _shipped() -> Iterator[Terms]:
    for path in sorted(SHIPPED.glob("*.md")):
        yield terms(page.read(Vocabulary, path.read_bytes(), path.name), shipped=True)


def _holds(folded: str, name: str) -> bool:
    return bool(name) and bool(re.search(_BREAK[0] + re.escape(name) + _BREAK[1], folded))


def _swap(folded: str, name: str, concept: str) -> str:
    return re.sub(_BREAK[0] + re.escape(name) + _BREAK[1], concept, folded) if name else folded


def _concept(term: str) -> str:
    return re.sub(r"\W+", "_", text.fold(term))


def _place(words: str, said: str) -> range | None:
    """Where a synonym stands in a query, its quotes included; in a longer phrase it does not."""
    spaced = r"\s+".join(re.escape(part) for part in said.split())
    found = re.search(rf'{_BREAK[0]}(?P<quote>")?{spaced}(?(quote)"){_BREAK[1]}', words, re.I)
    if not found or words[: found.start()].count('"') % 2:
        return None
    return range(found.start(), found.end())
