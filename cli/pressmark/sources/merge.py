"""Several providers' accounts of works in; one account a work out, nothing merged by guesswork."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

from pressmark import ids
from pressmark.record import NOTICES, Author, Paper, Work

PREFERENCE = (
    "crossref", "datacite", "pubmed", "europepmc", "arxiv", "plos", "biorxiv", "osf", "doaj",
    "inspire", "ads", "openalex", "dblp", "hal", "openaire", "zenodo", "openreview", "unpaywall",
    "opencitations", "core", "semanticscholar", "searxng", "scite",
)  # fmt: skip
"""Whose account of a field stands when several have one: the publisher's own first, and last
those that shorten names, mix up years or give three authors of many."""

_UNIONS = frozenset({"isbn", "issn", "related"})
_ARXIV_DOI = "10.48550/arxiv."
_ONE_EACH = ("doi", "pmcid", "pmid", "arxiv", "openalex")


def provider(paper: Paper) -> str:
    """The provider whose account a paper is, the first of several."""
    return paper.sources[0].partition(":")[0] if paper.sources else ""


def groups(papers: Sequence[Paper]) -> list[list[int]]:
    """The positions of papers that are one work, in the order of each work's first.

    An identifier joins, and so does an equal title, year and first author; but two works that
    differ in an identifier of one kind stay two, whatever their titles say.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    for at, paper in enumerate(papers):
        for identity in ids.identities(paper):
            holders[identity].append(at)
    leader = list(range(len(papers)))
    members = {at: [at] for at in leader}
    for identity in sorted(holders, key=lambda each: each.startswith("title:")):
        first = holders[identity][0]
        for other in holders[identity][1:]:
            one, two = sorted((leader[first], leader[other]))
            sure = not identity.startswith("title:")
            if one == two or not _agree(papers, members[one], members[two], sure=sure):
                continue
            members[one] = sorted(members[one] + members.pop(two))
            for at in members[one]:
                leader[at] = one
    return [members[at] for at in sorted(members)]


def _agree(papers: Sequence[Paper], one: Iterable[int], two: Iterable[int], *, sure: bool) -> bool:
    """Whether no two papers of the groups have different identifiers of one kind."""
    others = [papers[at] for at in two]
    return not any(differ(papers[at], other, sure=sure) for at in one for other in others)


def differ(a: Work, b: Work, *, sure: bool) -> bool:
    """Whether identifiers say that two works are two.

    With `sure` (they share an identifier) an arXiv DOI beside a publisher's is a version of it,
    as the provider that named both says; by title alone it is a preprint of its own.
    """
    for kind in _ONE_EACH:
        mine, theirs = getattr(a, kind), getattr(b, kind)
        if not mine or not theirs or mine == theirs:
            continue
        if kind == "openalex" and sure:
            continue  # OpenAlex itself keeps doubles of one DOI
        if kind == "doi" and sure and mine.startswith(_ARXIV_DOI) != theirs.startswith(_ARXIV_DOI):
            continue
        return True
    return False


def merged(papers: Sequence[Paper]) -> Paper:
    """One account of one work: each field from the source that knows it best."""
    order = sorted(papers, key=_rank)
    best = order[0]
    changes: dict[str, object] = {}
    for each in fields(Work):
        values = [value for paper in order if (value := getattr(paper, each.name))]
        if not values:
            continue
        if each.name in _UNIONS:
            changes[each.name] = tuple(sorted({item for value in values for item in value}))
        elif each.name == "authors":
            changes[each.name] = _authors(values)
        elif each.name == "doi":
            changes[each.name] = next(
                (v for v in values if not v.startswith(_ARXIV_DOI)), values[0]
            )
        elif each.name == "notice":
            changes[each.name] = min(values, key=NOTICES.index)
        elif each.name == "published":
            changes[each.name] = _date(values)
        else:
            changes[each.name] = values[0]
    return replace(
        best,
        **changes,  # type: ignore[arg-type]
        abstract=next((paper.abstract for paper in order if paper.abstract), None),
        sources=tuple(sorted({line for paper in papers for line in paper.sources})),
        locations=tuple(dict.fromkeys(at for paper in order for at in paper.locations)),
        tags=tuple(sorted({tag for paper in papers for tag in paper.tags})),
        extra={key: value for paper in reversed(order) for key, value in paper.extra.items()},
    )


def _rank(paper: Paper) -> tuple[int, str]:
    name = provider(paper)
    return (PREFERENCE.index(name) if name in PREFERENCE else len(PREFERENCE), name)


def _authors(lists: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The first list, or a longer one that begins with the same family names."""
    chosen = lists[0]
    for other in lists[1:]:
        families = [_family(name) for name in other]
        if len(other) > len(chosen) and families[: len(chosen)] == [_family(n) for n in chosen]:
            chosen = other
    return chosen


def _family(name: str) -> str:
    return Author.parse(name).family.casefold()


def _date(values: Sequence[str]) -> str:
    """The first date, or one that only says it more exactly."""
    return max((value for value in values if value.startswith(values[0])), key=len)
