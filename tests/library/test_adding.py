"""What becomes of papers that are offered to a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark import page
from pressmark.errors import BadInput, Busy, PressmarkError, Unavailable
from pressmark.library import Library, Write
from pressmark.record import Collection, Paper, Search, Topic

from .conftest import Git, reopen

PATH = "library/2017/vaswani2017attention.md"
KEY = "vaswani2017attention"


def paper(**fields: object) -> Paper:
    held: dict[str, object] = {
        "title": "Attention Is All You Need",
        "authors": ("Vaswani, Ashish", "Shazeer, Noam"),
        "published": "2017-06-12",
        "sources": ("arxiv:1706.03762v7 2026-11-30",),
        "arxiv": "1706.03762",
        **fields,
    }
    return Paper(**held)  # type: ignore[arg-type]


def from_crossref(**fields: object) -> Paper:
    return paper(
        **{
            "doi": "10.5555/3295222.3295349",
            "sources": ("crossref:10.5555/3295222.3295349 2026-12-01",),
            "venue": "NeurIPS",
            **fields,
        }
    )


def other(number: int = 1, **fields: object) -> Paper:
    return paper(
        **{
            "title": f"Paper number {number}",
            "arxiv": None,
            "doi": f"10.1000/{number}",
            "sources": (f"crossref:10.1000/{number} 2026-12-01",),
            **fields,
        }
    )


def outcomes(added: object) -> list[tuple[str, str]]:
    return [(item.outcome, item.key) for item in added.items]  # type: ignore[attr-defined]


def test_a_new_paper_is_filed_and_committed(library: Library, git: Git) -> None:
    added = library.add([paper(abstract="We propose a network.")])
    assert added.counts == {
        "seen": 1, "added": 1, "merged": 0, "enriched": 0, "unchanged": 0, "dropped": 0, "failed": 0,
    }  # fmt: skip
    assert added.keys == (KEY,)
    assert [(c.path, c.kind) for c in added.changes] == [(PATH, "new")]
    assert added.changes[0].after == (library.root / PATH).read_bytes()
    assert added.commit == git("rev-parse", "HEAD")
    assert git("show", "--name-only", "--format=%s", "HEAD").split("\n") == [
        "add: vaswani2017attention (Attention Is All You Need)", "", PATH,
    ]  # fmt: skip
    assert git("status", "--porcelain") == ""
    held = library.get("arXiv:1706.03762v3")
    assert (held.abstract, held.stage) == ("We propose a network.", None)


def test_the_same_paper_again_changes_nothing(library: Library, git: Git) -> None:
    library.add([paper()])
    head = git("rev-parse", "HEAD")
    again = library.add([paper(sources=("arxiv:1706.03762v7 2027-05-05",))])
    assert (again.unchanged, again.commit, again.changes) == (1, None, ())
    assert git("rev-parse", "HEAD") == head


def test_a_further_source_fills_and_conflicts(library: Library) -> None:
    library.add([paper(publisher="arXiv")])
    added = library.add([from_crossref(publisher="Curran", volume="30")])
    assert outcomes(added) == [("enriched", KEY)]
    held = library.get(KEY)
    assert (held.doi, held.venue, held.volume) == ("10.5555/3295222.3295349", "NeurIPS", "30")
    assert held.publisher == "arXiv"
    assert held.conflicts == ("publisher: Curran (crossref)",)
    assert added.conflicts == (f"{KEY}: publisher: Curran (crossref)",)
    assert held.sources == (
        "arxiv:1706.03762v7 2026-11-30", "crossref:10.5555/3295222.3295349 2026-12-01",
    )  # fmt: skip
    assert library.get("doi:10.5555/3295222.3295349").key == KEY


def test_a_title_is_upgraded_to_the_doi_that_arrives(library: Library) -> None:
    library.add([paper(arxiv=None, sources=("bibtex:vaswani",))])
    assert outcomes(library.add([from_crossref(arxiv=None)])) == [("enriched", KEY)]
    assert library.catalogue.identities()["doi:10.5555/3295222.3295349"] == KEY
    assert library.catalogue.count() == 1


def test_one_call_meets_itself(library: Library) -> None:
    added = library.add([paper(), other(), from_crossref(), paper()])
    assert outcomes(added) == [
        ("added", KEY), ("added", "vaswani2017paper"), ("merged", KEY), ("merged", KEY),
    ]  # fmt: skip
    assert library.get(KEY).venue == "NeurIPS"
    assert library.catalogue.count() == 2


def test_keys_collide_in_order_of_filing(library: Library) -> None:
    added = library.add([other(1), other(2), other(3)])
    assert added.keys == ("vaswani2017paper", "vaswani2017papera", "vaswani2017paperb")


def test_keys_that_come_with_a_paper(library: Library) -> None:
    added = library.add([
        other(1, key_hint="Smith2020Deep"),
        other(2, key_hint="smith:2020/x"),
        other(3, key_hint="smith2020deep"),
        other(4, key_hint="Smith:2020/X"),
    ])  # fmt: skip
    assert added.keys == (
        "Smith2020Deep", "vaswani2017paper", "vaswani2017papera", "vaswani2017paperb",
    )  # fmt: skip
    assert library.get("Smith:2020/x").key == "vaswani2017paper"
    assert [library.get(key).cite_as for key in added.keys] == [None, "smith:2020/x", None, None]


def test_a_key_that_comes_with_a_held_paper_becomes_an_alias(library: Library) -> None:
    library.add([paper()])
    added = library.add([paper(key_hint="vaswani17", sources=("bibtex:vaswani17",))])
    assert outcomes(added) == [("enriched", KEY)]
    assert library.get("vaswani17").key == KEY
    assert library.get(KEY).aliases == ("vaswani17",)


def test_candidates_stay_candidates_until_somebody_adds_them(library: Library) -> None:
    assert library.add([paper()], stage="candidate").added == 1
    assert library.get(KEY).stage == "candidate"
    assert library.add([paper()], stage="candidate").unchanged == 1
    assert outcomes(library.add([paper()])) == [("enriched", KEY)]
    assert library.get(KEY).stage is None
    assert library.add([paper()], stage="candidate").unchanged == 1
    assert library.get(KEY).stage is None


def test_topic_collection_and_log_go_into_one_commit(library: Library, git: Git) -> None:
    log = Search(slug="2026-11-30-attention", query="attention", date="2026-11-30")
    added = library.add(
        [paper()], stage="candidate", topic="models", collection="Thesis: one", records=[log],
        subject='search: 1 reference for "attention" (arxiv)',
    )  # fmt: skip
    assert git("show", "--name-only", "--format=%s").splitlines() == [
        'search: 1 reference for "attention" (arxiv)', "", PATH,
        "topics/collections/thesis-one.md", "topics/searches/2026-11-30-attention.md",
    ]  # fmt: skip
    assert added.commit == git("rev-parse", "HEAD")
    assert library.get(KEY).topics == ("models",)
    assert library.collections() == [
        Collection(slug="thesis-one", title="Thesis: one", members=(KEY,))
    ]
    library.add([other()], collection="THESIS-ONE")
    assert library.collections()[0].members == (KEY, "vaswani2017paper")
    assert [each.key for each in library.select(["collection:thesis-one"])] == [
        KEY, "vaswani2017paper",
    ]  # fmt: skip


def test_what_was_dropped_is_not_offered_again(library: Library) -> None:
    library.put([Topic(slug="models", title="Models", dropped=("arxiv:1706.03762 boring",))], "x")
    added = library.add([paper(), other()], stage="candidate", topic="models")
    assert [item.outcome for item in added.items] == ["dropped", "added"]
    assert library.add([paper()], stage="candidate", topic="other").added == 1
    log = Search(
        slug="2026-01-01-x", query="x", date="2026-01-01",
        dropped=("title:paper number 2:2017:vaswani not for us",),
    )  # fmt: skip
    library.put([log], "x")
    assert library.add([other(2, doi=None)], stage="candidate").dropped == 1
    assert library.add([other(2, doi=None)]).added == 1  # a person who asks gets it


def test_bad_papers_are_reported_and_the_rest_goes_in(library: Library) -> None:
    added = library.add([paper(title=" "), paper(published="2017-13"), other()])
    assert [(item.outcome, bool(item.reason)) for item in added.items] == [
        ("failed", True), ("failed", True), ("added", False),
    ]  # fmt: skip
    assert added.items[0].reason == "it has no title"
    assert "2017-13" in added.items[1].reason
    assert library.catalogue.keys() == ["vaswani2017paper"]


def test_a_shared_doi_with_another_title_is_filed_apart(library: Library) -> None:
    mine = other(1, sources=("bibtex:a",))
    copied = paper(arxiv=None, doi="10.1000/1", sources=("bibtex:b",), title="MISunderstood")
    added = library.add([mine, copied])
    reason = "doi:10.1000/1 is held by vaswani2017paper, whose title differs"
    assert [(item.outcome, item.reason) for item in added.items] == [
        ("added", ""),
        ("added", reason),
    ]
    assert added.conflicts == (f"vaswani2017misunderstood: {reason}",)
    held = library.get("vaswani2017misunderstood")
    assert (held.doi, held.conflicts) == (None, ("doi: 10.1000/1 (held elsewhere)",))
    assert library.catalogue.twins() == {}
    assert library.add([mine, copied]).unchanged == 2
    from_provider = library.add([other(1, title="A third title")])
    assert [(item.outcome, item.reason) for item in from_provider.items] == [("failed", reason)]


def test_preprint_and_publication_are_linked(library: Library) -> None:
    added = library.add([paper(), from_crossref(arxiv=None)])
    assert added.keys == (KEY, f"{KEY}a")
    assert library.get(f"{KEY}a").related == ("arxiv:1706.03762",)


def test_two_references_that_turn_out_to_be_one_are_folded(library: Library, git: Git) -> None:
    library.add([paper(arxiv=None, pmid="7", sources=("pubmed:7 2026-01-01",), tags=("old",))])
    library.add([from_crossref(arxiv=None, published="2018", tags=("new",), volume="30")])
    first, second = library.catalogue.keys()
    assert (first, second) == (KEY, "vaswani2018attention")
    (library.root / "library/2018/vaswani2018attention.fulltext.md").write_text(
        "---\nreference: vaswani2018attention\n---\n\n# Text\n"
    )
    library.put([Collection(slug="thesis", title="Thesis", members=(second,))], "x")
    git("add", "."), git("commit", "-qm", "text")
    added = library.add([from_crossref(arxiv=None, pmid="7")])
    assert outcomes(added) == [("merged", KEY)]
    assert sorted((each.path, each.kind) for each in added.changes) == [
        ("library/2017/vaswani2017attention.fulltext.md", "new"),
        ("library/2017/vaswani2017attention.md", "changed"),
        ("library/2018/vaswani2018attention.fulltext.md", "deleted"),
        ("library/2018/vaswani2018attention.md", "deleted"),
        ("topics/collections/thesis.md", "changed"),
    ]
    held = library.get(second)
    assert (held.key, held.aliases, held.tags) == (KEY, (second,), ("new", "old"))
    assert (held.pmid, held.doi, held.volume) == ("7", "10.5555/3295222.3295349", "30")
    assert library.fulltext(KEY).reference == KEY
    assert library.collections()[0].members == (KEY,)
    assert git("status", "--porcelain") == ""


def test_an_unreadable_file_gets_no_twin(library: Library) -> None:
    library.add([paper()])
    path = library.root / PATH
    path.write_text(path.read_text().replace("authors:", "authors: {"))
    library.refresh()
    added = library.add([paper(), from_crossref(arxiv=None, title="Attention and vaswani")])
    assert added.items[0].outcome == "failed"
    assert added.items[0].reason == f"it is in {PATH}, which cannot be read"
    assert added.items[1].key == f"{KEY}a"  # the key of the unreadable file stays taken


def test_a_persons_edit_and_layout_survive(library: Library, git: Git) -> None:
    library.add([paper()])
    path = library.root / PATH
    text = path.read_text().replace(
        "title: Attention Is All You Need\n", "mine: x # kept\ntitle:   My own title\n"
    )
    path.write_text(text + "\nMy thoughts.\n")
    git("commit", "-qam", "mine")
    library.refresh()
    assert library.add([from_crossref()]).enriched == 1
    after = path.read_text()
    assert "mine: x # kept\ntitle:   My own title\n" in after
    assert after.endswith("\nMy thoughts.\n")
    held = library.get(KEY)
    assert held.title == "My own title"
    assert held.conflicts == ("title: Attention Is All You Need (crossref)",)


def test_a_file_that_a_person_moved_stays_there(library: Library, git: Git) -> None:
    library.add([paper()])
    (library.root / "library/transformers").mkdir()
    git("mv", PATH, "library/transformers/")
    git("commit", "-qm", "moved")
    library.refresh()
    added = library.add([from_crossref()])
    assert [each.path for each in added.changes] == ["library/transformers/vaswani2017attention.md"]


def test_a_dry_run_shows_the_very_bytes(library: Library, git: Git) -> None:
    head = git("rev-parse", "HEAD")
    shown = library.add([paper(), other()], write=Write(dry_run=True))
    assert (shown.added, shown.commit) == (2, None)
    assert git("status", "--porcelain") == "" and git("rev-parse", "HEAD") == head
    made = library.add([paper(), other()])
    assert made.changes == shown.changes


def test_without_a_commit(library: Library, git: Git) -> None:
    head = git("rev-parse", "HEAD")
    added = library.add([paper()], write=Write(commit=False))
    assert (added.commit, added.left_uncommitted) == (None, ())
    assert git("rev-parse", "HEAD") == head
    assert git("status", "--porcelain", "-uall") == f"?? {PATH}"


def test_commits_left_to_the_person_by_the_settings(library: Library, git: Git) -> None:
    (library.root / "pressmark.toml").write_text('format = 1\n[git]\ncommit = "manual"\n')
    manual = reopen(library.root)
    assert manual.add([paper()]).commit is None
    assert manual.add([other()], write=Write(commit=True)).commit == git("rev-parse", "HEAD")


def test_on_another_branch(library: Library, git: Git) -> None:
    head = git("rev-parse", "HEAD")
    added = library.add([paper()], write=Write(branch="proposal", message="Propose a paper"))
    assert (added.added, git("rev-parse", "HEAD"), git("status", "--porcelain")) == (1, head, "")
    assert git("log", "-1", "--format=%s", "proposal") == "Propose a paper"
    assert not (library.root / PATH).exists()


def test_a_newer_library_is_read_and_never_written(library: Library, git: Git) -> None:
    library.add([paper()])
    (library.root / "pressmark.toml").write_text("format = 2\n")
    git("commit", "-qam", "newer")
    newer = reopen(library.root)
    assert newer.get(KEY).title == "Attention Is All You Need"
    with pytest.raises(BadInput, match="format 2, made by a newer Pressmark"):
        newer.add([other()])


def test_without_git_reading_works_and_writing_says_what_to_do(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "pressmark.toml").write_text("format = 1\n")
    library = reopen(root)
    assert library.select() == []
    with pytest.raises(Unavailable) as caught:
        library.add([paper()])
    assert (str(caught.value), caught.value.next) == (
        f"{root} is in no git repository.",
        "git init",
    )
    assert library.add([paper()], write=Write(dry_run=True)).added == 1


def test_during_a_merge_nothing_is_written(library: Library, git: Git) -> None:
    (library.root / ".git" / "MERGE_HEAD").write_text(git("rev-parse", "HEAD") + "\n")
    with pytest.raises(Busy, match="merge is under way"):
        library.add([paper()])
    assert not (library.root / PATH).exists()


def test_what_somebody_wrote_meanwhile_is_not_run_over(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor saves between our reading and our writing."""
    library.add([paper()])
    path = library.root / PATH
    update = page.update

    def slow(*arguments: object) -> bytes:
        done = update(*arguments)  # type: ignore[arg-type]
        path.write_text(path.read_text() + "\nSaved meanwhile.\n")
        return done

    monkeypatch.setattr(page, "update", slow)
    with pytest.raises(PressmarkError, match="changed since it was read"):
        library.add([from_crossref()])
    assert path.read_text().endswith("Saved meanwhile.\n")


def test_a_sparse_checkout_files_no_twin(library: Library, git: Git, tmp_path: Path) -> None:
    library.add([paper(), other(1, published="2019")])
    git("clone", "-q", str(library.root), str(tmp_path / "sparse"), at=tmp_path)
    root = tmp_path / "sparse"
    git("sparse-checkout", "set", "--no-cone", "/*", "!/library/2017/", at=root)
    assert not (root / PATH).exists()
    sparse = reopen(root)
    assert sparse.catalogue.keys() == ["vaswani2019paper"]
    added = sparse.add([from_crossref(), other(2)])
    assert [(item.outcome, item.key, item.reason) for item in added.items] == [
        ("unchanged", KEY, "it is outside this sparse checkout"),
        ("added", "vaswani2017paper", ""),
    ]
    assert git("log", "--format=%s", "-1", at=root).startswith("add: vaswani2017paper")


def test_a_file_that_cannot_be_spliced_fails_its_paper_alone(library: Library, git: Git) -> None:
    library.add([paper()])
    path = library.root / PATH
    path.write_text("---\n{title: Attention Is All You Need, arxiv: '1706.03762'}\n---\n")
    git("commit", "-qam", "flow style")
    library.refresh()
    before = path.read_bytes()
    added = library.add([from_crossref(), other()])
    assert [item.outcome for item in added.items] == ["failed", "added"]
    assert PATH in added.items[0].reason
    assert path.read_bytes() == before
