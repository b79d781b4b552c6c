"""Documents that are kept, put aside and found again; what undo, rename and remove do to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from articles import jats, latexml
from marshland import Marsh
from test_fulltext_fetch import (
    CLOSED,
    EUROPEPMC,
    HTML,
    KEY,
    PATH,
    PDF,
    XML,
    give,
    printed,
    salt,
)  # fmt: skip

from double import Reply
from pressmark import disk
from pressmark.check import check
from pressmark.fulltext import documents, keeping, shelf, undoing
from pressmark.library import Outcome, Write

STEM = f"library/2024/{KEY}"


def papers(marsh: Marsh, folder: Path) -> Path:
    """A folder of the user's own, named in their configuration."""
    folder.mkdir()
    held = marsh.config.read_text()
    marsh.config.write_text(f'documents = "{folder}"\n{held}')
    return folder


def undo(marsh: Marsh, revision: str | None = None) -> tuple[str, ...]:
    library = marsh.library()
    return undoing.settle(library, library.undo(revision))


def lying(marsh: Marsh) -> list[str]:
    return sorted(path.name for path in (marsh.root / "library").rglob("*") if path.is_file())


def test_a_fetch_never_writes_over_a_document_of_the_users(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    mine = marsh.root / f"{STEM}.pdf"
    mine.write_bytes(b"%PDF-1.4 with my notes in the margin %%EOF")
    marsh.double.routes += [(PDF, Reply(200, printed(), "application/pdf"))]
    item = marsh.fetch(KEY).items[0]
    assert item.warnings == (
        f"Another document lay at {STEM}.pdf; it is kept as {KEY}.old.pdf.",
    )  # fmt: skip
    assert mine.read_bytes() == printed()
    assert mine.with_name(f"{KEY}.old.pdf").read_bytes().endswith(b"in the margin %%EOF")
    assert marsh.git("status", "--porcelain") == ""


def test_what_we_fetched_and_nobody_changed_is_replaced(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(), XML))]
    marsh.fetch(KEY)
    newer = jats(paragraphs=9)
    marsh.double.routes.insert(0, (EUROPEPMC, Reply(200, newer, XML)))
    assert marsh.fetch(KEY, again=True).items[0].warnings == ()
    assert lying(marsh) == [f"{KEY}.fulltext.md", f"{KEY}.md", f"{KEY}.xml"]
    assert (marsh.root / f"{STEM}.xml").read_bytes() == newer
    # What was attached is a copy that nobody may have a second one of.
    give(marsh, printed(), rights="CC BY 4.0")
    give(marsh, printed() + b"\n%%EOF\n", rights="CC BY 4.0")
    assert (marsh.root / f"{STEM}.old.pdf").read_bytes() == printed()


def test_in_a_folder_of_the_users_nothing_is_doubled_and_nothing_overwritten(
    marsh: Marsh, tmp_path: Path
) -> None:
    folder = papers(marsh, tmp_path / "papers")
    marsh.put(salt())
    (folder / "my copy.pdf").write_bytes(printed())
    give(marsh, printed())
    assert [path.name for path in folder.iterdir()] == ["my copy.pdf"]
    (folder / f"{KEY}.pdf").write_bytes(b"another paper")
    give(marsh, printed() + b"\n%%EOF\n")
    assert sorted(path.name for path in folder.iterdir()) == [
        f"{KEY}-2.pdf", f"{KEY}.pdf", "my copy.pdf",
    ]  # fmt: skip
    assert (folder / f"{KEY}.pdf").read_bytes() == b"another paper"


def test_the_pdf_is_found_by_its_hash_in_the_users_folder(marsh: Marsh, tmp_path: Path) -> None:
    folder = papers(marsh, tmp_path / "papers")
    marsh.put(salt(), salt(key="other2024marsh", doi="10.5555/other"))
    give(marsh, printed())
    assert documents.place(marsh.library(), KEY) == folder / f"{KEY}.pdf"
    (folder / "deep").mkdir()
    moved = folder / "deep" / "marsh (read).pdf"
    (folder / f"{KEY}.pdf").rename(moved)
    (folder / "another.pdf").write_bytes(b"%PDF- another")
    assert documents.place(marsh.library(), KEY) == moved
    assert documents.place(marsh.library(), "other2024marsh") is None
    # Marked up by a reader it has another hash, and still the name that we gave it.
    (folder / f"{KEY}.pdf").write_bytes(printed() + b"a highlight")
    moved.unlink()
    assert documents.place(marsh.library(), KEY) == folder / f"{KEY}.pdf"
    beside = marsh.root / f"{STEM}.pdf"
    beside.write_bytes(b"%PDF- beside")
    assert documents.place(marsh.library(), KEY) == beside


def test_check_hashes_the_documents_again(marsh: Marsh) -> None:
    marsh.put(salt())
    give(marsh, printed())
    assert [f.code for f in check(marsh.library(), documents=True)] == []
    (marsh.root / f"{STEM}.pdf").write_bytes(printed() + b"x")
    found = check(marsh.library(), documents=True)
    assert [(f.code, f.severity) for f in found] == [("DOCUMENT", "error")]
    (marsh.root / f"{STEM}.pdf").unlink()
    found = check(marsh.library(), documents=True)
    assert [(f.code, f.severity) for f in found] == [("DOCUMENT", "warning")]


# Undo


def test_undoing_an_attach_puts_the_document_aside_and_undoing_that_brings_it_back(
    marsh: Marsh,
) -> None:
    marsh.put(salt())
    give(marsh, printed(), rights="CC BY 4.0")
    told = undo(marsh)
    assert lying(marsh) == [f"{KEY}.md"]
    digest = disk.sha256(printed())
    place = f".git/pressmark-undone/{KEY}.{digest}.pdf"
    assert told == (
        f"{STEM}.pdf was in no commit: it lies in {place} now; undo this undo to have it back.",
    )
    assert (marsh.root / place).read_bytes() == printed()
    assert undo(marsh, "HEAD") == (f"{STEM}.pdf is back; it is in no commit.",)
    assert lying(marsh) == [f"{KEY}.fulltext.md", f"{KEY}.md", f"{KEY}.pdf"]
    assert not (marsh.root / place).exists()


def test_a_document_that_was_changed_since_stays(marsh: Marsh) -> None:
    marsh.put(salt())
    give(marsh, printed(), rights="CC BY 4.0")
    (marsh.root / f"{STEM}.pdf").write_bytes(printed() + b"a highlight")
    assert undo(marsh) == ()
    assert lying(marsh) == [f"{KEY}.md", f"{KEY}.pdf"]
    assert undo(marsh, "HEAD~2") == (f"{STEM}.pdf is yours and stays: its reference is gone.",)


def test_undoing_a_second_attach_brings_the_first_document_back(marsh: Marsh) -> None:
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(), XML))]
    marsh.fetch(KEY)
    give(marsh, printed(), rights="CC BY 4.0")
    undo(marsh)
    assert lying(marsh) == [f"{KEY}.fulltext.md", f"{KEY}.md", f"{KEY}.xml"]
    assert marsh.read(PATH).fields["format"] == "jats"


def closed(marsh: Marsh) -> None:
    """A reference whose text and document git does not have."""
    marsh.put(salt(pmcid="PMC7000001"))
    marsh.double.routes += [(EUROPEPMC, Reply(200, jats(licence=CLOSED), XML))]
    marsh.fetch(KEY)


def test_a_text_out_of_git_goes_aside_with_its_reference_and_comes_back(marsh: Marsh) -> None:
    closed(marsh)
    text = (marsh.root / PATH).read_bytes()
    first = marsh.git("log", "--format=%H", "--grep=^add: some").split("\n")[-1]
    marsh.git("reset", "-q", "--hard", first)
    assert (marsh.root / PATH).read_bytes() == text
    undo(marsh, first)
    assert lying(marsh) == []
    undo(marsh, "HEAD")
    assert lying(marsh) == [f"{KEY}.fulltext.md", f"{KEY}.md", f"{KEY}.xml"]
    assert (marsh.root / PATH).read_bytes() == text
    assert marsh.git("status", "--porcelain") == ""


def test_an_attach_that_is_in_no_commit_says_so(marsh: Marsh) -> None:
    from pressmark.fulltext import attach

    marsh.put(salt())
    head = marsh.git("rev-parse", "HEAD")
    done = attach(marsh.library(), KEY, printed(), "x.pdf", today="2026-11-30")
    assert marsh.git("rev-parse", "HEAD") == head
    assert done.warnings[-1] == (
        "Its text is in no commit, as its licence is not open: undo does not take it back, "
        f"pressmark remove {KEY} --all does."
    )


# A text without an open licence, whatever becomes of its reference


def test_it_follows_a_rename_and_stays_out_of_git(marsh: Marsh) -> None:
    closed(marsh)
    marsh.library().rename(KEY, "marsh2024salt")
    assert lying(marsh) == ["marsh2024salt.fulltext.md", "marsh2024salt.md", "marsh2024salt.xml"]
    assert marsh.git("ls-files", "library") == "library/2024/marsh2024salt.md"
    assert marsh.git("status", "--porcelain") == ""
    assert marsh.read("library/2024/marsh2024salt.fulltext.md").fields["reference"] == (
        "marsh2024salt"
    )
    undo(marsh)
    assert lying(marsh) == [f"{KEY}.fulltext.md", f"{KEY}.md", f"{KEY}.xml"]
    assert marsh.read(PATH).fields["reference"] == KEY
    assert marsh.git("status", "--porcelain") == ""


def test_a_rename_on_a_branch_takes_no_such_text_there(marsh: Marsh) -> None:
    closed(marsh)
    marsh.library().rename(KEY, "marsh2024salt", write=Write(branch="side"))
    assert marsh.git("ls-tree", "-r", "--name-only", "side", "library") == (
        "library/2024/marsh2024salt.md"
    )
    assert lying(marsh) == [f"{KEY}.fulltext.md", f"{KEY}.md", f"{KEY}.xml"]


def test_it_goes_with_its_reference_and_undo_brings_both_back(marsh: Marsh) -> None:
    closed(marsh)
    text = (marsh.root / PATH).read_bytes()
    assert f"{STEM}.xml is yours and stays." in marsh.library().remove([KEY]).warnings
    assert lying(marsh) == [f"{KEY}.xml"]
    assert undo(marsh) == (f"{PATH} is back; it is in no commit.",)
    assert (marsh.root / PATH).read_bytes() == text


def test_it_goes_alone_and_a_copy_is_kept(marsh: Marsh) -> None:
    closed(marsh)
    text = (marsh.root / PATH).read_bytes()
    head = marsh.git("rev-parse", "HEAD")
    done = shelf.remove(marsh.library(), [KEY], ["text"])
    place = f".git/pressmark-undone/{KEY}.fulltext.{disk.sha256(text)}.md"
    assert done.outcome.warnings[-1] == f"A text that was in no commit is kept as {place}."
    assert (marsh.root / place).read_bytes() == text
    assert (lying(marsh), marsh.git("rev-parse", "HEAD")) == ([f"{KEY}.md", f"{KEY}.xml"], head)


def test_it_moves_to_the_reference_that_its_own_is_merged_into(marsh: Marsh) -> None:
    closed(marsh)
    marsh.put(salt(key="twin2024salt", doi="10.5555/twin"))
    marsh.library().merge("twin2024salt", KEY)
    assert lying(marsh) == ["twin2024salt.fulltext.md", "twin2024salt.md", "twin2024salt.xml"]
    assert marsh.git("ls-files", "library") == "library/2024/twin2024salt.md"


def test_other_files_that_git_ignores_are_still_not_deleted(marsh: Marsh) -> None:
    from pressmark.errors import Unavailable

    marsh.put(salt())
    (marsh.root / ".git/info/exclude").write_text("/library/2024/\n")
    marsh.git("rm", "-q", "--cached", f"{STEM}.md")
    marsh.git("commit", "-q", "-m", "out")
    with pytest.raises(Unavailable, match="deleting it would lose them"):
        marsh.library().remove([KEY])
    assert (marsh.root / f"{STEM}.md").is_file()


def test_nothing_is_settled_where_no_reference_or_text_changed(marsh: Marsh) -> None:
    marsh.put(salt())
    assert undoing.settle(marsh.library(), Outcome()) == ()
    assert keeping.keep(marsh.library(), KEY, printed(), "pdf") == ()
    assert keeping.keep(marsh.library(), KEY, printed(), "pdf") == ()
    assert lying(marsh) == [f"{KEY}.md", f"{KEY}.pdf"]
    assert latexml() and HTML  # the other forms are kept by the same rules
