"""What the search knows of each page in; an index of Pagefind, always the same bytes, out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pressmark.disk.output import Output
from pressmark.site.model import Found
from pressmark.site.searching import canonical
from pressmark.site.searching.service import Service
from pressmark.site.urls import Urls

FOLDER = "pagefind"
TEXTS = "pagefind-texts"
"""The second index: of full texts, loaded only by who asks for it."""

LANGUAGE = "en"
"""One index for all languages: Pagefind keeps one a language, and asks only the page's own."""

UNUSED = (
    "pagefind-ui.js", "pagefind-ui.css", "pagefind-modular-ui.js", "pagefind-modular-ui.css",
    "pagefind-component-ui.js", "pagefind-component-ui.css", "pagefind-highlight.js",
)  # fmt: skip
"""Pagefind's own interfaces: ours is smaller and needs none of them."""


def build(folder: Path, found: Sequence[tuple[str, Found]], urls: Urls, *, texts: bool) -> None:
    """Write the index of references, notes and the rest, and with `texts` that of full texts."""
    _index(folder, FOLDER, ((uri, each) for uri, each in found if not each.fulltext), urls)
    if texts:
        _index(folder, TEXTS, ((uri, each) for uri, each in found if each.fulltext), urls)


def _index(folder: Path, name: str, found: Iterable[tuple[str, Found]], urls: Urls) -> None:
    records = [_record(urls.url(uri), each) for uri, each in found]
    if not records:
        return
    output = Output(folder / name)
    with Service() as service:
        service.add(records)
        for path, data in canonical.settled(service.files()):
            if path not in UNUSED:
                output.write(path, data)


def _record(url: str, found: Found) -> dict[str, Any]:
    return {
        "type": "AddRecord",
        "url": url,
        "content": f"{found.title}. {found.text}",
        "language": LANGUAGE,
        "meta": {"title": found.title, "by": found.by},
        "filters": {name: list(values) for name, values in found.filters.items() if values},
        "sort": {"year": found.sort} if found.sort else {},
    }
