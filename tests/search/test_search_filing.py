"""A search filed: candidates and the log in one commit, and what was said before remembered."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from double import RATE_LIMITED, Double
from pressmark import page
from pressmark.history import Repository
from pressmark.http import Client
from pressmark.library import Library, Write
from pressmark.record import Search
from pressmark.search import Result, annotated, file, search
from pressmark.sources import query
from story import story_routes

TODAY = "2026-11-30"
ALL = ("openalex", "crossref", "arxiv")


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as started:
        yield started


@pytest.fixture
def library(double: Double, tmp_path: Path) -> Library:
    root = tmp_path / "library"
    root.mkdir()
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(".pressmark/\n")
    Repository.init(root)
    git(root, "add", ".")
    git(root, "commit", "-qm", "init")
    return Library.open(root, double.config(tmp_path, root, sources=ALL))


def git(root: Path, *words: str) -> str:
    run = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, env=os.environ, check=True
    )
    return run.stdout


def ask(library: Library, words: str = "graph transformers", today: str = TODAY) -> Result:
    client = Client(library.config)
    return search(client, library.config, query(words, today=today), today=today)


def logs(library: Library) -> list[Path]:
    found = (library.root / "topics" / "searches").glob("*.md")
    return sorted(found, key=lambda path: path.stem)


def test_one_commit_holds_the_candidates_and_the_log(library: Library) -> None:
    added = file(library, ask(library))
    assert (added.seen, added.added) == (5, 5)
    assert git(library.root, "log", "--format=%s", "-1").strip() == (
        'search: 5 references for "graph transformers" (arxiv, crossref, openalex)'
    )
    changed = git(library.root, "show", "--name-only", "--format=", "HEAD").split()
    assert changed == [
        "library/2021/aldermoor2021graph.md",
        "library/2022/ostergaard2022sparse.md",
        "library/2023/wen2023positional.md",
        "library/2024/elsayed2024graph.md",
        "library/2025/mensah2025graph.md",
        "topics/searches/2026-11-30-graph-transformers.md",
    ]
    assert git(library.root, "status", "--short") == ""
    assert {library.get(key).stage for key in added.keys} == {"candidate"}


def test_the_log_reports_what_prisma_s_asks_for(library: Library) -> None:
    file(library, ask(library))
    (path,) = logs(library)
    log = page.read(Search, path.read_bytes(), f"topics/searches/{path.name}")
    assert (log.query, log.date) == ("graph transformers", TODAY)
    assert [row["platform"] for row in log.providers] == ["arXiv", "Crossref", "OpenAlex"]
    assert log.providers[1] == {
        "platform": "Crossref",
        "sent": "https://api.crossref.org/works?query.bibliographic=graph%20transformers"
        "&rows=10&offset=0",
        "limits": "10 records",
        "status": "ok",
        "reported": "2",
        "retrieved": "2",
        "capped": "no",
    }
    assert log.body.splitlines()[1:6] == [
        "## Hits",
        "",
        "- arxiv:9802.00123v2 → ostergaard2022sparse",
        "- crossref:10.5555/icg.2022.17 → ostergaard2022sparse",
        "- openalex:W9900000003 → ostergaard2022sparse",
    ]
    assert page.is_canonical(path.read_bytes(), Search, f"topics/searches/{path.name}")


def test_a_source_that_failed_stands_in_the_log_with_its_reason(
    library: Library, double: Double
) -> None:
    double.fail("/at-arxiv/*", RATE_LIMITED)
    file(library, ask(library))
    (log,) = library.searches()
    row = log.providers[0]
    assert row["platform"] == "arXiv" and "retrieved" not in row
    assert row["status"].startswith("unavailable: arxiv asks us to wait")
    assert git(library.root, "log", "--format=%s", "-1").strip().endswith("(crossref, openalex)")


def test_the_same_search_again_makes_no_commit(library: Library) -> None:
    file(library, ask(library))
    before = git(library.root, "rev-parse", "HEAD")
    again = file(library, ask(library))
    assert again.added == 0 and again.unchanged == 5 and not again.changes
    assert git(library.root, "rev-parse", "HEAD") == before


def test_another_day_is_another_log_and_says_nothing_is_new(library: Library) -> None:
    file(library, ask(library))
    file(library, ask(library, today="2026-12-01"))
    assert [path.stem for path in logs(library)] == [
        "2026-11-30-graph-transformers",
        "2026-12-01-graph-transformers",
    ]
    assert git(library.root, "log", "--format=%s", "-1").startswith("search: nothing new for ")


def test_two_queries_of_one_slug_are_two_logs(library: Library) -> None:
    file(library, ask(library, "graph transformers"))
    file(library, ask(library, "Graph; transformers"))
    assert [path.stem for path in logs(library)] == [
        "2026-11-30-graph-transformers",
        "2026-11-30-graph-transformers-2",
    ]


def test_hits_say_what_is_held_and_what_was_seen(library: Library) -> None:
    fresh = annotated(library, ask(library))
    assert not any(hit.held or hit.seen for hit in fresh.hits)
    file(library, ask(library))
    marked = annotated(library, ask(library, "rivers"))
    assert [(hit.key, hit.seen) for hit in marked.hits] == [
        ("wen2023positional", True),
    ]


def test_what_a_person_dropped_is_not_offered_again(library: Library) -> None:
    file(library, ask(library))
    (log,) = library.searches()
    reason = "about eels, not rivers"
    dropped = replace(log, dropped=(f"doi:10.5555/iel.2024.99 {reason}",))
    path = library.root / "library/2024/elsayed2024graph.md"
    path.unlink()
    git(library.root, "commit", "-qam", "drop it")
    library.refresh()
    library.put([dropped], "remember it")
    hits = annotated(library, ask(library)).hits
    assert [hit.dropped for hit in hits if hit.paper.doi == "10.5555/iel.2024.99"] == [reason]
    added = file(library, ask(library, today="2026-12-01"))
    assert added.seen == 4 and added.added == 0 and not path.exists()
    later = next(each for each in library.searches() if each.date == "2026-12-01")
    assert later.dropped == (f"doi:10.5555/iel.2024.99 {reason}",)
    assert f"- openalex:W9900000007 → dropped ({reason})" in later.body


def test_a_dry_run_shows_the_bytes_and_writes_nothing(library: Library) -> None:
    before = git(library.root, "rev-parse", "HEAD")
    added = file(library, ask(library), write=Write(dry_run=True))
    assert added.added == 5 and len(added.changes) == 6
    assert b"stage: candidate" in (added.changes[0].after or b"")
    assert git(library.root, "rev-parse", "HEAD") == before
    assert git(library.root, "status", "--short") == ""


def test_without_a_commit_the_files_are_left_to_the_user(library: Library) -> None:
    added = file(library, ask(library), write=Write(commit=False))
    assert added.commit is None
    assert len(git(library.root, "status", "--short", "-uall").splitlines()) == 6


def test_a_collection_is_filled_in_the_same_commit(library: Library) -> None:
    file(library, ask(library), collection="rivers")
    (held,) = library.collections()
    assert len(held.members) == 5
    assert git(library.root, "rev-list", "--count", "HEAD").strip() == "2"


def test_nothing_found_is_logged_too(library: Library) -> None:
    added = file(library, ask(library, "zymurgy"))
    assert added.seen == 0
    (log,) = library.searches()
    assert log.body.strip() == "No hits." and log.providers[0]["reported"] == "0"


def test_keeping_at_once_files_no_candidates(library: Library) -> None:
    added = file(library, ask(library), stage=None)
    assert {library.get(key).stage for key in added.keys} == {None}
