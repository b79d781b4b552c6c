"""The project's own library is published without a problem, and nothing of it leads out."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from pressmark import site
from pressmark.config import load
from pressmark.library import Library

PROJECT = Path(__file__).resolve().parents[2]


def test_our_own_site_builds_strictly(tmp_path: Path) -> None:
    for name in ("library", "notes", "topics", "site"):
        shutil.copytree(PROJECT / name, tmp_path / name)
    for name in ("mkdocs.yml", "pressmark.toml"):
        shutil.copy(PROJECT / name, tmp_path / name)
    built = site.build(
        Library.open(tmp_path, load(tmp_path, os.environ, offline=True)), strict=True
    )
    assert built.problems == () and built.pages > 300
    home = (built.folder / "index.html").read_text("utf-8")
    assert "pressmark:home" not in home and re.search(r"<strong>\d+</strong> references</a>", home)
    pages = {path: path.read_text("utf-8") for path in built.folder.rglob("*.html")}
    loads = re.compile(r'<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]*')
    assert {hit for text in pages.values() for hit in loads.findall(text)} == set()
    titles = [re.search(r"<h1[^>]*>(.*?)</h1>", text, re.S) for text in pages.values()]
    assert all(titles) and not [t for t in titles if t and "&amp;amp;" in t[0]]
