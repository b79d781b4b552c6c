"""A refresh for review: branches of at most a hundred, the text of each pull request, and `gh`."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from double import UNAVAILABLE, Double
from pressmark import topics
from pressmark.http import Client, open_client
from pressmark.library import Library
from pressmark.record import Paper, Topic
from pressmark.topics import reviewing, running
from pressmark.topics.refreshing import Ran

from .conftest import TOPIC, library_at, subjects

TODAY = "2026-03-04"
WATER = "---\ntitle: Tides\n\nquery: tidal networks\n\nproviders:\n- openalex\n\nlast-run: '2020-01-01'\n---\n"


def git(library: Library, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=library.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


@pytest.fixture
def library(tmp_path: Path, config: Path) -> Library:
    return library_at(tmp_path / "lib", config, {"rivers": TOPIC, "tides": WATER})


def go(library: Library, client: Client, today: str = TODAY) -> reviewing.Reviewed:
    return reviewing.review(library, client, topics.due(library), today=today)


def many(library: Library, count: int, slug: str = "rivers") -> running.Answer:
    from pressmark.search import Report

    papers = tuple(
        Paper(title=f"Paper {slug} {n}", authors=(f"Author{n}, A.",), published="2026-01-02",
              doi=f"10.5555/{slug}.{n}", sources=(f"openalex:W{slug}{n} {TODAY}",))
        for n in range(count)
    )  # fmt: skip
    report = Report(source="openalex", platform="OpenAlex", status="ok", count=count, total=count)
    return running.Answer(topic=topics.get(library, slug), reports=(report,), papers=papers)


def test_each_topic_is_one_commit_of_the_days_branch_and_the_checkout_stays(
    library: Library, client: Client
) -> None:
    before = (git(library, "rev-parse", "HEAD"), git(library, "status", "--porcelain"))
    done = go(library, client)
    assert (git(library, "rev-parse", "HEAD"), git(library, "status", "--porcelain")) == before
    assert library.catalogue.count() == 0
    assert git(library, "log", "--format=%s", "main..refresh/2026-03-04").splitlines() == [
        "topic: 1 new for Tides (openalex)",
        "topic: 3 new for Rivers and graphs (arxiv, openalex)",
    ]
    assert git(library, "branch", "--list", "refresh/*").strip() == "refresh/2026-03-04"
    (proposal,) = done.proposals
    assert (proposal.branch, proposal.base) == ("refresh/2026-03-04", "main")
    assert proposal.title == "Refresh 2026-03-04: 4 new" and not proposal.pushed
    assert "gh or its token is not there" in proposal.note
    assert git(library, "worktree", "list").count("\n") == 0


def test_the_text_says_what_is_new_with_links_and_what_failed(
    library: Library, client: Client, double: Double
) -> None:
    double.fail("/at-arxiv/*", UNAVAILABLE)
    library.add([
        Paper(title="Graph Transformers Predict Eel Migration", authors=("El-Sayed, Amina",),
              published="2023", arxiv="9899.00001", sources=("arxiv:9899.00001v1 2026-01-01",)),
    ])  # fmt: skip
    (proposal,) = go(library, client).proposals
    text = proposal.text.read_text()
    assert text.startswith("**4 new references**")
    assert "### Rivers and graphs (3)" in text and "### Tides (1)" in text
    assert "[Graph Transformers Predict Eel Migration](https://doi.org/10.5555/iel.2024.99)" in text
    assert (
        "### Look-alikes" in text
        and "looks like `elsayed2023graph`: the titles are the same" in text
    )
    assert "### What failed" in text and "rivers: arxiv unavailable" in text
    assert "found no error on this branch" in text


def test_a_second_refresh_of_the_day_goes_on_with_its_branch(
    library: Library, client: Client
) -> None:
    go(library, client)
    tip = git(library, "rev-parse", "refresh/2026-03-04")
    library.add([Paper(title="On weirs", doi="10.5555/w.1", sources=("file:1",))])
    again = go(library, client)
    assert again.proposals == ()
    head = git(library, "rev-parse", "refresh/2026-03-04")
    assert git(library, "merge-base", tip, head) == tip  # what main got meanwhile is merged in
    assert git(library, "merge-base", "main", head) == git(library, "rev-parse", "main")


def test_what_waits_on_one_branch_is_not_offered_on_another_day_s(
    library: Library, client: Client
) -> None:
    go(library, client)
    later = go(library, client, "2026-03-05")
    assert later.proposals == () and "refresh/2026-03-05" not in git(library, "branch")


def test_a_quiet_refresh_makes_no_branch(library: Library, client: Client) -> None:
    git(library, "switch", "-q", "main")
    go(library, client)
    git(library, "merge", "-q", "--no-edit", "refresh/2026-03-04")
    library.refresh()
    assert go(library, client, "2026-03-06").proposals == ()
    assert git(library, "branch", "--list", "refresh/2026-03-06") == ""


@pytest.mark.parametrize("how", ["merge", "squash"])
def test_what_reviewers_deleted_on_the_branch_is_never_offered_again(
    library: Library, client: Client, how: str
) -> None:
    go(library, client)
    git(library, "switch", "-q", "refresh/2026-03-04")
    git(library, "rm", "-q", "library/2025/mensah2025graph.md")
    git(library, "commit", "-qm", "Not this one")
    git(library, "switch", "-q", "main")
    if how == "merge":
        git(library, "merge", "-q", "--no-ff", "--no-edit", "refresh/2026-03-04")
    else:
        git(library, "merge", "-q", "--squash", "refresh/2026-03-04")
        git(library, "commit", "-qm", "Refresh (squashed)")
    git(library, "branch", "-qD", "refresh/2026-03-04")
    library.refresh()
    rivers = replace(topics.get(library, "rivers"), last_run="2025-09-09")
    library.put([rivers], "topic: look again")
    for day in ("2026-03-05", "2026-03-06"):
        done = go(library, client, day)
        assert done.proposals == ()
        assert {each.slug: each.run.refused for each in done.topics if each.run} == {
            "rivers": 1, "tides": 0,
        }  # fmt: skip
    assert library.catalogue.get("mensah2025graph") is None


def test_more_than_a_hundred_references_become_several_branches(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {"rivers": many(library, 230), "tides": many(library, 30, "tides")}

    def asked(_library: object, _client: object, topic: Topic, *_: object) -> tuple[Ran, object]:
        return Ran(slug=topic.slug), answers[topic.slug]

    monkeypatch.setattr(reviewing, "_asked", asked)
    done = reviewing.review(library, open_client(library.config), topics.due(library), today=TODAY)
    names = [each.branch for each in done.proposals]
    assert names == [f"refresh/{TODAY}{end}" for end in ("", "-2", "-3")]
    counts = [
        len([f for f in git(library, "diff", "--name-only", f"main...{name}").splitlines()
             if f.startswith("library/")])
        for name in names
    ]  # fmt: skip
    assert counts == [100, 100, 60]
    assert [each.title for each in done.proposals] == [
        "Refresh 2026-03-04: 100 new (1 of 3)",
        "Refresh 2026-03-04-2: 100 new (2 of 3)",
        "Refresh 2026-03-04-3: 60 new (3 of 3)",
    ]
    files = [git(library, "diff", "--name-only", f"main...{n}").splitlines() for n in names]
    held = [path for each in files for path in each if path.startswith("library/")]
    assert len(held) == len(set(held)) == 260


GH = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
body = words[words.index("--body-file") + 1] if "--body-file" in words else None
with open(os.environ["GH_LOG"], "a") as log:
    print(json.dumps([words, open(body).read() if body else ""]), file=log)
if words[:2] == ["pr", "list"]:
    print(os.environ.get("GH_OPEN", "[]"))
if words[:2] == ["pr", "create"]:
    print("https://forge.invalid/pull/7")
"""


def test_where_gh_and_a_token_are_the_branch_is_pushed_and_the_request_opened(
    library: Library, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "gh").write_text(GH)
    (bin_ / "gh").chmod(stat.S_IRWXU)
    git(library, "init", "-q", "--bare", str(tmp_path / "origin.git"))
    git(library, "remote", "add", "origin", str(tmp_path / "origin.git"))
    monkeypatch.setenv("PATH", f"{bin_}:{os.environ['PATH']}")
    monkeypatch.setenv("GH_TOKEN", "invented-token")
    monkeypatch.setenv("GH_LOG", str(tmp_path / "gh.log"))
    (proposal,) = go(library, client).proposals
    assert (proposal.pushed, proposal.url) == (True, "https://forge.invalid/pull/7")
    calls = [json.loads(line) for line in (tmp_path / "gh.log").read_text().splitlines()]
    assert [words[:2] for words, _ in calls] == [["pr", "list"], ["pr", "create"]]
    words, body = calls[1]
    assert words[words.index("--base") + 1] == "main" and body == proposal.text.read_text()
    assert git(library, "ls-remote", "--heads", "origin").endswith("refs/heads/refresh/2026-03-04")
    assert "invented-token" not in (tmp_path / "gh.log").read_text() + body

    monkeypatch.setenv("GH_OPEN", '[{"url": "https://forge.invalid/pull/7"}]')
    from pressmark.topics.proposing import propose

    again = propose(library, "refresh/2026-03-04")
    assert again.url == "https://forge.invalid/pull/7" and again.title.startswith("4 added")
    calls = [json.loads(line) for line in (tmp_path / "gh.log").read_text().splitlines()]
    assert calls[-1][0][:2] == ["pr", "edit"]


def test_a_failing_topic_is_a_line_and_the_others_are_branched(
    library: Library, client: Client, double: Double
) -> None:
    library.put([replace(topics.get(library, "rivers"), last_run="soon")], "topic: by hand")
    done = go(library, client)
    assert {each.slug: bool(each.error) for each in done.topics} == {"rivers": True, "tides": False}
    text = done.proposals[0].text.read_text()
    assert "last run on 'soon'" in text


def test_nobody_answers_and_nothing_is_left_behind(
    library: Library, client: Client, double: Double
) -> None:
    double.fail("*", UNAVAILABLE)
    done = go(library, client)
    assert done.failed and done.proposals == ()
    assert git(library, "branch").split() == ["*", "main"]
    assert len(subjects(library)) == 1


def test_the_days_slice_is_asked_anew_on_the_branch_and_told(
    library: Library, client: Client
) -> None:
    library.add([
        Paper(title="Withdrawn Claims about Tidal Memory", authors=("Farrow, Hugo",),
              published="2017-06-01", doi="10.5555/ams.2017.8",
              sources=("crossref:10.5555/ams.2017.8 2026-01-01",)),
    ])  # fmt: skip
    done = reviewing.review(library, client, [], today=TODAY, update_limit=5)
    (proposal,) = done.proposals
    text = proposal.text.read_text()
    assert "### Asked for anew" in text and "`notice`" in text
    assert "### Retracted or withdrawn (1)" in text
    assert git(library, "log", "--format=%s", "main..refresh/2026-03-04").startswith("update: ")
    assert library.get("10.5555/ams.2017.8").notice is None  # the checkout waits for the merge


def test_a_branch_that_is_checked_out_is_not_worked_on_behind_your_back(
    library: Library, client: Client
) -> None:
    from pressmark.errors import Busy

    go(library, client)
    git(library, "switch", "-q", "refresh/2026-03-04")
    with pytest.raises(Busy, match="is checked out here"):
        go(library, client)
