"""A host name in; the public addresses it may be reached at, or a refusal, out."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from pressmark.errors import SourceBroken, SourceDown

Resolver = Callable[[str, int], Sequence[str]]
"""A host and a port to the addresses that answer for it, as text."""

# `is_global` is True on some Pythons for several of these, and lists of exceptions age badly:
# for IPv6 only today's global unicast space is let through, minus what tunnels or documents.
_UNICAST6 = ipaddress.IPv6Network("2000::/3")
_NEVER6 = tuple(
    ipaddress.IPv6Network(net)
    for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")  # Teredo, 6to4, examples
)
_NEVER4 = tuple(
    ipaddress.IPv4Network(net)
    for net in ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15")
)
_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "home.arpa")


class Refused(SourceBroken):
    """An address we do not go to, whoever asks."""


def public(address: str) -> bool:
    """Whether an address is one host on the public internet."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inside = ip in _UNICAST6 and not any(ip in net for net in _NEVER6)
        return inside and ip.is_global and ip.scope_id is None
    special = ip.is_multicast or ip.is_reserved or ip.is_private or ip.is_loopback
    return ip.is_global and not special and not any(ip in net for net in _NEVER4)


def check_url(url: str, source: str) -> None:
    """Refuse what is no well-formed http or https URL before anything else looks at it."""
    try:
        parts = urlsplit(url)
        whole = (
            bool(parts.hostname) and (parts.port or 1) > 0 and not re.search(r"[\x00-\x20]", url)
        )
    except ValueError:
        whole, parts = False, urlsplit("")
    if parts.scheme not in ("http", "https", ""):
        raise Refused(f"{source} leads to an address that is neither http nor https.")
    if not whole or not parts.scheme:
        raise Refused(f"{source} leads to an address that is not well formed.")


def check_address(host: str, port: int, resolver: Resolver, seconds: float = 20.0) -> list[str]:
    """The addresses of a host, every one of them public; `Refused` when any is not."""
    name = host.strip("[]").rstrip(".").lower()
    _check_name(name, host)
    addresses = [name] if _literal(name) else _within(resolver, name, port, seconds)
    if not addresses:
        raise SourceDown(f"{host} has no address.")
    if not all(public(address) for address in addresses):
        raise Refused(f"{host} is not on the public internet; it was not asked.")
    return addresses


def resolve(host: str, port: int) -> list[str]:
    """Ask the system's resolver."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise SourceDown(f"{host} cannot be found: the name did not resolve.") from problem
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def addresses_of(host: str, port: int, resolver: Resolver, seconds: float) -> list[str]:
    """The addresses of a host that the user's own configuration names: not judged."""
    name = host.strip("[]")
    return [name] if _literal(name) else _within(resolver, name, port, seconds)


def check_proxied(host: str, port: int, resolver: Resolver, seconds: float) -> None:
    """Refuse a host that is not public before the user's proxy is asked for it.

    Behind a proxy names of the outside world need not resolve: what does not is the proxy's to
    find, what does has to be public.
    """
    name = host.strip("[]").rstrip(".").lower()
    _check_name(name, host)
    try:
        addresses = [name] if _literal(name) else _within(resolver, name, port, seconds)
    except SourceDown:
        return
    if not all(public(address) for address in addresses):
        raise Refused(f"{host} is not on the public internet; it was not asked.")


def _check_name(name: str, host: str) -> None:
    """Refuse names that are only ever local, and numbers in another spelling than dotted ones."""
    local = any(name == each or name.endswith(f".{each}") for each in _LOCAL_NAMES)
    # The resolver reads 2130706433, 0x7f.1 and 0177.1 as addresses (inet_aton); nobody means well.
    odd = re.search(r"(^|\.)(0x[0-9a-f]*|\d+)$", name) and not _literal(name)
    if local or odd or not name or "%" in name or "\\" in name:
        raise Refused(f"{host} is not on the public internet; it was not asked.")


def _literal(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _within(resolver: Resolver, name: str, port: int, seconds: float) -> list[str]:
    """Resolve in a thread of its own, since the system's resolver takes no time limit."""
    found: list[str] = []
    failed: list[SourceDown] = []

    def ask() -> None:
        try:
            found.extend(resolver(name, port))
        except SourceDown as down:
            failed.append(down)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise SourceDown(f"{name} cannot be found: the name did not resolve in {seconds:.0f} s.")
    if failed:
        raise failed[0]
    return found
