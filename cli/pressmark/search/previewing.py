"""A question in; all that is to be known before anything is filed out: the one call of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pressmark.http import Client, NullClient
from pressmark.library import Library
from pressmark.search import vocabulary as vocabularies
from pressmark.search.asking import Progress, search
from pressmark.search.filing import annotated
from pressmark.search.memory import similar
from pressmark.search.result import Result
from pressmark.search.web import last_resort
from pressmark.sources import Query


def preview(
    library: Library,
    client: Client | NullClient,
    query: Query,
    sources: Sequence[str] | None = None,
    *,
    today: str,
    also: Sequence[str] = (),
    vocabulary: str | None = None,
    web: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Ask every source, then the web where no open copy was found; write nothing.

    Each hit says what the library knows of it, and the result names earlier searches on the
    concept. `web=False`, or `[search] web = false`, asks neither the web nor for it to be asked.
    Raises BadInput for an unknown source, NotFound for a vocabulary, Offline without a network.
    """
    config = library.config
    terms = vocabularies.get(vocabulary, library) if vocabulary else None
    result = search(
        client, config, query, sources,
        today=today, also=also, vocabulary=terms, progress=progress,
    )  # fmt: skip
    result = annotated(library, result)
    wanted = web and config.web and not query.count and "searxng" not in (*(sources or ()), *also)
    reached = last_resort(client, result, config, today, wanted=wanted)
    if reached.hits is not result.hits:
        reached = annotated(library, reached)
    earlier = similar(library, query.words, terms) if query.words else []
    return replace(reached, earlier=tuple(earlier))
