"""What every writer shares: dry runs that print the very bytes, and where its commit goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pressmark.text import plain
from shell import Inside
from story import BY_NUMBER, article_html, article_pdf

OFFLINE = {
    "edit": ("edit", "bryl2019message", "--add-tag", "x", "--set", "venue=Elsewhere: a, 'b'"),
    "edit many": ("edit", "has:fulltext", "year:2019", "--set", "language=en"),
    "rename": ("rename", "bryl2019message", "bryl2019passing"),
    "remove": ("remove", "bryl2019message"),
    "merge": ("merge", "aldermoor2021graph", "wen2023positional"),
    "keep": ("keep", "wen2023positional"),
    "drop": ("drop", "wen2023positional", "--reason", "not mine"),
    "import": ("import", "../more.json", "--collection", "thesis"),
    "add file": ("add", "../more.json", "--tag", "reeds"),
    "attach": ("attach", "aldermoor2021graph", "../paper.html", "--rights", "CC BY 4.0"),
    "topic add": ("topic", "add", "tidal graphs", "--by", "Ada", "--why", "Chapter three."),
    "topic remove": ("topic", "remove", "rivers"),
    "collection new": ("collection", "new", "Chapter two"),
    "collection add": ("collection", "add", "thesis", "wen2023positional"),
    "collection remove": ("collection", "remove", "thesis", "bryl2019message"),
    "note new": ("note", "new", "On reeds", "--about", "bryl2019message"),
    "note edit": ("note", "edit", "mine", "--add-tag", "x", "--set", "rating=4"),
    "note remove": ("note", "remove", "mine"),
    "rename note": ("rename", "notes/mine.md", "Ours"),
    "check --fix": ("check", "--fix"),
    "undo": ("undo",),
}
ONLINE = {
    "add": ("add", "10.5555/jih.2020.0007", "arXiv:9803.00007", "--tag", "x"),
    "add pdf": ("add", "../paper.pdf"),
    "search": ("search", "graph transformers", "--collection", "thesis"),
    "search --keep": ("search", "graph transformers", "--keep"),
    "fetch": ("fetch", "aldermoor2021graph", "--again", "--collection", "thesis"),
    "topic run": ("topic", "run", "rivers"),
    "refresh": ("refresh", "--fulltext-limit", "0", "--update-limit", "0"),
}


@pytest.fixture(autouse=True)
def beside(tmp_path: Path) -> None:
    """Files that the commands are given."""
    (tmp_path / "paper.html").write_bytes(article_html(BY_NUMBER[1]))
    (tmp_path / "paper.pdf").write_bytes(article_pdf(BY_NUMBER[6]))
    (tmp_path / "more.json").write_text(
        json.dumps([{"id": "x2001y", "type": "book", "title": "A Book of Reeds",
                     "issued": {"date-parts": [[2001]]}}])
    )  # fmt: skip


def untidy(shell: Inside) -> None:
    """A committed file whose layout is not ours, for `check --fix`."""
    path = shell.root / "library/2020/odd2020one.md"
    path.parent.mkdir()
    path.write_text("---\ntitle: One\ntags: [b, a]\n---\n")
    shell.git("add", str(path))
    shell.git("commit", "--quiet", "-m", "By hand")


def as_promised(shell: Inside, words: tuple[str, ...]) -> None:
    """A dry run writes nothing; the run then writes the very bytes that it printed."""
    if "--fix" in words:
        untidy(shell)
    before = shell.files(), shell.head(), shell.status(), shell.git("branch", "--all")
    dry = shell(*words, "--dry-run", "--json")
    if "--fix" in words:
        promised = None
    else:
        rows = dry.data["topics"][0] if "topics" in dry.data else dry.data
        rows = rows.get("filed", rows)["changes"]
        promised = {row["path"]: row["content"] for row in rows}
        assert promised
    shown = shell(*words, "--dry-run")
    assert (shell.files(), shell.head(), shell.status(), shell.git("branch", "--all")) == before
    assert "Nothing was written: --dry-run.\n" in shown.err
    shell(*words)
    files = shell.files()
    moved = shell.head() != before[1]
    changed = {line.partition(" ")[2] for line in shell.changed()} if moved else set()
    if promised is None:
        promised = {path: files[path].decode() for path in changed}
    for path, content in promised.items():
        if content is None:
            assert path not in files
            assert f" {path}\n" in shown.out
        else:
            assert files[path] == content.encode("utf-8", "surrogateescape"), path
            assert plain(content) in shown.out
    ignored = shell.git("ls-files", "--others", "--ignored", "--exclude-standard").splitlines()
    assert changed == set(promised) - set(ignored)


@pytest.mark.parametrize("name", OFFLINE)
def test_a_dry_run_writes_nothing_and_prints_what_would_be(offline: Inside, name: str) -> None:
    as_promised(offline, OFFLINE[name])


@pytest.mark.parametrize("name", ONLINE)
def test_a_dry_run_of_what_goes_out_too(online: Inside, name: str) -> None:
    as_promised(online, ONLINE[name])


def test_a_dry_run_of_init_makes_no_folder(offline: Inside, tmp_path: Path) -> None:
    rows = offline("init", "new", "--dry-run", "--json", cwd=tmp_path).data["changes"]
    assert not (tmp_path / "new").exists()
    offline("init", "new", cwd=tmp_path)
    files = Inside(tmp_path / "new", tmp_path).files()
    assert {row["path"]: row["content"].encode() for row in rows} == files


def test_a_file_with_crlf_is_promised_byte_for_byte(offline: Inside) -> None:
    path = offline.root / "library/2019/bryl2019message.md"
    (offline.root / ".gitattributes").unlink()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    offline.git("add", "--all")
    offline.git("commit", "--quiet", "-m", "CRLF")
    words = ("edit", "bryl2019message", "--add-tag", "x")
    (row,) = offline(*words, "--dry-run", "--json").data["changes"]
    assert row["content"].count("\r\n") == row["content"].count("\n")
    offline(*words)
    assert path.read_bytes() == row["content"].encode()


LOCAL = [name for name in OFFLINE if name not in ("check --fix", "undo")]


@pytest.mark.parametrize("name", LOCAL)
def test_no_commit_leaves_the_commit_to_the_user(offline: Inside, name: str) -> None:
    head = offline.head()
    done = offline(*OFFLINE[name], "--no-commit")
    assert done.err.endswith("Written, not committed.\n")
    assert offline.head() == head
    assert offline.status()
    offline.git("add", "--all")
    offline.git("commit", "--quiet", "-m", "Mine")
    offline("check", status=0 if name not in ("remove",) else 3)


def test_manual_commits_are_a_setting_too(offline: Inside) -> None:
    (offline.root / "pressmark.toml").write_text('format = 1\n[git]\ncommit = "manual"\n')
    head = offline.head()
    assert offline("keep", "wen2023positional").err == "Written, not committed.\n"
    assert offline.head() == head


@pytest.mark.parametrize("name", ["edit", "rename", "remove", "import", "note new", "undo"])
def test_a_branch_takes_the_commit_and_the_checkout_stays(offline: Inside, name: str) -> None:
    before = offline.files(), offline.head()
    done = offline(*OFFLINE[name], "--branch", "proposal")
    assert done.err.endswith("Committed on the branch proposal; your files are as they were.\n")
    assert (offline.files(), offline.head()) == before
    assert offline.status() == []
    assert offline.git("rev-parse", "proposal~1") == offline.head()
    assert offline.git("worktree", "list").count("\n") == 0


def test_a_search_on_a_branch(online: Inside) -> None:
    before = online.files()
    online("search", "graph transformers", "--branch", "found")
    assert online.files() == before
    assert online.subjects()[0] == "edit: bryl2019message"
    assert "A library/2024/elsayed2024graph.md" in online.changed("found")


@pytest.mark.parametrize("name", [*LOCAL, "undo"])
def test_a_message_is_the_subject(offline: Inside, name: str) -> None:
    offline(*OFFLINE[name], "-m", "My own: words")
    assert offline.subjects()[0] == "My own: words"


def test_nothing_to_change_makes_no_commit(offline: Inside) -> None:
    head = offline.head()
    assert offline("keep", "aldermoor2021graph").out == "Nothing to change.\n"
    assert offline("edit", "aldermoor2021graph", "--add-tag", "tides").out == "Nothing to change.\n"
    assert offline.head() == head
