"""Signing in at scite: OAuth 2.1 with a registration of our own and PKCE; tokens in a 0600 file.

https://modelcontextprotocol.io/specification/2025-06-18/basic/authorization
"""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from pressmark import disk
from pressmark.config import Config
from pressmark.errors import BadInput, Configuration, PressmarkError, SourceBroken, Unavailable
from pressmark.http import Answer, Client, NullClient
from pressmark.sources.answers import broken, json_object
from pressmark.sources.values import words

_ABOUT = "https://api.scite.ai/.well-known/oauth-authorization-server"
_EARLY = 30.0  # seconds before its end at which a token counts as old


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """A sign-in: our registration, and the tokens it was given."""

    client_id: str
    token_endpoint: str
    access: str
    refresh: str
    until: float  # seconds since 1970


def token_file(config: Config) -> Path:
    """Where the sign-in is kept: beside the user's own settings, in no library."""
    return config.config_dir / "scite.json"


def sign_in(
    client: Client | NullClient,
    config: Config,
    show: Callable[[str], None],
    *,
    seconds: float = 300.0,
) -> Path:
    """Register, let the person agree in a browser at the address that `show` is given, and keep.

    Raises `Unavailable` when nobody agrees in time, `SourceBroken` for an answer of another shape.
    """
    from pressmark.http.signin import Listener  # a server's worth of imports

    about = _json(client.get(_ABOUT, source="scite", accept="application/json"))
    register, authorize, token = (
        _endpoint(about, f"{kind}_endpoint") for kind in ("registration", "authorization", "token")
    )
    verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
    with Listener() as listener:
        client_id = _registered(client, register, listener.url)
        challenge = base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=")
        asked = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": listener.url,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
            "state": state,
            "scope": "mcp offline_access",
        }
        show(f"{authorize}{'&' if '?' in authorize else '?'}{urlencode(asked)}")
        came = listener.wait(seconds)
    code = _code(came, state)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": listener.url,
        "client_id": client_id,
        "code_verifier": verifier,
    }
    granted = _granted(client, token, form)
    _keep(config, replace(granted, client_id=client_id, token_endpoint=token))
    return token_file(config)


def sign_out(config: Config) -> bool:
    """Forget the sign-in; whether there was one."""
    path = token_file(config)
    held = path.exists()
    disk.remove_file(path)
    return held


def signed_in(config: Config) -> bool:
    """Whether a sign-in is kept."""
    return _read(config) is not None


def access_token(client: Client | NullClient, config: Config) -> str:
    """The token to show; one that has ended is renewed first."""
    held = _read(config)
    if held is None:
        raise Configuration("scite needs a sign-in.", next="pressmark login scite")
    if held.until > time.time() + _EARLY:
        return held.access
    return renewed(client, config).access


def renewed(client: Client | NullClient, config: Config) -> Tokens:
    """A new token, kept. Raises Configuration when a person has to sign in again.

    Each renewal ends the one before, and another process may have been first: so the file is
    read again under a lock before one is tried, and once more after a refusal.
    """
    before = _read(config)
    with disk.Lock(token_file(config).with_suffix(".lock"), timeout=60):
        held = _read(config)
        if held is None:
            raise Configuration("scite needs a sign-in.", next="pressmark login scite")
        if before is not None and held.access != before.access:
            return held
        try:
            return _renew(client, config, held)
        except SourceBroken:
            again = _read(config)
            if again is None or again.refresh == held.refresh:
                raise Configuration(
                    "scite's sign-in has ended.", next="pressmark login scite"
                ) from None
            return _renew(client, config, again)


def _renew(client: Client | NullClient, config: Config, held: Tokens) -> Tokens:
    form = {
        "grant_type": "refresh_token",
        "refresh_token": held.refresh,
        "client_id": held.client_id,
    }
    granted = _granted(client, held.token_endpoint, form)
    made = replace(
        granted,
        client_id=held.client_id,
        token_endpoint=held.token_endpoint,
        refresh=granted.refresh or held.refresh,
    )
    _keep(config, made)
    return made


def _registered(client: Client | NullClient, endpoint: str, redirect: str) -> str:
    body = {
        "client_name": "Pressmark",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": "mcp offline_access",
    }
    answer = _json(client.post(endpoint, source="scite", content=json.dumps(body).encode()))
    own = words(answer.get("client_id"))
    if not own:
        raise SourceBroken("scite registered us without a name to sign in by.")
    return own


def _granted(client: Client | NullClient, endpoint: str, form: Mapping[str, str]) -> Tokens:
    answer = client.post(
        endpoint,
        source="scite",
        content=urlencode(form).encode(),
        content_type="application/x-www-form-urlencoded",
        accept="application/json",
    )
    table = _json(answer)
    access = words(table.get("access_token"))
    seconds = table.get("expires_in")
    if not access or words(table.get("token_type")).lower() not in ("bearer", ""):
        raise SourceBroken("scite granted no token.")
    lasts = float(seconds) if isinstance(seconds, int | float) else 900.0
    return Tokens(
        client_id="",
        token_endpoint="",
        access=access,
        refresh=words(table.get("refresh_token")),
        until=time.time() + lasts,
    )


def _json(answer: Answer) -> dict[str, Any]:
    """An answer's object; nothing of it is quoted anywhere, for it may hold tokens."""
    try:
        return json_object("scite", answer.body, answer.status, answer.content_type)
    except SourceBroken as problem:
        raise SourceBroken(problem.message) from None


def _endpoint(about: Mapping[str, object], key: str) -> str:
    """An address of scite's own; no other host is ever shown a code or a token."""
    url = words(about.get(key))
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    if parts.scheme != "https" or not (host == "scite.ai" or host.endswith(".scite.ai")):
        raise broken("scite", b"", f"names no {key.replace('_', ' ')} of its own")
    return url


def _code(came: Mapping[str, str], state: str) -> str:
    if not secrets.compare_digest(came.get("state", ""), state):
        raise BadInput("The answer to the sign-in was not to ours; nothing was kept.")
    if not came.get("code"):
        said = came.get("error_description") or came.get("error") or "no reason given"
        raise Unavailable(f"scite did not sign you in ({said[:120]}).")
    return came["code"]


def _read(config: Config) -> Tokens | None:
    try:
        table = json.loads(disk.read_bytes(config.config_dir, "scite.json"))
        return Tokens(
            client_id=str(table["client_id"]),
            token_endpoint=_endpoint(table, "token_endpoint"),
            access=str(table["access"]),
            refresh=str(table["refresh"]),
            until=float(table["until"]),
        )
    except (PressmarkError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _keep(config: Config, tokens: Tokens) -> None:
    disk.make_folder(config.config_dir, 0o700)
    body = json.dumps(asdict(tokens), indent=1, sort_keys=True).encode()
    path = token_file(config)
    if path.exists() and path.stat().st_mode & 0o077:
        disk.remove_file(path)  # a file that others can read would keep its mode
    disk.write_file(path, body, 0o600)
