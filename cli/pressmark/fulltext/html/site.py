"""A web page in; the element that holds the paper, without what the site put around and into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

CHROME = ", ".join((
    "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "form",
    "button", "input", "select", "textarea", "nav", "footer", "link", "meta", "dialog", "canvas",
    "audio", "video", "[role=navigation]", "[role=banner]", "[role=search]", "[role=dialog]",
    "[role=alertdialog]", "[role=menu]", "[role=contentinfo]", ".ltx_page_navbar",
    ".ltx_page_logo", ".ltx_page_footer", ".ltx_pagination", ".ltx_dates", ".package-alerts",
    "#license-tr", "#watermark-tr", ".ltx_authors", ".ltx_rule", ".ltx_note_type",
    ".ltx_role_institutetext", ".ltx_role_footnotemark", ".sr-only", ".visually-hidden",
    ".screen-reader-text", ".ltx_role_newpage", ".ltx_listing_data", "[hidden]",
    "[aria-hidden=true]",
))  # fmt: skip
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|onetrust|newsletter|breadcrumbs?|paywall|nav(?:bar|igation)?"
    r"|masthead|advert\w*|sidebar|toolbar|popup|modal|skip-?(?:link|to\w*)"
    r"|(?:share|social)[_-]\w+|shar(?:e|ing)|recommended|recommendations"
    r"|(?:site|page|global)-(?:header|footer|menu)|related-(?:articles?|content|posts?|links?|reading))"
    r"(?:$|[\s_-])",
    re.I,
)
"""Names of classes and ids that no section of a paper has."""
_HOLDERS = ["div", "section", "aside", "ul", "ol", "header", "p", "span"]


def find_article(soup: BeautifulSoup) -> Tag | None:
    """The element that holds the paper: a list of other papers' teasers is none."""
    found: Tag | None = soup.select_one("article.ltx_document")
    if found is not None:
        return found
    whole = soup.select_one("body")
    words = _length(whole) if whole is not None else 0
    for selector in ("article", "main", "[role=main]"):
        best = max(soup.select(selector), key=_length, default=None)
        if best is not None and (3 * _length(best) > words or best.find("h1") is not None):
            return best
    return whole


def _length(tag: Tag) -> int:
    return len(tag.get_text())


def strip(root: Tag) -> None:
    """Take away, in place, what a site puts into the element of the paper."""
    for tag in root.select(CHROME):
        if not tag.decomposed and not _is_formula(tag):
            tag.decompose()
    if "ltx_document" in (root.get("class") or ()):
        return
    for teaser in root.find_all("article"):
        if teaser.decomposed or 5 * _length(teaser) > _length(root):
            continue
        if teaser.select_one("h2 a[href], h3 a[href], h4 a[href], h5 a[href]") is not None:
            teaser.decompose()
    room = _length(root) * 2 // 5
    for tag in root.find_all(_HOLDERS):
        if tag.decomposed:
            continue
        names = " ".join([*(tag.get("class") or ()), str(tag.get("id") or "")])
        if _NAMED.search(names) and _length(tag) <= room and tag.find("h1") is None:
            tag.decompose()


def _is_formula(tag: Tag) -> bool:
    """Whether all there is in an unseen element is a formula, whose picture is what is seen."""
    return tag.find("math") is not None and not tag.get_text().strip()


_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.I)


def unseen(root: Tag) -> int:
    """Take away, in place, what no reader sees; how many characters it had."""
    count = 0
    for tag in root.find_all(style=_UNSEEN):
        if not tag.decomposed and not _is_formula(tag):
            count += len(" ".join(tag.get_text().split()))
            tag.decompose()
    return count
