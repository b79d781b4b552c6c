"""What reads: filters, pages, formats, windows of a text, state, history, completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pressmark.commands.run import run
from shell import Inside

KEY = "bryl2019message"


def keys(shell: Inside, *words: str) -> list[str]:
    return [r["key"] for r in shell("list", *words, "--json").data["references"]]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), ["aldermoor2021graph", KEY, "wen2023positional"]),
        (("author:BRYL",), ["aldermoor2021graph", KEY]),
        (("author:bryl", "year:2019"), [KEY]),
        (("year:2020..",), ["aldermoor2021graph", "wen2023positional"]),
        (("year:..2019",), [KEY]),
        (("tag:tides",), ["aldermoor2021graph"]),
        (("-tag:tides",), [KEY, "wen2023positional"]),
        (("venue:invented hydrology",), [KEY]),
        (("topic:rivers",), ["wen2023positional"]),
        (("collection:thesis",), ["aldermoor2021graph", KEY]),
        (("source:crossref",), [KEY]),
        (("type:article-journal",), [KEY]),
        (("stage:candidate",), ["wen2023positional"]),
        (("has:fulltext",), [KEY]),
        (("missing:doi",), ["aldermoor2021graph", "wen2023positional"]),
        (("cited:notes/mine.md",), ["aldermoor2021graph", KEY]),
        (("cited:notes/",), ["aldermoor2021graph", KEY]),
        (("transformers", "rivers"), ["wen2023positional"]),
        (("10.5555/JIH.2019.0042",), [KEY]),
        (("https://arxiv.org/abs/9801.00011v2", KEY), ["aldermoor2021graph", KEY]),
        (("nothing-like-it",), []),
    ],
    ids=" ".join,
)  # fmt: skip
def test_filters(offline: Inside, words: tuple[str, ...], found: list[str]) -> None:
    assert keys(offline, *words) == found


@pytest.mark.parametrize("command", ["find", "grep", "related"])
def test_a_filter_has_an_option_of_its_own(offline: Inside, command: str) -> None:
    def found(*options: str) -> set[str]:
        data = offline(command, "tidal networks", *options, "--json").data
        return {hit["key"] for hit in data["lines" if command == "grep" else "hits"]}

    assert "aldermoor2021graph" in found("--year", "2020..", "--type", "article")
    assert "aldermoor2021graph" not in found("--year", "..2019")
    assert "aldermoor2021graph" not in found("--filter", "-tag:tides")
    assert "aldermoor2021graph" in found("--tag", "TIDES", "--stage", "kept")
    assert (
        "There is no filter" in offline(command, "tidal networks", "--filter", "a:b", status=2).err
    )


def test_pages_of_a_list(offline: Inside) -> None:
    first = offline("list", "-n", "2")
    assert [line.split()[0] for line in first.lines] == ["aldermoor2021graph", KEY]
    assert first.err == "2 of 3; go on with --offset 2.\n"
    last = offline("list", "-n", "2", "--offset", "2")
    assert (last.lines[0].split()[0], last.err) == ("wen2023positional", "")
    data = offline("list", "-n", "2", "--json").data
    assert (data["total"], data["next_offset"]) == (3, 2)
    assert offline("list", "--count").out == "3\n"
    assert offline("list", "nothing-like-it").err == "No reference matches.\n"
    assert offline("-q", "list", "nothing-like-it").err == ""


def test_a_line_in_the_users_own_form(offline: Inside) -> None:
    done = offline("list", KEY, "--format", r"{key}\t{year}\t{path}\t{people}: {title} {{x}}")
    assert done.out == (
        f"{KEY}\t2019\tlibrary/2019/{KEY}.md\tBryl: Message Passing on Estuaries {{x}}\n"
    )


def test_parts_of_a_full_text(offline: Inside) -> None:
    assert offline("show", KEY, "--section", "method").out == (
        "## Method\n\nMessages run against the stream until nothing changes any more.\n"
    )
    assert "Messages run" in offline("show", KEY, "--page", "2").out
    assert offline("show", KEY, "--text").out.startswith("\n# Message Passing on Estuaries\n")
    file = (offline.root / f"library/2019/{KEY}.fulltext.md").read_text()
    place = file.index("Messages run")
    window = offline("show", KEY, "--offset", str(place), "--chars", "1000", "--json").data[
        "window"
    ]
    assert (window["offset"], window["end"], window["total"]) == (place, len(file), len(file))
    assert window["text"] == file[place:]
    assert window["path"] == f"library/2019/{KEY}.fulltext.md"
    first = offline("show", KEY, "--offset", "0", "--json").data["window"]
    assert first["text"] == file[first["offset"] :]
    assert file[: first["offset"]].endswith("---\n")  # a window never shows front matter
    missing = offline("show", KEY, "--section", "Thanks", status=1)
    assert "Thanks" in missing.err


def test_a_long_text_says_where_to_read_on(offline: Inside) -> None:
    path = offline.root / f"library/2019/{KEY}.fulltext.md"
    path.write_text(path.read_text() + "\nA paragraph of words. " * 400)
    done = offline("show", KEY, "--text", "--chars", "1000")
    assert len(done.out) <= 1001
    assert done.err.startswith("Read on with --offset ")


def test_bibtex_and_citation(offline: Inside) -> None:
    assert offline("show", KEY, "--bibtex").out == (
        f"@article{{{KEY},\n"
        "  author = {Bryl, Tomasz},\n"
        "  title = {Message Passing on Estuaries},\n"
        "  journal = {Journal of Invented Hydrology},\n"
        "  year = {2019},\n"
        "  month = jul,\n"
        "  pages = {101--119},\n"
        "  doi = {10.5555/jih.2019.0042},\n"
        "  url = {https://doi.org/10.5555/jih.2019.0042},\n"
        "}\n"
    )
    assert offline("cite", KEY, "--plain").out == (
        "Bryl 2019 — Message Passing on Estuaries. Journal of Invented Hydrology.\n"
    )
    assert offline("cite", KEY).out == (
        "Bryl, T. (2019). Message Passing on Estuaries. Journal of Invented Hydrology, 101–119. "
        "https://doi.org/10.5555/jih.2019.0042\n"
    )
    assert offline("cite", KEY, "--style", "nature", "--mark").out == "1\n"
    assert "apa-6th-edition" in offline("cite", "--styles", "apa-6").lines
    assert "did you mean" in offline("cite", KEY, "--style", "natur", status=1).err


def test_an_export_rewrites_its_own_file_and_no_other(offline: Inside) -> None:
    assert offline("export", "-o", "refs.bib").err == "2 references in refs.bib.\n"
    first = (offline.root / "refs.bib").read_bytes()
    assert KEY.encode() in first and b"wen2023" not in first  # a candidate is nobody's choice yet
    offline("export", "stage:any", "-o", "refs.bib")
    assert b"wen2023positional" in (offline.root / "refs.bib").read_bytes()
    offline("export", "-o", "refs.json")
    held = (offline.root / "refs.json").read_bytes()
    offline("export", "-o", "refs.json")  # the same bytes
    (offline.root / "refs.json").write_bytes(held + b"\n")  # now it is the user's
    refused = offline("export", KEY, "-o", "refs.json", status=2)
    assert "--force" in refused.err
    assert (offline.root / "refs.json").read_bytes() == held + b"\n"
    offline("export", KEY, "-o", "refs.json", "--force")
    assert b"aldermoor" not in (offline.root / "refs.json").read_bytes()


def test_the_status_says_what_to_do_next(offline: Inside) -> None:
    done = offline("status")
    assert done.lines == [
        str(offline.root),
        "3 references, 1 candidate, 1 full text, 1 note, 1 topic, 1 search, 1 collection",
        "git: main",
        done.lines[3],
        "the network is off",
    ]
    assert done.err == "next: pressmark list stage:candidate, then keep or drop them\n"
    offline("keep", "wen2023positional")
    assert offline("status").err == "next: pressmark index\n"
    empty = Inside(offline.home / "empty", offline.home, offline.env)
    offline("init", str(empty.root))
    assert empty("topic", "list").err == "There is no topic yet.\n"
    assert empty("note", "list").err == "There is no note yet.\n"
    assert empty("status").err == 'next: pressmark search "WORDS", or pressmark add ID\n'


def test_an_old_git_is_told_apart(offline: Inside) -> None:
    folder = offline.home / "bin"
    folder.mkdir()
    (folder / "git").write_text('#!/bin/sh\necho "git version 2.30.2"\n')
    (folder / "git").chmod(0o755)
    env = offline.environment(PATH=f"{folder}:{os.environ['PATH']}")
    done = offline("status", env=env)
    assert "git 2.30.2 is older than 2.36: a power cut may cost a commit" in done.lines
    assert offline("status", "--json", env=env).data["git"]["durable"] is False


def test_the_log_of_a_reference_and_of_the_library(offline: Inside) -> None:
    offline("rename", KEY, "bryl2019passing")
    whole = offline("log", "--json").data
    assert [e["subject"] for e in whole] == [
        f"rename: {KEY} to bryl2019passing", f"edit: {KEY}", "The library",
    ]  # fmt: skip
    own = offline("log", "bryl2019passing", "--json").data
    assert [e["subject"] for e in own] == [e["subject"] for e in whole]  # through its rename
    other = offline("log", "wen2023positional").lines
    assert len(other) == 1 and other[0].endswith("  Ada Reader  The library")
    assert len(offline("log", "-n", "1").lines) == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script(offline: Inside, shell: str) -> None:
    script = offline("completion", shell).out
    assert "_PRESSMARK_COMPLETE" in script
    assert "pressmark" in script


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("pressmark sta", ["status"]),
        ("pressmark show --pa", ["--page"]),
        ("pressmark show bryl", [KEY]),
        ("pressmark edit ald", ["aldermoor2021graph"]),
        ("pressmark export --format b", ["bibtex", "biblatex"]),
        ("pressmark -C /nonexistent show b", []),
    ],
)
def test_words_are_completed(offline: Inside, line: str, offered: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pressmark"], cwd=offline.root, capture_output=True, text=True,
        env=offline.environment(
            _PRESSMARK_COMPLETE="bash_complete", COMP_WORDS=line,
            COMP_CWORD=str(len(line.split()) - 1),
        ),
    )  # fmt: skip
    assert [line.partition(",")[2] for line in done.stdout.split("\n") if line] == offered
    assert done.stderr == ""


def test_no_command_at_all_is_the_help(offline: Inside) -> None:
    done = offline()
    assert done.out.startswith("Usage: pressmark [OPTIONS] COMMAND [ARGS]...")
    assert done.err == ""
    assert offline("note").out.startswith("Usage: pressmark note [OPTIONS] COMMAND")
    assert offline("--help").out.startswith("Usage: pressmark")
    assert offline("--version").out.startswith("pressmark 0.")


def test_quiet_is_data_and_errors_only(online: Inside) -> None:
    done = online("-q", "search", "graph transformers")
    assert done.err == ""
    assert done.out
    assert online("-q", "show", "nothing", status=1).err.startswith("pressmark: There is no")


def test_a_defect_is_one_sentence_and_a_traceback_for_who_asks(
    offline: Inside, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("pressmark.commands.status._counts", broken)
    done = offline("status", "--json", status=2)
    assert done.answer["code"] == "defect"
    assert done.err == (
        "pressmark: This is a defect in Pressmark (ZeroDivisionError: by nought); "
        "nothing more was done.\n"
    )
    monkeypatch.chdir(offline.root)
    assert run(["-v", "status"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_sources_says_who_is_on_and_who_is_paused(online: Inside) -> None:
    rows = {row["source"]: row for row in online("sources", "--json").data}
    assert rows["arxiv"]["enabled"] is True
    assert rows["arxiv"]["paused"] is None
