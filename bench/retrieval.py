"""Score `find` on public collections, on both halves of their queries: the table of the decisions.

    python bench/retrieval.py PATH/TO/ir_eval.py [--only cacm] [--model none] [--vary]

Nothing is tuned on more than half of the queries: `halves.tsv` says which half a query is in, by
a hash of its id. With `--vary` the settings beside the present ones are scored on both halves,
to see whether the half that they were not chosen on agrees.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ir_adapter import Engine, citations

from pressmark.find import metrics
from pressmark.index import bm25

HERE = Path(__file__).resolve().parent
HALVES = HERE / "halves.tsv"
CHOSEN, HELD = "chosen on", "held out"
Scores = dict[str, dict[str, float]]  # metric -> query -> value

VARIED: Mapping[str, Sequence[Mapping[str, float]]] = {
    "meaning": [{"meaning": w} for w in (0.3, 0.5, 0.7, 1.0, 1.5)],
    "graph": [{"graph": g, "cocitation": c} for g in (0.2, 0.3, 0.5) for c in (0.0, 0.1, 0.2)],
}
CONSTANTS = [(k1, b) for k1 in (1.2, 1.5, 1.8) for b in (0.6, 0.75, 0.9)]


def half(collection: str, query: str) -> str:
    """The half a query is in."""
    return CHOSEN if hashlib.sha256(f"{collection}:{query}".encode()).digest()[0] % 2 else HELD


def split() -> dict[tuple[str, str], str]:
    """The committed halves: (collection, query) -> half."""
    rows = (line.split("\t") for line in HALVES.read_text("utf-8").splitlines()[1:])
    return {(collection, query): name for collection, query, name in rows}


class Collection:
    """One collection, with the judged queries and their halves."""

    def __init__(self, judge: Any, name: str) -> None:
        self.judge, self.name = judge, name
        self.docs, self.queries, qrels = judge.load(name)
        self.qrels = {
            q: r for q, r in qrels.items() if q in self.queries and any(s > 0 for s in r.values())
        }
        halves = split()
        self.half = {q: halves[name, q] for q in self.qrels}

    def score(self, engine: Engine) -> Scores:
        """Every query's figures."""
        found: Scores = {"ndcg@10": {}, "recall@100": {}, "mrr@10": {}}
        for query, judged in self.qrels.items():
            ranked = [k for k in engine.search(self.queries[query], 101) if k != query][:100]
            found["ndcg@10"][query] = self.judge.ndcg(ranked, judged)
            found["recall@100"][query] = self.judge.recall(ranked, judged)
            found["mrr@10"][query] = self.judge.mrr(ranked, judged)
        return found

    def mean(self, values: Mapping[str, float], name: str | None = None) -> float:
        """Over all queries, or over one half."""
        kept = [v for q, v in values.items() if name is None or self.half[q] == name]
        return sum(kept) / len(kept)

    def row(self, what: str, scores: Scores) -> str:
        """A line of the table."""
        cells = [
            f"{self.mean(scores[metric], name):.3f}"
            for metric in ("ndcg@10", "recall@100")
            for name in (None, CHOSEN, HELD)
        ]
        return f"| {self.name} | {what} | {' | '.join(cells)} |"

    def compared(self, what: str, one: Scores, other: Scores) -> Iterator[str]:
        """How much better one is than the other, whole and by half, with the interval."""
        for metric in ("recall@100", "ndcg@10"):
            for name in (None, CHOSEN, HELD):
                queries = [q for q in self.qrels if name is None or self.half[q] == name]
                gain = metrics.gain(
                    [one[metric][q] for q in queries], [other[metric][q] for q in queries]
                )
                yield (
                    f"{self.name}, {what}, {metric}, {name or 'all'} ({len(queries)}): "
                    f"{gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}], "
                    f"{gain.better} better, {gain.worse} worse"
                )


def measure(collection: Collection, model: str, links: Mapping[str, set[str]]) -> Iterator[str]:
    """The lines of one collection."""
    name = "words" if model == "none" else "words and meaning"
    engine = Engine(collection.docs, model, links)
    scores = collection.score(engine)
    if not links:
        yield collection.row(name, scores)
    else:
        engine.weigh(graph=0.0, cocitation=0.0)
        plain = collection.score(engine)
        yield collection.row(f"{name}, without the graph", plain)
        yield collection.row(f"{name} and graph", scores)
        yield from collection.compared(f"{name}: graph against none", scores, plain)
    engine.close()


def vary(collection: Collection, model: str, links: Mapping[str, set[str]]) -> Iterator[str]:
    """Settings beside the present ones, on both halves."""
    engine = Engine(collection.docs, model, links)
    kinds = ["graph"] if links else ["meaning"] if model != "none" else []
    for kind in kinds:
        for weights in VARIED[kind]:
            engine.weigh(**weights)
            yield collection.row(f"{model}, {dict(weights)}", collection.score(engine))
    if model == "none" and not links:
        yield from _constants(collection, engine)
    engine.close()


def _constants(collection: Collection, engine: Engine) -> Iterator[str]:
    usual = bm25.K1, bm25.B
    for k1, b in CONSTANTS:
        bm25.K1, bm25.B = k1, b  # type: ignore[misc]
        engine.library.kept.clear()
        yield collection.row(f"k1 {k1}, b {b}", collection.score(engine))
    bm25.K1, bm25.B = usual  # type: ignore[misc]


def write_halves(judge: Any, names: Sequence[str]) -> None:
    """Make `halves.tsv`."""
    lines = ["collection\tquery\thalf"]
    for name in names:
        _, queries, _ = judge.load(name)
        lines += [f"{name}\t{query}\t{half(name, query)}" for query in sorted(queries)]
    HALVES.write_text("\n".join(lines) + "\n", "utf-8")


def loaded(path: str) -> Any:
    """The module that reads the collections and scores rankings."""
    spec = importlib.util.spec_from_file_location("ir_eval", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description="Score find on public collections.")
    options.add_argument("judge", help="path of ir_eval.py")
    options.add_argument("--only", action="append")
    options.add_argument("--model", action="append", choices=["none", "minilm"])
    options.add_argument("--vary", action="store_true")
    options.add_argument("--halves", action="store_true", help="write halves.tsv anew")
    asked = options.parse_args()
    judge = loaded(asked.judge)
    root = Path(judge.ROOT)
    names = asked.only or sorted(path.name for path in root.iterdir() if path.is_dir())
    if asked.halves:
        write_halves(judge, names)
        return
    print("| collection | what | nDCG@10 | chosen | held out | recall@100 | chosen | held out |")
    print("|---|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for name in names:
        collection = Collection(judge, name)
        linked = root / name / "links.tsv"
        forms = [{}, citations(str(linked))] if linked.is_file() else [{}]
        run: Callable[..., Iterator[str]] = vary if asked.vary else measure
        for model in asked.model or ["none", "minilm"]:
            for links in forms:
                for line in run(collection, model, links):
                    print(line, flush=True)


if __name__ == "__main__":
    main()
