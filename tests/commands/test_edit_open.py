"""`edit` by an editor and by options, and `open`: nothing typed is lost, nothing strange is run."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from shell import Inside

KEY = "bryl2019message"
PATH = f"library/2019/{KEY}.md"


def editor(shell: Inside, script: str) -> Inside:
    """A shell whose EDITOR is this sh script; the file is its `$1`."""
    path = shell.home / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    shell.env["EDITOR"] = str(path)
    return shell


def test_what_the_editor_leaves_is_committed_byte_for_byte(offline: Inside) -> None:
    editor(offline, 'sed -i "s/^shelf: B 12/shelf:   C 3  # moved/" "$1"')
    before = (offline.root / PATH).read_bytes()
    assert offline("edit", KEY).out == f"changed  {PATH}\n"
    assert (offline.root / PATH).read_bytes() == before.replace(
        b"shelf: B 12", b"shelf:   C 3  # moved"
    )
    assert offline.changed() == [f"M {PATH}"]
    assert offline.subjects()[0] == f"edit: {KEY}"


def test_crlf_and_a_byte_order_mark_survive_the_editor(offline: Inside) -> None:
    (offline.root / ".gitattributes").unlink()
    path = offline.root / PATH
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    offline.git("add", "--all")
    offline.git("commit", "--quiet", "-m", "Windows")
    before = path.read_bytes()
    editor(offline, 'sed -i "s/B 12/C 3/" "$1"')
    offline("edit", KEY)
    assert path.read_bytes() == before.replace(b"B 12", b"C 3")


def test_an_editor_that_saves_nothing_changes_nothing(offline: Inside) -> None:
    head = offline.head()
    editor(offline, "true")
    assert offline("edit", KEY).out == "Nothing to change.\n"
    assert offline.head() == head


def test_invalid_yaml_never_reaches_the_library_and_is_kept(offline: Inside) -> None:
    editor(offline, 'sed -i "s/^title: .*/title: [unclosed/" "$1"')
    before, head = offline.files(), offline.head()
    done = offline("edit", KEY, "--json", status=3)
    assert done.answer["code"] == "unreadable"
    assert done.answer["error"].startswith(f"{PATH}:")
    line = int(done.answer["error"].split(":")[1])
    assert 1 < line < 8
    saved = Path(done.answer["next"].removeprefix("what you wrote is in "))
    assert b"title: [unclosed" in saved.read_bytes()
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert (offline.files(), offline.head(), offline.status()) == (before, head, [])


@pytest.mark.parametrize("text", ["", "no front matter at all\n", "---\nauthors:\n- X\n---\n"])
def test_what_is_no_reference_any_more_is_refused(offline: Inside, text: str) -> None:
    (offline.home / "text").write_text(text)
    editor(offline, f'cat "{offline.home}/text" >"$1"')
    before = offline.files()
    assert offline("edit", KEY, status=3).err.startswith(f"pressmark: {PATH}")
    assert offline.files() == before


def test_a_file_changed_while_the_editor_was_open_is_not_overwritten(offline: Inside) -> None:
    path = offline.root / PATH
    editor(offline, f'echo "by the editor" >>"$1"; echo "by another" >>"{path}"')
    done = offline("edit", KEY, "--json", status=3)
    assert done.answer["code"] == "changed_meanwhile"
    assert path.read_text().endswith("by another\n")
    saved = Path(done.answer["next"].removeprefix("what you wrote is in "))
    assert saved.read_text().endswith("by the editor\n")


def test_an_editor_that_fails_or_is_not_there(offline: Inside) -> None:
    head = offline.head()
    editor(offline, "exit 7")
    assert "The editor failed" in offline("edit", KEY, status=2).err
    offline.env["EDITOR"] = "/nonexistent/editor"
    done = offline("edit", KEY, status=2)
    assert "The editor failed" in done.err
    assert "set EDITOR" in done.err
    assert offline.head() == head


def test_the_librarys_own_file_may_not_name_an_editor(offline: Inside) -> None:
    (offline.root / "pressmark.toml").write_text(
        f'format = 1\neditor = "touch {offline.home}/ran"\n'
    )
    editor(offline, "true")
    assert "editor is ignored" in offline("edit", KEY).err
    assert not (offline.home / "ran").exists()


def test_the_editor_opens_one_reference(offline: Inside) -> None:
    assert "2 answer" in offline("edit", "year:2019..2021", status=2).err


def test_many_references_are_one_commit(offline: Inside) -> None:
    offline("edit", "year:2019..2021", "--add-tag", "read", "--add-tag", "a b")
    assert offline.subjects()[0] == "edit: aldermoor2021graph, bryl2019message"
    assert len(offline.changed()) == 2
    assert offline("show", KEY, "--json").data["tags"] == ["a b", "read"]
    offline("edit", KEY, "--remove-tag", "READ", "--set", "venue=", "--set", "shelf=")
    shown = offline("show", KEY, "--json").data
    assert (shown["tags"], shown["venue"], shown["extra"]) == (["a b"], None, {})


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("colour=red", "A reference has no field 'colour'."),
        ("year=2021", "A reference has no field 'year'. Did you mean 'published'?"),
        ("journal=x", "Did you mean 'venue'?"),
        ("venu=x", "Did you mean 'venue'?"),
        ("nothing", "--set takes FIELD=VALUE; 'nothing' has no '='."),
        ("title=", "bryl2019message cannot be without a title."),
        ("doi=what", "'what' is no doi."),
        ("published=last year", "is not YYYY"),
        ("type=paper", "type=paper is not known."),
        ("key=x", "The key is the file's name."),
        ("sources=x", "sources is not set by hand"),
    ],
)
def test_a_field_that_is_off_is_named(offline: Inside, setting: str, said: str) -> None:
    before = offline.files(), offline.head()
    assert said in offline("edit", KEY, "--set", setting, status=2).err
    assert (offline.files(), offline.head()) == before


# open


def test_open_prints_the_place(offline: Inside) -> None:
    assert offline("open", KEY, "--print").lines == [str(offline.root / PATH)]
    assert offline("open", KEY, "--url", "--print").lines == [
        "https://doi.org/10.5555/jih.2019.0042"
    ]
    assert offline("open", "aldermoor2021graph", "--url", "--print").lines == [
        "https://arxiv.org/abs/9801.00011"
    ]
    text = offline.root / "library/2019/bryl2019message.fulltext.md"
    assert offline("open", KEY, "--text", "--print").lines == [str(text)]
    refused = offline("open", KEY, "--pdf", "--print", status=2)
    assert refused.err == (
        "pressmark: bryl2019message has no pdf here.\n"
        "  pressmark open bryl2019message --text, or pressmark attach bryl2019message FILE.pdf\n"
    )


def test_open_hands_the_place_to_the_systems_program(offline: Inside) -> None:
    folder = offline.home / "bin"
    folder.mkdir()
    program = folder / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$1" >"{offline.home}/opened"\n')
    program.chmod(0o755)
    offline.env["PATH"] = f"{folder}:{os.environ['PATH']}"
    offline("open", KEY, "--url")
    for _ in range(100):
        if (offline.home / "opened").exists() and (offline.home / "opened").read_text():
            break
        time.sleep(0.02)
    assert (offline.home / "opened").read_text() == "https://doi.org/10.5555/jih.2019.0042\n"


def test_open_without_a_program_says_so(offline: Inside) -> None:
    offline.env["PATH"] = "/nonexistent"
    done = offline("open", KEY, status=2)
    assert "No program here opens it." in done.err
    assert done.lines == [str(offline.root / PATH)]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "--help", "x"])
def test_only_a_web_address_is_opened(offline: Inside, url: str) -> None:
    offline("edit", KEY, "--set", "doi=", "--set", f"url={url}")
    assert "has no url here" in offline("open", KEY, "--url", "--print", status=2).err


def test_a_doi_with_strange_characters_becomes_an_address(offline: Inside) -> None:
    offline("edit", KEY, "--set", "doi=10.1002/(sici)1<1::aid-x>3.0.co;2-#")
    (place,) = offline("open", KEY, "--url", "--print").lines
    assert place == "https://doi.org/10.1002/(sici)1%3C1::aid-x%3E3.0.co;2-%23"
