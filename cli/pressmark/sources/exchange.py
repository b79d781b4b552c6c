"""A source's request in; its answer, read by the source's own parser, out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from urllib.parse import urlencode

from pressmark.config import Config
from pressmark.errors import PressmarkError, SourceBroken, SourceDown, TooLarge
from pressmark.http import Answer, Client, NullClient, failure
from pressmark.sources.base import Found, Request, Source
from pressmark.sources.query import Query

FORM = "application/x-www-form-urlencoded"

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
        client.discreet(problem)  # it may quote the answer
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
    by: Callable[..., Answer] = client.get
    params: Mapping[str, str] | None = request.params
    if request.form:
        content, params = urlencode(request.params).encode(), None
        by = partial(client.post, content=content, content_type=FORM)
    elif request.content is not None:
        by = partial(client.post, content=request.content, content_type=request.content_type)
    return by(
        request.url,
        source=source,
        params=params,
        headers=request.headers,
        accept=request.accept,
        patient=patient,
        timeout=request.timeout,
        keep=request.keep,
        refresh=refresh,
    )


_STEPPED = frozenset({"scite"})
"""Sources whose question is a conversation and no request."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a search's hits, and whether all of it came from the cache."""

    found: Found
    cached: bool


def search_page(
    client: Way,
    module: Source,
    query: Query,
    config: Config,
    start: int,
    rows: int,
    *,
    today: str,
    after: Mapping[str, str] | None = None,
) -> Page:
    """Ask for `rows` hits from the `start`th on; records a source only names are asked for too.

    `after` is the `next` of the page before, where a source chains its pages; `start` then
    counts for nothing. A fresh query is answered by nobody's cache.
    """
    if module.name in _STEPPED:
        return _conversation(client, module, query, config, start, rows, today)
    request = module.search_request(query, config, 0 if after else start, rows)
    if after:
        request = replace(request, params={**request.params, **after})
    if query.fresh:
        request = replace(request, keep=0)

    def parse(body: bytes, status: int, kind: str, date: str) -> Found:
        return module.parse_search(body, status, kind, today=date)

    found, answer = ask(client, module.name, request, parse, today=today)
    cached = answer.from_cache
    if found.ids and not query.count:
        found, more = _records(client, module, query, config, found, today)
        cached = cached and more
    return Page(replace(found, papers=found.papers[request.skip :]), cached)


def _conversation(
    client: Way,
    module: Source,
    query: Query,
    config: Config,
    start: int,
    rows: int,
    today: str,
) -> Page:
    """A question of several messages: paused and reported as a single request's would be."""
    from pressmark.sources.scite_session import search  # with what a sign-in needs: seldom asked

    request = module.search_request(query, config, start, rows)
    try:
        return Page(search(client, query, config, start, rows, today=today), cached=False)
    except (SourceDown, SourceBroken) as problem:
        client.discreet(problem)
        if isinstance(problem, SourceDown):
            client.pause(module.name, request.url, problem)
        else:
            client.report(module.name, request.sent, problem, problem.head.encode())
        raise


def _records(
    client: Way, module: Source, query: Query, config: Config, found: Found, today: str
) -> tuple[Found, bool]:
    """The records of hits that were named only, in the order of the hits."""
    request = module.lookup_request(found.ids, config)
    if query.fresh:
        request = replace(request, keep=0)

    def parse(body: bytes, status: int, kind: str, date: str) -> Found:
        return module.parse_lookup(body, status, kind, today=date)

    held, answer = ask(client, module.name, request, parse, today=today)
    kind = found.ids[0].kind
    order = {each.value: at for at, each in enumerate(found.ids)}
    papers = sorted(held.papers, key=lambda each: order.get(getattr(each, kind) or "", len(order)))
    missing = max(0, len(found.ids) - len(papers))
    return replace(found, papers=tuple(papers), ids=(), damaged=missing), answer.from_cache
