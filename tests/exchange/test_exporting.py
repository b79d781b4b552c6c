"""Exports: what is in them, under which keys, as the library was, and whose files they replace."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pressmark import formats
from pressmark.errors import BadInput, NotFound
from pressmark.exchange import exporting
from pressmark.exchange.exporting import Asked, export
from pressmark.library import Library, create
from pressmark.record import Paper


@pytest.fixture
def library(tmp_path: Path) -> Library:
    root = tmp_path / "lib"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], check=True)
    create(root)
    held = Library.open(root)
    held.add([
        Paper(title="Salt", authors=("Lee, Ann",), published="2018", type="article-journal",
              venue="Journal of Soup", doi="10.1000/1", key_hint="Lee:2018",
              extra={"container-title-short": "J. Soup"}),
        Paper(title="Pepper", authors=("Müller, J.",), published="2019", type="book",
              publisher="Pan", key_hint="O'Neill 2019"),
    ])  # fmt: skip
    held.add([Paper(title="Maybe", authors=("Kim, B.",), published="2020")], stage="candidate")
    return held


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{(.*),$", text, re.M)


def test_candidates_stand_only_where_they_are_asked_for_or_cited(library: Library) -> None:
    assert keys(export(library, Asked()).text) == ["Lee:2018", "muller2019pepper"]
    assert keys(export(library, Asked(("stage:any",))).text) == [
        "kim2020maybe", "Lee:2018", "muller2019pepper",
    ]  # fmt: skip
    (library.root / "thesis.tex").write_text("See \\cite{kim2020maybe, Lee:2018, nobody}.")
    done = export(library, Asked(cited_in=("thesis.tex",)))
    assert keys(done.text) == ["kim2020maybe", "Lee:2018"]
    assert done.warnings == ["nobody is cited and no reference has that key"]


def test_a_key_that_the_format_cannot_hold_is_named(library: Library) -> None:
    assert export(library, Asked()).warnings == [
        "O'Neill 2019 cannot stand as a key in bibtex; it is muller2019pepper there"
    ]
    assert export(library, Asked(form="csl-json")).warnings == []


@pytest.mark.parametrize("form", formats.WRITERS)
def test_the_same_library_gives_the_same_bytes(library: Library, form: str) -> None:
    once = export(library, Asked(form=form)).text
    library.refresh()
    assert export(library, Asked(form=form)).text == once
    assert "Salt" in once and "Maybe" not in once


def test_the_bibliography_as_it_was_submitted(library: Library) -> None:
    subprocess.run(["git", "tag", "submitted"], cwd=library.root, check=True)
    library.edit(["muller2019pepper"], set={"title": "Pepper, revised"})
    with exporting.revision(library, "submitted") as old:
        assert "title = {Pepper}" in export(old, Asked(("year:2019",))).text
        folder = old.root
    assert "title = {Pepper, revised}" in export(library, Asked(("year:2019",))).text
    assert not folder.exists()
    with pytest.raises(NotFound, match="no revision"), exporting.revision(library, "v9"):
        pass
    with pytest.raises(BadInput), exporting.revision(library, "--output=x"):
        pass


def test_journals_by_their_short_names(library: Library) -> None:
    assert "journal = {J. Soup}" in export(library, Asked(abbreviations={})).text
    own = {"journal of soup": "JoS"}
    assert "journal = {JoS}" in export(library, Asked(abbreviations=own)).text
    assert "journal = {Journal of Soup}" in export(library, Asked()).text


@pytest.mark.parametrize("form", formats.WRITERS)
def test_a_file_of_ours_is_rewritten_and_no_other(
    library: Library, tmp_path: Path, form: str
) -> None:
    path = tmp_path / f"refs{formats.WRITERS[form]}"
    before = export(library, Asked(form=form)).text
    assert exporting.write(library, path, before)
    assert not exporting.write(library, path, before)
    assert exporting.write(library, path, export(library, Asked(("salt",), form=form)).text)
    path.write_text("% mine\n")
    with pytest.raises(BadInput, match="was not written by Pressmark"):
        exporting.write(library, path, before)
    assert path.read_text() == "% mine\n"
    assert exporting.write(library, path, before, force=True)


def test_a_json_file_of_ours_that_somebody_edited_is_theirs(
    library: Library, tmp_path: Path
) -> None:
    path = tmp_path / "refs.json"
    exporting.write(library, path, export(library, Asked(form="csl-json")).text)
    path.write_text(path.read_text().replace("Salt", "My salt"))
    with pytest.raises(BadInput, match="was not written by Pressmark"):
        exporting.write(library, path, export(library, Asked(form="csl-json")).text)
