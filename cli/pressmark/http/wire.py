"""One request in; one response out, within its bytes and seconds and from a checked address.

The only module that opens sockets.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

from pressmark.errors import SourceBroken, SourceDown, TooLarge
from pressmark.http import guard

if TYPE_CHECKING:
    import ssl

_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one response may cost: decoded and wire bytes, seconds an operation, seconds in all."""

    max_bytes: int
    timeout: float
    deadline: float  # on the monotonic clock


@dataclass(frozen=True, slots=True)
class Response:
    """A response as it came, its body inflated."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """How this process reaches the network: the resolver, TLS, and the user's own hosts."""

    resolver: guard.Resolver = guard.resolve
    proxy: str | None = field(default=None, repr=False)
    """The proxy that the user's own configuration names; it may carry a user and a password."""
    tls: ssl.SSLContext = field(default_factory=lambda: httpx.create_ssl_context(trust_env=False))

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        limits: Limits,
        *,
        trusted: frozenset[tuple[str, int]] = frozenset(),
        content: bytes | None = None,
    ) -> Response:
        """Send one request; redirects are the caller's to follow. Nothing is sent twice."""
        name = httpx.URL(url).host
        transport = self._transport(url, limits, trusted)
        try:
            with (
                httpx.Client(transport=transport, trust_env=False, timeout=limits.timeout) as http,
                http.stream(method, url, headers=dict(headers), content=content) as answer,
            ):
                return _read(answer, limits)
        except httpx.TimeoutException as problem:
            raise TimedOut(f"{name} did not answer in time.") from problem
        except httpx.TransportError as problem:
            raise SourceDown(_sentence(name, problem)) from problem
        except (httpx.InvalidURL, httpx.StreamError, UnicodeError, ValueError) as problem:
            raise SourceBroken(
                f"{name} cannot be asked: the address is not well formed."
            ) from problem

    def _transport(
        self, url: str, limits: Limits, trusted: frozenset[tuple[str, int]]
    ) -> _Transport:
        """Straight to the checked address; through the proxy, the name is judged before."""
        parts = httpx.URL(url)
        target = (parts.host, parts.port or (443 if parts.scheme == "https" else 80))
        if self.proxy is None or target in trusted:
            return _Transport(_Backend(self.resolver, trusted, limits), self.tls)
        left = _left(limits, limits.timeout, httpcore.ConnectTimeout)
        guard.check_proxied(*target, self.resolver, left)
        proxy = httpx.URL(self.proxy)
        port = proxy.port or (443 if proxy.scheme == "https" else 80)
        backend = _Backend(self.resolver, frozenset({(proxy.host, port)}), limits)
        return _Transport(backend, self.tls, proxy)


class TimedOut(SourceDown):
    """No answer, or no end of it, within the seconds it was given."""


class _Transport(httpx.HTTPTransport):
    """httpx's transport over a pool that connects through our backend."""

    def __init__(
        self, backend: httpcore.NetworkBackend, tls: ssl.SSLContext, proxy: httpx.URL | None = None
    ) -> None:
        super().__init__(verify=tls, trust_env=False)
        # httpx offers no argument for the backend; the version is bounded for these lines.
        if proxy is None:
            self._pool = httpcore.ConnectionPool(ssl_context=tls, network_backend=backend)
            return
        user = (proxy.username, proxy.password) if proxy.username else None
        self._pool = httpcore.HTTPProxy(
            str(proxy.copy_with(username=None, password=None)),
            proxy_auth=user,
            ssl_context=tls,
            proxy_ssl_context=tls if proxy.scheme == "https" else None,
            network_backend=backend,
        )


class _Backend(httpcore.NetworkBackend):
    """Connects only to addresses that were just checked, so a name cannot change in between."""

    def __init__(
        self, resolver: guard.Resolver, trusted: frozenset[tuple[str, int]], limits: Limits
    ) -> None:
        self._resolver = resolver
        self._trusted = trusted
        self._limits = limits
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        judge = guard.addresses_of if (host, port) in self._trusted else guard.check_address
        left = _left(self._limits, timeout, httpcore.ConnectTimeout)
        addresses = judge(host, port, self._resolver, left)
        problem: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in addresses:
            seconds = min(_left(self._limits, timeout, httpcore.ConnectTimeout), _CONNECT_SECONDS)
            try:
                stream = self._inner.connect_tcp(
                    address, port, seconds, local_address, socket_options
                )
                return _Stream(stream, self._limits)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                problem = failed
        raise problem


class _Stream(httpcore.NetworkStream):
    """A socket whose every operation ends by the deadline, so that a slow drip ends too."""

    def __init__(self, inner: httpcore.NetworkStream, limits: Limits) -> None:
        self._inner = inner
        self._limits = limits

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left = _left(self._limits, timeout, httpcore.ReadTimeout)
        return self._inner.read(max_bytes, left)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(self._limits, timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(self._limits, timeout, httpcore.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, left), self._limits)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left(limits: Limits, timeout: float | None, late: type[Exception]) -> float:
    left = limits.deadline - time.monotonic()
    if left <= 0:
        raise late("the time for this answer is up")
    return min(left, limits.timeout if timeout is None else timeout)


def _read(answer: httpx.Response, limits: Limits) -> Response:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    declared = headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limits.max_bytes:
        raise _too_large(answer.url.host, limits.max_bytes)
    encoding = headers.get("content-encoding", "identity").strip().lower()
    chunks: Iterator[bytes] = answer.iter_raw()
    if encoding in ("gzip", "x-gzip", "deflate"):
        chunks = inflate(chunks, limits.max_bytes)
    elif encoding not in ("", "identity"):
        raise SourceBroken(f"{answer.url.host} answered in an encoding we did not ask for.")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > limits.max_bytes:
            raise _too_large(answer.url.host, limits.max_bytes)
    return Response(answer.status_code, headers, bytes(body))


def inflate(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Undo gzip or deflate in steps of at most 64 KiB, so a bomb never unfolds in memory.

    A gzip file may have several parts (RFC 1952, 2.2), which are one body.
    """
    step = 64 * 1024
    engine = zlib.decompressobj(zlib.MAX_WBITS | 32)
    given = 0
    try:
        for chunk in chunks:
            data = chunk
            while data and given <= most:
                if engine.eof:
                    if data[:1] != b"\x1f":
                        break  # what fills a block up behind the last part
                    engine = zlib.decompressobj(zlib.MAX_WBITS | 32)
                out = engine.decompress(data, step)
                given += len(out)
                yield out
                data = engine.unused_data if engine.eof else engine.unconsumed_tail
        if given <= most:  # else it would unfold the rest
            yield engine.flush()  # what fits in the window, when all input is consumed
    except zlib.error as problem:
        raise SourceDown("The compressed answer is damaged.") from problem
    if given <= most and not engine.eof:
        raise SourceDown("The compressed answer ends too early.")


def _too_large(host: str, most: int) -> TooLarge:
    size = f"{most / 2**20:.0f} MiB" if most >= 2**20 else f"{most} bytes"
    return TooLarge(f"The answer of {host} is larger than {size}; it was not read to its end.")


def _sentence(name: str, problem: httpx.TransportError) -> str:
    text = str(problem).lower()
    if isinstance(problem, httpx.ProxyError):
        return f"{name} cannot be reached: the proxy of your configuration refused ({text})."
    if "certificate" in text:
        return f"{name} cannot be trusted: its TLS certificate was not accepted."
    if "ssl" in text:
        return f"{name} cannot be reached: no secure connection could be made."
    if isinstance(problem, httpx.ConnectError):
        return f"{name} cannot be reached: no connection."
    if isinstance(problem, httpx.RemoteProtocolError):
        return f"{name} broke off its answer."
    return f"{name} cannot be reached: the connection failed."
