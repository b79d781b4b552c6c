"""Vectors: what comparing all gives, masks, dead rows, damage, the graph's check of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pressmark.errors import Integrity
from pressmark.index import vectors
from pressmark.index.vectors import Stored, UsearchVectors, write


def unit(count: int, dimension: int = 32, seed: int = 3) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def store(folder: Path, matrix: np.ndarray, owners: list[int] | None = None) -> Stored:
    rows = list(range(100, 100 + len(matrix)))
    packed = (row.astype("<f2").tobytes() for row in matrix)
    return write(folder, "papers", rows, owners or rows, packed, matrix.shape[1])


def test_the_nearest_are_those_that_comparing_all_gives(tmp_path: Path) -> None:
    matrix = unit(500)
    held = UsearchVectors(tmp_path, store(tmp_path, matrix))
    for query in unit(10, seed=4):
        # Both sides are rounded to float16, as they are in the file.
        cosines = matrix.astype("f2").astype("f4") @ query.astype("f2").astype("f4")
        best = np.argsort(-cosines)[:10]
        found = held.search(query, 10)
        assert [hit.score for hit in found] == pytest.approx([cosines[at] for at in best], abs=2e-3)
        assert {hit.row for hit in found} >= {100 + int(at) for at in best[:8]}


def test_one_hit_an_owner_unless_each_is_asked_for(tmp_path: Path) -> None:
    matrix = unit(6)
    held = UsearchVectors(tmp_path, store(tmp_path, matrix, [1, 1, 1, 2, 2, 3]))
    assert sorted(hit.owner for hit in held.search(matrix[0], 10)) == [1, 2, 3]
    assert held.search(matrix[0], 10)[0].row == 100
    assert len(held.search(matrix[0], 10, each=True)) == 6


@pytest.mark.parametrize("allowed", [frozenset({101, 105}), range(101, 106, 4)])
def test_a_mask_and_dead_rows_are_never_found(tmp_path: Path, allowed: frozenset[int]) -> None:
    matrix = unit(10)
    stored = store(tmp_path, matrix)
    held = UsearchVectors(tmp_path, stored, dead={105, 999})
    assert [hit.row for hit in held.search(matrix[5], 10, allowed=frozenset({101, 105}))] == [101]
    assert held.count() == 9
    assert [hit.row for hit in held.search(matrix[5], 10, allowed=range(101, 103))] in (
        [101, 102],
        [102, 101],
    )
    assert held.search(matrix[5], 10, allowed=frozenset()) == []
    assert held.search(matrix[5], 0) == []


def test_a_row_has_its_vector(tmp_path: Path) -> None:
    matrix = unit(4)
    held = UsearchVectors(tmp_path, store(tmp_path, matrix))
    assert held.near(102) == pytest.approx(matrix[2], abs=1e-3)
    assert held.near(7) is None


def test_an_empty_set(tmp_path: Path) -> None:
    held = UsearchVectors(tmp_path, store(tmp_path, unit(0)))
    assert (held.count(), held.search(unit(1)[0], 5)) == (0, [])


@pytest.mark.parametrize("name", ["papers.f16", "papers.rows"])
def test_a_truncated_file_is_named(tmp_path: Path, name: str) -> None:
    stored = store(tmp_path, unit(50))
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(Integrity, match="incomplete"):
        UsearchVectors(tmp_path, stored)


def test_the_same_vectors_make_the_same_bytes(tmp_path: Path) -> None:
    first = {p.name: p.read_bytes() for p in tmp_path.iterdir() if store(tmp_path, unit(50))}
    store(tmp_path, unit(50))
    assert first == {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.name in first}


def test_above_a_limit_the_graph_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "EXACT", 100)
    matrix = unit(400, 8)
    stored = store(tmp_path, matrix)
    assert stored.graph and (tmp_path / "papers.usearch").is_file()
    held = UsearchVectors(tmp_path, stored)
    assert [held.search(query, 1)[0].row for query in matrix[:20]] == list(range(100, 120))
    assert held.search(matrix[3], 5, allowed=frozenset({109}))[0].row == 109


def test_a_graph_that_finds_too_little_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "EXACT", 100)
    monkeypatch.setattr(vectors, "RECALL", 1.1)
    stored = store(tmp_path, unit(400, 8))
    assert not stored.graph and not (tmp_path / "papers.usearch").exists()


@pytest.mark.parametrize("first", ["native.usearch()", "native.onnxruntime()"])
def test_both_engines_live_in_one_process(first: str) -> None:
    pytest.importorskip("onnxruntime")
    from pressmark.index import embed

    if embed.minilm() is None:
        pytest.skip("the model's wheels are not installed")
    code = (
        f"from pressmark.index import native, embed; {first}; native.usearch()\n"
        "vector = embed.Onnx(embed.minilm(), threads=1).query('heron')\n"
        "print(len(vector))"
    )
    cli = Path(vectors.__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(cli)}
    )
    assert (done.returncode, done.stdout.strip()) == (0, "384"), done.stderr


def test_the_runtime_reports_to_nobody(tmp_path: Path) -> None:
    """onnxruntime 1.32 keeps an id of the device and sends events unless it is told not to."""
    pytest.importorskip("onnxruntime")
    code = "from pressmark.index import native; native.onnxruntime().SessionOptions()"
    env = {"HOME": str(tmp_path), "PYTHONPATH": str(Path(vectors.__file__).resolve().parents[2])}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    assert list(tmp_path.iterdir()) == []
