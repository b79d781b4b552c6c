"""Several sources' lists of papers in; one list, each work once, the best first, out.

The order is reciprocal rank fusion: https://plg.uwaterloo.ca/~gvcormac/cormacksigir09-rrf.pdf
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pressmark.record import Paper
from pressmark.search.result import Hit
from pressmark.search.vocabulary import Terms
from pressmark.sources import groups, merged

RRF_K = 60

Ranked = tuple[str, str, Sequence[Paper]]
"""A source's name, the words it was asked, and its papers, the best first."""


def fused(
    lists: Sequence[Ranked],
    weights: Mapping[str, float],
    sort: str = "relevance",
    vocabulary: Terms | None = None,
) -> list[Hit]:
    """One list from several: each work's score is the sum of weight / (60 + rank).

    A source counts once for a work, with the best place it gave it for any of the words. Titles
    that name the vocabulary's terms come first; how many sources agree and the year break ties.
    """
    rows = [
        (name, words, rank, paper)
        for name, words, papers in lists
        for rank, paper in enumerate(papers, 1)
    ]
    hits = []
    for group in groups([paper for *_, paper in rows]):
        ranks: dict[str, int] = {}
        for at in group:
            name, _, rank, _ = rows[at]
            ranks[name] = min(rank, ranks.get(name, rank))
        score = sum(weights.get(name, 1.0) / (RRF_K + rank) for name, rank in ranks.items())
        paper = merged([rows[at][3] for at in group])
        hits.append(
            Hit(
                paper=paper,
                score=round(score, 6),
                ranks=ranks,
                found_by=tuple(dict.fromkeys(rows[at][1] for at in group)) if vocabulary else (),
                matches=tuple(vocabulary.named_in(paper.title)) if vocabulary else (),
            )
        )
    return sorted(hits, key=_by_date if sort == "date" else _by_score)


def _by_score(hit: Hit) -> tuple[bool, float, int, int, int, str]:
    year = int(hit.paper.year or 0)
    best = min(hit.ranks.values())
    return (not hit.matches, -hit.score, -len(hit.ranks), -year, best, hit.paper.title)


def _by_date(hit: Hit) -> tuple[tuple[int, ...], float, str]:
    """The newest first; a date that is known less exactly stands behind the days it may be."""
    parts = [-int(part) for part in (hit.paper.published or "0").split("-")]
    return (tuple([*parts, 0, 0][:3]), -hit.score, hit.paper.title)
