"""Exports go through pdfLaTeX with BibTeX, pdfLaTeX with biber, and pandoc without a word of theirs.

The project's own library, invented entries, and everything of the corpus that can be filed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark import formats, ids
from pressmark.errors import BadInput
from pressmark.formats import biblatex, bibtex
from pressmark.library import Library
from pressmark.record import Paper, Reference, reference

PROJECT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("PRESSMARK_FULL") == "1"
CLASSIC = (
    r"\documentclass{article}\usepackage[T1]{fontenc}\begin{document}\nocite{*}"
    r"\bibliographystyle{plain}\bibliography{x}\end{document}"
)
BIBER = (
    r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage[backend=biber]{biblatex}"
    r"\addbibresource{x.bib}\begin{document}\nocite{*}\printbibliography\end{document}"
)
PANDOC = '---\nbibliography: x.bib\nnocite: "@*"\n---\n'


def run(folder: Path, *command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    # 5,000 entries of biblatex are more than pdfLaTeX's memory is set up for.
    room = {"extra_mem_bot": "30000000", "extra_mem_top": "30000000"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, timeout=1500, env={**os.environ, **room}
    )
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def typeset(folder: Path, stem: str) -> list[str]:
    run(folder, "pdflatex", "-draftmode", "-interaction=nonstopmode", stem)
    log = (folder / f"{stem}.log").read_text("utf-8", "replace")
    return [log[found.start() : found.start() + 200] for found in re.finditer("^!", log, re.M)]


def filed(papers: list[Paper]) -> list[Reference]:
    """The papers as a library would key them."""
    taken: set[str] = set()
    made = []
    for paper in papers:
        key, cite_as = ids.choose_key(paper, taken)
        taken.add(key.casefold())
        made.append(replace(reference(paper, key), cite_as=cite_as))
    return made


def invented(count: int) -> list[Paper]:
    """The entries that the benchmarks import."""
    path = PROJECT.parent / "shared" / "bench" / "gen_bib.py"
    if not path.is_file():
        pytest.skip("the generator of entries is not beside this project")
    out = subprocess.run(
        ["python3", str(path), "--n", str(count), "--seed", "11"], capture_output=True, check=True
    )
    return formats.read(out.stdout, "x.bib").papers


def real(corpus: Path) -> list[Paper]:
    papers: list[Paper] = []
    for path in sorted((corpus / "bib").iterdir()):
        try:
            papers += formats.read(path.read_bytes(), path.name).papers
        except BadInput:
            continue
    return papers


@pytest.fixture(scope="module")
def references(corpus: Path) -> list[Reference]:
    own = Library.open(PROJECT)
    held = [*own.catalogue.all()]
    return [*held, *filed([*real(corpus), *invented(5000 if FULL else 300)])]


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_bibtex_exports_go_through_bibtex_biber_and_pandoc(
    references: list[Reference], tmp_path: Path
) -> None:
    (tmp_path / "x.bib").write_text(bibtex.write(references), "utf-8")
    (tmp_path / "a.tex").write_text(CLASSIC)
    (tmp_path / "b.tex").write_text(BIBER)
    (tmp_path / "p.md").write_text(PANDOC)
    assert typeset(tmp_path, "a") == []
    said = run(tmp_path, "bibtex", "a")
    assert [line for line in said.splitlines() if re.match("Warning|.*---line|I ", line)] == []
    assert typeset(tmp_path, "a") == []
    assert (tmp_path / "a.bbl").read_text("utf-8").count("\\bibitem") == len(references)
    assert biber(tmp_path) == []
    assert run(tmp_path, "pandoc", "--citeproc", "p.md", "-t", "plain", "-o", "p.txt") == ""


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_biblatex_exports_go_through_biber_and_pandoc(
    references: list[Reference], tmp_path: Path
) -> None:
    (tmp_path / "x.bib").write_text(biblatex.write(references), "utf-8")
    (tmp_path / "b.tex").write_text(BIBER)
    (tmp_path / "p.md").write_text(PANDOC)
    assert biber(tmp_path) == []
    assert run(tmp_path, "pandoc", "--citeproc", "p.md", "-t", "plain", "-o", "p.txt") == ""


def biber(folder: Path) -> list[str]:
    """What biber warns of and LaTeX stops at."""
    typeset(folder, "b")
    if not (folder / "b.bcf").is_file():
        pytest.skip("biblatex is not installed for this LaTeX")
    said = run(folder, "biber", "--validate-datamodel", "b")
    found = [line for line in said.splitlines() if re.match("WARN|ERROR", line)]
    return found + typeset(folder, "b")
