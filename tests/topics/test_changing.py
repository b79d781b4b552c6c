"""What changed since: added, removed, changed, renamed, retracted; as text, data and Markdown."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pressmark.config import Config
from pressmark.errors import BadInput, NotFound
from pressmark.library import Library
from pressmark.record import Paper, Reference
from pressmark.topics.changing import Changed, changes, since_seen
from pressmark.topics.telling import address, as_data, as_markdown, as_text, cell, summary


def git(library: Library, *words: str, **env: str) -> str:
    import os

    done = subprocess.run(
        ["git", *words], cwd=library.root, capture_output=True, text=True, env={**os.environ, **env}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


FAMILIES = ("Alder", "Bank", "Creek", "Dyke", "Eel", "Fen", "Gauge", "Heron", "Inlet", "Jetty")


def paper(number: int, **more: object) -> Paper:
    return Paper(title=f"Paper number {number}", authors=(f"{FAMILIES[number]}, A.",),
                 published="2020", doi=f"10.5555/s.{number}",
                 sources=(f"crossref:10.5555/s.{number} 2026-01-01",), **more)  # type: ignore[arg-type]  # fmt: skip


@pytest.fixture
def told(library: Library) -> Library:
    """Four papers; then one removed, one renamed, one edited, one retracted, one new."""
    library.add([paper(n) for n in range(4)])
    git(library, "tag", "before")
    library.remove(["alder2020paper"])
    library.rename("bank2020paper", "bank2020first")
    library.edit(["creek2020paper"], set={"venue": "Marsh Letters"}, add={"tags": ["x"]})
    library.add([paper(3, notice="retracted")])
    library.add([paper(4, abstract="New.")])
    (library.root / "notes").mkdir()
    (library.root / "notes/a.md").write_text("A note.\n")
    git(library, "add", ".")
    git(library, "commit", "-qm", "note")
    return library


def test_all_that_happened_since_a_tag(told: Library) -> None:
    found = changes(told, "before")
    assert [ref.key for ref in found.added] == ["eel2020paper"]
    assert [ref.key for ref in found.removed] == ["alder2020paper"]
    assert found.renamed == (("bank2020paper", "bank2020first"),)
    assert [(c.reference.key, c.fields) for c in found.changed] == [
        ("bank2020first", ("aliases",)), ("creek2020paper", ("venue", "tags")),
        ("dyke2020paper", ("notice",)),
    ]  # fmt: skip
    assert [ref.key for ref in found.retracted] == ["dyke2020paper"]
    assert found.others == {"note": 1}
    assert summary(found) == "1 added, 1 removed, 1 renamed, 3 changed, 1 retracted; 1 note"


def test_without_a_revision_the_last_commit_is_meant(told: Library) -> None:
    assert not changes(told).added and changes(told).others == {"note": 1}
    assert [ref.key for ref in changes(told, "HEAD~2", "HEAD~1").added] == ["eel2020paper"]


def test_since_a_day_and_since_before_the_first_commit(library: Library) -> None:
    library.add([paper(0)])
    old = {"GIT_AUTHOR_DATE": "2020-01-05T10:00:00Z", "GIT_COMMITTER_DATE": "2020-01-05T10:00:00Z"}
    git(library, "commit", "-q", "--amend", "--no-edit", **old)
    library.refresh()
    library.add([paper(1)])
    assert [r.key for r in changes(library, "2020-02").added] == ["bank2020paper"]
    assert [r.key for r in changes(library, "30d").added] == ["bank2020paper"]
    everything = changes(library, "2019-01-01")
    assert everything.since is None and len(everything.added) == 2


def test_a_branch_is_compared_with_where_it_parted(told: Library) -> None:
    git(told, "branch", "side", "before")
    git(told, "switch", "-q", "side")
    told.refresh()
    told.add([paper(9)])
    found = changes(told, "main", "side")
    assert [ref.key for ref in found.added] == ["jetty2020paper"] and not found.removed


@pytest.mark.parametrize("name", ["nothing", "v9", "deadbeef"])
def test_a_revision_that_is_not_there_is_named(told: Library, name: str) -> None:
    with pytest.raises(NotFound, match=name):
        changes(told, name)


@pytest.mark.parametrize("name", ["--output=x", "-p", "a..b", "$(x)"])
def test_what_is_no_revision_is_refused(told: Library, name: str) -> None:
    with pytest.raises(BadInput, match="not a revision"):
        changes(told, name)


def test_a_second_providers_line_alone_is_no_news(library: Library) -> None:
    library.add([paper(0)])
    git(library, "tag", "before")
    library.add([Paper(title="Paper number 0", authors=("Alder, A.",), published="2020",
                       doi="10.5555/s.0", sources=("openalex:W1 2026-02-02",))])  # fmt: skip
    assert not changes(library, "before").changed


def test_what_is_new_since_the_last_look_and_nothing_twice(
    library: Library, tmp_path: Path
) -> None:
    config = Config(root=library.root, state_dir=tmp_path / "state")
    mine = Library(library.root, config)
    assert not since_seen(mine).added  # the first look marks where we are
    library.add([paper(0)])
    assert [r.key for r in since_seen(mine, mark=False).added] == ["alder2020paper"]
    assert [r.key for r in since_seen(mine).added] == ["alder2020paper"]
    assert not since_seen(mine)
    other = Library(library.root, Config(root=library.root, state_dir=tmp_path / "other"))
    since_seen(other)
    library.add([paper(1)])
    assert len(since_seen(other).added) == len(since_seen(mine).added) == 1
    assert library.repository is not None
    assert git(library, "status", "--porcelain") == ""  # the mark is no file of the library


def test_a_mark_that_was_rewritten_away_still_tells_from_its_day(
    library: Library, tmp_path: Path
) -> None:
    mine = Library(library.root, Config(root=library.root, state_dir=tmp_path / "state"))
    since_seen(mine)
    (mark,) = (tmp_path / "state" / "seen").iterdir()
    mark.write_text('{"commit": "' + "0" * 40 + '", "date": "2019-01-01"}')
    library.add([paper(0)])
    assert [r.key for r in since_seen(mine).added] == ["alder2020paper"]
    mark.write_text("broken")
    assert not since_seen(mine)


def test_a_file_that_could_not_be_read_is_named(told: Library) -> None:
    path = told.root / told.path("creek2020paper")
    path.write_text("---\ntitle: [\n---\n")
    git(told, "commit", "-qam", "broken")
    found = changes(told)
    assert found.unreadable == ("library/2020/creek2020paper.md",)
    assert "? library/2020/creek2020paper.md  cannot be read" in as_text(found)


def test_the_lines_and_the_data_say_the_same(told: Library) -> None:
    found = changes(told, "before")
    lines = as_text(found)
    assert lines[0].startswith("+ eel2020paper  ")
    assert "= bank2020paper is now bank2020first" in lines
    assert "~ creek2020paper  venue, tags" in lines and "! dyke2020paper  retracted" in lines
    data = as_data(found)
    assert data["added"] == [{
        "key": "eel2020paper", "title": "Paper number 4", "authors": ["Eel, A."],
        "published": "2020", "venue": None, "doi": "10.5555/s.4", "arxiv": None, "pmid": None,
        "topics": [], "stage": None, "notice": None,
    }]  # fmt: skip


def test_the_markdown_is_tables_with_links(told: Library) -> None:
    text = as_markdown(changes(told, "before"))
    assert text.startswith("**1 added, 1 removed, 1 renamed, 3 changed, 1 retracted; 1 note**\n")
    assert "| [Paper number 4](https://doi.org/10.5555/s.4) | Eel | 2020 |" in text
    assert "### Retracted (1)" in text and "`dyke2020paper` **retracted** |" in text
    assert "| `creek2020paper` | `venue`, `tags` |" in text


@pytest.mark.parametrize(
    "evil",
    ["a | b", "[x](https://evil.invalid)", "<img src=x>", "@octocat", "#7", "`x`", "![x](y)",
     "https://evil.invalid", "**x**", "a\nb"],
)  # fmt: skip
def test_a_title_is_text_in_a_pull_request_and_nothing_else(evil: str) -> None:
    shown = cell(evil)
    assert not set("|[]<>`*!#") & set(shown.replace("&#", "")) or "&#" in shown
    assert "@" not in shown and "://" not in shown and "\n" not in shown
    assert all(sign not in shown.replace("&#", "") for sign in "|[]<>`*")


def test_an_address_never_ends_its_link() -> None:
    ref = Reference(key="x", title="X", doi="10.5555/a(b)c d")
    assert address(ref) == "https://doi.org/10.5555/a%28b%29c%20d"
    assert address(Reference(key="x", title="X", url="javascript:alert(1)")) is None


def test_a_table_of_thousands_is_cut() -> None:
    from pressmark.topics.changing import Changes

    refs = tuple(Reference(key=f"k{n}", title=f"T{n}") for n in range(900))
    found = Changes(since=None, until="x", added=refs,
                    changed=tuple(Changed(ref, ("title",)) for ref in refs))  # fmt: skip
    text = as_markdown(found)
    assert text.count("\nand 700 more") == 2 and len(text) < 60_000


def test_a_shallow_clone_says_what_it_can(library: Library, tmp_path: Path) -> None:
    library.add([paper(0)])
    library.add([paper(1)])
    url = f"file://{library.root}"
    subprocess.run(["git", "clone", "-q", "--depth", "1", url, "cut"], cwd=tmp_path, check=True)
    cut = Library(tmp_path / "cut", Config(root=tmp_path / "cut", state_dir=tmp_path / "state"))
    assert len(changes(cut).added) == 2 and changes(cut).since is None
