"""The searches on record in; those on one concept, list, vocabulary or paper, and a report, out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pressmark.errors import NotFound
from pressmark.library import Library
from pressmark.record import Search
from pressmark.search import vocabulary as vocabularies
from pressmark.search.logs import hits_of
from pressmark.search.result import Earlier
from pressmark.search.vocabulary import Terms
from pressmark.sources.query import parse, positive
from pressmark.text import fold

MOST = 3
ALIKE = 0.5
"""The least similarity at which two searches are on one concept."""

_SMALL = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has",
    "have", "how", "in", "into", "is", "it", "its", "not", "of", "on", "or", "that", "than",
    "the", "their", "these", "this", "to", "under", "use", "used", "using", "via", "was", "were",
    "what", "when", "which", "who", "why", "will", "with", "without", "between", "effect",
    "effects", "role", "study", "studies", "review", "based", "approach",
})  # fmt: skip


def similar(
    library: Library,
    words: str,
    vocabulary: Terms | None = None,
    *,
    limit: int = MOST,
    least: float = ALIKE,
) -> list[Earlier]:
    """Earlier searches on the concept of some words, the likest and then the newest first.

    A concept is the set of the content words, a term's names counted as one; two are as alike as
    the part of their words that they share (Jaccard).
    """
    terms = [vocabulary] if vocabulary else vocabularies.every(library)
    meant = concept(words, terms)
    found = []
    for search in library.searches():
        alike = jaccard(meant, concept(search.query, terms))
        if alike >= least:
            found.append(Earlier(
                slug=search.slug, query=search.query, date=search.date, similarity=round(alike, 2)
            ))  # fmt: skip
    found.sort(key=lambda each: each.slug)
    found.sort(key=lambda each: each.date, reverse=True)
    return sorted(found, key=lambda each: -each.similarity)[:limit]


def concept(words: str, terms: Iterable[Terms] = ()) -> frozenset[str]:
    """The content words of a query that are not excluded, in one form each."""
    said = " ".join(term.words for term in positive(parse(words)))
    for each in terms:
        said = each.mapped(said)
    found = re.findall(r"\w+", fold(said))
    return frozenset(_singular(word) for word in found if word not in _SMALL)


def jaccard(one: frozenset[str], two: frozenset[str]) -> float:
    """The part of all their words that two concepts share."""
    return len(one & two) / len(one | two) if one and two else 0.0


def _singular(word: str) -> str:
    """`networks` as `network`, `studies` as `study`; a term that stands for many is left."""
    if "_" in word or len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") else word


def recall(
    library: Library,
    *,
    vocabulary: str | None = None,
    collection: str | None = None,
    key: str | None = None,
) -> list[Search]:
    """The searches on record, the newest first, with this vocabulary, list or paper.

    A paper that was renamed or merged since was found under the key it had then.
    """
    held = library.catalogue.get(key) if key else None
    keys = {key, *(held.aliases if held else ())}
    found = [
        search
        for search in library.searches()
        if (vocabulary is None or (search.vocabulary or "").casefold() == vocabulary.casefold())
        and (collection is None or (search.collection or "").casefold() == collection.casefold())
        and (key is None or not keys.isdisjoint(hits_of(search).values()))
    ]
    found.sort(key=lambda each: each.slug)
    return sorted(found, key=lambda each: each.date, reverse=True)


def get(library: Library, slug: str) -> Search:
    """The search with this slug; a unique beginning of it will do."""
    searches = library.searches()
    asked = slug.removesuffix(".md").rpartition("/")[2].casefold()
    for each in searches:
        if each.slug.casefold() == asked:
            return each
    begun = [each for each in searches if each.slug.casefold().startswith(asked)] if asked else []
    if len(begun) == 1:
        return begun[0]
    if begun:
        names = ", ".join(each.slug for each in begun[:5])
        raise NotFound(f"{slug} begins the names of {len(begun)} searches: {names}.")
    raise NotFound(f"There is no search {slug!r}.", next="pressmark searches list")
