"""Fusion: what the numbers are, and that order never depends on chance."""

from __future__ import annotations

import pytest

from pressmark.find.fusion import K, fuse, ranked


def test_ranked_by_score_then_by_key() -> None:
    assert ranked({"b": 1.0, "a": 1.0, "c": 2.0}) == ["c", "a", "b"]
    assert ranked({"b": 1.0, "a": 1.0, "c": 2.0}, depth=2) == ["c", "a"]


def test_scores_are_weighted_reciprocal_ranks() -> None:
    found = fuse({"words": ["a", "b"], "meaning": ["b"]}, {"words": 1.0, "meaning": 0.7})
    assert [each.key for each in found] == ["b", "a"]
    assert found[0].score == pytest.approx(1 / (K + 2) + 0.7 / (K + 1))
    assert found[0].ranks == {"words": 2, "meaning": 1}
    assert found[1].ranks == {"words": 1}


def test_a_channel_without_weight_shows_its_ranks_and_decides_nothing() -> None:
    found = fuse({"words": ["a", "b"], "papers": ["b", "c"]}, {"words": 1.0})
    assert [(each.key, dict(each.ranks)) for each in found] == [
        ("a", {"words": 1}), ("b", {"words": 2, "papers": 1}),
    ]  # fmt: skip


def test_equal_scores_by_key() -> None:
    found = fuse({"one": ["b"], "two": ["a"]}, {"one": 1.0, "two": 1.0})
    assert [each.key for each in found] == ["a", "b"]


def test_nothing_of_nothing() -> None:
    assert fuse({}) == fuse({"words": []}) == []
