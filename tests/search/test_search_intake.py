"""What `add` is given: which files count, what can be no title, and a held paper filed again."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark import ids
from pressmark.errors import (
    Ambiguous,
    BadInput,
    FormatMissing,
    NotFound,
    Offline,
    SourceDown,
    TooLarge,
)
from pressmark.fulltext import Extracted
from pressmark.record import Paper, Reference, merge
from pressmark.search import documents, intake
from pressmark.search.documents import Document

HELD = Reference(
    key="reed2001book", title="A Book of Reeds", authors=("Reed, A.",), published="2001",
    doi="10.5555/reeds.1", isbn=("9780306406157",), stage="candidate", tags=("wet",),
    sources=("crossref:10.5555/reeds.1 2026-01-02",), cites=("doi:10.5555/x.2",), body="\nMine.\n",
)  # fmt: skip


def test_a_folder_is_its_readable_files_sorted_without_hidden_ones_and_links(
    tmp_path: Path,
) -> None:
    for name in ("b/two.json", "a.PDF", "c.txt", ".hidden/x.pdf", "b/.y.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "link.json").symlink_to(tmp_path / "b/two.json")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert intake.files(tmp_path) == [tmp_path / "a.PDF", tmp_path / "b/two.json"]
    assert intake.files(tmp_path / "c.txt") == [tmp_path / "c.txt"]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NotFound, match="holds no file that can be read"):
        intake.files(empty)


@pytest.mark.parametrize("word", ["12345", " 7 ", "https://example.org/a", "HTTP://x.invalid"])
def test_what_can_be_no_title_is_refused(word: str) -> None:
    with pytest.raises(BadInput):
        intake.refuse(word)


@pytest.mark.parametrize("word", ["paper.pdf", "refs/all.json", "x.PDF"])
def test_a_file_that_is_not_there_is_no_title(word: str) -> None:
    with pytest.raises(NotFound):
        intake.refuse(word)


@pytest.mark.parametrize("word", ["A title: with 3 parts", "On https and http", "No. 7"])
def test_what_may_be_a_title_is_let_through(word: str) -> None:
    intake.refuse(word)


def test_a_held_reference_filed_again_learns_nothing() -> None:
    paper = intake.as_paper(HELD)
    assert set(ids.identities(paper)) == set(ids.identities(HELD))
    assert merge(HELD, paper) == HELD


def document(title: str, *identifiers: str) -> Document:
    found = Extracted(format="pdf", title=title, identifiers=identifiers, opening=title)
    return Document(Path("p.pdf"), b"%PDF-", found)


def known(**titles: str) -> dict[str, Paper]:
    return {f"10.5555/{name}": Paper(title=title) for name, title in titles.items()}


def look(papers: dict[str, Paper]):  # type: ignore[no-untyped-def]
    def by_identifier(identifier: ids.Identifier) -> Paper:
        if identifier.value not in papers:
            raise NotFound(f"no {identifier}")
        return papers[identifier.value]

    return by_identifier


def nobody(title: str) -> Paper:
    raise NotFound(f"No source has {title}.")


def test_the_identifier_whose_title_is_the_documents_own_is_taken() -> None:
    papers = known(a="Quite Another Work Altogether", b="The Tides of Three Old Harbours")
    mine = document("The Tides of Three Old Harbours", "doi:10.5555/a", "doi:10.5555/b")
    assert documents.identify(mine, look(papers), nobody) == (papers["10.5555/b"], mine)


def test_a_title_is_asked_for_only_where_no_identifier_fits() -> None:
    asked: list[str] = []

    def by_title(title: str) -> Paper:
        asked.append(title)
        return Paper(title=title)

    mine = document("The Tides of Three Old Harbours", "doi:10.5555/none")
    assert documents.identify(mine, look({}), by_title)[0].title == mine.found.title
    assert asked == ["The Tides of Three Old Harbours"]
    papers = known(b="The Tides of Three Old Harbours")
    documents.identify(document(mine.found.title, "doi:10.5555/b"), look(papers), by_title)
    assert len(asked) == 1


def test_a_document_of_a_list_of_papers_is_none_of_them() -> None:
    names = [f"doi:10.5555/p{n}" for n in range(20)]
    asked: list[str] = []

    def by_identifier(identifier: ids.Identifier) -> Paper:
        asked.append(str(identifier))
        return Paper(title="Something Else Entirely, Number Seven")

    mine = replace(document("", *names), path=Path("list.pdf"))
    found, told = documents.identify(mine, by_identifier, nobody)
    assert len(asked) == documents.MOST
    assert (found.title, found.doi) == ("list", None)
    assert told.unknown.startswith(
        "its first page names doi:10.5555/p0, which is 'Something Else Entirely, Number Seven'; "
    )


def test_a_document_that_nobody_knows_is_a_paper_known_by_its_bytes() -> None:
    mine = document("Notes on the Draining of One Marsh", "doi:10.5555/none")
    found, told = documents.identify(mine, look({}), nobody)
    digest = hashlib.sha256(mine.data).hexdigest()
    assert (found.title, found.type) == (mine.found.title, "document")
    assert found.sources == (f"file:{digest}",)
    assert told.unknown == (
        "its first page names doi:10.5555/none, which no source knows; no source knows its title"
    )
    other, _ = documents.identify(
        mine, look({}), lambda _: Paper(title="The Tides of Three Harbours")
    )
    assert other == found


def test_offline_and_where_several_could_be_meant_it_is_a_paper_of_its_own_too() -> None:
    def off(_: object) -> Paper:
        raise Offline("The network is off.")

    def several(_: str) -> Paper:
        raise Ambiguous("It could be 2 papers.", ("doi:10.5555/a", "arxiv:2001.00001"))

    mine = document("Notes on the Draining of One Marsh", "doi:10.5555/a")
    assert documents.identify(mine, off, off)[1].unknown == (
        "its first page names doi:10.5555/a; the network is off"
    )
    bare = document("Notes on the Draining of One Marsh")
    assert documents.identify(bare, off, off)[1].unknown == "the network is off"
    assert documents.identify(bare, off, several)[1].unknown == (
        "its title could be doi:10.5555/a or arxiv:2001.00001"
    )
    down = SourceDown("Crossref is down.")

    def failing(_: object) -> Paper:
        raise down

    with pytest.raises(SourceDown):  # it may know tomorrow
        documents.identify(mine, failing, failing)


@pytest.mark.parametrize(
    ("shown", "name", "title"),
    [
        ("Notes on One Marsh", "x.pdf", "Notes on One Marsh"),
        ("Bad Medicine", "x.pdf", "Bad Medicine"),
        ("Scan 12", "Smith_2019_Salt+marshes (1).pdf", "Smith 2019 Salt marshes"),
        ("", "smith-2019-salt-marshes.pdf", "smith 2019 salt marshes"),
        ("", "Salt marsh - a p-value story copy 2.pdf", "Salt marsh - a p-value story"),
        ("", "Salt%20marsh%20drainage.pdf", "Salt marsh drainage"),
        ("", "1706.03762v5.pdf", "1706.03762v5"),
        ("", "(1).pdf", "(1)"),
        ("", "\u202e.pdf", "Untitled document"),
    ],
)  # fmt: skip
def test_the_title_is_the_first_pages_else_the_files_name_cleaned_up(
    shown: str, name: str, title: str
) -> None:
    mine = replace(document(shown), path=Path(name))
    assert documents.identify(mine, look({}), nobody)[0].title == title


def test_a_file_that_is_called_by_an_identifier_is_checked_against_its_page() -> None:
    paper = Paper(title="Notes on the Draining of One Marsh")
    mine = document("Notes on the Draining of One Marsh")
    for name in ("10.5555_marsh.1.pdf", "doi 10.5555_marsh.1.pdf"):
        called = replace(mine, path=Path(name))
        assert documents.identify(called, look({"10.5555/marsh.1": paper}), nobody)[0] is paper
    other = {"10.5555/marsh.1": Paper(title="Quite Another Work Altogether")}
    called = replace(mine, path=Path("10.5555_marsh.1.pdf"))
    assert documents.identify(called, look(other), nobody)[0].title == mine.found.title


@pytest.mark.parametrize(
    ("stated", "authors"),
    [
        ("Ines Aldermoor and Tomasz Bryl", ("Aldermoor, Ines", "Bryl, Tomasz")),
        ("Ines Aldermoor; Tomasz Bryl", ("Aldermoor, Ines", "Bryl, Tomasz")),
        ("Ines Aldermoor, Hugo Farrow", ()),  # one of them is not on the page
        ("Aldermoor, Ines", ()),
        ("admin", ()),
        ("", ()),
    ],
)
def test_authors_only_when_the_first_page_shows_every_one(
    stated: str, authors: tuple[str, ...]
) -> None:
    mine = document("Notes on One Marsh")
    page = "Notes on One Marsh Ines Aldermoor, Tomasz Bryl Abstract Marshes drain."
    mine = replace(mine, found=replace(mine.found, author=stated, opening=page))
    assert documents.identify(mine, look({}), nobody)[0].authors == authors


def test_what_is_no_pdf_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        documents.load(tmp_path / "none.pdf")
    with pytest.raises(BadInput, match="cannot be read"):
        documents.load(tmp_path)
    (tmp_path / "x.pdf").write_bytes(b"text")
    with pytest.raises(FormatMissing, match=r"x.pdf does not say which paper it is"):
        documents.load(tmp_path / "x.pdf")
    monkeypatch.setattr(documents, "LARGEST", 3)
    with pytest.raises(TooLarge):
        documents.load(tmp_path / "x.pdf")
