"""Words in; a search's result, or what was filed of it, out: the calls of the public API."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from pressmark.http import open_client
from pressmark.library import Library
from pressmark.search.previewing import preview
from pressmark.search.result import Result
from pressmark.sources import query


def search_papers(
    library: Library,
    words: str,
    *,
    sources: Sequence[str] | None = None,
    also: Sequence[str] = (),
    vocabulary: str | None = None,
    web: bool = True,
    refresh: bool = False,
    **limits: object,
) -> Result:
    """Ask the providers and write nothing; `limits` are those of the command `search`.

    They are `since`, `until`, `limit`, `page`, `journal`, `open_access`, `semantic`, `sort`,
    `count` and `verbatim`. A provider that fails is a row of `reports`; `failure` is set when
    none answered. Raises BadInput for a query or a source that cannot be, Offline without a
    network. Takes as long as the slowest provider, some seconds.
    """
    today = datetime.date.today().isoformat()
    client = open_client(library.config, refresh=refresh)
    asked = query(words, today=today, **limits)  # type: ignore[arg-type]
    return preview(
        library, client, asked, sources,
        today=today, also=also, vocabulary=vocabulary, web=web,
    )  # fmt: skip
