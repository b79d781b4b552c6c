"""The merge driver: the table of edit pairs, random ones, and what only a person can decide."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pressmark import page
from pressmark.library import driver
from pressmark.page import threeway
from pressmark.record import Collection, Reference, Topic
from shell import Shell

FULL = bool(os.environ.get("PRESSMARK_FULL"))
PATH = "library/2020/bryl2020weirs.md"

BASE = Reference(
    key="bryl2020weirs", title="On weirs", authors=("Bryl, Tomasz",), published="2020",
    venue="Marsh Letters", doi="10.5555/w.1", pmcid="PMC55", stage="candidate",
    tags=("dams", "mud", "water"), topics=("rivers",),
    sources=("crossref:10.5555/w.1 2026-01-01",), body="\n## Abstract\n\nWeirs hold.\n",
)  # fmt: skip

Change = dict[str, Any]
PAIRS: dict[str, tuple[Change, Change, Change]] = {
    "both append different tags at the same place": (
        {"tags": ("dams", "mud", "water", "weirs")}, {"tags": ("dams", "mud", "water", "zinc")},
        {"tags": ("dams", "mud", "water", "weirs", "zinc")},
    ),
    "tags inserted far apart": (
        {"tags": ("alder", "dams", "mud", "water")}, {"tags": ("dams", "mud", "water", "zinc")},
        {"tags": ("alder", "dams", "mud", "water", "zinc")},
    ),
    "different new top-level keys": (
        {"volume": "3"}, {"language": "en"}, {"volume": "3", "language": "en"},
    ),
    "different identifiers": (
        {"pmid": "123456"}, {"openalex": "W12"}, {"pmid": "123456", "openalex": "W12"},
    ),
    "title edit next to author add": (
        {"title": "On weirs and dams"}, {"authors": ("Bryl, Tomasz", "Wen, Li")},
        {"title": "On weirs and dams", "authors": ("Bryl, Tomasz", "Wen, Li")},
    ),
    "same tag added on both": (
        {"tags": ("dams", "mud", "reeds", "water")}, {"tags": ("dams", "mud", "reeds", "water")},
        {"tags": ("dams", "mud", "reeds", "water")},
    ),
    "one tag removed, another added beside it": (
        {"tags": ("dams", "water")}, {"tags": ("dams", "mud", "nets", "water")},
        {"tags": ("dams", "nets", "water")},
    ),
    "kept here, tagged there": (
        {"stage": None}, {"tags": ("dams", "mud", "water", "zinc")},
        {"stage": None, "tags": ("dams", "mud", "water", "zinc")},
    ),
    "two topics found it": (
        {"topics": ("rivers", "tides"), "sources": (*BASE.sources, "openalex:W1 2026-02-02")},
        {"topics": ("reeds", "rivers"), "sources": (*BASE.sources, "openalex:W1 2026-02-03")},
        {"topics": ("reeds", "rivers", "tides"),
         "sources": (*BASE.sources, "openalex:W1 2026-02-02")},
    ),
    "a date made more exact, twice": (
        {"published": "2020-05"}, {"published": "2020-05-17"}, {"published": "2020-05-17"},
    ),
    "a retraction beside a correction": (
        {"notice": "corrected"}, {"notice": "retracted", "tags": ("dams", "mud", "water", "x")},
        {"notice": "retracted", "tags": ("dams", "mud", "water", "x")},
    ),
    "a person's title beside a provider's": (
        {"title": "On Weirs: A Study"},
        {"title": "ON WEIRS", "sources": (*BASE.sources, "openalex:W1 2026-02-02")},
        {"title": "On Weirs: A Study", "conflicts": ("title: ON WEIRS (openalex)",),
         "sources": (*BASE.sources, "openalex:W1 2026-02-02")},
    ),
    "prose edited in two paragraphs": (
        {"body": "\n## Abstract\n\nWeirs hold.\n\n## Notes\n\nMine.\n"},
        {"tags": ("dams", "mud", "water", "zinc")},
        {"body": "\n## Abstract\n\nWeirs hold.\n\n## Notes\n\nMine.\n",
         "tags": ("dams", "mud", "water", "zinc")},
    ),
}  # fmt: skip

FACTS = tuple(PAIRS)[:6]
"""The table that was measured before the driver was built; the rest are the library's own."""


def versions(
    folder: Path, base: Reference | None, ours: Reference, theirs: Reference
) -> driver.Versions:
    """The three files as git hands them over: what was edited is spliced, not written anew."""
    root = page.write(base) if base else b""
    data = [root, *(page.update(root, s, PATH) if base else page.write(s) for s in (ours, theirs))]
    files = [folder / f".merge_file_{name}" for name in ("base", "ours", "theirs")]
    for file, each in zip(files, data, strict=True):
        file.write_bytes(each)
    return driver.Versions(*files)


def plain_git(given: driver.Versions) -> bool:
    """Whether git's own merge, which is what GitHub's button does, is clean."""
    command = ["git", "merge-file", "-p", given.ours, given.base, given.theirs]
    return subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.parametrize("name", PAIRS)
def test_every_edit_pair_merges_clean_whichever_side_is_ours(tmp_path: Path, name: str) -> None:
    one, two, expected = PAIRS[name]
    for ours, theirs in ((one, two), (two, one)):
        given = versions(tmp_path, BASE, replace(BASE, **ours), replace(BASE, **theirs))
        assert driver.merge_files(given, PATH) == 0
        assert page.read(Reference, given.ours.read_bytes(), PATH) == replace(BASE, **expected)


def test_the_same_table_without_the_driver(tmp_path: Path) -> None:
    clean = {
        name: plain_git(versions(tmp_path, BASE, replace(BASE, **one), replace(BASE, **two)))
        for name, (one, two, _) in PAIRS.items()
    }
    assert [name for name in FACTS if not clean[name]] == [
        "both append different tags at the same place"
    ]
    assert sum(clean.values()) == 7


def test_the_table_stands_in_the_decision() -> None:
    pages = Path(__file__).resolve().parents[2] / "docs" / "decisions"
    (text,) = [each.read_text("utf-8") for each in pages.glob("0024-*.md")]
    assert [name for name in PAIRS if f"| {name} |" not in text] == []


def test_what_two_people_wrote_differently_is_an_ordinary_conflict(tmp_path: Path) -> None:
    ours, theirs = replace(BASE, title="On my weirs"), replace(BASE, title="On your weirs")
    given = versions(tmp_path, BASE, replace(ours, volume="3"), replace(theirs, issue="4"))
    assert driver.merge_files(given, PATH) == 1
    text = given.ours.read_text()
    assert (
        "<<<<<<< ours (title)\ntitle: On my weirs\n=======\ntitle: On your weirs\n"
        ">>>>>>> theirs (title)\n"
    ) in text
    for line in ("title: On my weirs", "title: On your weirs"):  # what an editor's choice leaves
        kept = text.replace("<<<<<<< ours (title)\ntitle: On my weirs\n=======\ntitle: On your "
                            "weirs\n>>>>>>> theirs (title)\n", f"{line}\n")  # fmt: skip
        held = page.read(Reference, kept.encode(), PATH)
        assert (held.volume, held.issue) == ("3", "4") and f"title: {held.title}" == line


def test_the_same_paper_filed_on_two_branches_is_one_file(tmp_path: Path) -> None:
    one = replace(BASE, topics=("tides",))
    two = replace(
        BASE, title="ON WEIRS", pmid="123456", stage=None, body="\n## Abstract\n\nWeirs hold.\n",
        sources=("crossref:10.5555/w.1 2026-01-03", "pubmed:123456 2026-01-03"),
    )  # fmt: skip
    given = versions(tmp_path, None, one, two)
    assert driver.merge_files(given, PATH) == 0
    held = page.read(Reference, given.ours.read_bytes(), PATH)
    assert (held.title, held.pmid, held.topics) == ("On weirs", "123456", ("rivers", "tides"))
    assert held.conflicts == ("title: ON WEIRS (crossref, pubmed)",) and held.stage is None
    assert held.sources == ("crossref:10.5555/w.1 2026-01-01", "pubmed:123456 2026-01-03")


def test_two_runs_of_a_topic_and_a_reviewers_word_merge(tmp_path: Path) -> None:
    root = Topic(slug="rivers", title="Rivers", query="x", last_run="2026-01-01",
                 offered=("arxiv:9801.00001", "doi:10.5555/a"))  # fmt: skip
    ours = replace(root, last_run="2026-02-01", offered=(*root.offered, "doi:10.5555/b"))
    theirs = replace(root, last_run="2026-02-03", offered=("doi:10.5555/a", "doi:10.5555/c"),
                     dropped=("arxiv:9801.00001 deleted in review",))  # fmt: skip
    merged = threeway.merge(root, ours, theirs)
    assert merged.clashes == () and merged.record == replace(
        root, last_run="2026-02-03", dropped=("arxiv:9801.00001 deleted in review",),
        offered=("doi:10.5555/a", "doi:10.5555/b", "doi:10.5555/c"),
    )  # fmt: skip


def test_a_reading_list_that_two_people_filled_has_all_its_members_once() -> None:
    root = Collection(slug="x", title="X", members=("a", "m", "z"))
    merged = threeway.merge(
        root, replace(root, members=("a", "b", "m", "z")), replace(root, members=("a", "b", "c"))
    )
    assert merged.record.members == ("a", "b", "c")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("abc", "abxc", "aybc", "aybxc"),
        ("abc", "bc", "abcd", "bcd"),
        ("", "ab", "bc", "abc"),
        ("abc", "abc", "cab", "cab"),
        ("ab", "xab", "yab", "xyab"),
        ("abc", "ac", "abc", "ac"),
    ],
)
def test_an_ordered_list_keeps_its_order(base: str, ours: str, theirs: str, expected: str) -> None:
    one, two, three = (replace(BASE, cites=tuple(each)) for each in (base, ours, theirs))
    assert "".join(threeway.merge(one, two, three).record.cites) == expected


def test_long_lists_are_merged_in_one_pass() -> None:
    one, two = ([f"{side}{n:05}" for n in range(5_000)] for side in "xy")
    base, ours, theirs = (
        Collection(slug="c", title="C", members=tuple(members))
        for members in (["m"], [*one, "m"], ["m", *two])
    )
    assert threeway.merge(base, ours, theirs).record.members == tuple(sorted([*one, "m", *two]))


def test_comments_and_layout_of_both_sides_stay_where_git_can_keep_them(tmp_path: Path) -> None:
    base = page.write(BASE)
    ours = base.replace(b"title: On", b"# my comment\ntitle: On")
    theirs = base.replace(b"\nsources:", b"\n# from the library\nsources:")
    files = [tmp_path / name for name in ("b", "o", "t")]
    for file, data in zip(files, (base, ours, theirs), strict=True):
        file.write_bytes(data)
    assert driver.merge_files(driver.Versions(*files), PATH) == 0
    text = files[1].read_bytes()
    assert b"# my comment\n" in text and b"# from the library\n" in text


def test_what_is_no_record_or_cannot_be_read_is_git_s(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("b", "o", "t")]
    for path, datas, status in (
        ("README.md", (b"a\nb\nc\n", b"a\nx\nc\n", b"a\ny\nc\n"), 1),
        ("README.md", (b"a\nb\nc\nd\ne\n", b"A\nb\nc\nd\ne\n", b"a\nb\nc\nd\nE\n"), 0),
        (PATH, (b"---\ntitle: [\n---\n", b"---\ntitle: x\n---\n", b"---\ntitle: y\n---\n"), 1),
    ):
        for file, data in zip(files, datas, strict=True):
            file.write_bytes(data)
        assert driver.merge_files(driver.Versions(*files), path) == status
        assert (b"<<<<<<< ours" in files[1].read_bytes()) == bool(status)


def test_a_library_below_the_top_of_a_repository_is_merged_too(tmp_path: Path) -> None:
    one, two, expected = PAIRS["both append different tags at the same place"]
    given = versions(tmp_path, BASE, replace(BASE, **one), replace(BASE, **two))
    assert driver.merge_files(given, f"thesis/papers/{PATH}") == 0
    assert page.read(Reference, given.ours.read_bytes(), PATH) == replace(BASE, **expected)


WORDS = st.sampled_from(["alder", "bank", "creek", "dyke", "eel", "fen", "gauge", "heron"])
SCALARS = ("volume", "issue", "pages", "publisher", "language", "pmid", "openalex", "series")
LISTS = ("tags", "topics", "keywords", "related")


@st.composite
def edits(draw: st.DrawFn) -> Change:
    """What somebody does to a reference: fields set, list items added and taken away."""
    change: Change = {}
    for name in draw(st.lists(st.sampled_from(SCALARS), max_size=4, unique=True)):
        change[name] = draw(WORDS)
    for name in draw(st.lists(st.sampled_from(LISTS), max_size=3, unique=True)):
        change[name] = tuple(sorted(draw(st.lists(WORDS, max_size=5, unique=True))))
    if draw(st.booleans()):
        change["cites"] = tuple(draw(st.lists(WORDS, max_size=5, unique=True)))
    if draw(st.booleans()):
        change["extra"] = {
            "shelf": draw(WORDS),
            "mine": draw(st.lists(WORDS, max_size=3, unique=True)),
        }
    return change


@settings(
    max_examples=200, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(edits(), edits(), edits())
def test_random_edits_lose_no_field_and_double_none(
    tmp_path: Path, before: Change, one: Change, two: Change
) -> None:
    base = replace(BASE, **before)
    ours, theirs = replace(base, **one), replace(base, **two)
    given = versions(tmp_path, base, ours, theirs)
    status = driver.merge_files(given, PATH)
    merged = threeway.merge(base, ours, theirs)
    assert (status == 1) == bool(merged.clashes)
    needless = [n for n in merged.clashes if getattr(ours, n, 0) == getattr(theirs, n, 1)]
    assert needless == []
    record = merged.record if status else page.read(Reference, given.ours.read_bytes(), PATH)
    for name in (*LISTS, "cites"):
        was, mine, other, got = (set(getattr(r, name)) for r in (base, ours, theirs, record))
        assert got == (mine | other) - (was - mine) - (was - other), name
        assert len(getattr(record, name)) == len(got), name
    for name in SCALARS:
        was, mine, other, got = (getattr(r, name) for r in (base, ours, theirs, record))
        if name not in merged.clashes:
            assert got == (mine if other == was else other), name
    if not status:
        lines = given.ours.read_text().partition("\n---\n")[0].splitlines()
        keys = [line.partition(":")[0] for line in lines if line[:1].isalpha()]
        assert len(keys) == len(set(keys))


def test_git_itself_runs_it_in_a_library_that_init_made(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "lib", tmp_path)
    shell.root.mkdir()
    shell("init", ".")
    assert "merge=pressmark" in (shell.root / ".gitattributes").read_text()
    path = shell.root / PATH
    path.parent.mkdir(parents=True)
    path.write_bytes(page.write(BASE))
    shell.git("add", ".")
    shell.git("commit", "-qm", "base")
    one, two, expected = PAIRS["both append different tags at the same place"]
    for name, change in (("other", one), ("main", two)):
        shell.git("switch", "-q", *(["-c"] if name == "other" else []), name)
        path.write_bytes(page.update(path.read_bytes(), replace(BASE, **change), PATH))
        shell.git("commit", "-qam", name)
    shell.git("merge", "-q", "--no-edit", "other")
    assert page.read(Reference, path.read_bytes(), PATH) == replace(BASE, **expected)
    shell("check", "--strict")


def test_where_the_program_is_gone_git_merges_by_itself(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "lib", tmp_path)
    shell.root.mkdir()
    shell("init", ".")
    line = shell.git("config", "merge.pressmark.driver")
    assert " -m pressmark merge-driver %O %A %B %P; s=$?" in line
    gone = line.replace(line.split(" ")[0], "/nowhere/python")
    shell.git("config", "merge.pressmark.driver", gone)
    path = shell.root / "notes/n.md"
    path.write_text("one\ntwo\nthree\nfour\nfive\n")
    shell.git("add", ".")
    shell.git("commit", "-qm", "base")
    shell.git("switch", "-qc", "other")
    path.write_text("ONE\ntwo\nthree\nfour\nfive\n")
    shell.git("commit", "-qam", "other")
    shell.git("switch", "-q", "main")
    path.write_text("one\ntwo\nthree\nfour\nFIVE\n")
    shell.git("commit", "-qam", "mine")
    shell.git("merge", "-q", "--no-edit", "other")
    assert path.read_text() == "ONE\ntwo\nthree\nfour\nFIVE\n"


def test_a_library_whose_attributes_say_nothing_gets_them_in_the_clone(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "thesis", tmp_path)
    shell.root.mkdir()
    shell.git("init", "-q")
    shell("init", "papers", "--minimal")
    assert shell.git("check-attr", "merge", "papers/library/2020/x.md").endswith(": pressmark")
    assert shell.git("check-attr", "merge", "chapter.md").endswith(": unspecified")
    assert shell.status() == []
    assert "It was there." in shell("merge-driver", "--install", cwd=shell.root / "papers").err
