"""grep: exactly the term, where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.shelf import FIELD, shelf
from pressmark import find
from pressmark.errors import BadInput
from pressmark.library import Library
from pressmark.record import FullText, Note

TEXT = FullText(
    slug="page1999pagerank.fulltext", reference="page1999pagerank",
    body="\n# Web\n\nThe (damping) factor d = 0.85.\n",
)  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return shelf(tmp_path / "lib", [*FIELD, TEXT, Note(slug="n", body="\nDamping matters.\n")])


def test_lines_by_path_with_their_places(library: Library) -> None:
    found = find.grep(library, "damping")
    assert [(each.key, each.kind, each.column) for each in found] == [
        ("page1999pagerank", "fulltext", 6), ("n", "note", 1),
    ]  # fmt: skip
    line = found[0]
    text = (library.root / line.path).read_text(encoding="utf-8").splitlines()[line.line - 1]
    assert line.text == text == "The (damping) factor d = 0.85."


def test_letter_case_when_asked(library: Library) -> None:
    assert [each.key for each in find.grep(library, "Damping", case=True)] == ["n"]


def test_the_term_is_no_pattern(library: Library) -> None:
    assert len(find.grep(library, "(damping) factor d = 0.85")) == 1
    assert find.grep(library, "d.mping") == []


def test_kinds_filters_and_a_limit(library: Library) -> None:
    assert {each.kind for each in find.grep(library, "damping", kinds=["note"])} == {"note"}
    assert [e.key for e in find.grep(library, "damping", ["year:1999"])] == ["page1999pagerank"]
    assert len(find.grep(library, "a", limit=3)) == 3


def test_a_long_line_is_shown_around_the_term(tmp_path: Path) -> None:
    body = "\n" + "x" * 5000 + " heron " + "y" * 5000 + "\n"
    (line,) = find.grep(shelf(tmp_path / "lib", [Note(slug="n", body=body)]), "heron")
    assert " heron " in line.text and len(line.text) < 410
    assert line.text.startswith("…") and line.text.endswith("…")
    assert line.column == 5002


@pytest.mark.parametrize("term", ["", "  ", "a\nb"])
def test_no_term_is_refused(library: Library, term: str) -> None:
    with pytest.raises(BadInput):
        find.grep(library, term)


def test_a_pattern(library: Library) -> None:
    found = find.grep(library, r"d\s*=\s*0\.\d+", regex=True)
    assert [(each.key, each.column) for each in found] == [("page1999pagerank", 22)]
    assert len(find.grep(library, "^Damping", regex=True)) == 1


@pytest.mark.parametrize(
    "pattern", ["(", "(?a)(?u)x", "(a+)+$", "(?:a|aa)+$", "(a*)*", "([a-z]+)*x", "x" * 1001]
)
def test_a_pattern_that_is_none_or_could_run_for_ever(library: Library, pattern: str) -> None:
    with pytest.raises(BadInput):
        find.grep(library, pattern, regex=True)


@pytest.mark.parametrize(
    "pattern", [r"\w+\s+factor", "(?:damping|driving) factor", r"(ab){2}", "a{1,3}b+"]
)
def test_ordinary_patterns_are_taken(library: Library, pattern: str) -> None:
    find.grep(library, pattern, regex=True)


def test_lines_around(library: Library) -> None:
    (line,) = find.grep(library, "(damping)", context=2)
    assert line.before == ("# Web", "")
    assert line.after == ()


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    body = "\nA form\x0cfeed and a\u2028separator.\nA heron waits.\n"
    library = shelf(tmp_path / "lib", [Note(slug="n", body=body)])
    (line,) = find.grep(library, "heron waits")
    assert (line.line, line.text) == (body.count("\n"), "A heron waits.")
    path = library.root / line.path
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (line,) = find.grep(library, r"waits\.$", regex=True)
    assert (line.line, line.text) == (body.count("\n"), "A heron waits.")
