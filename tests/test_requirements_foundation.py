"""What was promised of the whole and belongs to no one module."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import tomllib
from pathlib import Path

import pytest

from double import Double, Reply
from pressmark import errors, index, page
from pressmark.config import load
from pressmark.formats import csljson
from pressmark.http import open_client
from pressmark.library import Library
from pressmark.record import FullText, Note, Paper, Reference, Topic, merge, reference
from pressmark.sources import REGISTRY
from shell import Inside

PROJECT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))

BY_HAND = """\
---
title: "Salt"
authors: [ "Lee, Ann", 'Kim, Bo' ]
published: 2017
# seen at a fair
doi: https://doi.org/10.1000/SALT
rating: 4
sources:
    - bibtex:lee
---
Mine.
"""
"""A layout of no program of today's, and a DOI in a spelling that is normalised on the way in."""


@pytest.fixture
def shell(tmp_path: Path) -> Inside:
    """A library that something older or a person made."""
    shell = Inside(tmp_path / "lib", tmp_path, {"PRESSMARK_OFFLINE": "1"})
    shell.root.mkdir()
    (shell.root / "library/2017").mkdir(parents=True)
    (shell.root / "pressmark.toml").write_text("format = 1\n")
    (shell.root / ".gitignore").write_text(".pressmark/\n")
    (shell.root / "library/2017/lee2017salt.md").write_text(BY_HAND)
    shell.git("init", "--quiet", "--initial-branch=main")
    shell.git("add", ".")
    shell.git("commit", "--quiet", "-m", "old")
    return shell


def test_no_file_is_rewritten_because_the_program_is_newer(shell: Inside) -> None:
    before, head = shell.files(), shell.head()
    for words in (("list",), ("show", "lee2017salt"), ("status",), ("check",), ("find", "salt"),
                  ("index",), ("export",), ("cite", "lee2017salt"), ("log", "lee2017salt")):  # fmt: skip
        shell(*words)
    again = {"id": "lee2017salt", "title": "Salt", "DOI": "10.1000/salt"}
    (shell.home / "again.json").write_text(json.dumps([again]))
    assert (shell.files(), shell.head(), shell.status()) == (before, head, [])


def test_a_new_finding_changes_its_own_lines_only(shell: Inside) -> None:
    """Only what a source adds is written; the rest of an older file keeps its bytes."""
    found = {"id": "x", "title": "Salt", "DOI": "10.1000/salt", "volume": "7"}
    (shell.home / "found.json").write_text(json.dumps([found]))
    assert shell("import", "../found.json", "--json").data["enriched"] == 1
    after = (shell.root / "library/2017/lee2017salt.md").read_text()
    added = [line for line in after.splitlines() if line not in BY_HAND.splitlines()]
    assert set(added) == {"volume: '7'", "aliases:", "    - x", "    - csl-json:x"}
    assert [line for line in after.splitlines() if line in BY_HAND.splitlines() and line] == [
        line for line in BY_HAND.splitlines() if line
    ]
    assert shell.changed() == ["M library/2017/lee2017salt.md"]
    assert "conflicts" not in after
    assert "doi = {10.1000/salt}" in shell("export").out
    assert shell("open", "lee2017salt", "--url", "--print").out == "https://doi.org/10.1000/salt\n"


def test_a_report_says_what_became_of_every_paper_and_what_the_index_holds(shell: Inside) -> None:
    def entry(number: int, **more: str) -> dict[str, str]:
        return {"id": f"k{number}", "title": f"Title {number}", "DOI": f"10.1000/{number}", **more}

    first = [entry(n) for n in range(8)] + [{"id": "none"}]
    (shell.home / "a.json").write_text(json.dumps(first))
    done = shell("import", "../a.json", "--json").data
    counts = ("seen", "added", "merged", "enriched", "unchanged", "failed")
    assert [done[name] for name in counts] == [8, 8, 0, 0, 0, 0]
    assert done["problems"] == ["a.json: Entry 9 (none): has no title and was left out."]
    (shell.home / "b.json").write_text(json.dumps([entry(n, volume="1") for n in range(8)]))
    assert shell("import", "../b.json", "--json").data["enriched"] == 8
    (shell.home / "c.json").write_text(json.dumps([entry(n, volume="2") for n in range(8)]))
    done = shell("import", "../c.json", "--json").data
    assert [done[name] for name in counts] == [8, 0, 0, 8, 0, 0]
    assert done["conflict_count"] == 0  # what no person touched follows its file
    shell("edit", "title:Title", "--set", "volume=9")
    (shell.home / "d.json").write_text(json.dumps([entry(n, volume="3") for n in range(8)]))
    done = shell("import", "../d.json", "--json").data
    assert [done[name] for name in counts] == [8, 0, 0, 8, 0, 0]
    assert (done["conflict_count"], len(done["conflicts"])) == (8, 5)
    assert done["conflicts"][0] == "k0: volume: 3 (csl-json)"
    again = shell("import", "../d.json", "--json").data
    assert ([again[name] for name in counts], again["commit"]) == ([8, 0, 0, 0, 8, 0], None)
    assert "8 conflicts" not in shell("import", "../d.json").out
    library = Library.open(shell.root, load(shell.root, {"HOME": str(shell.home)}))
    index.build(library)
    counts = index.status(library)["counts"]
    assert counts["references"] == 9
    assert {"papers_embedded", "papers_to_embed", "passages_embedded"} <= set(counts)


def test_one_paper_of_many_sources_names_each_once_with_its_first_date() -> None:
    held = reference(Paper(title="T", sources=("crossref:10.1/x 2026-01-01",)), "k")
    for source in ("openalex:W1 2026-02-02", "crossref:10.1/x 2026-03-03", "bibtex:k"):
        held = merge(held, Paper(title="T", sources=(source,)))
    assert held.sources == ("bibtex:k", "crossref:10.1/x 2026-01-01", "openalex:W1 2026-02-02")


def test_a_record_cannot_be_changed_and_has_every_field_that_is_asked_of_it() -> None:
    record = reference(Paper(title="T", published="2017-06"), "k")
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.title = "U"  # type: ignore[misc]
    wanted = ("key", "title", "authors", "year", "doi", "arxiv", "url", "sources", "abstract")
    assert all(hasattr(record, name) for name in wanted)
    assert (record.year, record.authors, record.doi) == ("2017", (), None)


def test_a_provider_is_named_with_a_date_and_a_file_without_one(corpus: Path) -> None:
    papers = []
    for name, source in REGISTRY.items():
        for file in sorted((corpus / "providers" / name).glob("*")):
            if file.stem.startswith(("citations", "references")):
                continue  # edges: works that may have a title alone
            try:
                found = source.parse_search(file.read_bytes(), 200, "", today="2026-01-02")
            except errors.PressmarkError:
                continue
            papers += [(name, paper) for paper in found.papers]
    assert len(papers) > 200
    for name, paper in papers:
        assert paper.sources, paper.title
        assert all(re.fullmatch(rf"{name}:\S+ 2026-01-02", line) for line in paper.sources)
    (paper,), _ = csljson.read(json.dumps([{"id": "a b", "title": "T"}]).encode())
    assert paper.sources == ("csl-json:a%20b",)


def test_everything_that_matters_is_markdown_with_front_matter_in_git() -> None:
    """The project's own repository is a library."""
    kinds: tuple[tuple[str, type[Reference] | type[Topic] | type[Note]], ...] = (
        ("library", Reference), ("topics", Topic), ("notes", Note),
    )  # fmt: skip
    for folder, cls in kinds:
        files = [path for path in (PROJECT / folder).rglob("*") if path.is_file()]
        assert len(files) >= 3
        for path in files:
            assert path.suffix == ".md" or path.name == ".gitkeep", path
            data, name = path.read_bytes(), path.relative_to(PROJECT).as_posix()
            assert data.startswith(b"---\n"), name
            assert page.read(cls, data, name).title, name
    text = FullText(slug="k.fulltext", reference="k", source="arxiv", body="# T\n")
    assert page.write(text).startswith(b"---\nreference: k\n")


def test_the_folders_of_the_project_are_those_that_were_asked_for() -> None:
    for name in ("cli", "library", "topics", "notes", "site", "tests"):
        assert (PROJECT / name).is_dir(), name
    assert (PROJECT / "mkdocs.yml").is_file() and (PROJECT / "pyproject.toml").is_file()
    assert "docs_dir: site\n" in (PROJECT / "mkdocs.yml").read_text("utf-8")


def imported(folder: Path) -> set[str]:
    """The top-level names of everything that the modules of a folder import."""
    found: set[str] = set()
    for module in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {each.name.split(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~; ]", each)[0].lower() for each in requirements}


def test_each_package_that_was_asked_for_is_declared_and_used() -> None:
    core = names(SETTINGS["project"]["dependencies"])
    asked = {
        "click": "click", "httpx": "httpx", "defusedxml": "defusedxml", "pypdf": "pypdf",
        "python-frontmatter": "frontmatter", "pyyaml": "yaml", "whoosh": "whoosh",
        "usearch": "usearch", "gitpython": "git",
    }  # fmt: skip
    assert set(asked) | {"mkdocs-material"} <= core
    assert set(asked.values()) <= imported(PROJECT / "cli")
    assert "name: material" in (PROJECT / "mkdocs.yml").read_text("utf-8")
    assert "pytest" in names(SETTINGS["project"]["optional-dependencies"]["test"])


def test_the_core_needs_no_protocol_server_and_no_model() -> None:
    core = names(SETTINGS["project"]["dependencies"])
    assert not core & {"mcp", "fastmcp", "pygls", "onnxruntime", "tokenizers", "torch", "tantivy"}
    for each in SETTINGS["project"]["dependencies"]:
        assert re.search(r"==|>=.*<", each), f"{each} has no lower or no upper bound"


def test_an_answer_with_an_error_is_an_answer_by_post_as_by_get(tmp_path: Path) -> None:
    with Double([("*", Reply(404, b"no such work", "text/plain"))]) as double:
        settings = double.write_config(tmp_path / "config.toml")
        env = {"HOME": str(tmp_path), "PRESSMARK_CONFIG": str(settings)}
        client = open_client(load(None, env))
        got = client.get("https://api.crossref.org/works/x", source="crossref")
        sent = client.post("https://api.crossref.org/works/x", source="crossref", content=b"q")
    assert [(each.status, each.body) for each in (got, sent)] == [(404, b"no such work")] * 2


def test_exit_statuses_are_the_four_that_are_promised() -> None:
    statuses = {
        errors.NotFound: 1, errors.BadInput: 2, errors.Ambiguous: 2, errors.Configuration: 2,
        errors.Unavailable: 2, errors.Busy: 2, errors.Offline: 2, errors.SourceDown: 2,
        errors.RateLimited: 2, errors.SourceBroken: 2, errors.Integrity: 3, errors.Unreadable: 3,
        errors.NotSpliceable: 3, errors.Changed: 3, errors.Interrupted: 130,
    }  # fmt: skip
    assert {cls: cls("x").exit_status for cls in statuses} == statuses
    known = {cls for cls in vars(errors).values() if isinstance(cls, type)}
    assert {cls("x").exit_status for cls in known if issubclass(cls, errors.PressmarkError)} == {
        1, 2, 3, 130,
    }  # fmt: skip


def test_every_decision_is_a_page_with_its_numbers_and_stands_in_the_list() -> None:
    folder = PROJECT / "docs" / "decisions"
    pages = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text("utf-8"))
    assert listed == [path.name for path in pages]
    for path in pages:
        text = path.read_text("utf-8")
        assert text.startswith(f"# {path.name[:4]} "), path.name
        assert re.search(r"\d", text.partition("\n")[2]), f"{path.name} has no number"
