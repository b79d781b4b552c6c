"""A page's formulas, however they are marked up, in; `math` elements that hold only TeX out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from pressmark.fulltext.mathml import to_tex

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_DRAWN = ".MathJax, .MathJax_Preview, .MathJax_Display, .MathJax_SVG, .MathJax_CHTML"
_TYPED = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$", re.S)
_LITERAL = frozenset(["pre", "code", "script", "style", "textarea", "math", "kbd", "samp"])


def formulas(soup: BeautifulSoup, root: Tag) -> None:
    """Each `math` keeps only its TeX: its children say the same again, for the eye.

    MathJax leaves its source in scripts and draws beside them; pages that are drawn only in the
    browser hold `\\(x\\)` as words.
    """
    _scripts(soup, root)
    for math in root.find_all("math"):
        tex = str(math.get("alttext") or "").strip() or _annotation(math) or to_tex(_element(math))
        math.clear()
        math["data-tex"] = tex
    if _is_drawn_later(soup):
        _words(soup, root)


def _scripts(soup: BeautifulSoup, root: Tag) -> None:
    scripts = root.find_all("script", type=re.compile(r"^math/(?:tex|mml)", re.I))
    if not scripts:
        return
    for drawn in root.select(_DRAWN):
        drawn.decompose()
    for script in scripts:
        kind, source = str(script.get("type")).lower(), script.get_text()
        display = "mode=display" in kind.replace(" ", "")
        if kind.startswith("math/mml"):
            from bs4 import BeautifulSoup as Soup

            found = Soup(source, "html.parser").find("math")
            source = (_annotation(found) or to_tex(_element(found))) if found is not None else ""
        script.replace_with(_math(soup, source, display=display))


def _math(soup: BeautifulSoup, tex: str, *, display: bool) -> Tag:
    made = soup.new_tag("math", attrs={"data-tex": tex, "alttext": tex})
    if display:
        made["display"] = "block"
    return made


def _is_drawn_later(soup: BeautifulSoup) -> bool:
    if soup.select_one(".mathjax-tex, span.math, div.math"):
        return True
    return any(
        re.search("mathjax|katex", f"{one.get('src') or ''} {one.get_text()[:2000]}", re.I)
        for one in soup.find_all("script")
    )


def _words(soup: BeautifulSoup, root: Tag) -> None:
    for words in list(root.find_all(string=_TYPED)):
        if any(parent.name in _LITERAL for parent in words.parents):
            continue
        text, at = str(words), 0
        parts: list[Any] = []
        for found in _TYPED.finditer(text):
            tex = found[1] or found[2] or found[3]
            parts += [text[at : found.start()], _math(soup, tex, display=not found[1])]
            at = found.end()
        words.replace_with(*(part for part in (*parts, text[at:]) if part))


def _annotation(math: Tag) -> str:
    found = math.find("annotation", attrs={"encoding": re.compile("tex", re.I)})
    return found.get_text().strip() if found is not None else ""


def _element(tag: Tag) -> Element:
    """A subtree of MathML as the element tree that its converter reads."""
    from bs4 import Tag as TagType

    element = Element(tag.name.rpartition(":")[2])
    element.attrib = {name: str(value) for name, value in tag.attrs.items()}
    children = [child for child in tag.children if isinstance(child, TagType)]
    if not children:
        element.text = tag.get_text()
    element.extend(_element(child) for child in children)
    return element
