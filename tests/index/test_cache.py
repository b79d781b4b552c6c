"""The cache of vectors: kept by text, shared, and never trusted further than a vector goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from pressmark.index.cache import BATCH, VectorCache, key


class Counting:
    """An embedder that counts what it was asked."""

    id = "counting/1"
    dimension = 4
    weight = 0.5

    def __init__(self) -> None:
        self.asked: list[str] = []

    def query(self, text: str) -> np.ndarray:
        return next(self.documents([text]))

    def documents(self, texts: Iterable[str]) -> Iterator[np.ndarray]:
        for text in texts:
            self.asked.append(text)
            yield np.full(4, len(text), dtype=np.float32)


def cache(folder: Path) -> VectorCache:
    return VectorCache(folder, Counting.id, 4)


def test_vectors_outlive_the_process(tmp_path: Path) -> None:
    first = cache(tmp_path)
    assert list(first.fill(["a", "bbb"], Counting())) == [2]
    first.close()
    again = cache(tmp_path)
    assert again.held([key("a"), key("b"), key("bbb")]) == {key("a"), key("bbb")}
    (vector,) = again.each([key("bbb")])
    assert np.frombuffer(vector, "<f2").tolist() == [3, 3, 3, 3]


def test_what_is_done_before_an_interruption_is_kept(tmp_path: Path) -> None:
    held = cache(tmp_path)
    texts = [f"text {number}" for number in range(3 * BATCH)]
    for done in held.fill(texts, Counting()):
        assert done == BATCH
        break
    assert len(cache(tmp_path).held([key(text) for text in texts])) == BATCH


def test_one_file_a_model(tmp_path: Path) -> None:
    cache(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["vectors-counting_1.sqlite"]


def test_a_vector_of_another_size_is_none(tmp_path: Path) -> None:
    list(cache(tmp_path).fill(["a"], Counting()))
    assert VectorCache(tmp_path, Counting.id, 8).held([key("a")]) == set()


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "vectors-counting_1.sqlite"
    path.write_bytes(b"this is no database, and long enough to be looked at as one" * 100)
    held = cache(tmp_path)
    assert list(held.fill(["a"], Counting())) == [1]
    assert held.held([key("a")]) == {key("a")}


def test_a_foreign_table_is_not_taken_for_ours(tmp_path: Path) -> None:
    path = tmp_path / "vectors-counting_1.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE vectors(a, b)")
    connection.commit()
    connection.close()
    held = cache(tmp_path)
    list(held.fill(["a"], Counting()))
    assert held.held([key("a")]) == {key("a")}


def test_without_a_place_it_is_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    held = cache(tmp_path / "file" / "below")
    assert list(held.fill(["a"], Counting())) == [1]
    assert held.held([key("a")]) == {key("a")}


def test_what_nobody_used_for_half_a_year_is_let_go(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "m", 2)
    names = [key(text) for text in ("a", "b", "c")]
    cache._put([(name, b"\0\0\0\0") for name in names])
    assert cache.prune(names[:1], today=1000) == 0  # first seen now, used or not
    assert cache.prune(names[:1], today=1100) == 0
    assert cache.prune(names[1:2], today=1185) == 1
    assert cache.held(names) == set(names[:2])
    assert cache.prune([], today=1300) == 1
    assert cache.held(names) == {names[1]}
