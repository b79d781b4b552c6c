"""Reading lists: filled by any identifier, a bad one rejected and the rest in, one commit."""

from __future__ import annotations

import pytest

from pressmark.errors import BadInput, NotFound
from pressmark.library import Library
from pressmark.record import Paper
from pressmark.topics.collecting import collect, collection, members, new_collection, uncollect

from .conftest import subjects


@pytest.fixture
def held(library: Library) -> Library:
    library.add([
        Paper(title="On weirs", authors=("Bryl, T.",), published="2019", doi="10.5555/w.1",
              sources=("file:1",)),
        Paper(title="On sluices", authors=("Bryl, T.",), published="2020", arxiv="9801.00077",
              sources=("file:2",)),
    ])  # fmt: skip
    return library


def test_a_list_is_begun_and_a_second_one_of_its_name_is_refused(library: Library) -> None:
    assert new_collection(library, "Thesis, chapter 2").slug == "thesis-chapter-2"
    assert subjects(library)[0] == "collection: Thesis, chapter 2"
    with pytest.raises(BadInput, match="already"):
        new_collection(library, "thesis chapter 2")
    with pytest.raises(BadInput, match="needs a name"):
        new_collection(library, "  ")


def test_a_bad_word_is_rejected_and_the_rest_go_in(held: Library) -> None:
    done = collect(held, "thesis", ["10.5555/W.1", "10.5555/none", "arXiv:9801.00077v2", ""])
    assert done.keys == ("bryl2019weirs", "bryl2020sluices")
    assert [word for word, _ in done.rejected] == ["10.5555/none", ""]
    assert "no reference" in done.rejected[0][1]
    assert collection(held, "Thesis").members == ("bryl2019weirs", "bryl2020sluices")
    assert subjects(held)[0] == "collection: add: bryl2019weirs, bryl2020sluices (thesis)"


def test_a_paper_in_two_lists_is_stored_once(held: Library) -> None:
    collect(held, "one", ["bryl2019weirs"])
    collect(held, "two", ["bryl2019weirs"])
    assert held.catalogue.count() == 2
    assert [len(each.members) for each in held.collections()] == [1, 1]


def test_a_list_answers_to_its_title(held: Library) -> None:
    collect(held, "Thesis, chapter 2", ["bryl2019weirs"])
    assert collection(held, "Thesis, chapter 2").slug == "thesis-chapter-2"
    assert uncollect(held, "thesis, Chapter 2", ["bryl2019weirs"]).keys == ("bryl2019weirs",)
    with pytest.raises(NotFound, match=r"There is no collection chapter 2 \("):
        collection(held, "chapter 2")


def test_a_second_time_changes_nothing(held: Library) -> None:
    collect(held, "one", ["bryl2019weirs"])
    again = collect(held, "one", ["doi:10.5555/w.1"])
    assert again.keys == ("bryl2019weirs",) and again.outcome.commit is None


def test_references_are_taken_out_by_any_identifier(held: Library) -> None:
    collect(held, "one", ["bryl2019weirs", "bryl2020sluices"])
    done = uncollect(held, "one", ["https://doi.org/10.5555/w.1", "nothing"])
    assert done.keys == ("bryl2019weirs",) and [w for w, _ in done.rejected] == ["nothing"]
    assert collection(held, "one").members == ("bryl2020sluices",)
    assert held.catalogue.count() == 2


def test_a_member_whose_reference_is_gone_is_shown_and_can_go_too(held: Library) -> None:
    collect(held, "one", ["bryl2019weirs", "bryl2020sluices"])
    (held.root / held.path("bryl2019weirs")).unlink()
    held.refresh()
    found, missing = members(held, collection(held, "one"))
    assert ([ref.key for ref in found], missing) == (["bryl2020sluices"], ["bryl2019weirs"])
    assert uncollect(held, "one", ["bryl2019weirs"]).keys == ("bryl2019weirs",)


def test_a_list_that_is_not_there_is_named(held: Library) -> None:
    with pytest.raises(NotFound, match="no collection one \\(collections: none yet\\)"):
        uncollect(held, "one", ["bryl2019weirs"])
