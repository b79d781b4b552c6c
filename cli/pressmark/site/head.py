"""A drawn page in; the same page with its policy, its metadata and the way to the search out."""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape

from pressmark.site.model import SitePage

_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)([^>]*)>(.*?)</script>", re.S | re.I)
_DATA = re.compile(r'type="?application/(?:ld\+)?json', re.I)
_CHARSET = re.compile(r"<meta charset=[^>]*>|<head>", re.I)

_PALETTE = '<script>var palette=__md_get("__palette")'
"""Where the theme puts back the scheme that it kept."""

SCHEME = """(() => {
const all = document.querySelectorAll("input[name=__palette]");
const known = each => /: (light|dark)/.test(each.dataset.mdColorMedia);
if (all.length !== 2 || ![...all].every(known)) return;
try { if (!__md_get("__chosen")) localStorage.removeItem(__md_scope.pathname + ".__palette") }
catch { return }
const dark = "(prefers-color-scheme: dark)";
const wanted = matchMedia(dark).matches ? dark : "(prefers-color-scheme: light)";
const found = document.querySelector(`[data-md-color-media="${wanted}"]`);
if (!__md_get("__palette") && found) for (const name of ["scheme", "primary", "accent"])
document.body.setAttribute("data-md-color-" + name, found.getAttribute("data-md-color-" + name));
})()""".replace("\n", " ")
"""The theme keeps the scheme of the first visit for ever, chosen or not: what nobody chose goes,
and the system's is set before anything is painted. pressmark.js notes a choice. A palette that
mkdocs.yml gives other options is left to the theme."""

ICON = (
    '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="none" '
    'stroke="currentColor" stroke-width="2" stroke-linecap="round" '
    'd="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20"/></svg>'
)


def policy(html: str, more: str = "") -> str:
    """What a browser may load and run: this site's own files, and the scripts that it came with.

    `more` is added word for word, for a library that decides otherwise.
    """
    inline = sorted({_hash(body) for kind, body in _SCRIPT.findall(html) if not _DATA.search(kind)})
    hashes = " ".join(f"'sha256-{each}'" for each in inline)
    rules = (
        "default-src 'self'", f"script-src 'self' 'wasm-unsafe-eval' {hashes}".rstrip(),
        "style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "object-src 'none'",
        "base-uri 'none'", "form-action 'self'",
    )  # fmt: skip
    content = "; ".join((*rules, more) if more else rules)
    return f'<meta http-equiv="Content-Security-Policy" content="{escape(content, quote=False)}">'


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def finished(html: str, root: str, *, csp: bool, search: bool) -> str:
    """The page with its policy first in its head, and the search in its header."""
    if search:
        html = _searchable(html, root)
    html = html.replace(_PALETTE, f"<script>{SCHEME}</script>{_PALETTE}", 1)
    if not csp:
        return html
    found = _CHARSET.search(html)
    if not found:
        return html
    return html[: found.end()] + policy(html) + html[found.end() :]


def _searchable(html: str, root: str) -> str:
    """The way to the search, last in the header of the theme."""
    start = html.find('class="md-header__inner')
    end = html.find("</nav>", start) if start >= 0 else -1
    if end < 0:
        return html
    link = (
        f'<a class="pm-open md-header__button" href="{root}search/" data-pm-open '
        f'title="Search" aria-label="Search">{ICON}<span>Search</span><kbd>/</kbd></a>'
    )
    return html[:end] + link + html[end:]


def metadata(page: SitePage) -> str:
    """The names in the head of a page, and what else it brings."""
    named = "".join(
        f'<meta name="{escape(name)}" content="{escape(value)}">'
        for name, values in page.meta.items()
        for value in values
    )
    return named + page.head
