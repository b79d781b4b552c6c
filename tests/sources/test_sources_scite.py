"""scite on a double: signing in, tokens that rotate, one session, and what its refusals mean."""

from __future__ import annotations

import json
import stat
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from double import Double, Reply, Seen
from pressmark.errors import (
    BadInput,
    Configuration,
    Offline,
    RateLimited,
    SourceBroken,
    SourceDown,
    Unavailable,
)
from pressmark.http import Client, NullClient
from pressmark.search import search
from pressmark.search.result import lasting
from pressmark.search.showing import hit_json
from pressmark.sources import REGISTRY, Query, scite, search_page
from pressmark.sources.scite_signin import (
    access_token,
    renewed,
    sign_in,
    sign_out,
    signed_in,
    token_file,
)

TODAY = "2026-11-30"
HIT = {
    "doi": "10.5555/IEL.2024.99", "title": "Graph Transformers Predict Eel Migration",
    "authors": [{"authorName": "Amina El-Sayed"}, {"authorName": "Tomasz Bryl"},
                {"authorName": "Li Wen"}, {"authorName": "Kofi Mensah"}],
    "year": 2024, "abstract": "Not kept.", "isOa": True, "oaStatus": "gold",
    "tally": {"total": 9, "supporting": 2, "contrasting": 1, "mentioning": 6},
    "access": {"url": "https://read.invalid/?mail=reader@college.invalid"},
    "citations": [{"snippet": "A sentence that cites."}],
    "editorialNotices": [{"type": "Retraction"}],
}  # fmt: skip
CLOSED = HIT | {"doi": "10.5555/closed", "oaStatus": "closed", "editorialNotices": []}


class Scite:
    """The provider's side: registrations, tokens, sessions."""

    def __init__(self) -> None:
        self.valid = "access-1"
        self.refresh = "refresh-1"
        self.grants = 0
        self.sessions: list[str] = []
        self.answer: dict[str, object] = {"hits": [HIT, CLOSED], "count": 2}
        self.is_error = False
        self.events = False

    def routes(self) -> list[tuple[str, object]]:
        return [
            ("/.well-known/oauth-authorization-server", self.about),
            ("/mcp/oauth/register", self.register),
            ("/mcp/oauth/token", self.token),
            ("/mcp", self.mcp),
        ]

    def about(self, seen: Seen) -> Reply:
        at = "https://api.scite.ai/mcp/oauth"
        return reply({
            "registration_endpoint": f"{at}/register", "token_endpoint": f"{at}/token",
            "authorization_endpoint": f"{at}/authorize",
        })  # fmt: skip

    def register(self, seen: Seen) -> Reply:
        asked = json.loads(seen.body)
        assert asked["token_endpoint_auth_method"] == "none"
        assert asked["redirect_uris"][0].startswith("http://127.0.0.1:")
        return reply({"client_id": "a-client"}, 201)

    def token(self, seen: Seen) -> Reply:
        form = dict(urllib.parse.parse_qsl(seen.body.decode()))
        self.grants += 1
        if form["grant_type"] == "refresh_token" and form["refresh_token"] != self.refresh:
            return reply({"error": "invalid_grant"}, 400)
        if form["grant_type"] == "authorization_code":
            assert form["code"] == "a-code" and len(form["code_verifier"]) >= 43
        self.valid, self.refresh = f"access-{self.grants}", f"refresh-{self.grants}"
        return reply({"access_token": self.valid, "refresh_token": self.refresh,
                      "token_type": "Bearer", "expires_in": 900})  # fmt: skip

    def mcp(self, seen: Seen) -> Reply:
        if seen.headers.get("authorization") != f"Bearer {self.valid}":
            return reply({"error": "invalid_token"}, 401)
        said = json.loads(seen.body)
        if said["method"] == "initialize":
            self.sessions.append(f"s{len(self.sessions)}")
            return reply(rpc({"protocolVersion": "2025-06-18"}),
                         headers={"Mcp-Session-Id": self.sessions[-1]})  # fmt: skip
        if seen.headers.get("mcp-session-id") != self.sessions[-1]:
            return Reply(404, b"", "application/json")
        if said["method"] == "notifications/initialized":
            return Reply(202, b"", "application/json")
        content = [{"type": "text", "text": json.dumps(self.answer)}]
        body = rpc({"content": content, "isError": self.is_error})
        if self.events:
            said_ = f"event: message\ndata: {json.dumps(body)}\n\n"
            return Reply(200, said_.encode(), "text/event-stream")
        return reply(body)


def rpc(result: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 2, "result": result}


def reply(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    return Reply(status, json.dumps(body).encode(), "application/json", headers or {})


@pytest.fixture
def provider() -> Scite:
    return Scite()


@pytest.fixture
def double(provider: Scite) -> Iterator[Double]:
    with Double(provider.routes()) as started:  # type: ignore[arg-type]
        yield started


@pytest.fixture
def client(double: Double, tmp_path: Path) -> Client:
    (tmp_path / "library").mkdir()
    config = double.config(
        tmp_path, tmp_path / "library", ["scite"], config_dir=tmp_path / "config"
    )
    return Client(config, sleep=lambda seconds: None)


def browser(code: str = "a-code", **changes: str):
    """A person who agrees: the browser comes back with the code and the state it was given."""

    def show(url: str) -> None:
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        assert asked["code_challenge_method"] == "S256"
        back = {"code": code, "state": asked["state"], **changes}
        at = f"{asked['redirect_uri']}?{urllib.parse.urlencode(back)}"

        def come() -> None:
            urllib.request.urlopen(at, timeout=5).read()

        threading.Thread(target=come, daemon=True).start()

    return show


def signed(client: Client, until: float = 900.0, access: str = "access-1") -> None:
    at = token_file(client.config)
    at.parent.mkdir(exist_ok=True)
    at.write_text(json.dumps({
        "client_id": "a-client", "token_endpoint": "https://api.scite.ai/mcp/oauth/token",
        "access": access, "refresh": "refresh-1", "until": time.time() + until,
    }))  # fmt: skip


def ask(client: Client, **more: object):
    query = Query(words="eel migration", **more)  # type: ignore[arg-type]
    return search_page(client, REGISTRY["scite"], query, client.config, 0, 10, today=TODAY).found


def methods(double: Double) -> list[str]:
    return [json.loads(s.body)["method"] for s in double.requests if s.path == "/mcp"]


def test_the_sign_in_is_kept_in_a_file_of_the_users_own(client: Client) -> None:
    path = sign_in(client, client.config, browser(), seconds=10)
    assert path == client.config.config_dir / "scite.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert access_token(client, client.config) == "access-1"
    held = [p for p in (client.config.root or Path()).rglob("*") if p.is_file()]
    assert not any(b"access-1" in p.read_bytes() for p in held)
    assert sign_out(client.config) and not signed_in(client.config)
    assert not sign_out(client.config)


def test_an_answer_to_another_sign_in_is_not_taken(client: Client) -> None:
    with pytest.raises(BadInput, match="not to ours"):
        sign_in(client, client.config, browser(state="x"), seconds=10)
    with pytest.raises(Unavailable, match="did not sign you in"):
        sign_in(client, client.config, browser(code="", error="access_denied"), seconds=10)
    with pytest.raises(Unavailable, match="Nobody signed in within 0 s"):
        sign_in(client, client.config, lambda url: None, seconds=0.1)
    assert not signed_in(client.config)


def test_no_other_host_is_shown_a_code(client: Client, double: Double) -> None:
    there = {"registration_endpoint": "https://api.scite.ai/r", "token_endpoint":
             "https://scite.ai.evil.invalid/t", "authorization_endpoint": "https://scite.ai/a"}  # fmt: skip
    double.fail("/.well-known/*", reply(there))
    with pytest.raises(SourceBroken, match="names no token endpoint of its own"):
        sign_in(client, client.config, lambda url: None, seconds=0.1)


def test_a_session_is_three_messages_and_then_one(client: Client, double: Double) -> None:
    signed(client)
    ask(client)
    assert methods(double) == ["initialize", "notifications/initialized", "tools/call"]
    ask(client)
    assert methods(double)[3:] == ["tools/call"]


def test_what_is_kept_of_a_hit_and_what_is_not(client: Client) -> None:
    signed(client)
    found = ask(client)
    paper = found.papers[0]
    assert (paper.doi, paper.year, paper.oa) == ("10.5555/iel.2024.99", "2024", "gold")
    assert paper.authors == ("El-Sayed, Amina", "Bryl, Tomasz", "Wen, Li")
    assert paper.notice == "retracted" and paper.abstract is None and paper.locations == ()
    assert paper.extra == {"scite": {
        "tally": {"total": "9", "supporting": "2", "contrasting": "1", "mentioning": "6"},
        "oa_status": "gold", "editorial_notices": ["retraction"],
    }}  # fmt: skip
    assert "reader@college" not in repr(found) and "sentence that cites" not in repr(found)


def test_open_works_only_are_a_part_of_three_times_as_many(client: Client, double: Double) -> None:
    signed(client)
    assert [paper.doi for paper in ask(client, open_access=True).papers] == ["10.5555/iel.2024.99"]
    sent = json.loads(double.requests[-1].body)["params"]["arguments"]
    assert sent == {"term": "eel AND migration", "limit": 30, "offset": 0}


def test_answers_may_come_as_events_and_are_not_cached(
    client: Client, double: Double, provider: Scite
) -> None:
    signed(client)
    provider.events = True
    assert len(ask(client).papers) == 2 and len(ask(client).papers) == 2
    assert methods(double).count("tools/call") == 2


def test_a_token_that_has_ended_is_renewed_by_itself(client: Client, provider: Scite) -> None:
    signed(client, until=-1)
    assert len(ask(client).papers) == 2
    assert provider.grants == 1 and access_token(client, client.config) == "access-1"
    assert stat.S_IMODE(token_file(client.config).stat().st_mode) == 0o600


def test_a_token_that_is_refused_is_renewed(client: Client, provider: Scite) -> None:
    signed(client, access="too-old")
    assert len(ask(client).papers) == 2 and provider.grants == 1


def test_another_process_that_renewed_first_is_believed(client: Client, provider: Scite) -> None:
    signed(client, until=-1)
    renewed(client, client.config)
    other = json.loads(token_file(client.config).read_text())
    assert other["refresh"] == "refresh-1" == provider.refresh
    signed(client, access="stale")
    provider.refresh = "refresh-9"
    with pytest.raises(Configuration, match="sign-in has ended") as caught:
        renewed(client, client.config)
    assert caught.value.next == "pressmark login scite"


def test_a_session_that_is_gone_is_begun_anew(
    client: Client, double: Double, provider: Scite
) -> None:
    signed(client)
    ask(client)
    provider.sessions.append("another")
    assert len(ask(client).papers) == 2
    assert methods(double).count("initialize") == 2


def test_without_a_sign_in_nothing_is_sent(client: Client, double: Double) -> None:
    with pytest.raises(Configuration, match="needs a sign-in"):
        ask(client)
    with pytest.raises(Offline):
        search_page(
            NullClient(client.config), REGISTRY["scite"], Query(words="x"), client.config, 0, 10,
            today=TODAY,
        )  # fmt: skip
    assert double.requests == []


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Monthly quota exceeded. Upgrade your plan.", RateLimited),
        ("The service is busy, try again later", SourceDown),
        ("unknown tool: search_literature", SourceBroken),
    ],
)
def test_an_error_of_the_tool_is_an_outage_or_a_defect(
    client: Client, provider: Scite, said: str, kind: type[Exception]
) -> None:
    signed(client)
    provider.is_error, provider.answer = True, {"message": said}
    with pytest.raises(kind) as caught:
        ask(client)
    assert type(caught.value) is kind
    if isinstance(caught.value, RateLimited):
        assert caught.value.allowance == "monthly"


def test_an_answer_without_hits_is_a_defect(client: Client, provider: Scite) -> None:
    signed(client)
    provider.answer = {"message": "hello"}
    with pytest.raises(SourceBroken, match="holds no hits"):
        ask(client)
    provider.answer = {"hits": []}
    assert ask(client).total == 0


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (b'{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"bad"}}', 200, SourceBroken),
        (b'{"jsonrpc":"2.0","id":2}', 200, SourceBroken),
        (b"", 200, SourceDown),
        (b"<html>", 200, SourceBroken),
        (b"data: nothing\n\n", 200, SourceBroken),
        (b"quota", 429, RateLimited),
        (b"", 503, SourceDown),
        (b"", 400, SourceBroken),
    ],
)
def test_every_other_shape_is_a_named_failure(
    body: bytes, status: int, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        scite.parse_search(body, status, "", today=TODAY)


def test_only_what_is_really_asked_counts_against_the_month(client: Client, double: Double) -> None:
    lane = f"scite@127.0.0.1:{double.port}"
    with pytest.raises(Configuration):
        ask(client)  # nobody is signed in
    assert client.allowances.used(lane) == [(0, 250, "monthly")]
    signed(client)
    ask(client)
    ask(client)
    assert client.allowances.used(lane) == [(2, 250, "monthly")]
    for _ in range(248):
        client.spend("scite")
    before = len(double.requests)
    with pytest.raises(RateLimited, match="monthly allowance of 250 is spent"):
        ask(client)
    assert len(double.requests) == before


def test_a_hit_shows_how_it_is_cited_and_the_library_does_not_keep_it(
    client: Client, tmp_path: Path
) -> None:
    signed(client)
    result = search(client, client.config, Query(words="eels"), ("scite",), today=TODAY)
    shown = hit_json(result.hits[0])
    assert isinstance(shown["scite"], dict) and shown["scite"]["tally"]
    assert lasting(result.hits[0].paper).extra == {}
