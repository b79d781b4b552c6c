"""Nothing that came from outside runs on the built site, whatever field it stands in."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from pressmark.site.head import SCHEME

pytestmark = pytest.mark.xdist_group("hostile")  # one built site for all who look at it

SCRIPTS = ("assets/javascripts/", '{"base"', "__md_scope=", "var palette=", "var target=")
"""How the theme's own scripts begin; any other is not ours."""


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
        for name, value in attrs:
            text = "".join((value or "").split()).lower()
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


def test_no_payload_is_live_on_any_page(hostile: tuple[Path, Path]) -> None:
    _, built = hostile
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 150
    live = {
        str(page.relative_to(built)): found
        for page in pages
        if (found := danger(page.read_text("utf-8")))
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
