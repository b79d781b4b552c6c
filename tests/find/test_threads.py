"""Many threads on one open library, and one commit in two folders: the answers are the same."""

from __future__ import annotations

import os
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from find.test_calls import DRAFT
from find.test_calls import TEXT as BERT
from index.shelf import FIELD, reference, reopen, shelf
from index.test_index import NOTE, SENTENCE, TEXT
from pressmark import find, index
from pressmark.index import engines
from pressmark.library import Library

WHOLE = bool(os.environ.get("PRESSMARK_FULL"))
THREADS, CALLS = 16, 200 if WHOLE else 15
WORDS = [
    "heron",
    "river",
    "attention",
    "memory",
    "web",
    "page",
    "links",
    "text",
    "recurrence",
    "unlabeled",
    "waits",
    "count",
    "dawn",
]


def records() -> list[object]:
    many = [
        reference(
            f"r{n:03}", f"Heron {n} of the river", SENTENCE * (n % 4 + 1),
            doi=f"10.5555/r.{n}", cites=tuple(f"doi:10.5555/r.{(n * k) % 40}" for k in (3, 7, 11)),
        )
        for n in range(40)
    ]  # fmt: skip
    return [*FIELD, *many, NOTE, TEXT, BERT]


def call(library: Library, seed: int) -> object:
    """One of the calls, the same one for the same seed, and all that it answers."""
    chance = random.Random(seed)
    words = " ".join(chance.sample(WORDS, 2))
    kind = seed % 8
    if kind == 0:
        hits = find.find(library, words, k=5, explain=True)
        return [(h.key, h.score, dict(h.scores), h.passage) for h in hits.hits], hits.notes
    if kind == 1:
        return [(h.key, h.score) for h in find.find(library, f'"{words}"', ["year:1990.."]).hits]
    if kind == 2:
        return [(h.key, h.score) for h in find.related(library, f"r{seed % 40:03}").hits]
    if kind == 3:
        return find.passages(library, [words, WORDS[seed % 5]], per_reference=1).passages
    if kind == 4:
        return find.grep(library, WORDS[seed % len(WORDS)], limit=5)
    if kind == 5:
        return find.cites(library, f"r{seed % 40:03}", "cited-by"), find.wanted(library, k=3)
    if kind == 6:
        return find.skim(library, "devlin2019bert", chars=2000)
    return find.evidence(library, DRAFT)


@pytest.mark.parametrize("engine", ["whoosh", "tantivy"])
def test_many_threads_answer_as_one(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "tantivy":
        pytest.importorskip("tantivy", reason="tantivy is not installed")
        monkeypatch.setattr(engines, "LIMIT", 2)
    library = shelf(tmp_path / "lib", records())  # type: ignore[arg-type]
    assert index.build(library)["engine"] == engine
    seeds = [number % 400 for number in range(THREADS * CALLS)]
    one_by_one = {seed: call(library, seed) for seed in sorted(set(seeds))}
    shared = reopen(library.root)
    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(lambda seed: call(shared, seed), seeds))
    assert all(found == one_by_one[seed] for seed, found in zip(seeds, together, strict=True))


@pytest.mark.parametrize("engine", ["whoosh", "tantivy"])
def test_the_same_commit_in_two_folders_answers_the_same(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "tantivy":
        pytest.importorskip("tantivy", reason="tantivy is not installed")
        monkeypatch.setattr(engines, "LIMIT", 2)
    one = shelf(tmp_path / "one" / "lib", records()[:20], user=tmp_path / "a")  # type: ignore[arg-type]
    find.find(one, "heron")  # an index with a history
    shelf(one.root, records(), user=tmp_path / "a")  # type: ignore[arg-type]
    shutil.copytree(one.root, tmp_path / "elsewhere", ignore=shutil.ignore_patterns(".pressmark"))
    one, other = (
        reopen(one.root, user=tmp_path / "a"),
        reopen(tmp_path / "elsewhere", user=tmp_path / "b"),
    )
    assert index.build(one)["engine"] == index.build(other)["engine"] == engine
    for seed in range(200 if WHOLE else 40):
        assert call(one, seed) == call(other, seed), seed


def test_asked_twice_nothing_is_written_and_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    library = shelf(tmp_path / "lib", records())  # type: ignore[arg-type]
    first = find.find(library, "heron river")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    before = {p: (s.st_mtime_ns, s.st_ctime_ns) for p in tmp_path.rglob("*") if (s := p.lstat())}
    again = find.find(reopen(library.root), "heron river")
    assert [hit.key for hit in again.hits] == [hit.key for hit in first.hits]
    after = {p: (s.st_mtime_ns, s.st_ctime_ns) for p in tmp_path.rglob("*") if (s := p.lstat())}
    assert after == before
