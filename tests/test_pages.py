"""The pages for readers hold together: tables are complete, links lead somewhere, tests exist."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from pressmark import errors
from pressmark.library import Library, create
from pressmark.record import FullText, Reference

PROJECT = Path(__file__).resolve().parent.parent
MEASURED = {"docs/benchmarks.md"}
"""Written by `make bench`."""
DECISIONS = PROJECT / "docs" / "decisions"
PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted((PROJECT / "docs").rglob("*.md")),
    *sorted((PROJECT / "site").rglob("*.md")),
]


def test_every_decision_is_in_the_table_and_numbered_once() -> None:
    table = (DECISIONS / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| \[(\d{4})\]\((\d{4}-[a-z0-9-]+\.md)\) \| (.+) \|$", table, re.M)
    pages = sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    assert [name for _, name, _ in listed] == pages
    numbers = [number for number, *_ in listed]
    assert numbers == sorted(set(numbers))
    for number, name, _ in listed:
        head = (DECISIONS / name).read_text("utf-8").splitlines()[0]
        assert name.startswith(number) and head.startswith(f"# {number} ")


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(each for x in extras if x != "test" for each in extras[x]),
    ]
    names = {re.split(r"[\[<>=~! ]", each)[0] for each in wanted}
    page = (DECISIONS / "0004-dependencies.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")][1:]
    stated = {name.strip() for row in rows for name in re.sub(r"\(.*?\)", "", row).split(",")}
    assert sorted(names - stated) == []
    assert sorted(stated - names) == []


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_promise_names_a_test_that_exists() -> None:
    page = (PROJECT / "docs" / "reliability.md").read_text("utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page)
    assert len(named) > 40
    assert [f"{f}::{t}" for f, t in named if t not in names_in(PROJECT / f)] == []
    promises = [line for line in page.splitlines() if line.startswith("| ")]
    unproved = [
        p for p in promises if "::" not in p and "shown by" not in p and "the same" not in p
    ]
    assert unproved == []


def test_tests_that_decisions_name_exist() -> None:
    known = {name for path in (PROJECT / "tests").rglob("test_*.py") for name in names_in(path)}
    files = {path.name for path in (PROJECT / "tests").rglob("*.py")}
    for path in DECISIONS.glob("*.md"):
        named = re.findall(r"`(?:tests/[\w/]*)?(test_\w+)(\.py)?`", path.read_text("utf-8"))
        missing = [n for n, py in named if (f"{n}.py" not in files if py else n not in known)]
        assert missing == [], path.name


def test_every_error_code_is_in_the_guide_with_its_exit_status() -> None:
    def tree(cls: type[errors.PressmarkError]) -> list[type[errors.PressmarkError]]:
        return [cls, *(each for sub in cls.__subclasses__() for each in tree(sub))]

    page = (PROJECT / "site" / "guide" / "workflows.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \| (\d+) \|", page, re.M)
    stated = {code: int(status) for codes, status in rows for code in re.findall(r"\w+", codes)}
    raised = [c for c in tree(errors.PressmarkError)[1:] if c.__module__ == errors.__name__]
    assert stated == {cls.code: cls.exit_status for cls in raised}


def test_the_examples_of_the_api_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    create(tmp_path / "thesis-library")
    library = Library.open(tmp_path / "thesis-library")
    library.put(
        [Reference(key="ng2019maps", title="How attention weights are scaled", published="2019",
                   authors=("Šimić, Ivo",), body="\n## Abstract\n\nAttention weights are scaled.\n"),
         Reference(key="bryl2017tides", title="Message passing on the tides", published="2017"),
         FullText(slug="ng2019maps.fulltext", reference="ng2019maps", source="arxiv",
                  body="\n# How\n\n## 2 Methods\n\nAs Bryl ([2017](#ref-1)) did.\n\n## References\n\n"
                       '1. <a id="ref-1"></a>Bryl. Message passing on the tides. 2017.\n')],
        "put: some",
    )  # fmt: skip
    page = (PROJECT / "site" / "guide" / "api.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(block, globals() | {"library": library})
    assert capsys.readouterr().out.splitlines() == [
        "ng2019maps How attention weights are scaled",
        "ng2019maps Attention weights are scaled.",
        "['library/2019/ng2019maps.md']",
        "2 Methods As Bryl (2017) did.",
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", path.read_text("utf-8"), flags=re.S)
    # A page of the site links the library's own files as they lie, one folder up.
    targets = [t for t in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", t)]
    missing = {t for t in targets if not (path.parent / t.partition("#")[0]).exists()}
    assert missing - MEASURED == set()
