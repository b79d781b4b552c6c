"""A page's source path in; its address from the root of the site, and its file, out.

Pages are made once with a mark where the way to the root goes, and the mark is replaced at the
end: what stands on many pages is then made once, however deep they lie.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

ROOT = "\0"
"""Stands in a page's HTML for the way to the root of the site; no text can hold it."""

SCHEME = "pm:/"
"""What prose links begin with while they are still Markdown: `pm:/notes/a.md#heading`."""

_LINK = re.compile(r"pm:/([^\s\"'<>()#]*)")


@dataclass
class Urls:
    """Where pages are: `a/b/` with `directories`, else `a/b.html`."""

    directories: bool = True
    _known: dict[str, str] = field(default_factory=dict)

    def url(self, uri: str) -> str:
        """The address of a page or file, from the root and without a leading slash."""
        found = self._known.get(uri)
        if found is None:
            found = self._known[uri] = quote(self._path(uri), errors="replace")
        return found

    def file(self, uri: str) -> str:
        """The file below the site's folder that a page is written to."""
        path = self._path(uri)
        return f"{path}index.html" if path.endswith("/") or not path else path

    def root(self, uri: str) -> str:
        """The way from a page to the root of the site."""
        return "../" * self._path(uri).count("/") or "./"

    def _path(self, uri: str) -> str:
        if not uri.endswith(".md"):
            return uri
        stem = uri.removesuffix(".md")
        folder, slash, name = stem.rpartition("/")
        if name != "index":
            return f"{stem}/" if self.directories else f"{stem}.html"
        return folder + slash if self.directories else f"{stem}.html"

    def settle(self, html: str) -> str:
        """Links of converted prose as links from the root mark."""
        if SCHEME not in html:
            return html
        return _LINK.sub(lambda found: ROOT + self.url(unquote(found[1])), html)

    def finished(self, html: str, uri: str) -> str:
        """A page's HTML with every link in place."""
        return self.settle(html).replace(ROOT, self.root(uri))


def to(uri: str, fragment: str = "") -> str:
    """The destination of a link in converted prose."""
    return f"{SCHEME}{quote(uri, errors='replace')}{f'#{fragment}' if fragment else ''}"


def relative(target: str, path: str) -> str:
    """The link from one page's source to another's, as a generator expects it."""
    there, here = target.split("/"), path.split("/")[:-1]
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return quote("/".join([".."] * (len(here) - shared) + there[shared:]), errors="replace")


def as_sources(markdown: str, path: str) -> str:
    """Converted prose with links from one source file to another, for any generator."""
    if SCHEME not in markdown:
        return markdown
    return _LINK.sub(lambda found: relative(unquote(found[1]), path), markdown)
