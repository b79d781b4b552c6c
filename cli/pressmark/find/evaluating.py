"""Questions with the references that answer them in; how well `find` finds those out.

Every channel is measured alone and taken away, on the same questions, with the paired bootstrap.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

from pressmark.errors import BadInput, NotFound
from pressmark.find import metrics
from pressmark.find.asking import ask, question, with_graph
from pressmark.find.finding import Mask, citations, with_index
from pressmark.find.fusion import WEIGHTS
from pressmark.find.metrics import Gain
from pressmark.index import Index, open_index
from pressmark.index.graph import Citations
from pressmark.index.ports import Progress, quiet
from pressmark.library import Library

DEPTHS = (5, 20, 100)
"""Where recall is measured."""

RANKED = 1_000
"""How much of a ranking counts at all."""

MOST = 64 * 2**20
"""Bytes of a file of questions."""

RUNS: Mapping[str, tuple[str, ...]] = {
    "all": ("words", "meaning", "graph", "cocitation"),
    "words": ("words",),
    "meaning": ("meaning",),
    "without words": ("meaning", "graph", "cocitation"),
    "without meaning": ("words", "graph", "cocitation"),
    "without graph": ("words", "meaning"),
}
"""What is measured: the channels of each run; `graph` and `cocitation` start from the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, and the grade of each reference that answers it."""

    text: str
    relevant: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The figures of one run, means over the queries; and its gain over the run `all`."""

    name: str
    figures: Mapping[str, float]
    each: Sequence[Mapping[str, float]]
    """The figures of every query, in their order."""
    gains: Mapping[str, Gain] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All runs over the queries that have an answer the index knows."""

    queries: int
    unanswerable: int
    """Queries left out: none of their answers is held, or within the year."""
    unknown: tuple[str, ...]
    """Names of answers that no reference has."""
    runs: tuple[Run, ...]
    semantic: bool


def read(text: str, name: str = "The file") -> list[Query]:
    """Questions as JSON lines (`{"query": "…", "relevant": ["key", …]}`, or grades by key) or as
    `question <tab> key key…` lines. BadInput names the line that is neither."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                found.append(_parsed(line))
            except (ValueError, TypeError, KeyError, AttributeError) as problem:
                raise BadInput(
                    f"{name}, line {number}, is no question with its answers.",
                    next='write {"query": "…", "relevant": ["key"]}, or: question, tab, keys',
                ) from problem
    if not found:
        raise BadInput(f"{name} holds no question.")
    return found


def _parsed(line: str) -> Query:
    if line.lstrip().startswith("{"):
        held = json.loads(line)
        given = held["relevant"]
        if isinstance(given, str):
            raise TypeError(line)  # its letters would be taken for keys
        grades = given if isinstance(given, dict) else dict.fromkeys(given, 1.0)
        relevant = {str(key): float(grade) for key, grade in grades.items()}
        text = held["query"]
        if not isinstance(text, str) or not relevant or not all(map(isfinite, relevant.values())):
            raise ValueError(line)
        return Query(text=text, relevant=relevant)
    text, tab, keys = line.partition("\t")
    if not tab or not keys.split():
        raise ValueError(line)
    return Query(text=text, relevant=dict.fromkeys(keys.split(), 1.0))


def evaluate(
    library: Library,
    queries: Sequence[Query],
    *,
    until: int | None = None,
    progress: Progress = quiet,
) -> Evaluation:
    """Measure every run over some queries; with `until` on the index that ends with that year."""
    judged, unknown = _judged(library, queries)
    if until is None:
        return with_index(library, lambda index: _measured(
            library, index, judged, unknown, None, progress), progress)  # fmt: skip
    index = open_index(library, until=until, progress=progress)
    try:
        held = {owner.name for owner in index.table.owners(notes=False)}
        return _measured(library, index, judged, unknown, held, progress)
    finally:
        index.close()


def _judged(library: Library, queries: Sequence[Query]) -> tuple[list[Query], tuple[str, ...]]:
    """The queries with their answers by key, and the names that nobody has."""
    unknown: dict[str, None] = {}
    found = []
    for query in queries:
        relevant = {}
        for name, grade in query.relevant.items():
            try:
                relevant[library.key(name)] = grade
            except NotFound:
                unknown[name] = None
        found.append(Query(text=query.text, relevant=relevant))
    return found, tuple(unknown)


def _measured(
    library: Library, index: Index, queries: Sequence[Query], unknown: tuple[str, ...],
    held: set[str] | None, progress: Progress,
) -> Evaluation:  # fmt: skip
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in RUNS}
    left, semantic = 0, False
    graph = citations(library) if held is None else _among(library, held)
    for number, query in enumerate(queries, 1):
        relevant = {k: g for k, g in query.relevant.items() if held is None or k in held}
        if not any(grade > 0 for grade in relevant.values()):
            left += 1
            continue
        with index.turn:
            for name, ranked in _ranked(library, index, query.text, held, graph):
                figures[name].append(figured(ranked, relevant))
                semantic |= name == "meaning"
        progress("asking", number, len(queries))
    whole = figures["all"]
    runs = tuple(
        Run(name=name, figures=_means(each), each=each,
            gains=_gains(each, whole) if name != "all" else {})
        for name, each in figures.items() if each
    )  # fmt: skip
    return Evaluation(
        queries=len(whole), unanswerable=left, unknown=unknown, runs=runs, semantic=semantic
    )


def _among(library: Library, held: set[str]) -> Citations:
    """The citations between some references: what is younger must not lead from one to another."""
    catalogue = library.catalogue
    return Citations(
        lambda key: [other for other in catalogue.cites(key) if other in held],
        lambda key: [other for other in catalogue.cited_by(key) if other in held],
    )


def _ranked(
    library: Library, index: Index, text: str, held: set[str] | None, graph: Citations
) -> Iterator[tuple[str, list[str]]]:
    """The ranking of each run that can be had; without a model none with meaning alone."""
    asked = question(library, index, text)
    mask = Mask(library, index, (), ())
    wanted = mask if held is None else held
    usual = {**WEIGHTS, "meaning": asked.weight, **library.config.weights}
    channels = ask(index, asked, mask.owners, usual)
    for name, kept in RUNS.items():
        if asked.vector is None and "meaning" in kept and name != "all":
            continue
        if asked.vector is None and name == "without meaning":
            continue
        weights = {each: weight for each, weight in usual.items() if each in kept}
        fused = with_graph(channels.of(kept), graph, wanted, weights)
        yield name, [each.key for each in fused[:RANKED]]


def figured(ranked: Sequence[str], relevant: Mapping[str, float]) -> dict[str, float]:
    """Every figure of one ranking."""
    return {
        **{f"recall@{k}": metrics.recall(ranked, relevant, k) for k in DEPTHS},
        "ndcg@10": metrics.ndcg(ranked, relevant, 10),
        "mrr": metrics.reciprocal(ranked, relevant),
        "map": metrics.average_precision(ranked, relevant),
    }


def _means(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(one[name] for one in each) / len(each) for name in each[0]}


def _gains(
    each: Sequence[Mapping[str, float]], whole: Sequence[Mapping[str, float]]
) -> dict[str, Gain]:
    return {
        name: metrics.gain([one[name] for one in each], [one[name] for one in whole])
        for name in each[0]
    }
