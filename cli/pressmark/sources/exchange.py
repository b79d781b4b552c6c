"""A source's request in; its answer, read by the source's own parser, out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from pressmark.config import Config
from pressmark.errors import PressmarkError, SourceBroken, SourceDown, TooLarge
from pressmark.http import Answer, Client, NullClient, failure
from pressmark.sources.base import Found, Request, Source
from pressmark.sources.query import Query

Way = Client | NullClient
T = TypeVar("T")


def ask(
    client: Way,
    source: str,
    request: Request,
    parse: Callable[[bytes, int, str, str], T],
    *,
    today: str,
    patient: bool = False,
    refresh: bool | None = None,
) -> tuple[T, Answer]:
    """Send a request and read its answer; one that cannot be read is reported and not kept."""
    try:
        answer = send(client, source, request, patient=patient, refresh=refresh)
    except (SourceBroken, TooLarge) as problem:
        client.report(source, request.sent, problem)
        raise
    if answer.status == 429 or answer.status >= 500:
        wait, headers = answer.retry_after, answer.headers
        raise failure(source, answer.status, answer.body, wait, headers)
    date = answer.date if answer.from_cache else today
    try:
        return parse(answer.body, answer.status, answer.content_type, date), answer
    except PressmarkError as problem:
        client.forget(answer)
        if isinstance(problem, SourceDown):
            client.pause(source, request.url, problem)
        if isinstance(problem, SourceBroken):
            client.report(source, request.sent, problem, answer.body)
        raise
    except Exception as bug:  # a defect of our own parser: told with the answer that it met
        client.forget(answer)
        client.report(source, request.sent, bug, answer.body)
        raise


def send(
    client: Way,
    source: str,
    request: Request,
    *,
    patient: bool = False,
    refresh: bool | None = None,
) -> Answer:
    """Send one request of a source, as GET or, where it has a body, as POST."""
    if request.content is not None:
        return client.post(
            request.url,
            source=source,
            params=request.params,
            headers=request.headers,
            accept=request.accept,
            content=request.content,
            content_type=request.content_type,
            patient=patient,
            keep=request.keep,
            refresh=refresh,
        )
    return client.get(
        request.url,
        source=source,
        params=request.params,
        headers=request.headers,
        accept=request.accept,
        patient=patient,
        keep=request.keep,
        refresh=refresh,
    )


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a search's hits, and whether all of it came from the cache."""

    found: Found
    cached: bool


def search_page(
    client: Way, module: Source, query: Query, config: Config, start: int, rows: int, *, today: str
) -> Page:
    """Ask for `rows` hits from the `start`th on; records a source only names are asked for too.

    A fresh query is answered by nobody's cache.
    """
    request = module.search_request(query, config, start, rows)
    if query.fresh:
        request = replace(request, keep=0)

    def parse(body: bytes, status: int, kind: str, date: str) -> Found:
        return module.parse_search(body, status, kind, today=date)

    found, answer = ask(client, module.name, request, parse, today=today)
    if not found.ids or query.count:
        return Page(found, answer.from_cache)
    named = found.ids

    def records(body: bytes, status: int, kind: str, date: str) -> Found:
        return module.parse_lookup(body, status, kind, today=date)

    second = module.lookup_request(named, config)
    if query.fresh:
        second = replace(second, keep=0)
    held, more = ask(client, module.name, second, records, today=today)
    order = {each.value: at for at, each in enumerate(named)}
    kind = named[0].kind
    papers = sorted(held.papers, key=lambda each: order.get(getattr(each, kind) or "", len(order)))
    missing = max(0, len(named) - len(papers))
    done = replace(found, papers=tuple(papers), ids=(), damaged=missing)
    return Page(done, answer.from_cache and more.from_cache)
