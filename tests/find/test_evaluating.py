"""The figures of retrieval, by hand; and `eval` over a small library."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from index.shelf import FIELD, shelf
from pressmark import index
from pressmark.errors import BadInput
from pressmark.find import evaluating, metrics
from pressmark.library import Library

RANKED = ["a", "b", "c", "d", "e"]
JUDGED = {"b": 2.0, "d": 1.0, "x": 1.0, "a": 0.0}


def test_recall() -> None:
    assert metrics.recall(RANKED, JUDGED, 2) == pytest.approx(1 / 3)
    assert metrics.recall(RANKED, JUDGED, 5) == pytest.approx(2 / 3)
    assert metrics.recall(RANKED, {"a": 0.0}, 5) == 0.0


def test_ndcg_is_trec_evals() -> None:
    found = 2 / math.log2(3) + 1 / math.log2(5)
    ideal = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(RANKED, JUDGED, 10) == pytest.approx(found / ideal)
    assert metrics.ndcg(["b", "d", "x"], JUDGED, 3) == 1.0
    assert metrics.ndcg([], JUDGED, 10) == metrics.ndcg(RANKED, {}, 10) == 0.0


def test_reciprocal_rank_and_average_precision() -> None:
    assert metrics.reciprocal(RANKED, JUDGED) == 0.5
    assert metrics.reciprocal(["a"], JUDGED) == 0.0
    assert metrics.average_precision(RANKED, JUDGED) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert metrics.average_precision(RANKED, {}) == 0.0


def test_the_bootstrap_knows_what_is_sure() -> None:
    clear = metrics.gain([0.5] * 30, [0.3] * 30)
    assert (clear.mean, clear.better, clear.worse, clear.sure) == (pytest.approx(0.2), 30, 0, True)
    assert clear.low == pytest.approx(0.2) == clear.high
    mixed = metrics.gain([0.0, 1.0] * 20, [1.0, 0.0] * 20)
    assert mixed.mean == 0.0 and mixed.low < 0 < mixed.high and not mixed.sure
    assert mixed == metrics.gain([0.0, 1.0] * 20, [1.0, 0.0] * 20)
    assert metrics.gain([], []) == (0.0, 0.0, 0.0, 0, 0)


def test_both_forms_of_a_question() -> None:
    found = evaluating.read(
        '# a comment\n{"query": "herons", "relevant": {"a": 2, "b": 0}}\n\nrivers\ta b\n'
        '{"query": "x", "relevant": ["a"]}\n'
    )
    assert [(each.text, dict(each.relevant)) for each in found] == [
        ("herons", {"a": 2.0, "b": 0.0}), ("rivers", {"a": 1.0, "b": 1.0}), ("x", {"a": 1.0}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line", ["no tab", "no keys\t ", "{", "[]", '{"query": 1, "relevant": ["a"]}',
             '{"query": "x"}', '{"query": "x", "relevant": []}', '{"query": "x", "relevant": 3}'],
)  # fmt: skip
def test_a_line_that_is_neither_is_named(line: str) -> None:
    with pytest.raises(BadInput, match="line 2"):
        evaluating.read(f"ok\ta\n{line}\n", "asked.tsv")


def test_nothing_is_no_question() -> None:
    with pytest.raises(BadInput):
        evaluating.read("\n# nothing\n")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return shelf(tmp_path / "lib", FIELD)


QUERIES = [
    evaluating.Query(text="unlabeled text", relevant={"devlin2019bert": 1, "1706.03762": 1}),
    evaluating.Query(text="links of the web", relevant={"page1999pagerank": 1}),
    evaluating.Query(text="nobody", relevant={"nobody1900": 1}),
]


def test_each_channel_alone_and_taken_away(library: Library) -> None:
    found = evaluating.evaluate(library, QUERIES)
    assert (found.queries, found.unanswerable, found.unknown) == (2, 1, ("nobody1900",))
    assert [run.name for run in found.runs] == ["all", "words"]
    whole, words = found.runs[0], found.runs[1]
    assert whole.figures["mrr"] == 1.0
    assert whole.figures["recall@20"] == 1.0
    assert words.figures["recall@20"] == 0.75  # without citations one answer is not found
    assert words.gains["recall@20"].mean == pytest.approx(-0.25)
    assert not found.semantic


def test_until_a_year_nothing_younger_is_there(library: Library) -> None:
    found = evaluating.evaluate(library, QUERIES, until=2018)
    assert (found.queries, found.unanswerable) == (2, 1)
    whole = found.runs[0]
    assert whole.each[0]["recall@20"] == 0.0  # nothing older has the words, and none cites
    assert whole.each[1]["recall@20"] == 1.0


def test_what_is_younger_leads_from_none_to_another(library: Library) -> None:
    asked = [evaluating.Query(text="transduction", relevant={"hochreiter1997long": 1})]
    assert evaluating.evaluate(library, asked).runs[0].figures["recall@20"] == 1.0
    assert evaluating.evaluate(library, asked, until=2018).runs[0].figures["recall@20"] == 0.0


def test_the_index_until_a_year_stands_beside_the_whole_one(library: Library) -> None:
    said = index.build(library, until=2000)
    assert (said["until"], said["counts"]["references"], said["counts"]["notes"]) == (2000, 2, 0)
    assert index.status(library)["state"] == "not_built"
    index.build(library)
    assert index.status(library)["counts"]["references"] == 5
    assert index.status(library, until=2000)["state"] == "ready"
    folders = {path.name for path in (library.root / ".pressmark").iterdir() if path.is_dir()}
    assert {"index", "index-until-2000"} <= folders


@pytest.mark.parametrize("answers", ['"simic2020"', '{"a": NaN}', '{"a": Infinity}', "[]", "3"])
def test_answers_that_are_no_keys_are_refused_with_their_line(answers: str) -> None:
    with pytest.raises(BadInput, match="line 2"):
        evaluating.read('# a comment\n{"query": "x", "relevant": ' + answers + "}")
