"""A built site in; the bytes of a reader's first page and first question over the wire out.

Text is counted as a host sends it, gzipped; what is compressed already as it is. A question is
for one word and shows eight results.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

from pressmark.site.searching import canonical

PACKED = (".pagefind", ".pf_meta", ".pf_index", ".pf_fragment", ".pf_filter", ".png", ".woff2")
SHOWN = 8

_NEEDED = re.compile(
    r'<(?:script[^>]*\bsrc|link[^>]*rel="(?:stylesheet|icon)"[^>]*\bhref)="([^"]+)"'
)


def size(file: Path) -> int:
    """The bytes of one answer's body."""
    data = file.read_bytes()
    return len(data) if file.suffix in PACKED else len(gzip.compress(data, 6))


def first_view(page: Path) -> int:
    """A page with its styles, scripts and icon, nothing cached."""
    needed = {(page.parent / each).resolve() for each in _NEEDED.findall(page.read_text("utf-8"))}
    return size(page) + sum(size(each) for each in needed if each.is_file())


def first_query(site: Path, word: str) -> int:
    """What a first question for a word loads: the program, its tables, one part, the results."""
    folder = site / "pagefind"
    entry = json.loads((folder / "pagefind-entry.json").read_bytes())
    name = entry["languages"]["en"]["hash"]
    meta = folder / f"pagefind.{name}.pf_meta"
    parts: list[Any] = canonical._read(meta.read_bytes())
    chunks = [each for first, last, each in parts[2] if first <= word <= last]
    fragments = [folder / "fragment" / f"{each}.pf_fragment" for each, *_ in parts[1][:SHOWN]]
    files = [
        folder / "pagefind.js", folder / "pagefind-entry.json", folder / "wasm.en.pagefind", meta,
        *(folder / "index" / f"{each}.pf_index" for each in chunks), *fragments,
    ]  # fmt: skip
    return sum(map(size, files))
