"""A source's request in; its answer out: paced, capped, guarded, cached, paused when it fails."""

from __future__ import annotations

import datetime
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from pressmark.config import Config
from pressmark.errors import PressmarkError, RateLimited, SourceBroken, SourceDown
from pressmark.http import hosts
from pressmark.http.allowance import Allowances, month_left
from pressmark.http.answer import Answer, failure, head
from pressmark.http.cache import Cache
from pressmark.http.defects import HEAD, Defects
from pressmark.http.guard import Refused, Resolver, check_url, resolve
from pressmark.http.null import NullClient
from pressmark.http.pace import Pace
from pressmark.http.pauses import ALLOWANCE, OUTAGE, TOO_MANY, Pauses
from pressmark.http.redact import redact, redact_text
from pressmark.http.request import (
    METADATA,
    Deadline,
    Request,
    joined,
    may_retry,
    next_wait,
    with_params,
)

if TYPE_CHECKING:
    from pressmark.http.wire import Wire

_HOPS = 5


class Client:
    """The one way to the network; thread-safe, one for a whole command."""

    offline = False

    def __init__(
        self,
        config: Config,
        *,
        refresh: bool = False,
        resolver: Resolver = resolve,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.config = config
        self.refresh = refresh
        self.pauses = Pauses(config.state_dir, clock)
        self.pace = Pace(config.cache_dir / "pace", clock, sleep)
        self.allowances = Allowances(config.state_dir, clock)
        self.defects = Defects(config.state_dir, clock)
        self.cache = Cache(config.root, clock)
        self._sessions: dict[str, dict[str, str]] = {}
        self._turns: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._resolver = resolver
        self._clock = clock
        self._sleep = sleep

    @cached_property
    def _wire(self) -> Wire:
        from pressmark.http.wire import Wire

        return Wire(resolver=self._resolver, proxy=self.config.proxy)

    def get(
        self,
        url: str,
        *,
        source: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        accept: str = "*/*",
        max_bytes: int = METADATA,
        timeout: float | None = None,
        seconds: float | None = None,
        patient: bool = False,
        keep: float = 0.0,
        refresh: bool | None = None,
    ) -> Answer:
        """Ask for a URL. `keep` is how many seconds an answer may be served from the cache.

        `timeout` bounds one operation, `seconds` the whole answer. An impatient request
        (a federated search) costs at most `seconds`; a patient one is tried again after
        a timeout and waits out a 429 for up to a minute.
        """
        request = Request(
            method="GET",
            url=with_params(url, params),
            source=source,
            headers=self._headers(accept, headers),
            mirror=self.config.base_urls.get(source, ""),
            **self._limits(max_bytes, timeout, seconds, patient),  # type: ignore[arg-type]
        )
        return self._ask(request, keep, self.refresh if refresh is None else refresh)

    def post(
        self,
        url: str,
        *,
        source: str,
        content: bytes,
        content_type: str = "application/json",
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        accept: str = "*/*",
        max_bytes: int = METADATA,
        timeout: float | None = None,
        seconds: float | None = None,
        patient: bool = False,
        keep: float = 0.0,
        refresh: bool | None = None,
    ) -> Answer:
        """Send a body; for sources whose questions do not fit in a URL."""
        own = {"Content-Type": content_type, **(headers or {})}
        request = Request(
            method="POST",
            url=with_params(url, params),
            source=source,
            headers=self._headers(accept, own),
            content=content,
            mirror=self.config.base_urls.get(source, ""),
            **self._limits(max_bytes, timeout, seconds, patient),  # type: ignore[arg-type]
        )
        return self._ask(request, keep, self.refresh if refresh is None else refresh)

    def pause(self, source: str, url: str, error: SourceDown) -> None:
        """Leave a source alone whose answer, read by its own parser, was a refusal."""
        self._pause(self._lane(source, url), error)

    def forget(self, answer: Answer) -> None:
        """Do not serve this answer again: its parser could make nothing of it."""
        self.cache.drop(answer.key, answer.source)

    @contextmanager
    def one_session(self, source: str) -> Iterator[dict[str, str]]:
        """What a source's open session is known by, as long as this client lives; for one thread.

        The source's own module fills it and, when the session is gone, empties it.
        """
        with self._turns[source]:
            yield self._sessions.setdefault(source, {})

    def spend(self, source: str) -> None:
        """Count one search of a metered source; RateLimited when its allowance is spent."""
        base = self.config.base_urls.get(source)
        lane = f"{source}@{':'.join(map(str, hosts.origin(base)))}" if base else source
        try:
            self.allowances.take(lane, key=self.config.key(source) is not None)
        except RateLimited as spent:
            self._pause(lane, spent)
            raise

    def report(self, source: str, request: str, problem: Exception, body: bytes = b"") -> None:
        """Remember a defect: an answer that could not be read, or a request that was rejected."""
        known = isinstance(problem, PressmarkError)
        said = str(problem) if known else f"{type(problem).__name__} in our own code"
        trace = "" if known else "".join(traceback.format_exception(problem))
        shown = head(self._scrubbed(body[:HEAD]), HEAD) or getattr(problem, "head", "")
        self.defects.add(source, redact(request), said, shown, trace)

    def discreet(self, problem: PressmarkError) -> None:
        """Take keys and addresses, which some providers repeat, out of what an error says."""
        problem.message = self._said(problem.message)
        problem.args = (problem.message,)
        if isinstance(problem, SourceBroken):
            problem.head = self._said(problem.head)

    def paused_key(self, source: str, url: str) -> str:
        """The name under which `pauses` knows this source."""
        return self._lane(source, url).partition("/")[0]

    def _headers(self, accept: str, headers: Mapping[str, str] | None) -> dict[str, str]:
        contact = f" (+mailto:{self.config.contact})" if self.config.contact else ""
        return {
            "User-Agent": f"Pressmark/{_version()}{contact}",
            "Accept": accept,
            "Accept-Encoding": "identity",
            **(headers or {}),
        }

    def _limits(
        self, max_bytes: int, timeout: float | None, seconds: float | None, patient: bool
    ) -> dict[str, int | float | bool]:
        each = self.config.timeout if timeout is None else timeout
        whole = each if max_bytes <= METADATA else 15 * each
        return {
            "max_bytes": max_bytes,
            "timeout": each,
            "seconds": whole if seconds is None else seconds,
            "patient": patient,
        }

    def _ask(self, request: Request, keep: float, refresh: bool) -> Answer:
        check_url(request.url, request.source)
        kept = self.cache.load(request.key, request.source, keep) if keep and not refresh else None
        if kept and kept[1] <= keep:
            return kept[0]
        lane = self._lane(request.source, request.url)
        pause = None if refresh else self.pauses.get(lane.partition("/")[0])
        if pause:
            if kept:
                return kept[0]
            raise pause.error(request.source, self._clock())
        answer = self._tried(request, lane)
        if keep and answer.status == 200:
            self.cache.store(request.key, answer, keep)
            return replace(answer, key=request.key)
        return answer

    def _tried(self, request: Request, lane: str) -> Answer:
        """Send, again where that helps; leave the lane alone when it did not."""
        try:
            answer = self._persistent(request)
        except SourceDown as down:
            self._pause(lane, down)
            raise
        if answer.status == 429 or answer.status >= 500:
            wait, headers = answer.retry_after, answer.headers
            error = failure(answer.source, answer.status, answer.body, wait, headers)
            if isinstance(error, SourceDown):
                self._pause(lane, error)
        elif answer.status == 200:
            self.pauses.clear(lane.partition("/")[0])
        return answer

    def _persistent(self, request: Request) -> Answer:
        """One retry on a timeout or a 5xx; when patient, the ladder of waits on a 429."""
        deadline = Deadline(time.monotonic() + request.seconds)
        waited = 0.0
        retries = 1
        rung = 0
        while True:
            try:
                answer = self._follow(request, deadline)
            except SourceDown:
                if not retries or not may_retry(request, deadline):
                    raise
                answer = None
            if answer is not None and answer.status < 500 and answer.status != 429:
                return answer
            if answer is not None and answer.status == 429:
                pause = next_wait(request, answer, rung, waited)
                if pause is None:
                    return answer
                self._sleep(pause)
                waited, rung = waited + pause, rung + 1
            elif answer is None or (retries and may_retry(request, deadline)):
                retries -= 1
            else:
                return answer
            if request.patient:
                deadline = Deadline(time.monotonic() + request.seconds)

    def _follow(self, request: Request, deadline: Deadline) -> Answer:
        """Send, and follow at most five redirects, each judged like the first address."""
        url, headers = request.url, dict(request.headers)
        for _ in range(_HOPS + 1):
            sent = self._mirrored(request.source, url)
            answer = self._send(replace(request, url=sent, headers=headers), url, deadline)
            target = answer.headers.get("location", "")
            if answer.status not in (301, 302, 303, 307, 308) or not target:
                return answer
            if request.method != "GET":
                raise SourceBroken(f"{request.source} redirects a request that cannot follow.")
            following = joined(sent, target)
            check_url(following, request.source)
            if urlsplit(sent).scheme == "https" and urlsplit(following).scheme == "http":
                raise Refused(f"{request.source} redirects from https to http; not followed.")
            if hosts.origin(following) != hosts.origin(sent):
                headers = {n: v for n, v in headers.items() if n in _FOLLOW_HEADERS}
            url = following
        raise SourceBroken(f"{request.source} redirects more than {_HOPS} times.")

    def _send(self, request: Request, meant: str, deadline: Deadline) -> Answer:
        from pressmark.http.wire import Limits

        lane = self._lane(request.source, meant)
        spacing, single = self._spacing(request.source, lane)
        began = time.monotonic()
        if lane.partition("@")[0] not in _METERED:
            self.allowances.take(lane, key=self.config.key(request.source) is not None)
        with self.pace.turn(lane, single=single and spacing > 0):
            if spacing > 0:
                self.pace.wait(lane, spacing)
            deadline.at += time.monotonic() - began
            limits = Limits(
                max_bytes=request.max_bytes, timeout=request.timeout, deadline=deadline.at
            )
            try:
                response = self._wire.send(
                    request.method,
                    request.url,
                    request.headers,
                    limits,
                    trusted=self._trusted(request.source),
                    content=request.content,
                )
            finally:
                if single and spacing > 0:
                    self.pace.mark(lane)
        if spacing > 0:
            self.pace.observe(lane, response.headers)
        body = response.body
        return Answer(
            status=response.status,
            headers=response.headers,
            body=body if response.status < 400 else self._scrubbed(body),
            url=redact(request.url),
            source=request.source,
            date=datetime.date.fromtimestamp(self._clock()).isoformat(),
        )

    def _mirrored(self, source: str, url: str) -> str:
        return hosts.mirrored(url, source, self.config.base_urls.get(source))

    def _trusted(self, source: str) -> frozenset[tuple[str, int]]:
        base = self.config.base_urls.get(source)
        return frozenset({hosts.origin(base)}) if base else frozenset()

    def _lane(self, source: str, url: str) -> str:
        """The queue of a request; a mirror has its own, so that a test never slows the real one."""
        lane = hosts.lane(url)
        base = self.config.base_urls.get(source)
        if base is None or self._mirrored(source, url) == url:
            return lane
        name, _, rest = lane.partition("/")
        host, port = hosts.origin(base)
        return f"{name}@{host}:{port}" + (f"/{rest}" if rest else "")

    def _spacing(self, source: str, lane: str) -> tuple[float, bool]:
        """Seconds between two requests, and whether the lane has one connection only."""
        first, _, rest = lane.partition("@")
        rule = hosts.rule(first + ("/" + rest.partition("/")[2] if "/" in rest else ""))
        own = rule.polite if rule.polite is not None and self.config.contact else rule.seconds
        if rule.keyed is not None and self.config.key(source):
            own = rule.keyed
        named = self.config.pace.get(source)
        if named is not None and source in self.config.base_urls:
            return named, rule.single
        return max(own, named or 0.0, self.pace.asked(lane)), rule.single

    def _pause(self, lane: str, error: SourceDown) -> None:
        """Leave a lane alone: a minute, or as long as what it said it needs, within bounds."""
        seconds = OUTAGE
        if isinstance(error, RateLimited):
            asked = min(error.retry_after or 0, ALLOWANCE)
            seconds = {
                "": max(TOO_MANY, asked),
                "hourly": max(OUTAGE, asked),
                "daily": ALLOWANCE,
                "monthly": month_left(self._clock()),
            }[error.allowance]
        self.pauses.set(lane.partition("/")[0], seconds, error.message, error.code)

    def _said(self, text: str) -> str:
        return redact_text(self._scrubbed(text.encode("utf-8", "replace")).decode("utf-8"))

    def _scrubbed(self, body: bytes) -> bytes:
        """An error's text without our keys and contact, which some providers echo."""
        for secret in (*self.config.keys.values(), self.config.contact or ""):
            if len(secret) >= 4:
                for form in (secret, quote(secret, safe="")):
                    body = body.replace(form.encode(), b"...")
        return body


_METERED = frozenset({"scite"})
"""Who counts searches and not requests: `spend` is called for each."""

_FOLLOW_HEADERS = ("User-Agent", "Accept", "Accept-Encoding")
"""What another host than the asked one is told: never a key."""


def open_client(config: Config, *, refresh: bool = False) -> Client | NullClient:
    """The way to the network, or, when it is off, a way to nowhere."""
    return NullClient(config) if config.offline else Client(config, refresh=refresh)


def _version() -> str:
    # The package itself is above this module; it is loaded, but not ours to import.
    return str(sys.modules["pressmark"].__version__)
