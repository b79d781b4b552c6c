"""Opening a library and asking it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pressmark.catalogue import filters
from pressmark.config import load
from pressmark.errors import Ambiguous, BadInput, NotFound, Unreadable
from pressmark.library import Library
from pressmark.record import Collection, FullText, Note, Paper, Topic, Vocabulary

from .conftest import Git, reopen


@pytest.fixture
def held(library: Library) -> Library:
    """Three references, one of them a candidate."""
    library.add(
        [
            Paper(title="Deep learning", authors=("LeCun, Yann",), published="2015",
                  doi="10.1000/deep", sources=("crossref:10.1000/deep 2026-01-01",)),
            Paper(title="Deep residual learning", authors=("LeCun, Yann",), published="2015",
                  url="https://example.org/resnet/", sources=("bibtex:r",), key_hint="LeCun2015b"),
        ]
    )  # fmt: skip
    library.add(
        [Paper(title="Graphs", published="2020", arxiv="2001.00001",
               sources=("arxiv:2001.00001 2026-01-01",))],
        stage="candidate",
    )  # fmt: skip
    return library


def test_it_is_found_from_any_folder_below(held: Library) -> None:
    below = held.root / "library" / "2015"
    assert Library.open(below).root == held.root
    assert Library.open(below, load(held.root, os.environ)).catalogue.count() == 3


def test_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        Library.open(tmp_path)
    assert str(caught.value) == f"No library at {tmp_path} or above."
    assert caught.value.next == "pressmark init"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("lecun2015deep", "lecun2015deep"),
        ("LECUN2015DEEP", "lecun2015deep"),
        ("lecun2015b", "LeCun2015b"),
        ("lecun2015d", "lecun2015deep"),
        ("anon", "anon2020graphs"),
        ("https://doi.org/10.1000/DEEP", "lecun2015deep"),
        (" doi:10.1000/deep ", "lecun2015deep"),
        ("http://www.example.org/resnet", "LeCun2015b"),
        ("arxiv:2001.00001v4", "anon2020graphs"),
    ],
)
def test_what_names_a_reference(held: Library, text: str, key: str) -> None:
    assert held.get(text).key == key


def test_several_answers_are_listed(held: Library) -> None:
    with pytest.raises(Ambiguous) as caught:
        held.get("lecun")
    assert caught.value.candidates == ("LeCun2015b", "lecun2015deep")
    assert str(caught.value) == "lecun names 2 references: LeCun2015b, lecun2015deep."


def test_no_answer_comes_with_the_nearest(held: Library) -> None:
    with pytest.raises(NotFound) as caught:
        held.get("lecunn2015deep")
    assert str(caught.value) == "There is no reference 'lecunn2015deep'."
    assert caught.value.next == "did you mean lecun2015deep or LeCun2015b?"
    with pytest.raises(NotFound) as caught:
        held.get("10.1000/nowhere")
    assert caught.value.next == "pressmark add doi:10.1000/nowhere"
    with pytest.raises(NotFound) as caught:
        held.get("zzz nowhere")
    assert caught.value.next == 'pressmark list "zzz nowhere"'
    with pytest.raises(NotFound) as caught:
        held.get(" ")
    assert str(caught.value) == "An empty word names no reference."


def test_an_unreadable_reference_says_where(held: Library) -> None:
    path = held.root / held.path("anon2020graphs")
    path.write_text("---\ntitle: Graphs\npublished: soon\n---\n")
    with pytest.raises(Unreadable) as caught:
        reopen(held.root).get("anon2020graphs")
    assert (caught.value.path, caught.value.line, caught.value.field) == (
        "library/2020/anon2020graphs.md", 3, "published",
    )  # fmt: skip


def test_two_files_with_one_key(held: Library) -> None:
    source = held.root / "library/2015/lecun2015deep.md"
    (held.root / "library/copy").mkdir()
    (held.root / "library/copy/lecun2015deep.md").write_bytes(source.read_bytes())
    with pytest.raises(Ambiguous) as caught:
        reopen(held.root).get("lecun2015deep")
    assert caught.value.candidates == (
        "library/2015/lecun2015deep.md", "library/copy/lecun2015deep.md",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ([], ["anon2020graphs", "LeCun2015b", "lecun2015deep"]),
        (["deep"], ["LeCun2015b", "lecun2015deep"]),
        (["lecun2015deep"], ["lecun2015deep"]),
        (["lecun2015deep", "10.48550/arXiv.2001.00001"], ["anon2020graphs", "lecun2015deep"]),
        (["lecun2015deep", "lecun2015b", "has:doi"], ["lecun2015deep"]),
        (["lecun2015deep", "residual"], []),
        (["year:2015", "-residual"], ["lecun2015deep"]),
        (["stage:candidate"], ["anon2020graphs"]),
    ],
)
def test_select(held: Library, words: list[str], keys: list[str]) -> None:
    assert [each.key for each in held.select(words)] == keys


def test_candidates_are_left_out_unless_asked_for(held: Library) -> None:
    assert [each.key for each in held.select(stage="kept")] == ["LeCun2015b", "lecun2015deep"]
    assert len(held.select(["stage:any"], stage="kept")) == 3
    assert [each.key for each in held.select(["anon2020graphs"], stage="kept")] == [
        "anon2020graphs"
    ]
    assert [each.key for each in held.select(["graphs"], stage="kept")] == []


def test_something_must_be_found_where_it_is_required(held: Library) -> None:
    assert held.keys_of(["deep"]) == ["LeCun2015b", "lecun2015deep"]
    with pytest.raises(NotFound, match="There is no reference 'lecun2015deepp'"):
        held.keys_of(["lecun2015deepp"])
    with pytest.raises(NotFound, match="There is no reference 'lecun2015c'"):
        held.keys_of(["lecun2015deep", "lecun2015c"])
    with pytest.raises(NotFound, match="No reference answers to year:1999 deep"):
        held.keys_of(["year:1999", "deep"])
    with pytest.raises(NotFound, match="There is no collection 'thesis'"):
        held.keys_of(["collection:thesis"])
    with pytest.raises(BadInput, match="There is no filter 'yaer'"):
        held.keys_of(["yaer:1999"])
    for word in ("doi:10.1000/none", "https://arxiv.org/abs/2401.00001", "pmid:1"):
        with pytest.raises(NotFound, match=f"There is no reference '{word}'"):
            held.select([word])


def test_a_question_of_any_length_is_answered_or_refused(held: Library) -> None:
    many = [f"w{n}" for n in range(filters.MOST)]
    for words in (many, [f"tag:{word}" for word in many], [f"tag:{','.join(many)}"]):
        assert held.select(words) == []
        with pytest.raises(BadInput, match="at most 400 words"):
            held.select([*words, "more"])
    every = held.catalogue.keys() * 2_000
    assert len(held.keys_of(every)) == held.catalogue.count()


def test_records_of_every_kind(held: Library) -> None:
    records = [
        Topic(slug="models", title="Models"),
        Collection(slug="thesis", title="Thesis", members=("lecun2015deep",)),
        Vocabulary(slug="heart", title="Heart", terms=("Heart (D006321)",)),
        Note(slug="sub/idea", title="Idea", body="\nText\n"),
        FullText(slug="lecun2015deep.fulltext", reference="lecun2015deep", body="\n# Deep\n"),
    ]
    outcome = held.put(records, "records")
    assert [each.path for each in outcome.changes] == [
        "library/2015/lecun2015deep.fulltext.md",
        "notes/sub/idea.md",
        "topics/collections/thesis.md",
        "topics/models.md",
        "topics/vocabularies/heart.md",
    ]
    found = [*held.topics(), *held.collections(), *held.vocabularies(), *held.notes()]
    assert found == records[:4]
    assert held.fulltext("lecun2015deep") == records[4]
    assert held.fulltext("anon2020graphs") is None
    assert held.artefact("lecun2015deep", "text") == str(
        held.root / "library/2015/lecun2015deep.fulltext.md"
    )
    assert held.artefact("lecun2015deep", "pdf") is None


def test_a_read_only_library_is_read(held: Library, git: Git) -> None:
    assert held.read_page("pressmark.toml") == b"format = 1\n"
    with pytest.raises(NotFound):
        held.read_page("nothing.md")
