"""References in; a CSV file with a line a reference, for spreadsheets and scripts, out.

RFC 4180, UTF-8; lists stand between semicolons. A cell that a spreadsheet would run as a formula
begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from pressmark.record import Reference, attribute

COLUMNS = (
    "key", "type", "title", "authors", "editors", "published", "venue", "volume", "issue", "number",
    "pages", "publisher", "place", "event", "edition", "series", "doi", "arxiv", "pmid", "pmcid",
    "isbn", "issn", "url", "language", "keywords", "tags", "topics", "notice", "stage", "abstract",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(references: Iterable[Reference]) -> str:
    """The header and a line a reference, in the order of their keys."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for each in sorted(references, key=lambda ref: (ref.key.casefold(), ref.key)):
        writer.writerow([_cell(each, name) for name in COLUMNS])
    return out.getvalue()


def _cell(reference: Reference, name: str) -> str:
    if name == "key":
        return reference.cite_as or reference.key
    value = getattr(reference, attribute(name))
    text = "; ".join(value) if isinstance(value, tuple) else value or ""
    return f"'{text}" if text.startswith(_FORMULA) else text
