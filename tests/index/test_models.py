"""Models of the user's own: a folder, a server, a cross-encoder, and changing one for another."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from double import Double, Reply, Seen
from index import tinyonnx
from index.shelf import FIELD, reopen, shelf
from pressmark import find, index
from pressmark.errors import Configuration, PressmarkError
from pressmark.index import embed, endpoint
from pressmark.index.rerank import CrossEncoder
from pressmark.library import Library

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("tokenizers", reason="tokenizers is not installed")


def own(library: Library, **changes: object) -> Library:
    """The same library with other settings of the user's."""
    return Library(library.root, replace(library.config, **changes))  # type: ignore[arg-type]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return shelf(tmp_path / "lib", FIELD)


class TestFolder:
    def test_a_folder_of_the_users_is_a_model(self, library: Library, tmp_path: Path) -> None:
        model = str(tinyonnx.folder(tmp_path / "m", tinyonnx.embedder()))
        library = own(library, model=model)
        said = index.build(library)
        assert said["semantic"] == "on" and said["model"].startswith("local-")
        hit = find.find(library, "importance of links").hits[0]
        assert (hit.key, hit.ranks["meaning"]) == ("page1999pagerank", 1)

    def test_another_model_makes_every_vector_anew_and_says_so(
        self, library: Library, tmp_path: Path
    ) -> None:
        one = str(tinyonnx.folder(tmp_path / "one", tinyonnx.embedder()))
        other = str(tinyonnx.folder(tmp_path / "other", tinyonnx.embedder(size=8, turn=1)))
        first = index.build(own(library, model=one))
        assert first["replaced_model"] is None
        changed = own(library, model=other)
        before = find.find(changed, "importance of links")
        assert before.semantic == "off" and before.next == "pressmark index"
        said = index.build(changed)
        assert said["replaced_model"] == first["model"] != said["model"]
        assert said["counts"]["papers_embedded"] == 5
        assert find.find(changed, "importance of links").semantic == "on"
        again = index.build(changed)
        assert (again["replaced_model"], again["id"]) == (None, said["id"])

    def test_a_folder_that_is_changed_is_another_model(
        self, library: Library, tmp_path: Path
    ) -> None:
        path = tinyonnx.folder(tmp_path / "m", tinyonnx.embedder())
        first = index.build(own(library, model=str(path)))["model"]
        tinyonnx.folder(path, tinyonnx.embedder(turn=3))
        library = own(library, model=str(path))
        assert find.find(library, "links").semantic == "off"
        assert index.build(library)["model"] != first

    def test_a_folder_without_its_files_is_said(self, library: Library, tmp_path: Path) -> None:
        (tmp_path / "m").mkdir()
        library = own(library, model=str(tmp_path / "m"))
        found = find.find(library, "attention")
        assert (found.hits[0].key, found.semantic) == ("vaswani2017attention", "off")
        with pytest.raises(Configuration, match=r"model\.onnx"):
            index.build(library)
        assert find.find(library, "attention").hits

    def test_a_folder_with_something_else_in_it_is_said(
        self, library: Library, tmp_path: Path
    ) -> None:
        library = own(library, model=str(tinyonnx.folder(tmp_path / "m", b"no model")))
        with pytest.raises(Configuration, match="onnxruntime"):
            index.build(library)


def vector(text: str) -> list[float]:
    words = text.lower().replace(".", " ").replace("|", " ").split()
    return [float(words.count(word)) for word in tinyonnx.WORDS[1:]] + [0.5]


def ollama(seen: Seen) -> Reply:
    asked = json.loads(seen.body)
    return Reply(
        200, json.dumps({"embeddings": [vector(text) for text in asked["input"]]}).encode()
    )


def openai(seen: Seen) -> Reply:
    asked = json.loads(seen.body)
    data = [{"index": n, "embedding": vector(text)} for n, text in enumerate(asked["input"])]
    return Reply(200, json.dumps({"data": data[::-1]}).encode())


class TestServer:
    def test_ollama_in_batches(self, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(endpoint, "BATCH", 2)
        with Double([("/api/embed", ollama)]) as double:
            library = own(library, model="ollama:tiny", model_endpoint=double.base_url)
            said = index.build(library)
            assert said["semantic"] == "on" and said["model"].startswith("ollama:tiny@")
            asked = [json.loads(each.body) for each in double.requests]
            assert {each["model"] for each in asked} == {"tiny"}
            assert max(len(each["input"]) for each in asked) == 2
            assert "authorization" not in double.requests[0].headers
            hit = find.find(library, "importance of links").hits[0]
            assert (hit.key, hit.ranks["meaning"]) == ("page1999pagerank", 1)

    def test_openai_with_a_key_and_answers_in_any_order(self, library: Library) -> None:
        with Double([("/v1/embeddings", openai)]) as double:
            library = own(
                library, model="openai:small", model_endpoint=f"{double.base_url}/v1/",
                keys={"models": "secret-key"},
            )  # fmt: skip
            index.build(library)
            assert double.requests[0].headers["authorization"] == "Bearer secret-key"
            hit = find.find(library, "importance of links").hits[0]
            assert (hit.key, hit.ranks["meaning"]) == ("page1999pagerank", 1)

    def test_vectors_are_asked_for_once(self, library: Library) -> None:
        with Double([("/api/embed", ollama)]) as double:
            library = own(library, model="ollama:tiny", model_endpoint=double.base_url)
            index.build(library)
            before = len(double.requests)
            index.build(library, rebuild=True)
            texts = [t for each in double.requests[before:] for t in json.loads(each.body)["input"]]
            assert texts in ([], ["dimension"])

    def test_a_server_that_is_down_leaves_words(self, library: Library) -> None:
        with Double([("/api/embed", ollama)]) as double:
            library = own(library, model="ollama:tiny", model_endpoint=double.base_url)
            index.build(library)
            url = double.base_url
        found = find.find(own(library, model_endpoint=url), "attention")
        assert found.hits[0].key == "vaswani2017attention"
        assert "Ranked by words alone." in found.warnings[0]
        assert (found.semantic, found.channels["meaning"]) == ("off", None)

    def test_with_the_network_off_nobody_is_asked(self, library: Library) -> None:
        with Double([("/api/embed", ollama)]) as double:
            library = own(library, model="ollama:tiny", model_endpoint=double.base_url)
            index.build(library)
            before = len(double.requests)
            found = find.find(own(library, offline=True), "attention")
            assert found.hits[0].key == "vaswani2017attention"
            assert "Ranked by words alone." in found.warnings[0]
            assert len(double.requests) == before

    @pytest.mark.parametrize(
        "body", [b"", b"[]", b"{}", b'{"embeddings": []}', b'{"embeddings": [["x"]]}',
                 b'{"embeddings": [[1e999, 1]]}', b'{"embeddings": [[]]}', b"<html>"],
    )  # fmt: skip
    def test_an_answer_of_another_shape_is_said_and_words_are_kept(
        self, library: Library, body: bytes
    ) -> None:
        with Double([("/api/embed", Reply(200, body))]) as double:
            library = own(library, model="ollama:tiny", model_endpoint=double.base_url)
            with pytest.raises(PressmarkError, match="embedding server"):
                index.build(library)
            assert find.find(library, "attention").hits[0].key == "vaswani2017attention"

    def test_what_a_setting_may_say(self) -> None:
        assert endpoint.parse("minilm", None) is endpoint.parse("/a/folder", None) is None
        made = endpoint.parse("ollama:all-minilm:22m", None)
        assert made is not None and made.address == endpoint.OLLAMA
        assert (made.model, made.id) == ("all-minilm:22m", "ollama:all-minilm:22m")
        for name, address in (("ollama:", None), ("openai:x", None), ("ollama:x", "ftp://x")):
            with pytest.raises(Configuration):
                endpoint.parse(name, address)


class TestReranker:
    @pytest.fixture
    def model(self, tmp_path: Path) -> Path:
        return tinyonnx.folder(tmp_path / "reranker", tinyonnx.cross_encoder())

    def test_it_reads_question_and_text_together(self, model: Path) -> None:
        made = CrossEncoder(model)
        scores = made.scores("river heron", ["heron river river", "a heron", "the web", ""])
        assert scores == pytest.approx([1 / (1 + 2.718281828**-x) for x in (2, 0, -1, -1)], 1e-6)
        assert made.id.startswith("reranker-")

    def test_it_is_a_channel_of_its_own(self, library: Library, model: Path) -> None:
        plain = find.find(library, "long text memory", explain=True)
        library = own(library, reranker=model)
        found = find.find(library, "long text memory", explain=True)
        assert plain.channels["rerank"] is None and found.channels["rerank"]
        first = found.hits[0]
        assert first.key == "hochreiter1997long" and first.ranks["rerank"] == 1
        assert 0 < first.scores["rerank"] < 1
        assert "rerank" not in plain.hits[0].ranks

    def test_citations_start_from_what_it_puts_first(self, library: Library, model: Path) -> None:
        found = find.find(own(library, reranker=model), "text")
        assert found.hits[0].key == "devlin2019bert"
        assert "graph" in {name for hit in found.hits for name in hit.ranks}

    def test_its_weight_is_a_setting(self, library: Library, model: Path) -> None:
        library = own(library, reranker=model, weights={"rerank": 0.0})
        assert find.find(library, "text").channels["rerank"] is None

    @pytest.mark.parametrize("damage", ["gone", "no model", "another model"])
    def test_without_it_nothing_is_reranked_and_that_is_said(
        self, library: Library, model: Path, damage: str
    ) -> None:
        if damage == "gone":
            shutil.rmtree(model)
        else:
            data = b"no model" if damage == "no model" else tinyonnx.embedder()
            (model / "model.onnx").write_bytes(data)
        found = find.find(own(library, reranker=model), "attention")
        assert found.hits[0].key == "vaswani2017attention"
        assert "Nothing was reranked." in found.warnings[0]


def test_a_model_whose_hash_differs_is_refused(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tinyonnx.folder(tmp_path / "m", tinyonnx.embedder())
    model = embed.Model("m", path / "model.onnx", path / "tokenizer.json", "0" * 64, None)
    monkeypatch.setattr(embed, "minilm", lambda: model)
    library = own(library, model="minilm")
    with pytest.raises(Configuration, match="not the published file"):
        index.build(library)
    found = find.find(reopen(library.root, model="minilm"), "attention")
    assert (found.hits[0].key, found.semantic) == ("vaswani2017attention", "off")


def test_texts_are_near_each_other_by_meaning(library: Library, tmp_path: Path) -> None:
    model = str(tinyonnx.folder(tmp_path / "m", tinyonnx.embedder()))
    found = find.relevance(
        own(library, model=model), ["heron", "web page"], ["the web", "heron", ""]
    )
    assert [(each.by, each.target) for each in found] == [
        ("meaning", 1),
        ("meaning", 0),
        ("meaning", 0),
    ]
    assert [each.score for each in found] == pytest.approx([0.5, 1.0, 0.0], abs=1e-3)
