"""What is brought in by its cite key is the very file that a whole import makes of the entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark import formats
from pressmark.exchange.cited import Brought, bring
from pressmark.exchange.lacking import Text
from pressmark.http import NullClient
from pressmark.library import Library, create
from pressmark.search.importing import import_files

OWN = """\
@string{j = {Journal of Invented Hydrology}}
@article{weir:2011, title={{Weirs} in \\emph{Winter}}, author={Osei, Ama and {The Gauges}},
  journal=j, year=2011, month=mar, pages={1--9}, doi={10.5555/WEIR}, keywords={b, a},
  abstract={Ice and weirs.}, file={:weir.pdf:PDF}, note={kept}}
@inproceedings{Ray_2004, ids={rayOld}, title={Sluices}, author={Ray, Bo}, crossref={vol}}
@proceedings{vol, title={All of Water}, year=2004, publisher={Pan}}
@online{page, title={A Page}, url={https://x.invalid/}, urldate={2020-01-02}}
"""
REAL = ("biber_crossrefs.bib", "biber_aliases.bib", "biber_latin1.bib", "bbt_literal-names.bib")


def made(root: Path) -> Library:
    root.mkdir()
    create(root)
    return Library.open(root)


def files(library: Library) -> dict[str, bytes]:
    paths = library.root.glob("library/*/*.md")
    return {path.relative_to(library.root).as_posix(): path.read_bytes() for path in paths}


def cited(library: Library, source: Path, keys: list[str]) -> Brought:
    prose = " ".join(f"[@{{{key}}}]" for key in keys)
    text = Text(library.root / "t.md", "t.md", "prose", prose)
    client = NullClient(library.config)
    return bring(
        library, client, today="2026-11-30", start=library.root, texts=[text],
        sources=[str(source)],
    )  # fmt: skip


def same_as_import(folder: Path, source: Path) -> int:
    read = formats.read(source.read_bytes(), source.name)
    keys = [paper.key_hint for paper in read.papers if paper.key_hint]
    whole, part = made(folder / "whole"), made(folder / "part")
    import_files(whole, [source])
    done = cited(part, source, keys)
    assert done.unknown == [] and [row.cited for row in done.rows] == list(dict.fromkeys(keys))
    assert files(part) == files(whole)
    return len(files(part))


def test_a_cited_entry_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "own.bib").write_text(OWN)
    assert same_as_import(tmp_path, tmp_path / "own.bib") == 4


@pytest.mark.parametrize("name", REAL)
def test_a_cited_entry_of_a_real_file_loses_nothing(
    tmp_path: Path, corpus: Path, name: str
) -> None:
    assert same_as_import(tmp_path, corpus / "bib" / name) > 0


def test_the_second_name_of_an_entry_files_it_too(tmp_path: Path) -> None:
    (tmp_path / "own.bib").write_text(OWN)
    library = made(tmp_path / "lib")
    done = cited(library, tmp_path / "own.bib", ["rayOld", "10.5555/weir", "weir:2011"])
    assert [(row.cited, row.outcome, row.key) for row in done.rows] == [
        ("rayOld", "added", "rayOld"), ("10.5555/weir", "added", "osei2011weirs"),
        ("weir:2011", "added", "osei2011weirs"),
    ]  # fmt: skip
    assert library.get("rayOld").aliases == ("Ray_2004",)
    assert library.get("osei2011weirs").cite_as == "weir:2011"
