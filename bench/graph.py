"""Two ways to walk the citations, beside each other: our push, and scipy's power iteration.

    python bench/graph.py [NODES]

A random graph in which what is cited much is cited more; scipy is measured where it is installed.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))

from pressmark.index.graph import DAMPING, Citations, pagerank

CITES = 10
TOP = 50


def invented(nodes: int) -> list[tuple[int, int]]:
    """Who cites whom: each cites ten earlier ones, half of them as others have before."""
    rng = random.Random(5)
    edges: list[tuple[int, int]] = []
    for node in range(1, nodes):
        for _ in range(min(CITES, node)):
            copied = edges and rng.random() < 0.5
            edges.append((node, rng.choice(edges)[1] if copied else rng.randrange(node)))
    return edges


def by_push(edges: list[tuple[int, int]]) -> Callable[[Mapping[str, float]], dict[str, float]]:
    """Ours, over neighbours in memory."""
    cites: dict[str, list[str]] = {}
    cited: dict[str, list[str]] = {}
    for one, other in edges:
        cites.setdefault(str(one), []).append(str(other))
        cited.setdefault(str(other), []).append(str(one))
    graph = lambda: Citations(lambda k: cites.get(k, ()), lambda k: cited.get(k, ()))  # noqa: E731
    return lambda seeds: pagerank(graph(), seeds)


def by_scipy(
    edges: list[tuple[int, int]], nodes: int
) -> Callable[[Mapping[str, float]], dict[str, float]]:
    """Power iteration over the symmetric graph, to 1e-8."""
    import numpy as np
    from scipy import sparse

    one, other = np.array(edges).T
    data = np.ones(len(edges))
    half = sparse.csr_matrix((data, (one, other)), shape=(nodes, nodes))
    both = ((half + half.T) > 0).astype(float)
    degree = np.asarray(both.sum(axis=1)).ravel()
    step = sparse.diags(1 / np.maximum(degree, 1)) @ both

    def walk(seeds: Mapping[str, float]) -> dict[str, float]:
        start = np.zeros(nodes)
        for key, weight in seeds.items():
            start[int(key)] = weight / sum(seeds.values())
        rank = start.copy()
        for _ in range(100):
            fresh = (1 - DAMPING) * start + DAMPING * (step.T @ rank)
            done = np.abs(fresh - rank).sum() < 1e-8
            rank = fresh
            if done:
                break
        top = np.argsort(-rank, kind="stable")[: 4 * TOP]
        return {str(key): float(rank[key]) for key in top}

    return walk


def best(found: Mapping[str, float], number: int) -> list[str]:
    """The first of a ranking."""
    return sorted(found, key=lambda key: (-found[key], int(key)))[:number]


def main(nodes: int) -> None:
    """Time both, and how many of their first ones they share."""
    edges = invented(nodes)
    if find_spec("scipy") is None:
        sys.exit("scipy is not installed: pip install scipy")
    start = time.process_time()
    power = by_scipy(edges, nodes)
    print(f"{nodes:,} papers, {len(edges):,} citations; scipy's matrix "
          f"{time.process_time() - start:.2f} s")  # fmt: skip
    push = by_push(edges)
    rng = random.Random(1)
    spent, shared = {"push": 0.0, "scipy": 0.0}, {10: 0, 50: 0}
    for _ in range(20):
        seeds = {str(rng.randrange(nodes)): 1.0 for _ in range(3)}
        start = time.process_time()
        one = push(seeds)
        middle = time.process_time()
        other = power(seeds)
        spent["push"] += middle - start
        spent["scipy"] += time.process_time() - middle
        for number in shared:
            shared[number] += len({*best(one, number)} & {*best(other, number)})
    print(f"a question: push {spent['push'] / 20 * 1e3:.1f} ms, "
          f"scipy {spent['scipy'] / 20 * 1e3:.1f} ms; shared of the first 10: "
          f"{shared[10] / 20:.1f}, of the first 50: {shared[50] / 20:.1f}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
