"""The whole story over loopback, each step a process: files, commits, pages, streams, faults."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

from double import HTML, RATE_LIMITED, UNAVAILABLE, Double, Reply, Seen, faulty, json_reply
from shell import Done, Shell
from story import story_routes

pytestmark = pytest.mark.xdist_group("story")

SPARSE = """\
---
title: 'Sparse Attention in Graph Transformers: A Field Study'

authors:
- Østergaard, Maren
- Wen, Li

published: '2022-11-20'

type: paper-conference

venue: Proceedings of the Imaginary Conference on Graphs

publisher: Imaginary Press

pages: '17-31'

doi: 10.5555/icg.2022.17

arxiv: '9802.00123'

arxiv-class: cs.LG

openalex: W9900000003

issn:
- '5555-0001'

url: https://doi.org/10.5555/icg.2022.17

language: en

license: CC BY 4.0

oa: green

stage: candidate

sources:
- arxiv:9802.00123v2 TODAY
- crossref:10.5555/icg.2022.17 TODAY
- openalex:W9900000003 TODAY

cites:
- arxiv:9801.00011
- doi:10.5555/jih.2019.0042
---

## Abstract

Graph transformers are costly on large graphs. We measure eleven sparse attention patterns on river networks and find that two suffice.
"""

NOTE = """\
---
title: Water and graphs

about:
- devos2020salinity
- aldermoor2021graph

tags:
- water

created: TODAY
---

# Water and graphs

[@devos2020salinity]

[@aldermoor2021graph]
"""

BIB = """\
% Written by Pressmark; the next export replaces this file, so edit the library instead.

@misc{aldermoor2021graph,
  author = {Aldermoor, Ines and Bryl, Tomasz and de Vos, Quentin},
  title = {Graph Transformers for Tidal Networks},
"""


@dataclass
class Story:
    """A library with its whole history, and every step's transcript."""

    shell: Shell
    double: Double
    today: str = ""
    steps: dict[str, Done] = field(default_factory=dict)
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)
    asked: dict[str, list[Seen]] = field(default_factory=dict)

    def step(self, name: str, *words: str) -> Done:
        """One command; what it left is kept for the tests."""
        before = len(self.double.requests)
        done = self.shell(*words)
        self.steps[name] = done
        self.files[name] = self.shell.files()
        self.heads[name] = self.shell.head()
        self.asked[name] = self.double.requests[before:]
        return done


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("story")
    with Double(story_routes()) as double:
        config = double.write_config(folder / "config.toml")
        shell = Shell(folder / "lib", folder, {"PRESSMARK_CONFIG": str(config)})
        told = Story(shell, double)
        play(told, folder)
        yield told


def play(told: Story, folder: Path) -> None:
    """init → search → list → keep → drop → add → fetch → find → note → … → undo."""
    shell = told.shell
    shell("init", "lib", cwd=folder)
    (shell.root / "thesis.md").write_text("My thesis.\n")
    shell.git("add", "thesis.md")  # the user's own work, staged and unstaged, lies about
    (shell.root / "notes" / "draft.md").write_text("A draft.\n")
    told.step("init", "init")
    told.step("search", "search", "graph", "transformers")
    told.step("list", "list", "stage:candidate")
    told.step("list json", "list", "--json")
    told.step("keep", "keep", "aldermoor2021graph", "10.5555/iel.2024.99")
    told.step("drop", "drop", "stage:candidate", "author:mensah", "--reason", "another subject")
    told.step("search again", "search", "graph", "transformers", "--limit", "9")
    told.step("add doi", "add", "https://doi.org/10.5555/JIH.2020.0007")
    told.step("add arxiv", "add", "arXiv:9804.00456v1")
    told.step("add title", "add", "Dredging and its discontents")
    told.step("add held", "add", "doi:10.5555/jih.2020.0007", "arxiv.org/abs/9803.00007")
    told.step("fetch", "fetch")
    told.step("find", "find", "forecast a day ahead with honest intervals", "-k", "2")
    told.step("grep", "grep", "mark06")
    told.step(
        "note", "note", "new", "Water and graphs", "--tag", "water",
        "--about", "devos2020salinity", "--about", "aldermoor2021graph",
    )  # fmt: skip
    told.step("check", "check")
    told.step("export", "export", "-o", "refs.bib")
    told.step("export cited", "export", "--cited-in", "notes/water-and-graphs.md")
    told.step("cite", "cite", "aldermoor2021graph", "devos2020salinity")
    told.step("site", "site", "build", "--strict")
    told.step("status", "status", "--json")
    told.step("undo", "undo")
    found = re.search(r"^date: '(\d{4}-\d\d-\d\d)'$", log(told, "search"), re.M)
    assert found
    told.today = found[1]


def log(told: Story, step: str) -> str:
    """The search's record after a step."""
    (path,) = [p for p in told.files[step] if p.startswith("topics/searches/")]
    return told.files[step][path].decode()


def test_a_search_files_what_it_found_as_candidates(story: Story) -> None:
    files = story.files["search"]
    assert files["library/2022/ostergaard2022sparse.md"].decode() == SPARSE.replace(
        "TODAY", story.today
    )
    assert sorted(p for p in files if p.startswith("library/") and p.endswith(".md")) == [
        "library/2021/aldermoor2021graph.md",
        "library/2022/ostergaard2022sparse.md",
        "library/2023/wen2023positional.md",
        "library/2024/elsayed2024graph.md",
        "library/2025/mensah2025graph.md",
    ]


def test_the_search_is_logged_with_what_was_sent_and_every_hit(story: Story) -> None:
    text = log(story, "search")
    assert "query: graph transformers\n" in text
    assert text.count("status: ok") == 3
    assert "sent: https://api.openalex.org/works?search=graph%20AND%20transformers" in text
    assert "- arxiv:9802.00123v2 → ostergaard2022sparse\n" in text
    assert "127.0.0.1" not in text


def test_data_is_on_stdout_and_talk_on_stderr(story: Story) -> None:
    search = story.steps["search"]
    assert search.out.startswith("  1. Østergaard & Wen 2022 — Sparse Attention in Graph")
    assert "     crossref, arxiv, openalex; filed as ostergaard2022sparse; open: " in search.out
    assert search.out.endswith("\n5 new.\n")
    assert [line.split()[0] for line in search.err.splitlines()] == [
        "openalex", "crossref", "arxiv", "Decide",
    ]  # fmt: skip
    for name in ("list", "list json", "find", "grep", "check", "cite", "keep", "add doi"):
        assert story.steps[name].out or name == "check"
    for name in ("list", "list json", "grep", "cite", "keep", "drop", "add doi", "undo"):
        assert story.steps[name].err == "", name
    assert story.steps["check"].err == "0 errors, 0 warnings.\n"
    assert story.steps["export"].out == ""


def test_a_list_is_a_row_each_and_its_json_has_every_field(story: Story) -> None:
    assert story.steps["list"].lines[0] == (
        "aldermoor2021graph    2021  Aldermoor et al.  "
        "Graph Transformers for Tidal Networks (candidate)"
    )
    first = story.steps["list json"].data["references"][0]
    assert first["key"] == "aldermoor2021graph"
    assert first["path"] == "library/2021/aldermoor2021graph.md"
    assert first["authors"] == ["Aldermoor, Ines", "Bryl, Tomasz", "de Vos, Quentin"]
    assert first["abstract"].startswith("We study graph transformers")


def test_keeping_takes_one_field_out_and_nothing_else(story: Story) -> None:
    path = "library/2021/aldermoor2021graph.md"
    before, after = story.files["list"][path], story.files["keep"][path]
    assert after == before.replace(b"stage: candidate\n\n", b"")
    assert after != before


def test_what_was_dropped_is_remembered_and_not_offered_again(story: Story) -> None:
    assert "library/2025/mensah2025graph.md" not in story.files["drop"]
    assert "\n- arxiv:9806.00777 another subject\n" in log(story, "drop")
    assert "library/2025/mensah2025graph.md" not in story.files["search again"]
    assert "dropped before" in story.steps["search again"].out


def test_every_identifier_leads_to_its_paper(story: Story) -> None:
    assert story.steps["add doi"].lines[0] == (
        "added     devos2020salinity  Salinity Forecasts with Quantile Forests"
    )
    assert "library/2023/ostergaard2023benchmarks.md" in story.files["add arxiv"]
    assert "library/2012/penhallow2012dredging.md" in story.files["add title"]
    assert b"\nstage:" not in story.files["add title"]["library/2012/penhallow2012dredging.md"]


def test_adding_what_is_held_asks_nobody_and_keeps_the_candidate(story: Story) -> None:
    assert story.asked["add held"] == []
    assert story.steps["add held"].lines == [
        "held      devos2020salinity  Salinity Forecasts with Quantile Forests",
        "kept      wen2023positional  Positional Encodings for Graph Transformers on Rivers",
        "1 enriched, 1 held already.",
    ]
    assert story.shell.changed(story.heads["add held"]) == ["M library/2023/wen2023positional.md"]


def test_open_text_is_fetched_and_committed_and_other_text_stays_out_of_git(story: Story) -> None:
    text = story.files["fetch"]["library/2020/devos2020salinity.fulltext.md"].decode()
    assert text.startswith("---\nreference: devos2020salinity\n\nsource: europepmc\n")
    assert "\nlicense: CC BY 4.0\n" in text
    assert "\n## Introduction\n\nSalinity Forecasts with Quantile Forests is the subject" in text
    assert story.shell.changed(story.heads["fetch"])[0] == (
        "A library/2020/devos2020salinity.fulltext.md"
    )
    assert "library/2021/aldermoor2021graph.fulltext.md" in story.files["fetch"]
    tracked = story.shell.git("ls-files", "library").splitlines()
    assert "library/2021/aldermoor2021graph.fulltext.md" not in tracked


def test_find_shows_the_passage_that_answers(story: Story) -> None:
    lines = story.steps["find"].lines
    assert lines[0].endswith("[devos2020salinity]")
    assert lines[1].strip() == (
        "Abstract: Quantile forests forecast salinity a day ahead with honest intervals."
    )
    assert story.steps["grep"].out.startswith("library/2020/devos2020salinity.fulltext.md:")
    assert story.asked["find"] == story.asked["grep"] == []


def test_a_note_is_begun_and_its_citations_hold(story: Story) -> None:
    expected = NOTE.replace("TODAY", f"'{story.today}'")
    assert story.files["note"]["notes/water-and-graphs.md"].decode() == expected


def test_the_export_is_the_kept_references_and_says_who_wrote_it(story: Story) -> None:
    bib = story.files["export"]["refs.bib"].decode()
    assert bib.startswith(BIB)
    assert re.findall(r"^@\w+\{([^,]+),$", bib, re.M) == [
        "aldermoor2021graph", "devos2020salinity", "elsayed2024graph", "ostergaard2023benchmarks",
        "penhallow2012dredging", "wen2023positional",
    ]  # fmt: skip
    cited = story.steps["export cited"].out
    assert re.findall(r"^@\w+\{([^,]+),$", cited, re.M) == [
        "aldermoor2021graph", "devos2020salinity",
    ]  # fmt: skip
    assert bib.isascii()
    assert story.steps["cite"].lines == [
        "Aldermoor, I., Bryl, T., & de Vos, Q. (2021). Graph Transformers for Tidal Networks. "
        "https://doi.org/10.48550/arxiv.9801.00011",
        "de Vos, Q., & El-Sayed, A. (2020). Salinity Forecasts with Quantile Forests. "
        "Journal of Invented Hydrology, 13, 1–14. https://doi.org/10.5555/jih.2020.0007",
    ]


def test_one_commit_a_command_with_its_own_paths_only(story: Story) -> None:
    found = {
        name: story.shell.changed(head)
        for name, head in story.heads.items()
        if head != previous(story, name)
    }
    searches = f"topics/searches/{story.today}-graph-transformers"
    assert found == {
        "search": [
            "A library/2021/aldermoor2021graph.md", "A library/2022/ostergaard2022sparse.md",
            "A library/2023/wen2023positional.md", "A library/2024/elsayed2024graph.md",
            "A library/2025/mensah2025graph.md", f"A {searches}.md",
        ],
        "keep": ["M library/2021/aldermoor2021graph.md", "M library/2024/elsayed2024graph.md"],
        "drop": ["D library/2025/mensah2025graph.md", f"M {searches}.md"],
        "search again": [f"A {searches}-2.md"],
        "add doi": ["A library/2020/devos2020salinity.md"],
        "add arxiv": ["A library/2023/ostergaard2023benchmarks.md"],
        "add title": ["A library/2012/penhallow2012dredging.md"],
        "add held": ["M library/2023/wen2023positional.md"],
        "fetch": [
            "A library/2020/devos2020salinity.fulltext.md",
            "A library/2024/elsayed2024graph.fulltext.md",
            "M library/2012/penhallow2012dredging.md",
        ],
        "note": ["A notes/water-and-graphs.md"],
        "undo": ["D notes/water-and-graphs.md"],
    }  # fmt: skip


def previous(told: Story, name: str) -> str:
    names = list(told.heads)
    at = names.index(name)
    return told.heads[names[at - 1]] if at else told.heads["init"]


def test_a_log_reader_understands_the_subjects(story: Story) -> None:
    assert story.shell.subjects() == [
        'Revert "note: Water and graphs"',
        "note: Water and graphs",
        "fetch: full text of 5 references (arxiv, europepmc)",
        "add: wen2023positional learnt more",
        "add: penhallow2012dredging (Dredging and Its Discontents)",
        "add: ostergaard2023benchmarks (Benchmarks for Learning on Waterways)",
        "add: devos2020salinity (Salinity Forecasts with Quantile Forests)",
        'search: nothing new for "graph transformers" (arxiv, crossref, openalex)',
        "drop: mensah2025graph",
        "keep: aldermoor2021graph, elsayed2024graph",
        'search: 5 references for "graph transformers" (arxiv, crossref, openalex)',
        "init: a Pressmark library",
    ]
    bodies = story.shell.git("log", "--format=%(trailers:key=Pressmark,valueonly)").split()
    assert bodies == [
        "undo", "note", "fetch", "add", "add", "add", "add", "search", "drop", "keep", "search",
        "init",
    ]  # fmt: skip


def test_the_users_own_work_is_never_committed_nor_unstaged(story: Story) -> None:
    status = story.shell.status()
    assert status == ["A  thesis.md", "?? notes/draft.md", "?? refs.bib"]
    assert "thesis.md" not in story.shell.git("log", "--format=", "--name-only")
    story.shell.tidy()


class Page(HTMLParser):
    """The title, the text and the links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if tag == "a" and name == "href"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def test_the_site_has_a_page_for_each_thing_linked_both_ways(story: Story) -> None:
    site = story.shell.root / "_site"
    assert re.match(r"\d+ pages in ", story.steps["site"].out)
    note = Page(site / "notes" / "water-and-graphs" / "index.html")
    reference = Page(site / "library" / "2020" / "devos2020salinity" / "index.html")
    assert any("library/2020/devos2020salinity" in link for link in note.links)
    assert any("notes/water-and-graphs" in link for link in reference.links)
    assert "Quantile forests forecast salinity" in reference.text
    home = Page(site / "index.html")
    assert any("references" in link for link in home.links)
    inbox = Page(site / "inbox" / "index.html")
    assert "Sparse Attention in Graph Transformers" in inbox.text
    lists = Page(site / "references" / "index.html")
    assert "Sparse Attention" not in lists.text
    assert "Salinity Forecasts" in lists.text


def test_text_without_an_open_licence_is_not_published(story: Story) -> None:
    site = story.shell.root / "_site"
    assert "mark06" in (site / "library/2020/devos2020salinity.fulltext/index.html").read_text()
    pages = "".join(p.read_text("utf-8") for p in site.rglob("*.html"))
    assert "mark01" not in pages  # aldermoor2021graph, from arXiv, names no licence


def test_the_status_counts_and_says_what_to_do_next(story: Story) -> None:
    answer = story.steps["status"].answer
    assert answer["data"]["counts"] == {
        "references": 7, "candidates": 1, "full texts": 5, "notes": 2, "topics": 0,
        "searches": 2, "collections": 0,
    }  # fmt: skip
    assert answer["data"]["git"]["state"] == "clean"
    assert answer["next"] == "pressmark list stage:candidate, then keep or drop them"


def test_only_what_goes_out_asks_anybody(story: Story) -> None:
    asking = {name for name, seen in story.asked.items() if seen}
    assert asking == {"search", "search again", "add doi", "add arxiv", "add title", "fetch"}
    agents = {seen.headers["user-agent"] for seen in story.double.requests}
    assert len(agents) == 1
    assert agents.pop().startswith("Pressmark/")


# Faults


TRUNCATED = faulty(json_reply('{"status": "ok", "message": {"items": []}}' * 20), "truncated")
FAULTS = {
    "429": (RATE_LIMITED, "unavailable", "rate_limited"),
    "503": (UNAVAILABLE, "unavailable", "provider_unavailable"),
    "html": (HTML, "broken", "provider_broken"),
    "truncated": (TRUNCATED, "unavailable", "provider_unavailable"),
    "reset": (Reply(fault="reset"), "unavailable", "provider_unavailable"),
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library without a reference, to be copied."""
    folder = tmp_path_factory.mktemp("empty")
    Shell(folder, folder)("init", "--minimal", "lib")
    return folder / "lib"


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as double:
        yield double


@pytest.fixture
def shell(empty: Path, tmp_path: Path, double: Double) -> Shell:
    """A library of its own, whose sources are all at the double."""
    shutil.copytree(empty, tmp_path / "lib")
    config = double.write_config(tmp_path / "config.toml")
    return Shell(tmp_path / "lib", tmp_path, {"PRESSMARK_CONFIG": str(config)})


@pytest.mark.parametrize("fault", FAULTS)
def test_one_failing_source_is_a_row_and_the_others_answer(
    shell: Shell, double: Double, fault: str
) -> None:
    reply, status, _ = FAULTS[fault]
    double.fail("/at-openalex/*", reply)
    done = shell("search", "graph transformers", "--json")
    rows = {row["source"]: row for row in done.data["sources"]}
    assert [rows[name]["status"] for name in ("openalex", "crossref", "arxiv")] == [
        status, "ok", "ok",
    ]  # fmt: skip
    assert rows["openalex"]["reason"]
    assert done.data["filed"]["added"] == 5
    assert len(list((shell.root / "library").rglob("*.md"))) == 5
    line = next(line for line in done.err.splitlines() if "openalex" in line)
    assert line.startswith("! BROKEN: openalex" if status == "broken" else "openalex")
    assert f"status: '{status}: " in "".join(
        p.read_text() for p in (shell.root / "topics/searches").iterdir()
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_when_nobody_answers_nothing_is_filed_and_the_envelope_says_why(
    shell: Shell, double: Double, fault: str
) -> None:
    reply, status, code = FAULTS[fault]
    before, head = shell.files(), shell.head()
    double.fail("*", reply)
    done = shell("search", "graph transformers", "--json", status=2)
    answer = done.answer
    assert answer["code"] == code
    assert answer["error"].startswith("No source answered (")
    assert answer["next"]
    assert [row["status"] for row in answer["data"]["sources"]] == [status] * 3
    assert answer["data"]["filed"] is None
    assert answer["data"]["hits"] == []
    assert done.err.splitlines()[-1] == f"pressmark: {answer['error']}"
    assert (shell.files(), shell.head(), shell.status()) == (before, head, [])


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "429"])
def test_an_add_that_nobody_answers_files_nothing(shell: Shell, double: Double, fault: str) -> None:
    reply, _, code = FAULTS[fault]
    double.fail("*", reply)
    head = shell.head()
    done = shell("add", "10.5555/jih.2020.0007", "--json", status=2)
    assert done.answer["code"] == code
    assert done.data["failures"][0]["word"] == "10.5555/jih.2020.0007"
    assert (shell.head(), shell.status()) == (head, [])


def test_an_add_waits_for_a_source_that_asks_for_it(shell: Shell, double: Double) -> None:
    double.fail("/at-arxiv/*", Reply(429, b"", headers={"Retry-After": "1"}), times=1)
    done = shell("add", "arXiv:9804.00456")
    assert done.lines[0].startswith("added     ostergaard2023benchmarks")
    assert [seen.source for seen in double.requests].count("arxiv") == 2


def test_a_passing_failure_of_a_fetch_leaves_no_mark(shell: Shell, double: Double) -> None:
    shell("add", "10.5555/jih.2020.0007")
    files = shell.files()
    double.fail("*", UNAVAILABLE)
    done = shell("fetch", "--json", status=2)
    assert done.answer["code"] == "unavailable"
    assert [item["status"] for item in done.data["items"]] == ["unavailable"]
    assert shell.files() == files
    double.heal()
    again = shell("fetch", "--json", env=shell.environment(XDG_STATE_HOME=str(shell.home / "s2")))
    assert [item["status"] for item in again.data["items"]] == ["fetched"]
