"""A query in; every source asked at the same time, their answers merged and ranked, out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from pressmark.config import SOURCES, Config
from pressmark.errors import BadInput, Offline
from pressmark.http import Client, NullClient
from pressmark.search.journals import resolved
from pressmark.search.one import METERED, Asked
from pressmark.search.ranking import fused
from pressmark.search.result import Report, Result
from pressmark.search.vocabulary import Terms
from pressmark.sources import REGISTRY, Query

Progress = Callable[[str, int, int], None]
"""Told of a source, how many hits it has sent, and how many are to come in all."""


def search(
    client: Client | NullClient,
    config: Config,
    query: Query,
    sources: Sequence[str] | None = None,
    *,
    today: str,
    also: Sequence[str] = (),
    vocabulary: Terms | None = None,
    progress: Progress | None = None,
) -> Result:
    """Ask the enabled sources, or those named, one thread each; a failing one is a row.

    `also` are asked beside them. A metered source is asked only where the call names it, and
    never a vocabulary's variants.
    """
    names, unasked = _names(config, query, sources, also)
    if client.offline:
        raise Offline("A search needs the network, which is off.", next="pressmark find WORDS")
    query, warnings = resolved(client, config, query, today, names)
    variants = tuple(vocabulary.variants(query.words)) if vocabulary and not query.semantic else ()
    asked = [
        Asked(name, client, config, today, [query, *(replace(query, words=v) for v in variants)])
        for name in names
    ]
    threads = [
        threading.Thread(target=one.run, args=(progress,), daemon=True)  # one a host
        for one in asked
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    reports = [*(one.report for one in asked), *unasked]
    lists = [(one.name, words, papers) for one in asked for words, papers in one.lists]
    return Result(
        query=query,
        date=today,
        hits=() if query.count else tuple(
            fused(lists, config.source_weights, query.sort, vocabulary)
        ),
        reports=tuple(sorted(reports, key=lambda report: report.status != "broken")),
        vocabulary=vocabulary.slug if vocabulary else None,
        variants=variants,
        warnings=warnings,
    )  # fmt: skip


def _names(
    config: Config, query: Query, sources: Sequence[str] | None, also: Sequence[str]
) -> tuple[list[str], list[Report]]:
    """Whom to ask, each once; and a row for each metered one that only the settings name.

    A source that was given a query of its own is asked; without words nobody else is.
    """
    also = (*also, *query.verbatim)
    enabled = config.sources if query.words or query.categories or not query.verbatim else ()
    chosen = list(enabled if sources is None else sources)
    unasked = [
        Report(
            source=name, platform=REGISTRY[name].platform if name in REGISTRY else name,
            status="skipped", reason=f"it is metered: ask for it with --also {name}",
        )
        for name in (chosen if sources is None else ())
        if name in METERED and name not in also
    ]  # fmt: skip
    left = {report.source for report in unasked}
    names = list(dict.fromkeys([*(n for n in chosen if n not in left), *also]))
    _check_names(names)
    return names, unasked


def _check_names(names: Sequence[str]) -> None:
    from difflib import get_close_matches

    known = ", ".join(sorted(REGISTRY))
    for name in names:
        if name not in SOURCES:
            near = get_close_matches(name, SOURCES, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadInput(
                f"There is no source called {name!r}.", next=f"{hint}choose from {known}"
            )
    if not names:
        raise BadInput("No source is enabled.", next="set [search] sources in pressmark.toml")
