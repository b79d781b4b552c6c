"""What the search knows of each page in; an index of Pagefind, always the same bytes, out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
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


FOLDERS = (FOLDER, TEXTS)


def build(output: Output, found: Sequence[tuple[str, Found]], urls: Urls, *, texts: bool) -> None:
    """Write the index of references, notes and the rest, and with `texts` that of full texts."""
    _index(output, FOLDER, ((uri, each) for uri, each in found if not each.fulltext), urls)
    if texts:
        _index(output, TEXTS, ((uri, each) for uri, each in found if each.fulltext), urls)


def mark(found: Sequence[tuple[str, Found]], urls: Urls, *, texts: bool) -> str:
    """A hash of all that an index is made of."""
    digest = hashlib.blake2b(str(texts).encode(), digest_size=16)
    for uri, each in found:
        if texts or not each.fulltext:
            text = json.dumps([_record(urls.url(uri), each), each.fulltext])
            digest.update(text.encode("ascii"))
    return digest.hexdigest()


def _index(output: Output, name: str, found: Iterable[tuple[str, Found]], urls: Urls) -> None:
    records = [_record(urls.url(uri), each) for uri, each in found]
    if not records:
        return
    with Service() as service:
        service.add(records)
        for path, data in canonical.settled(service.files()):
            if path not in UNUSED:
                output.write(f"{name}/{path}", data)


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
