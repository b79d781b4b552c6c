"""A search of scite: signed in, within one session of its MCP server, one call at a time."""

from __future__ import annotations

from typing import Any

from pressmark.config import Config
from pressmark.errors import Configuration, SourceBroken
from pressmark.http import Answer, Client, NullClient
from pressmark.sources import scite, scite_signin
from pressmark.sources.base import Found, Request
from pressmark.sources.query import Query

PROTOCOL = "2025-06-18"


def search(
    client: Client | NullClient, query: Query, config: Config, start: int, rows: int, *, today: str
) -> Found:
    """Ask the tool: three messages on a new session, one on an open one. Nothing is cached."""
    request = scite.search_request(query, config, start, rows)
    with client.one_session(scite.name) as session:
        answer = _call(client, config, session, request)
        found = scite.parse_search(answer.body, answer.status, answer.content_type, today=today)
    if not query.open_access:
        return found
    kept = tuple(paper for paper in found.papers if scite.is_open(paper))[:rows]
    return Found(papers=kept, total=found.total, damaged=found.damaged)


def _call(
    client: Client | NullClient, config: Config, session: dict[str, str], request: Request
) -> Answer:
    """Send the call; a token that was refused is renewed, a session that is gone begun anew."""
    counted = False
    for _ in range(3):
        if "id" not in session:
            _begin(client, config, session)
        if not counted:
            client.spend(scite.name)  # only what is really asked counts against the month
            counted = True
        answer = _post(client, config, session, request.content or b"")
        if answer.status == 401:
            scite_signin.renewed(client, config)
            continue
        if answer.status == 404 and session.get("id"):
            session.clear()
            continue
        return answer
    raise Configuration("scite does not accept the sign-in.", next="pressmark login scite")


def _begin(client: Client | NullClient, config: Config, session: dict[str, str]) -> None:
    hello: dict[str, Any] = {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "pressmark", "version": "1"},
    }
    body = scite.message("initialize", hello, 1)
    answer = _post(client, config, session, body)
    if answer.status == 401:
        scite_signin.renewed(client, config)
        answer = _post(client, config, session, body)
    if answer.status == 401:
        raise Configuration("scite does not accept the sign-in.", next="pressmark login scite")
    scite.result(answer.body, answer.status, answer.content_type)
    session["id"] = answer.headers.get("mcp-session-id", "")
    told = _post(client, config, session, scite.message("notifications/initialized", {}, None))
    if not 200 <= told.status < 300:
        raise SourceBroken(f"scite rejected our request (HTTP {told.status}).")


def _post(
    client: Client | NullClient, config: Config, session: dict[str, str], content: bytes
) -> Answer:
    headers = {"Authorization": f"Bearer {scite_signin.access_token(client, config)}"}
    if session.get("id"):
        headers["Mcp-Session-Id"] = session["id"]
    return client.post(
        scite.URL, source=scite.name, content=content, headers=headers, accept=scite.ACCEPT
    )
