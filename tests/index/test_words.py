"""What every engine of words does: ranking, masks, ties, odd questions, updates, damage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from pressmark.errors import Integrity
from pressmark.index import engines
from pressmark.index.ports import Document, Segment, Words
from pressmark.index.segments import Part, SegmentWriter
from pressmark.index.words import MOST_TERMS, SegmentedWords

Build = Callable[[Iterable[Document]], Words]

HERONS = (
    Document(1, 10, "The heron waits in the shallows | birds", "Grey Fisher"),
    Document(2, 11, "A study of rivers and their fish | rivers rivers rivers"),
    Document(3, 12, "Herons and herons again: a heron census of rivers", "Young"),
    Document(4, 12, "Young herons leave the nest"),
    Document(5, 13, "Über die Gänse am Ufer"),
    Document(6, 14, "注意力机制 attention"),
)


def write(folder: Path, name: str, documents: Iterable[Document]) -> Segment:
    writer = SegmentWriter(folder, name)
    for document in documents:
        writer.add(document)
    return writer.finish()


@pytest.fixture(params=["whoosh", "tantivy"])
def engine(request: pytest.FixtureRequest) -> str:
    """Each of the engines; what is asked of one is asked of the other."""
    if request.param == "tantivy":
        pytest.importorskip("tantivy", reason="tantivy is not installed")
    return str(request.param)


@pytest.fixture
def build(engine: str, tmp_path: Path) -> Build:
    """Makes an index of documents."""

    def make(documents: Iterable[Document]) -> Words:
        return made(engine, tmp_path, documents)

    return make


def made(engine: str, folder: Path, documents: Iterable[Document]) -> Words:
    writer = engines.extending(engine, folder, (), (), (), 0)
    for document in documents:
        writer.add(document)
    return engines.opened(engine, folder, writer.finish(), ())


def rows(words: Words, question: str, limit: int = 10, **options: object) -> list[int]:
    return [
        hit.row
        for hit in words.search(words.analyser.bag(question), limit, **options)  # type: ignore[arg-type]
    ]


def test_the_best_document_of_each_owner_best_first(build: Build) -> None:
    words = build(HERONS)
    found = words.search(words.analyser.bag("heron"), 10)
    assert [(hit.row, hit.owner) for hit in found] == [(3, 12), (1, 10)]
    assert found[0].score > found[1].score > 0


def test_each_gives_every_document(build: Build) -> None:
    assert rows(build(HERONS), "heron", each=True) == [3, 1, 4]


def test_any_word_will_do_and_more_words_are_better(build: Build) -> None:
    assert rows(build(HERONS), "herons of rivers") == [3, 2, 1]


def test_a_word_that_is_asked_twice_counts_twice(build: Build) -> None:
    words = build(HERONS)
    once = words.search({"river": 1}, 1)[0].score
    assert words.search({"river": 2}, 1)[0].score == pytest.approx(2 * once)


def test_accents_and_case_do_not_matter(build: Build) -> None:
    words = build(HERONS)
    assert rows(words, "GANSE") == rows(words, "gänse") == rows(words, "Ga\u0308nse") == [5]


def test_scripts_without_blanks(build: Build) -> None:
    words = build(HERONS)
    assert rows(words, "注意") == rows(words, "机制") == [6]


def test_an_author_is_found_by_name(build: Build) -> None:
    assert rows(build(HERONS), "Fisher") == [1]


def test_a_name_that_is_rather_a_word_counts_little_as_a_name(build: Build) -> None:
    words = build(
        [
            *(Document(n, n, "young birds in spring") for n in range(1, 20)),
            Document(20, 20, "old birds in autumn", "Young"),
            Document(21, 21, "the young, the young and the young"),
        ]
    )
    found = rows(words, "young")
    assert found[0] == 21
    assert 20 not in found[:20]


@pytest.mark.parametrize("question", ["", "   ", "?!…", "the of and", "zebra", "\ud800", "\0"])
def test_questions_without_a_known_word_find_nothing(build: Build, question: str) -> None:
    assert rows(build(HERONS), question) == []


def test_a_question_of_fifty_thousand_characters(build: Build) -> None:
    noise = " ".join(f"w{n}" for n in range(7000))
    assert rows(build(HERONS), f"{noise} heron heron")[0] == 3


def test_a_long_question_keeps_the_terms_that_tell_most(build: Build) -> None:
    many = [f"w{n}" for n in range(2 * MOST_TERMS)]
    documents = [Document(n, n, " ".join(many)) for n in range(1, 6)]
    words = build([*documents, Document(9, 9, "rare")])
    assert 9 in rows(words, " ".join([*many, "rare"]), each=True)


def test_a_mask_counts_only_allowed_owners(build: Build) -> None:
    words = build(HERONS)
    assert rows(words, "heron rivers", allowed={10, 11}) == [2, 1]
    assert rows(words, "heron", allowed=range(11, 13)) == [3]
    assert rows(words, "heron", allowed=()) == []
    assert rows(words, "heron", 1, allowed={10}) == [1]


def test_all_that_tie_with_the_last_are_given(build: Build) -> None:
    words = build([Document(n, n, "the same heron") for n in range(1, 8)])
    assert rows(words, "heron", 3) == [1, 2, 3, 4, 5, 6, 7]
    assert rows(words, "heron", 0) == []


def test_the_limit_counts_owners_however_many_documents_they_have(build: Build) -> None:
    many = [Document(n, 1, "heron heron heron") for n in range(1, 50)]
    words = build([*many, Document(50, 2, "a heron by the long river of the north")])
    assert [hit.owner for hit in words.search({"heron": 1}, 2)] == [1, 2]


def test_an_empty_index(build: Build) -> None:
    words = build([])
    assert rows(words, "heron") == []
    assert (words.count(), words.weight("heron")) == (0, 0.0)


def test_rare_words_weigh_more(build: Build) -> None:
    words = build(HERONS)
    assert words.weight("shallow") > words.weight("heron") > 0 == words.weight("zebra")
    assert words.count() == 6


def corpus(count: int, seed: int = 7) -> list[Document]:
    chance = random.Random(seed)
    vocabulary = [f"w{n}" for n in range(300)]
    weights = [1 / (n + 1) for n in range(300)]
    return [
        Document(
            row, row // 2, " ".join(chance.choices(vocabulary, weights, k=chance.randrange(1, 60))),
            f"Name{row % 7}",
        )
        for row in range(1, count)
    ]  # fmt: skip


def scores(words: Words, question: str) -> list[tuple[int, float]]:
    found = words.search(words.analyser.bag(question), 1000, each=True)
    return [(hit.row, hit.score) for hit in found]


QUESTIONS = ("w0", "w1 w5 w50", "w200 w0 w0", "name3 w4", "w299")


def test_compounds_are_found_in_every_spelling(build: Build) -> None:
    words = build([
        Document(1, 1, "IL-6 in T-cell lines"), Document(2, 2, "levels of IL6"),
        Document(3, 3, "state-of-the-art results"),
    ])  # fmt: skip
    assert set(rows(words, "IL-6")) == set(rows(words, "il6")) == {1, 2}
    assert rows(words, "t-cell") == rows(words, "cell") == [1]
    assert rows(words, "state of the art") == rows(words, "art") == [3]


def test_names_are_a_field_of_their_own(build: Build) -> None:
    words = build([Document(1, 1, "river birds", "Šimić"), Document(2, 2, "Simic on birds")])
    assert rows(words, "simic") == rows(words, "Šimić") == [2, 1]
    assert words.phrase(["simic"]) == {2}


def test_a_phrase_is_terms_in_a_row(build: Build) -> None:
    words = build([
        Document(1, 1, "the deep river bends"), Document(2, 2, "a river so deep"),
        Document(3, 3, "deep rivers"), Document(4, 4, "deep, and then another river; deep rivers"),
    ])  # fmt: skip
    terms = words.analyser.terms
    assert words.phrase(terms("deep river")) == {1, 3, 4}
    assert words.phrase(terms("river so deep")) == {2, 4}
    assert words.phrase(terms("deep bends")) == set()
    assert words.phrase(terms("zebra river")) == set()
    assert words.phrase([]) == set()
    assert words.phrase(["river"]) == {1, 2, 3, 4}


def test_a_phrase_in_a_script_without_blanks(build: Build) -> None:
    words = build(HERONS)
    assert words.phrase(words.analyser.terms("注意力")) == {14}
    assert words.phrase(words.analyser.terms("意注")) == set()


def test_terms_that_begin_so(build: Build) -> None:
    words = build(HERONS)
    assert words.starting("her", 10) == ["heron"]
    assert words.starting("s", 2) == ["shallow", "studi"]
    assert words.starting("zzz", 10) == words.starting("fisher", 10) == []


def test_both_engines_rank_alike_to_the_last_bit(tmp_path: Path) -> None:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    documents = corpus(3000)
    for name in ("whoosh", "tantivy"):
        (tmp_path / name).mkdir()
    one, other = (made(name, tmp_path / name, documents) for name in ("whoosh", "tantivy"))
    for question in QUESTIONS:
        for options in ({}, {"each": True}, {"allowed": range(50, 400)}, {"allowed": {3, 77, 501}}):
            bag = one.analyser.bag(question)
            assert one.search(bag, 20, **options) == other.search(bag, 20, **options)  # type: ignore[arg-type]
        assert one.weight(question.split()[0]) == other.weight(question.split()[0])


def test_tantivy_brought_up_to_date_ranks_as_one_built_anew(tmp_path: Path) -> None:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    documents = corpus(600)
    old, new, gone = documents[:450], documents[450:], set(range(0, 225, 3))
    for name in ("old", "anew"):
        (tmp_path / name).mkdir()
    made("tantivy", tmp_path / "old", old)
    writer = engines.extending("tantivy", tmp_path / "old", (), (), gone, 0)
    for document in new:
        writer.add(document)
    updated = engines.opened("tantivy", tmp_path / "old", writer.finish(), ())
    anew = made(
        "tantivy", tmp_path / "anew", [d for d in documents if d.owner not in gone or d in new]
    )
    assert updated.count() == anew.count()
    for question in QUESTIONS:
        assert scores(updated, question) == scores(anew, question) != []


@pytest.mark.parametrize("damage", ["cut", "emptied", "flipped", "gone"])
def test_damage_to_tantivys_files_is_named(tmp_path: Path, damage: str) -> None:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    made("tantivy", tmp_path, corpus(300)).close()
    whole = {path: path.read_bytes() for path in tmp_path.iterdir() if path.stat().st_size}
    for path, data in whole.items():
        path.unlink()  # a new file: cutting one that is still mapped would end this process
        if damage != "gone":
            half = len(data) // 2
            flipped = data[:half] + bytes([data[half] ^ 255]) + data[half + 1 :]
            path.write_bytes({"cut": data[:half], "emptied": b"", "flipped": flipped}[damage])
        try:
            words = engines.opened("tantivy", tmp_path, (), ())
            for number in range(40):
                words.search({f"w{number}": 1}, 5)
        except Integrity as error:
            assert "index" in error.message
        path.unlink(missing_ok=True)
        path.write_bytes(data)


def test_an_index_brought_up_to_date_ranks_as_one_built_anew(tmp_path: Path) -> None:
    documents = corpus(400)
    old, new, gone = documents[:300], documents[300:], set(range(1, 300, 3))
    parts = [write(tmp_path, "s1", old), write(tmp_path, "s2", new)]
    updated = SegmentedWords(tmp_path, parts, gone)
    (tmp_path / "anew").mkdir()
    alive = [each for each in documents if each.row not in gone]
    anew = SegmentedWords(tmp_path / "anew", [write(tmp_path / "anew", "s1", alive)])
    assert updated.count() == anew.count() == len(alive)
    for question in QUESTIONS:
        assert scores(updated, question) == scores(anew, question) != []


def test_segments_that_are_taken_together_rank_the_same(tmp_path: Path) -> None:
    documents = corpus(200)
    parts = [write(tmp_path, "s1", documents[:120]), write(tmp_path, "s2", documents[120:])]
    gone = {5, 6, 150}
    before = SegmentedWords(tmp_path, parts, gone)
    writer = SegmentWriter(tmp_path, "s3")
    for part in parts:
        writer.take(Part(tmp_path, part), gone)
    after = SegmentedWords(tmp_path, [writer.finish()])
    assert after.count() == before.count()
    for question in QUESTIONS:
        assert scores(after, question) == scores(before, question) != []


def test_the_same_documents_make_the_same_bytes(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        write(folder, "s1", corpus(300))
    one, other = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in folders)
    assert one == other
    assert set(one) == {"s1.docs", "s1.terms", "words_s1.pst", "words_s1.trm"}


def test_scores_are_those_of_bm25(tmp_path: Path) -> None:
    documents = [
        Document(1, 1, "heron heron river"),
        Document(2, 2, "river"),
        Document(3, 3, "nest"),
    ]
    words = SegmentedWords(tmp_path, [write(tmp_path, "s1", documents)])
    # idf = ln(1 + (3 - 1 + .5) / (1 + .5)); tf part = 2 * 2.5 / (2 + 1.5 * (.25 + .75 * 3 / (5/3)))
    assert words.search({"heron": 1}, 1)[0].score == pytest.approx(0.980829 * 5 / 4.4, rel=1e-5)


@pytest.mark.parametrize("name", ["s1.docs", "s1.terms", "words_s1.pst", "words_s1.trm"])
@pytest.mark.parametrize("damage", ["cut", "emptied", "zeroed", "gone"])
def test_damage_is_named_and_never_another_error(tmp_path: Path, name: str, damage: str) -> None:
    segment = write(tmp_path, "s1", corpus(300))
    path = tmp_path / name
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(
            {"cut": data[: len(data) // 2], "emptied": b"", "zeroed": bytes(len(data))}[damage]
        )
    try:
        words = SegmentedWords(tmp_path, [segment])
        for number in range(300):
            words.search({f"w{number}": 1}, 5)
        words.phrase(["w0", "w1"])
    except Integrity as error:
        assert "index" in error.message
    else:  # zeroed lengths and rows are read as such: it is `trust` that keeps them out
        assert damage == "zeroed" and name != "words_s1.pst"


def test_counts_above_a_byte_survive(tmp_path: Path) -> None:
    words = SegmentedWords(
        tmp_path,
        [write(tmp_path, "s1", [Document(1, 1, "heron " * 70_000), Document(2, 2, "heron")])],
    )
    assert [hit.row for hit in words.search(Counter({"heron": 1}), 5)] == [1, 2]


def test_many_documents_of_one_term_fill_several_blocks(tmp_path: Path) -> None:
    documents: Sequence[Document] = [Document(n, n, "heron " * (n % 5 + 1)) for n in range(1, 1000)]
    words = SegmentedWords(tmp_path, [write(tmp_path, "s1", documents)])
    assert len(words.search({"heron": 1}, 2000)) == 999
