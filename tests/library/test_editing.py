"""The verbs that change what is held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark.errors import BadInput, NotFound, PressmarkError
from pressmark.library import Library, Write, create
from pressmark.library.folding import fold
from pressmark.library.outcome import Item
from pressmark.record import Collection, FullText, Note, Paper, Reference, Search, Topic

from .conftest import Git, reopen

A, B = "vaswani2017attention", "simic2020graphs"
A_PATH, B_PATH = f"library/2017/{A}.md", f"library/2020/{B}.md"


def attention(**fields: object) -> Paper:
    held: dict[str, object] = {
        "title": "Attention Is All You Need", "authors": ("Vaswani, Ashish",), "published": "2017",
        "arxiv": "1706.03762", "sources": ("arxiv:1706.03762 2026-01-01",), **fields,
    }  # fmt: skip
    return Paper(**held)  # type: ignore[arg-type]


def graphs(**fields: object) -> Paper:
    held: dict[str, object] = {
        "title": "Graphs", "authors": ("Šimić, Marko",), "published": "2020",
        "doi": "10.1000/graphs", "sources": ("crossref:10.1000/graphs 2026-02-01",), **fields,
    }  # fmt: skip
    return Paper(**held)  # type: ignore[arg-type]


@pytest.fixture
def two(library: Library) -> Library:
    library.add([attention(), graphs()])
    return library


def test_edit_sets_clears_and_extends_many_in_one_commit(two: Library, git: Git) -> None:
    outcome = two.edit(
        [A, B],
        set={"venue": " Nature  Methods ", "language": None},
        add={"tags": ["b", "a", "a"]},
        remove={},
    )
    assert outcome.commit == git("rev-parse", "HEAD")
    assert git("log", "-1", "--format=%s") == f"edit: {A}, {B}"
    assert [each.path for each in outcome.changes] == [A_PATH, B_PATH]
    assert (two.get(A).venue, two.get(A).tags) == ("Nature Methods", ("a", "b"))
    again = two.edit([A, B], add={"tags": ["a"]})
    assert (again.commit, again.changes) == (None, ())
    two.edit([A], set={"venue": None}, remove={"tags": ["B"]})
    assert (two.get(A).venue, two.get(A).tags) == (None, ("a",))


@pytest.mark.parametrize(
    ("name", "value", "attribute", "held"),
    [
        ("doi", "https://doi.org/10.1000/ABC", "doi", "10.1000/abc"),
        ("arxiv", "arXiv:2101.00010v2", "arxiv", "2101.00010"),
        ("authors", "Šimić, Marko; {World Health Organization}", "authors",
         ("Šimić, Marko", "{World Health Organization}")),
        ("keywords", "b, a", "keywords", ("a", "b")),
        ("tags", "one; two, three", "tags", ("one", "two, three")),
        ("type", "thesis", "type", "thesis"),
        ("notice", "retracted", "notice", "retracted"),
        ("notice-note", "see the notice", "notice_note", "see the notice"),
        ("published", "2018-05", "published", "2018-05"),
        ("cite-as", "smith:2020", "cite_as", "smith:2020"),
        ("title", "Text\x1b[31m \u202ered", "title", "Text red"),
    ],
)  # fmt: skip
def test_values_are_cleaned_and_normalised(
    two: Library, name: str, value: str, attribute: str, held: object
) -> None:
    two.edit([A], set={name: value})
    assert getattr(two.get(A), attribute) == held


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("titel", "x", "A reference has no field 'titel'. Did you mean 'title'?"),
        ("title", None, f"{A} cannot be without a title."),
        ("title", "  ", f"{A} cannot be without a title."),
        ("key", "x", "The key is the file's name."),
        ("sources", "x", "sources is not set by hand: it records which provider gave what."),
        ("type", "jurnal", "type=jurnal is not known."),
        ("type", "thesiss", "type=thesiss is not known. Did you mean 'thesis'?"),
        ("published", "May 2020", "published=May 2020 is not YYYY, YYYY-MM or YYYY-MM-DD."),
        ("published", "2020-13", "`published` is YYYY, YYYY-MM or YYYY-MM-DD, not '2020-13'"),
        ("doi", "nonsense", "'nonsense' is no doi."),
        ("cite-as", B, f"{B} is taken by {B}."),
        ("stage", "kept", "stage=kept is not known."),
        ("doi", "10.1000/GRAPHS", f"doi:10.1000/graphs is held by {B}."),
        ("aliases", f"x; {B}", f"{B} is taken by {B}."),
    ],
)
def test_values_that_are_off_are_named(
    two: Library, git: Git, name: str, value: str | None, message: str
) -> None:
    head = git("rev-parse", "HEAD")
    with pytest.raises(BadInput) as caught:
        two.edit([A], set={name: value})
    assert str(caught.value) == message
    assert git("rev-parse", "HEAD") == head


def test_a_field_of_the_users_can_be_changed_once_it_is_there(two: Library, git: Git) -> None:
    path = two.root / A_PATH
    path.write_text(path.read_text().replace("---\n", "---\nrating: '3'\n", 1))
    git("commit", "-qam", "mine")
    two.refresh()
    two.edit([A], set={"rating": "5"})
    assert two.get(A).extra == {"rating": "5"}
    assert "rating: '5'\n" in path.read_text()


def test_a_files_uncommitted_edits_stay_the_users(two: Library, git: Git) -> None:
    path = two.root / A_PATH
    path.write_text(path.read_text() + "\nMy draft.\n")
    two.refresh()
    outcome = two.edit([A, B], add={"tags": ["x"]})
    assert outcome.left_uncommitted == (A_PATH,)
    assert git("show", "--name-only", "--format=").splitlines() == [B_PATH]
    assert path.read_text().endswith("\nMy draft.\n") and "- x\n" in path.read_text()


def test_keep(two: Library) -> None:
    two.edit([A], set={"stage": "candidate"})
    assert [each.key for each in two.select(stage="kept")] == [B]
    assert two.keep([A, B]).keys == (A, B)
    assert two.get(A).stage is None
    assert two.keep([A]).changes == ()


def test_remove_takes_the_full_text_and_the_membership_and_leaves_the_document(
    two: Library, git: Git
) -> None:
    two.put([FullText(slug=f"{A}.fulltext", reference=A, body="\n# Text\n")], "text")
    two.put([Collection(slug="thesis", title="Thesis", members=(A, B))], "list")
    (two.root / f"library/2017/{A}.pdf").write_bytes(b"%PDF-1.4")
    outcome = two.remove([A])
    assert [(each.path, each.kind) for each in outcome.changes] == [
        (f"library/2017/{A}.fulltext.md", "deleted"),
        (A_PATH, "deleted"),
        ("topics/collections/thesis.md", "changed"),
    ]
    assert outcome.warnings == (f"library/2017/{A}.pdf is yours and stays.",)
    assert two.collections()[0].members == (B,)
    assert two.catalogue.keys() == [B]
    two.undo()
    assert two.catalogue.keys() == [B, A] and two.collections()[0].members == (B, A)


def test_deleting_most_of_a_library_takes_force(library: Library) -> None:
    library.add([graphs(title=f"Graphs {n}", doi=f"10.1000/{n}") for n in range(20)])
    keys = library.catalogue.keys()
    assert library.remove(keys[:9]).commit
    with pytest.raises(BadInput) as caught:
        library.remove(keys[9:])
    assert str(caught.value) == "This would delete 11 of 11 references."
    assert "--force" in (caught.value.next or "")
    assert library.remove(keys[9:], write=Write(force=True)).commit
    assert library.catalogue.count() == 0


def test_drop_is_remembered_by_what_found_it(library: Library, git: Git) -> None:
    library.put([Topic(slug="models", title="Models")], "topic")
    library.add([attention()], stage="candidate", topic="models")
    log = Search(
        slug="2026-01-01-graphs", query="graphs", date="2026-01-01",
        body=f"\ncrossref:10.1000/graphs → {B}\n",
    )  # fmt: skip
    library.add([graphs()], stage="candidate", records=[log])
    outcome = library.drop([A, B], reason="not about\x1b[2J us")
    assert outcome.warnings == ()
    assert git("log", "-1", "--format=%s") == f"drop: {A}, {B}"
    assert library.topics()[0].dropped == ("arxiv:1706.03762 not about us",)
    assert library.searches()[0].dropped == ("doi:10.1000/graphs not about us",)
    assert library.catalogue.count() == 0
    assert library.add([attention()], stage="candidate", topic="models").dropped == 1
    assert library.add([graphs()], stage="candidate").dropped == 1


def test_every_candidate_of_a_new_library_can_be_dropped_at_once(library: Library) -> None:
    library.put([Topic(slug="models", title="Models")], "topic")
    papers = [graphs(title=f"Graphs {n}", doi=f"10.1000/{n}") for n in range(20)]

    def logs(items: Sequence[Item]) -> list[Search]:
        rows = [f"crossref:{n} → {item.key}" for n, item in enumerate(items)]
        one = Search(slug="2026-01-01-one", query="one", date="2026-01-01", body="\n".join(rows))
        return [one, replace(one, slug="2026-01-02-two", body="\n".join(rows[:2]))]

    library.add(papers, stage="candidate", topic="models", records=logs)
    keys = library.catalogue.keys()
    assert library.drop(keys, reason="all").warnings == ()
    assert library.catalogue.count() == 0
    every = tuple(sorted(f"doi:10.1000/{n} all" for n in range(20)))
    assert [topic.dropped for topic in library.topics()] == [every]
    assert [search.dropped for search in library.searches()] == [
        every, ("doi:10.1000/0 all", "doi:10.1000/1 all"),
    ]  # fmt: skip


def test_drop_refuses_what_was_kept_and_says_when_nothing_remembers(two: Library) -> None:
    with pytest.raises(BadInput, match=f"{A} is no candidate"):
        two.drop([A])
    two.edit([A], set={"stage": "candidate"})
    assert two.drop([A]).warnings == (
        f"No topic or search on record found {A}; it may be found again.",
    )


def test_rename_moves_everything_and_keeps_the_old_name(two: Library, git: Git) -> None:
    two.put([FullText(slug=f"{A}.fulltext", reference=A, body="\n# Text\n")], "text")
    two.put([Collection(slug="thesis", title="Thesis", members=(A,))], "list")
    two.put([Note(slug="idea", body=f"As in [@{A}].\n")], "note")
    (two.root / f"library/2017/{A}.pdf").write_bytes(b"%PDF-1.4")
    new = "Transformer2018"
    asked = []

    def prose() -> dict[str, bytes]:
        asked.append(two.repository._lock.held)
        return {"notes/idea.md": f"As in [@{new}].\n".encode()}

    shown = two.rename(A, new, prose=prose, write=Write(dry_run=True))
    outcome = two.rename(A, new, prose=prose)
    assert shown.changes == outcome.changes
    assert asked == [False, True]
    assert [(each.path, each.kind) for each in outcome.changes] == [
        (f"library/2017/{A}.fulltext.md", "deleted"),
        (A_PATH, "deleted"),
        ("library/2018/Transformer2018.fulltext.md", "new"),
        ("library/2018/Transformer2018.md", "new"),
        ("notes/idea.md", "changed"),
        ("topics/collections/thesis.md", "changed"),
    ]
    assert git("log", "-1", "--format=%s") == f"rename: {A} to {new}"
    assert two.get(A).key == two.get(A.upper()).key == new
    assert two.get(new).aliases == (A,)
    assert two.fulltext(new).reference == new
    assert two.collections()[0].members == (new,)
    assert two.artefact(new, "pdf") == str(two.root / "library/2018/Transformer2018.pdf")
    assert git("status", "--porcelain") == ""
    back = two.rename(new, A)
    assert two.get(A).aliases == (new,)
    assert back.commit


def test_a_document_that_git_tracks_moves_in_the_commit(two: Library, git: Git) -> None:
    (two.root / f"library/2017/{A}.xml").write_text("<x/>")
    git("add", "-f", f"library/2017/{A}.xml")
    git("commit", "-qm", "xml")
    outcome = two.rename(A, "other2019x")
    assert ("library/2019/other2019x.xml", "new") in [(c.path, c.kind) for c in outcome.changes]
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (B, f"{B} is taken by {B}."),
        (B.upper(), f"{B.upper()} is taken by {B}."),
        (A, f"{A} is its key already."),
        ("a/b", "'a/b' cannot be a key."),
        ("con", "'con' cannot be a key."),
        ("", "'' cannot be a key."),
    ],
)
def test_a_key_that_cannot_be(two: Library, new: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        two.rename(A, new)
    assert str(caught.value) == message


def test_rename_changes_the_case_of_a_key(two: Library, git: Git) -> None:
    outcome = two.rename(A, "Vaswani2017Attention")
    assert outcome.commit
    assert two.get(A).key == "Vaswani2017Attention"
    assert git("ls-files", "library/2017") == "library/2017/Vaswani2017Attention.md"


def test_merge_keeps_every_trace(two: Library, git: Git) -> None:
    path = two.root / B_PATH
    path.write_text(path.read_text() + "\n## Abstract\n\nAbout graphs.\n\n## Mine\n\nMy words.\n")
    git("commit", "-qam", "mine")
    two.refresh()
    two.put([Collection(slug="thesis", title="Thesis", members=(A, B))], "list")
    outcome = two.merge(A, B)
    assert git("log", "-1", "--format=%s") == f"merge: {B} into {A}"
    held = two.get(B)
    assert (held.key, held.title, held.aliases) == (A, "Attention Is All You Need", (B,))
    assert (held.arxiv, held.doi) == ("1706.03762", "10.1000/graphs")
    assert held.abstract == "About graphs."
    assert held.body.endswith("## Mine\n\nMy words.\n")
    assert "title: Graphs (crossref)" in held.conflicts
    assert held.sources == ("arxiv:1706.03762 2026-01-01", "crossref:10.1000/graphs 2026-02-01")
    assert two.collections()[0].members == (A,)
    assert (B_PATH, "deleted") in [(each.path, each.kind) for each in outcome.changes]
    with pytest.raises(BadInput, match="are the same reference"):
        two.merge(A, B)


@pytest.mark.parametrize(
    ("theirs", "kept"),
    [
        ("## Mine\n\nIt says: We show it.\n\n## Abstract\n\nWe show it.\n\n## More\n\nTwo.\n",
         "## Mine\n\nIt says: We show it.\n\n## More\n\nTwo."),
        ("## Abstract\n\na\n\n## Mine\n\nMy ## words.\n", "## Mine\n\nMy ## words."),
        ("Before.\n\n## abstract ##\n\n## Mine\n\nOne.\n", "Before.\n\n## Mine\n\nOne."),
    ],
    ids=["quoted above", "a letter of the heading", "empty"],
)  # fmt: skip
def test_merge_takes_all_prose_along_wherever_the_abstract_stands(theirs: str, kept: str) -> None:
    one = Reference(key="a", title="T", body="\n## Abstract\n\nOurs.\n")
    made = fold(one, Reference(key="b", title="T", body=f"\n{theirs}"))
    assert made.body == f"\n## Abstract\n\nOurs.\n\n{kept}\n"


def test_undo_takes_back_the_last_commit_of_ours(two: Library, git: Git) -> None:
    two.edit([A], add={"tags": ["x"]})
    outcome = two.undo()
    assert [(each.path, each.kind) for each in outcome.changes] == [(A_PATH, "changed")]
    assert outcome.commit == git("rev-parse", "HEAD")
    assert two.get(A).tags == ()
    assert [entry.subject for entry in two.log(A)] == [
        f'Revert "edit: {A}"', f"edit: {A}", "add: 2 references",
    ]  # fmt: skip
    assert two.log()[-1].subject == "begin"


def test_put_writes_any_record_and_splices_what_is_there(two: Library, git: Git) -> None:
    note = two.root / "notes/idea.md"
    note.parent.mkdir()
    note.write_text("---\n# why\ntitle:   Idea\n---\nMy text.  \n")
    git("add", "."), git("commit", "-qm", "note")
    two.refresh()
    (held,) = two.notes()
    outcome = two.put([Note(slug="idea", title="Idea", tags=("x",), body=held.body)], "note: tag")
    assert [(each.path, each.kind) for each in outcome.changes] == [("notes/idea.md", "changed")]
    assert note.read_text().startswith("---\n# why\ntitle:   Idea\n")
    assert note.read_text().endswith("---\nMy text.  \n")
    assert two.put([two.notes()[0]], "note: tag").commit is None
    with pytest.raises(BadInput, match="A topic needs a name"):
        two.put([Topic(title="x")], "x")
    with pytest.raises(PressmarkError):
        two.put([Note(slug="../../outside", title="x")], "x")
    assert not (two.root.parent / "outside.md").exists()


def test_an_unknown_key_is_an_error_with_the_nearest(two: Library) -> None:
    for call in (two.edit, two.keep, two.remove):
        with pytest.raises(NotFound) as caught:
            call(["vaswani2017atention"])
        assert str(caught.value) == "There is no reference 'vaswani2017atention'."
        assert caught.value.next == f"did you mean {A}?"


def test_a_second_process_sees_it_all(two: Library) -> None:
    two.edit([A], add={"tags": ["x"]})
    other = reopen(two.root)
    other.edit([A], add={"tags": ["y"]})
    two.edit([A], add={"tags": ["z"]})
    assert two.get(A).tags == ("x", "y", "z")


def test_a_document_whose_new_place_is_taken_stays_and_is_named(two: Library) -> None:
    path = two.path(A)
    old, new = path.replace(".md", ".pdf"), "library/2018/other2018.pdf"
    (two.root / "library/2018").mkdir(exist_ok=True)
    (two.root / old).write_bytes(b"%PDF mine")
    (two.root / new).write_bytes(b"%PDF another")
    done = two.rename(A, "other2018")
    assert done.warnings == (f"{old} stays where it is: {new} is there already.",)
    assert (two.root / old).read_bytes() == b"%PDF mine"
    assert (two.root / new).read_bytes() == b"%PDF another"


def test_undo_is_of_this_library_alone(tmp_path: Path, git: Git) -> None:
    """Two libraries in one repository have one history."""
    (tmp_path / "both").mkdir()
    git("init", "-q", "-b", "main", at=tmp_path / "both")
    first, second = (tmp_path / "both" / name for name in ("a", "b"))
    for root in (first, second):
        create(root)
    mine, other = reopen(first), reopen(second)
    mine.add([Paper(title="Mine", sources=("bibtex:m",))])
    other.add([Paper(title="Other", sources=("bibtex:o",))])
    assert mine.undo().changes[0].path == "library/nd/anonndmine.md"
    assert reopen(first).catalogue.count() == 0
    assert reopen(second).catalogue.count() == 1
