"""The pages as plain Markdown: complete, and built by a generator that knows nothing of us."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from made import library_at

from pressmark import site
from pressmark.errors import BadInput

pytestmark = pytest.mark.xdist_group("charts")

LINK = re.compile(r"\]\(<?([^)>\s]+)>?\)")


@pytest.fixture(scope="module")
def staged(charts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stage") / "docs"
    done = site.stage(library_at(charts), folder)
    assert done.problems == () and done.folder == folder
    assert done.pages == len(list(folder.rglob("*.md")))
    return folder


def test_every_page_has_a_title_and_words(staged: Path) -> None:
    text = (staged / "library/2019/ng2019maps.md").read_text()
    front, body = text.removeprefix("---\n").split("\n---\n\n", 1)
    assert front == 'title: "Maps & territories: what x² leaves out"'
    assert body.startswith("# Maps & territories: what $x^2$ leaves out\n\n[Ada Ng](../../authors/")
    assert "p &#60; 0.05" in body
    note = (staged / "notes/first.md").read_text()
    assert (
        "([see [" not in note
        and "see [Ng et al. 2019](../library/2019/ng2019maps.md), p. 3" in note
    )
    assert "$$\\frac{1}{k + r}$$" in note and "pm:/" not in note and "pmmath" not in note
    assert (staged / "notes/dot.png").is_file() and (
        staged / "library/2019/ng2019maps.bib"
    ).is_file()
    assert not (staged / "library/1990/old1990older.fulltext.md").exists()


def test_every_link_leads_to_a_staged_file(staged: Path) -> None:
    lost = []
    for page in staged.rglob("*.md"):
        for target in LINK.findall(page.read_text("utf-8")):
            path = unquote(target).partition("#")[0]
            if path and not re.match(r"[a-z]+:", path):
                here = page.relative_to(staged).parent.as_posix()
                if not (staged / posixpath.normpath(posixpath.join(here, path))).is_file():
                    lost.append((page.name, target))
    assert lost == []


def test_mkdocs_without_us_builds_it_strictly(staged: Path) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    config = staged.parent / "mkdocs.yml"
    config.write_text(json.dumps({
        "site_name": "Staged", "docs_dir": "docs", "site_dir": "out", "theme": "mkdocs",
        "plugins": [], "nav": ["index.md"], "strict": True,
        "markdown_extensions": ["admonition", "footnotes", "tables"],
    }))  # fmt: skip
    build(load_config(str(config)))
    out = staged.parent / "out"
    text = (out / "library/2019/ng2019maps/index.html").read_text("utf-8")
    assert '<a href="../../../authors/ada-ng/">Ada Ng</a>' in text
    assert '<a href="../ng2019maps.bib">' in text
    assert "<blockquote>" in (out / "notes/first/index.html").read_text("utf-8")


def test_zensical_builds_it_with_every_link(staged: Path, tmp_path: Path) -> None:
    """Where its program is; it reads the folder and runs nothing of ours."""
    zensical = shutil.which("zensical")
    if zensical is None:
        pytest.skip("not possible here: no zensical on the PATH")
    shutil.copytree(staged, tmp_path / "docs")
    (tmp_path / "mkdocs.yml").write_text(json.dumps({
        "site_name": "Staged", "docs_dir": "docs", "site_dir": "out", "nav": ["index.md"],
        "theme": {"name": "material", "font": False},
        "markdown_extensions": ["admonition", "footnotes", "tables"],
    }))  # fmt: skip
    subprocess.run([zensical, "build"], cwd=tmp_path, check=True, capture_output=True, timeout=120)
    out = tmp_path / "out"
    pages = [page for page in out.rglob("*.html") if page.name != "404.html"]
    assert len(pages) == len(list(staged.rglob("*.md")))
    lost = []
    for page in pages:
        for href in re.findall(r'<a [^>]*href="([^"#?:]+)[^":]*"', page.read_text("utf-8")):
            target = page.parent / unquote(href)
            if not (target / "index.html" if target.is_dir() else target).is_file():
                lost.append((page.relative_to(out).as_posix(), href))
    assert lost == []


def test_a_second_stage_replaces_the_first_and_nothing_else(charts: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    site.stage(library_at(charts), folder)
    (folder / "mine.txt").write_text("kept")
    (folder / "notes/first.md").write_text("changed")
    site.stage(library_at(charts), folder)
    assert (folder / "mine.txt").read_text() == "kept"
    assert (folder / "notes/first.md").read_text() != "changed"


def test_a_folder_with_other_things_is_refused(charts: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("mine")
    with pytest.raises(BadInput, match="holds what was not staged"):
        site.stage(library_at(charts), tmp_path)
    for place in ("", "library/x", "notes", "site/y"):
        with pytest.raises(BadInput):
            site.stage(library_at(charts), charts / place)
    assert (tmp_path / "thesis.md").read_text() == "mine"
