"""What unlucky and hostile hands do: whatever they do, nothing is lost and one sentence says what."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from shell import Inside, Shell

KEY = "bryl2019message"


def test_a_bibliography_never_lacks_an_entry_in_silence(offline: Inside) -> None:
    offline("export", "-o", "refs.bib")
    before = (offline.root / "refs.bib").read_bytes()
    done = offline("export", KEY, "no2020such", "-o", "refs.bib", status=1)
    assert "There is no reference 'no2020such'." in done.err
    offline("export", "tag:nothing", "-o", "refs.bib", status=1)
    assert (offline.root / "refs.bib").read_bytes() == before
    (offline.root / "library/2020").mkdir()
    (offline.root / "library/2020/bad2020.md").write_text("---\ntitle: [open\n---\n")
    done = offline("export", "-o", "refs.bib")
    assert "library/2020/bad2020.md:2: " in done.err and "(left out)" in done.err


def test_a_document_gets_the_candidates_that_it_cites(offline: Inside) -> None:
    (offline.root / "notes/draft.md").write_text(f"As in [@{KEY}; @wen2023positional].\n")
    done = offline("export", "--cited-in", "notes/draft.md")
    assert "@article{" + KEY in done.out and "@misc{wen2023positional" in done.out


@pytest.mark.parametrize(
    "words",
    [("remove", ""), ("keep", " "), ("drop", ""), ("edit", "", "--add-tag", "x"), ("export", ""),
     ("cite", ""), ("fetch", ""), ("add", ""), ("import", "")],
)  # fmt: skip
def test_an_empty_word_never_means_everything(offline: Inside, words: tuple[str, ...]) -> None:
    """A variable that the shell found empty: `pressmark remove "$KEY"`."""
    before, head = offline.files(), offline.head()
    done = offline(*words, status=2)
    assert done.err.startswith("pressmark: An empty word names no ")
    assert (offline.files(), offline.head()) == (before, head)


def test_a_file_without_end_is_given_up(offline: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("not possible here: there is no /dev/zero")
    for module, name in (("fulltext.attach", "LIMIT"), ("search.documents", "LARGEST"),
                         ("search.intake", "LARGEST")):  # fmt: skip
        monkeypatch.setattr(import_module(f"pressmark.{module}"), name, 2**20)
    for name in ("endless.json", "endless.pdf"):
        (offline.home / name).symlink_to("/dev/zero")
    for words in (("attach", KEY, "/dev/zero"), ("import", "../endless.json"),
                  ("add", "../endless.pdf")):  # fmt: skip
        assert "is larger than 1 MiB." in offline(*words, status=2).err
    done = offline("export", "-o", "/dev/zero", status=2)
    assert "zero is no file that can be replaced." in done.err


def test_closed_streams_and_a_locale_of_ascii(offline: Inside) -> None:
    shell = Shell(offline.root, offline.home, offline.env)
    program = [sys.executable, "-m", "pressmark", "edit", KEY, "--add-tag"]
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        line = f"{shlex.join([*program, closed])} {closed}"
        done = subprocess.run(
            ["sh", "-c", line], cwd=shell.root, env=shell.environment(),
            capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert len(shell("show", KEY, "--json").data["tags"]) == 4
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    shell("note", "new", "Über Gezeiten", env=shell.environment(**plain))
    assert shell.subjects()[0].endswith("ber Gezeiten")
    shell.tidy()


def test_the_trailer_names_the_command_and_the_branch_that_is_out_is_no_other(
    offline: Inside,
) -> None:
    done = offline("edit", KEY, "--add-tag", "x", "-m", "Fixes: all of it", "--branch", "main")
    assert "your files are as they were" not in done.err
    assert offline.git("log", "-1", "--format=%B") == (
        "Fixes: all of it\n\nPressmark: edit\nPressmark-Files: 809f24ecbbb71be9"
    )
    assert offline.status() == []


def test_a_topic_that_cannot_be_read_is_not_skipped_in_silence(offline: Inside) -> None:
    (offline.root / "topics/broken.md").write_text("---\ntitle: [\n---\n")
    (offline.root / "topics/rivers.md").unlink()
    said = "topics/broken.md:3: "
    assert said in offline("topic", "list").err and said in offline("refresh").err
    assert said in offline("topic", "list", "--json").answer["warnings"][0]


def test_a_cache_on_a_disk_that_is_not_mounted_costs_only_time(offline: Inside) -> None:
    offline("find", "estuaries")
    elsewhere = offline.home / "elsewhere"
    elsewhere.mkdir()
    for name in (".cache", ".local", ".config"):
        (elsewhere / name).symlink_to("/nowhere/at/all")
    env = offline.environment(HOME=str(elsewhere))
    for words in (("find", "estuaries"), ("status",), ("edit", KEY, "--add-tag", "x")):
        offline(*words, env=env)
    done = offline("index", status=2, env=env)
    assert done.err.startswith(f"pressmark: No index can be kept: {elsewhere}/.local/state")
    assert "[bryl2019message]" in offline("find", "estuaries", env=env).out


def test_an_import_that_could_not_file_everything_says_so_by_its_status(offline: Inside) -> None:
    (offline.root / f"library/2019/{KEY}.md").write_text("---\ntitle: [\n---\ndoi: 10.5555/x\n")
    entries = [{"id": "a2020", "title": "New"}, {"id": KEY, "title": "Held", "DOI": "10.5555/x"}]
    (offline.home / "two.json").write_text(json.dumps(entries))
    done = offline("import", "../two.json", "--json", status=2).answer
    assert (done["data"]["added"], done["data"]["failed"]) == (1, 1)
    assert (done["code"], done["error"]) == ("invalid_request", "1 paper could not be filed.")
    assert offline.changed() == ["A library/2020/a2020.md"]


def test_a_day_that_the_calendar_has_not_logs_no_search(offline: Inside) -> None:
    (offline.home / "found.bib").write_text("@misc{a2020, title = {A}, year = {2020}}\n")
    before, head = offline.files(), offline.head()
    words = ("import", "../found.bib", "--search", "Embase", "--date")
    for day in ("2020-13-45", "2021-02-29", "20200101", ""):
        done = offline(*words, day, status=2)
        assert done.err.startswith(f"pressmark: {day!r} is no day.")
    assert (offline.files(), offline.head()) == (before, head)


def test_a_dash_is_stdout_and_no_file(offline: Inside) -> None:
    done = offline("export", KEY, "-o", "-")
    assert done.out == offline("export", KEY).out
    assert not (offline.root / "-").exists()


def test_a_branch_that_cannot_begin_says_why(offline: Inside) -> None:
    path = next((offline.root / "library").rglob(f"{KEY}.md"))
    path.write_text(path.read_text() + "Words of mine.\n")
    before = path.read_bytes()
    done = offline("edit", KEY, "--add-tag", "x", "--branch", "review", status=3)
    assert done.err.startswith(
        f"pressmark: {path.relative_to(offline.root)} has edits that are in no commit, "
        "so review cannot begin with it; nothing was written.\n"
    )
    assert path.read_bytes() == before and not offline.git("branch", "--list", "review").strip()


def test_what_is_asked_for_next_is_named(offline: Inside) -> None:
    assert "--template daily" in offline("note", "new", status=2).err
    assert f"{offline.root.name} holds" in offline("site", "stage", ".", status=2).err


def test_a_refresh_says_nothing_of_what_nobody_could_be_asked_about(offline: Inside) -> None:
    offline("topic", "remove", "rivers")
    (offline.home / "found.bib").write_text("@misc{a2020, title = {A}, year = {2020}}\n")
    offline("import", "../found.bib")
    head = offline.head()
    assert offline("refresh").lines == ["No topic has a query."]
    assert offline.head() == head
