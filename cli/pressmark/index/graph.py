"""Citations between held papers in, papers near some others out: PageRank, co-citation, coupling.

Pure Python over neighbours that are asked for one paper at a time: a question touches some
hundred papers, however many the library holds.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence

Neighbours = Callable[[str], Sequence[str]]
"""The keys of the held papers that one cites, or that cite it."""

DAMPING = 0.85

LEAST = 1e-4
"""Rank that is not worth handing on."""

MOST = 60
"""Papers whose neighbours are asked for at most."""


class Citations:
    """The citation graph of a library; what was asked once is remembered."""

    def __init__(self, cites: Neighbours, cited_by: Neighbours) -> None:
        self._cites, self._cited_by = cites, cited_by
        self._known: dict[tuple[bool, str], tuple[str, ...]] = {}

    def cites(self, key: str) -> tuple[str, ...]:
        """The held papers that one cites."""
        return self._ask(False, key)

    def cited_by(self, key: str) -> tuple[str, ...]:
        """The held papers that cite one."""
        return self._ask(True, key)

    def near(self, key: str) -> tuple[str, ...]:
        """Both, each once: for finding, the direction does not matter."""
        return tuple(dict.fromkeys((*self.cites(key), *self.cited_by(key))))

    def _ask(self, backwards: bool, key: str) -> tuple[str, ...]:
        held = self._known.get((backwards, key))
        if held is None:
            ask = self._cited_by if backwards else self._cites
            held = tuple(sorted(other for other in set(ask(key)) if other != key))
            self._known[backwards, key] = held
        return held


def pagerank(graph: Citations, seeds: Mapping[str, float], most: int = MOST) -> dict[str, float]:
    """Personalised PageRank by forward push (Andersen, Chung and Lang 2006), largest rest first."""
    total = sum(seeds.values())
    rank: dict[str, float] = {}
    rest = {key: weight / total for key, weight in seeds.items()} if total else {}
    queue = [(-weight, key) for key, weight in rest.items()]
    heapq.heapify(queue)
    for _ in range(most):
        while queue and -queue[0][0] != rest.get(queue[0][1]):
            heapq.heappop(queue)  # pushed again since, with more
        if not queue or rest[queue[0][1]] < LEAST:
            break
        _, key = heapq.heappop(queue)
        share = rest.pop(key)
        near = graph.near(key)
        rank[key] = rank.get(key, 0.0) + share * (1 - DAMPING if near else 1.0)
        for other in near:
            rest[other] = rest.get(other, 0.0) + DAMPING * share / len(near)
            heapq.heappush(queue, (-rest[other], other))
    for key, share in rest.items():
        rank[key] = rank.get(key, 0.0) + (1 - DAMPING) * share
    return rank


def cocitation(graph: Citations, seeds: Mapping[str, float], most: int = MOST) -> dict[str, float]:
    """How often papers are cited beside the seeds, less for those that everybody cites."""
    return _met(graph.cited_by, graph.cites, seeds, most)


def coupling(graph: Citations, seeds: Mapping[str, float], most: int = MOST) -> dict[str, float]:
    """How much papers cite what the seeds cite, less for those that cite much (Kessler 1963)."""
    return _met(graph.cites, graph.cited_by, seeds, most)


def _met(
    there: Neighbours, back: Neighbours, seeds: Mapping[str, float], most: int
) -> dict[str, float]:
    """Who is met on the way from the seeds along one direction and back again.

    Each meeting counts its seed's weight by the cosine: over the root of the product of how many
    edges the two have in that direction. At most `most` works are turned at.
    """
    found: dict[str, float] = {}
    asked = 0
    for seed, weight in seeds.items():
        turns = there(seed)
        for turn in turns:
            asked += 1
            if asked > most:
                return found
            for other in back(turn):
                if other not in seeds:
                    share = weight / math.sqrt(len(turns) * max(1, len(there(other))))
                    found[other] = found.get(other, 0.0) + share
    return found
