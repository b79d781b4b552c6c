"""What becomes of papers that are offered to a library."""

from __future__ import annotations

from pressmark.library import Library
from pressmark.record import Paper


def paper(**fields: object) -> Paper:
    held: dict[str, object] = {
        "title": "Attention Is All You Need",
        "authors": ("Vaswani, Ashish", "Shazeer, Noam"),
        "published": "2017-06-12",
        "sources": ("arxiv:1706.03762v7 2026-11-30",),
        "arxiv": "1706.03762",
    }
    return Paper(**{**held, **fields})  # type: ignore[arg-type]


def test_a_new_paper_is_filed_and_committed(library: Library, git) -> None:
    added = library.add([paper(abstract="We propose a network.")])
    assert added.counts == {
        "seen": 1, "added": 1, "merged": 0, "enriched": 0, "unchanged": 0, "dropped": 0, "failed": 0,
    }  # fmt: skip
    path = "library/2017/vaswani2017attention.md"
    assert added.keys == ("vaswani2017attention",)
    assert [(c.path, c.kind) for c in added.changes] == [(path, "new")]
    assert added.commit == git("rev-parse", "HEAD")
    assert git("show", "--name-only", "--format=%s", "HEAD").split("\n") == [
        "add: vaswani2017attention (Attention Is All You Need)", "", path,
    ]  # fmt: skip
    assert git("status", "--porcelain") == ""
    held = library.get("arXiv:1706.03762v3")
    assert held.abstract == "We propose a network."
    assert held.stage is None


def test_the_same_paper_again_changes_nothing(library: Library, git) -> None:
    library.add([paper()])
    head = git("rev-parse", "HEAD")
    again = library.add([paper()])
    assert (again.unchanged, again.commit, again.changes) == (1, None, ())
    assert git("rev-parse", "HEAD") == head
