"""Nothing that came from outside runs on the built site, whatever field it stands in."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made import library_at
from payloads import MORE

from pressmark import site
from pressmark.site.head import SCHEME

pytestmark = pytest.mark.xdist_group("hostile")  # one built site for all who look at it

SCRIPTS = ("assets/javascripts/", '{"base"', "__md_scope=", "var palette=", "var target=")
"""How the theme's own scripts begin; any other is not ours."""


THEMES = {("script", "__config")} | {
    ("input", f"__{name}") for name in ("drawer", "search", "toc", "palette_0", "palette_1")
}
"""Elements of the theme that its scripts look for by these names."""

LOADS = ("src", "srcset", "poster", "background")

OURS = ("assets/javascripts/", "assets/pressmark.js")


class Danger(HTMLParser):
    """Collects what could run on a page: scripts, handlers, schemes, frames."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "script":
            source = named.get("src") or ""
            data = named.get("type") in ("application/json", "application/ld+json")
            self.script = not source and not data
            if source and not any(each in source for each in OURS):
                self.found.append(f"script {source}")
        if tag in ("iframe", "object", "embed", "base", "style", "svg:script"):
            self.found.append(tag)
        if tag == "meta" and named.get("http-equiv") not in (None, "Content-Security-Policy"):
            self.found.append("meta http-equiv")
        if str(named.get("id")).startswith("__") and (tag, named["id"]) not in THEMES:
            self.found.append(f"{tag} id={named['id']}")
        if tag == "a" and "md-overlay" in (named.get("class") or ""):
            self.found.append("a over everything")
        for name, value in attrs:
            text = "".join((value or "").split()).lower()
            if name == "style" or (re.match(r"(?:https?:)?//|data:", text) and name in LOADS):
                self.found.append(f"{tag} {name}={value}")
            if name.startswith("on"):
                self.found.append(f"{tag} {name}")
            if name in ("href", "src", "action", "data", "formaction", "xlink:href") and (
                text.startswith(("javascript:", "data:text", "vbscript:"))
            ):
                self.found.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        known = data.strip() == SCHEME or data.strip().startswith(SCRIPTS[1:])
        if self.script and data.strip() and not known:
            self.found.append(f"script text {data.strip()[:60]}")
        self.script = False


def danger(html: str) -> list[str]:
    parser = Danger()
    parser.feed(html)
    return parser.found


def test_the_test_sees_what_is_live() -> None:
    live = "<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:x'>x</a>"
    assert danger(live) == [
        "script text alert(1)", "img onerror", "a href=javascript:x",
    ]  # fmt: skip


@pytest.mark.parametrize("made", ["hostile", "beyond"])
def test_no_payload_is_live_on_any_page(made: str, request: pytest.FixtureRequest) -> None:
    _, built = request.getfixturevalue(made)
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 150
    live = {
        str(page.relative_to(built)): found
        for page in pages
        if (found := danger(page.read_text("utf-8")))
    }
    assert live == {}


def test_a_history_and_a_name_of_a_file_are_text(beyond: tuple[Path, Path]) -> None:
    _, built = beyond
    page = (built / "library/2020/beyond2020n0/index.html").read_text("utf-8")
    (history,) = re.findall(r'<ul class="pm-history"><li>(.*?)</li>', page)
    subject = (
        "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;"
    )
    assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d {re.escape(subject)} evil x", history)
    notes = (built / "notes/index.html").read_text("utf-8")
    for address in ("%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E", "%2541", "%23h", "a%22b%27"):
        assert f'href="../notes/{address}/"' in notes
    assert ">&lt;img src=x onerror=alert(1)&gt;</a>" in notes


def test_classes_of_the_theme_are_dropped_and_others_kept(beyond: tuple[Path, Path]) -> None:
    _, built = beyond
    number = next(n for n, words in enumerate(MORE) if "md-overlay" in words)
    page = (built / f"notes/n{number}/index.html").read_text("utf-8")
    assert '<a class="mine" href="https://evil.invalid">over</a>' in page


def test_what_is_staged_is_live_in_no_other_build(
    beyond: tuple[Path, Path], hostile: tuple[Path, Path], tmp_path: Path
) -> None:
    """Another generator cleans nothing, prints titles raw, and its owner chose the extensions."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    for root, _ in (beyond, hostile):
        folder = tmp_path / root.name
        site.stage(library_at(root), folder / "docs")
        (folder / "mkdocs.yml").write_text(json.dumps({
            "site_name": "S", "docs_dir": "docs", "site_dir": "out", "theme": {
                "name": None, "custom_dir": "theme"}, "plugins": [], "nav": ["index.md"],
            "markdown_extensions": ["admonition", "attr_list", "footnotes", "md_in_html",
                                    "pymdownx.snippets", "pymdownx.superfences", "tables"],
        }))  # fmt: skip
        (folder / "theme").mkdir()
        (folder / "theme/main.html").write_text(
            '<title>{{ page.title }}</title><p title="{{ page.title }}">{{ page.content }}'
        )
        build(load_config(str(folder / "mkdocs.yml")))
        pages = sorted((folder / "out").rglob("*.html"))
        assert len(pages) > 150
        ours = re.compile(r"^h[1-6] id=__config")  # a heading's name is that generator's business
        live = {
            str(page.relative_to(folder)): found
            for page in pages
            if (found := [e for e in danger(page.read_text("utf-8")) if not ours.match(e)])
        }
        assert live == {}


def test_the_words_themselves_are_still_there(hostile: tuple[Path, Path]) -> None:
    _, built = hostile
    page = (built / "library/2020/payload2020n0/index.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; - Hostile</title>" in page


def test_nothing_of_the_machine_is_included(hostile: tuple[Path, Path]) -> None:
    _, built = hostile
    assert not [p for p in built.rglob("*.html") if "root:x:0:0" in p.read_text("utf-8")]
