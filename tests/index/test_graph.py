"""Citations: who is near whom, and how far from the beginning."""

from __future__ import annotations

import pytest

from pressmark.index.graph import Citations, cocitation, coupling, pagerank

EDGES = {"a": ("b", "c"), "b": ("c",), "d": ("b", "e"), "f": ("a",), "g": ("h",)}


def graph(edges: dict[str, tuple[str, ...]] = EDGES) -> Citations:
    back: dict[str, list[str]] = {}
    for key, others in edges.items():
        for other in others:
            back.setdefault(other, []).append(key)
    return Citations(lambda key: edges.get(key, ()), lambda key: back.get(key, ()))


def test_neighbours_are_both_ways_and_never_itself() -> None:
    looped = graph({"a": ("a", "b"), "b": ("a",)})
    assert looped.near("a") == ("b",)
    assert graph().near("b") == ("c", "a", "d")


def test_rank_stays_in_the_component_and_falls_with_distance() -> None:
    rank = pagerank(graph(), {"a": 1.0}, most=1000)
    assert set(rank) == {"a", "b", "c", "d", "e", "f"}
    assert sum(rank.values()) == pytest.approx(1, abs=0.01)
    assert rank["a"] == max(rank.values())
    assert rank["b"] > rank["d"] > rank["e"]


def test_it_is_close_to_power_iteration() -> None:
    links = graph()
    exact = dict.fromkeys("abcdef", 0.0) | {"a": 1.0}
    for _ in range(200):
        exact = {
            key: 0.15 * (key == "a")
            + 0.85 * sum(exact[n] / len(links.near(n)) for n in links.near(key))
            for key in exact
        }
    rank = pagerank(links, {"a": 1.0}, most=5000)
    assert {key: rank[key] for key in exact} == pytest.approx(exact, abs=0.01)


def test_seeds_share_by_weight_and_a_lone_paper_keeps_its_own() -> None:
    rank = pagerank(graph(), {"lone": 3.0, "g": 1.0})
    assert rank["lone"] == pytest.approx(0.75)
    assert pagerank(graph(), {}) == {}


def test_work_is_bounded() -> None:
    asked: list[str] = []

    def ask(key: str) -> tuple[str, ...]:
        asked.append(key)
        return tuple(f"{key}{digit}" for digit in range(9))

    pagerank(Citations(ask, lambda key: ()), {"0": 1.0}, most=50)
    assert len(asked) <= 50


def test_cocitation_prefers_what_is_cited_with_the_seed_and_seldom_otherwise() -> None:
    edges = {
        "x": ("seed", "near"),
        "y": ("seed", "near", "hub"),
        **{f"z{n}": ("hub",) for n in range(9)},
    }
    found = cocitation(graph(edges), {"seed": 1.0})
    assert list(found) == ["near", "hub"]
    assert found["near"] == pytest.approx(2 / (2 * 2) ** 0.5)
    assert found["hub"] == pytest.approx(1 / (2 * 10) ** 0.5)
    assert cocitation(graph(edges), {"z1": 1.0}) == {}


def test_coupling_counts_shared_references() -> None:
    cites = {"a": ["x", "y"], "b": ["x", "y"], "c": ["y", "p", "q", "r"], "d": ["z"]}
    cited: dict[str, list[str]] = {}
    for one, others in cites.items():
        for other in others:
            cited.setdefault(other, []).append(one)
    graph = Citations(lambda k: cites.get(k, ()), lambda k: cited.get(k, ()))
    found = coupling(graph, {"a": 1.0})
    assert found == pytest.approx({"b": 2 / 2.0, "c": 1 / 8**0.5})
    assert coupling(graph, {"d": 1.0}) == coupling(graph, {}) == {}
    assert coupling(graph, {"a": 1.0}, most=0) == {}
