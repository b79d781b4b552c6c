"""The client against a loopback double: caps, clocks, retries, pauses, cache, redaction."""

from __future__ import annotations

import gzip
import json
import resource
import shutil
import ssl
import subprocess
import sys
import threading
import time
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from double import HTML, RATE_LIMITED, UNAVAILABLE, Double, Reply, faulty
from pressmark.config import Config
from pressmark.errors import (
    Busy,
    NotFound,
    Offline,
    RateLimited,
    SourceBroken,
    SourceDown,
    TooLarge,
)
from pressmark.http import (
    DOCUMENT,
    FOREVER,
    SEARCH_SECONDS,
    Client,
    NullClient,
    Paused,
    Refused,
    checked,
    open_client,
)
from pressmark.http.wire import inflate

ARXIV = "https://export.arxiv.org/api/query"


class Clock:
    """A clock that a test moves, and a sleep that moves it."""

    def __init__(self) -> None:
        self.now = 1_796_000_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 2))
        self.now += seconds


@pytest.fixture
def double():
    with Double() as started:
        yield started


@pytest.fixture
def clock() -> Clock:
    return Clock()


def config_for(double: Double, tmp_path: Path, **more: object) -> Config:
    root = tmp_path / "library"
    root.mkdir(exist_ok=True)
    names = ("arxiv", "crossref", "openalex", "europepmc")
    base = Config(
        root=root,
        cache_dir=tmp_path / "cache",
        state_dir=tmp_path / "state",
        base_urls=dict.fromkeys(names, double.base_url),
        pace=dict.fromkeys(names, 0.0),
        timeout=3.0,
    )
    return replace(base, **more)  # type: ignore[arg-type]


@pytest.fixture
def client(double: Double, tmp_path: Path, clock: Clock) -> Client:
    return Client(config_for(double, tmp_path), clock=clock, sleep=clock.sleep)


def ask(client: Client, **more: object) -> bytes:
    return checked(client.get(ARXIV, source="arxiv", **more)).body  # type: ignore[arg-type]


def test_an_answer_has_status_headers_and_body(client: Client, double: Double) -> None:
    double.routes = [("/api/query", Reply(200, b"<feed/>", "application/atom+xml; charset=UTF-8"))]
    answer = client.get(ARXIV, source="arxiv", params={"search_query": 'ti:"a b" AND au:é'})
    assert (answer.status, answer.body, answer.source) == (200, b"<feed/>", "arxiv")
    assert answer.content_type == "application/atom+xml"
    assert answer.date == "2026-11-30" and not answer.from_cache
    assert double.requests[0].query == {"search_query": 'ti:"a b" AND au:é'}
    assert double.requests[0].target == "/api/query?search_query=ti:%22a%20b%22%20AND%20au:%C3%A9"


def test_the_user_agent_is_honest_and_names_the_contact(
    double: Double, tmp_path: Path, client: Client
) -> None:
    double.routes = [("*", Reply())]
    client.get(ARXIV, source="arxiv")
    Client(config_for(double, tmp_path, contact="ada@reader.test")).get(ARXIV, source="arxiv")
    agents = [seen.headers["user-agent"] for seen in double.requests]
    assert agents == ["Pressmark/0.1.0", "Pressmark/0.1.0 (+mailto:ada@reader.test)"]
    assert double.requests[0].headers["accept-encoding"] == "identity"


def test_a_base_url_keeps_path_and_query_and_may_have_a_path(
    double: Double, tmp_path: Path
) -> None:
    double.routes = [("*", Reply())]
    config = config_for(double, tmp_path, base_urls={"arxiv": f"{double.base_url}/mirror"})
    Client(config).get("https://arxiv.org/pdf/1706.03762v7?x=1", source="arxiv")
    assert double.requests[0].target == "/mirror/pdf/1706.03762v7?x=1"


@pytest.mark.parametrize(
    ("status", "body", "error", "says"),
    [
        (404, b"Resource not found.", NotFound, "arxiv does not have it"),
        (410, b"", NotFound, "arxiv does not have it"),
        (400, b"bad rows", SourceBroken, r"rejected our request \(HTTP 400\)"),
        (401, b"no key", SourceBroken, r"rejected our request \(HTTP 401\)"),
        (403, b"<html>", SourceBroken, r"rejected our request \(HTTP 403\)"),
        (429, b"Rate exceeded.", RateLimited, "asks us to wait .429: Rate exceeded"),
        (500, b"java.lang", SourceDown, "is not working .HTTP 500"),
        (503, b"", SourceDown, "is not working .HTTP 503"),
    ],
)
def test_a_status_is_an_answer_until_it_is_checked(
    client: Client, double: Double, status: int, body: bytes, error: type[Exception], says: str
) -> None:
    double.routes = [("*", Reply(status, body, "text/plain"))]
    answer = client.get(ARXIV, source="arxiv")
    assert answer.status == status and answer.body == body
    with pytest.raises(error, match=says):
        checked(answer)


def test_redirects_within_the_mirror_are_followed(client: Client, double: Double) -> None:
    double.routes = [
        ("/api/query", Reply(301, headers={"Location": "/two"})),
        ("/two", Reply(302, headers={"Location": f"{double.base_url}/three"})),
        # the source's real host, as a recorded answer names it: the mirror stands for it too
        ("/three", Reply(307, headers={"Location": "https://arxiv.org/four"})),
        ("/four", Reply(200, b"end")),
    ]
    answer = client.get(ARXIV, source="arxiv")
    assert answer.body == b"end" and answer.url == f"{double.base_url}/four"


def test_six_redirects_are_too_many(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(302, headers={"Location": "/again"}))]
    with pytest.raises(SourceBroken, match="redirects more than 5 times"):
        client.get(ARXIV, source="arxiv")
    assert len(double.requests) == 6


def test_a_key_does_not_follow_to_another_origin(client: Client, double: Double, tmp_path) -> None:
    with Double([("*", Reply(200, b"other"))]) as other:
        double.routes = [("*", Reply(302, headers={"Location": f"{other.base_url}/x"}))]
        config = config_for(double, tmp_path)
        asking = Client(config)
        asking._trusted = lambda source: frozenset(  # type: ignore[method-assign]
            {("127.0.0.1", double.port), ("127.0.0.1", other.port)}
        )
        asking.get(ARXIV, source="arxiv", headers={"Authorization": "Bearer k", "X-Api-Key": "k"})
        assert double.requests[0].headers["authorization"] == "Bearer k"
        assert {"authorization", "x-api-key"} & other.requests[0].headers.keys() == set()


def test_https_never_becomes_http(client: Client, double: Double) -> None:
    answer = client.get(ARXIV, source="arxiv")  # a 404; only its type is needed
    redirect = replace(answer, status=302, headers={"location": "http://arxiv.org/x"})
    client.config = replace(client.config, base_urls={})
    client._send = lambda request, meant, deadline: redirect  # type: ignore[method-assign]
    with pytest.raises(Refused, match="from https to http"):
        client.get(ARXIV, source="arxiv")


def test_too_large_is_refused_before_and_while_reading(client: Client, double: Double) -> None:
    double.routes = [
        ("/api/query", Reply(200, b"x" * 5000)),
        ("/chunked", Reply(200, b"x" * 5000, headers={"Content-Length": ""})),
    ]
    with pytest.raises(TooLarge, match="larger than 1000 bytes"):
        client.get(ARXIV, source="arxiv", max_bytes=1000)
    assert len(ask(client, max_bytes=5000)) == 5000


def test_an_endless_body_is_cut_at_the_cap(client: Client, double: Double) -> None:
    body = b"%x\r\n%s\r\n" % (4096, b"y" * 4096) * 1000
    headers = {"Transfer-Encoding": "chunked", "Content-Length": "0"}
    double.routes = [("*", Reply(200, body, headers=headers))]
    with pytest.raises((TooLarge, SourceDown)):
        client.get(ARXIV, source="arxiv", max_bytes=10_000)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_compression_nobody_asked_for_is_undone(
    client: Client, double: Double, encoding: str
) -> None:
    text = b"<feed>" + bytes(range(256)) * 900 + b"</feed>"
    packed = gzip.compress(text) if encoding == "gzip" else zlib.compress(text)
    double.routes = [("*", Reply(200, packed, headers={"Content-Encoding": encoding}))]
    assert ask(client) == text


def test_an_unknown_encoding_is_broken(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(200, b"x", headers={"Content-Encoding": "br"}))]
    with pytest.raises(SourceBroken, match="encoding we did not ask for"):
        ask(client)


def test_a_cut_or_damaged_gzip_is_down(client: Client, double: Double) -> None:
    packed = gzip.compress(b"hello" * 1000)
    double.routes = [
        ("/api/query", Reply(200, packed[:-20], headers={"Content-Encoding": "gzip"})),
        ("/bad", Reply(200, b"\x1f\x8b" + b"\xff" * 50, headers={"Content-Encoding": "gzip"})),
    ]
    with pytest.raises(SourceDown, match="ends too early"):
        ask(client)
    with pytest.raises(SourceDown, match="is damaged"):
        client.get("https://arxiv.org/bad", source="arxiv", refresh=True)


def test_a_gzip_of_several_parts_is_one_body_however_it_is_cut() -> None:
    packed = gzip.compress(b"one " * 9) + gzip.compress(b"two " * 9) + bytes(4)
    for at in range(len(packed)):
        assert b"".join(inflate([packed[:at], packed[at:]], 100)) == b"one " * 9 + b"two " * 9
    with pytest.raises(SourceDown, match="ends too early"):
        list(inflate([packed[:-10]], 100))
    unfolded = inflate([gzip.compress(bytes(2**24))], 2**20)
    assert sum(len(part) for part in unfolded) <= 2**20 + 2**16


def test_a_gzip_bomb_stays_small_in_memory(client: Client, double: Double) -> None:
    bomb = gzip.compress(bytes(512 * 2**20))  # half a MiB that unfolds to 512
    double.routes = [("*", Reply(200, bomb, headers={"Content-Encoding": "gzip"}))]
    ask_one = {"source": "arxiv", "max_bytes": 4 * 2**20}
    with pytest.raises(TooLarge):
        client.get(ARXIV, **ask_one)  # imports and buffers are there now
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(2):
        with pytest.raises(TooLarge):
            client.get(ARXIV, **ask_one)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 32 * 1024  # KiB


def test_a_bomb_in_a_fresh_process_stays_under_a_bound(double: Double) -> None:
    """The whole process, from nothing: a peak that no earlier test has raised."""
    double.routes = [
        ("*", Reply(200, gzip.compress(bytes(512 * 2**20)), headers={"Content-Encoding": "gzip"}))
    ]
    code = f"""
import resource, tempfile, pathlib
from pressmark.config import Config
from pressmark.http import Client
from pressmark.errors import TooLarge
at = pathlib.Path(tempfile.mkdtemp())
config = Config(cache_dir=at, state_dir=at, base_urls={{"arxiv": "{double.base_url}"}},
                pace={{"arxiv": 0.0}})
import httpx
rss = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = rss()
try:
    Client(config).get("{ARXIV}", source="arxiv", max_bytes=1_000_000)
except TooLarge:
    print(rss() - before)
"""
    path = str(Path(__file__).parents[2] / "cli")
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path}
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < 32 * 1024


def test_a_slow_drip_ends_in_time(client: Client, double: Double) -> None:
    double.routes = [("*", faulty(Reply(200, b"z" * 1000), "drip"))]  # 100 s in all
    began = time.monotonic()
    with pytest.raises(SourceDown, match="did not answer in time"):
        client.get(ARXIV, source="arxiv", seconds=0.6)
    assert time.monotonic() - began < 2.0


def test_a_hanging_source_costs_its_seconds_once(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(fault="hang"))]
    began = time.monotonic()
    with pytest.raises(SourceDown, match="did not answer in time"):
        client.get(ARXIV, source="arxiv", timeout=0.5, seconds=0.5)
    with pytest.raises(Paused, match=r"arxiv is paused for 60 s: .* did not answer in time"):
        client.get(ARXIV, source="arxiv")
    assert time.monotonic() - began < 1.5
    assert len(double.requests) == 1


def test_a_truncated_body_is_down(client: Client, double: Double) -> None:
    double.routes = [("*", faulty(Reply(200, b"q" * 4000), "truncated"))]
    with pytest.raises(SourceDown, match="broke off its answer"):
        ask(client)
    assert len(double.requests) == 2  # one retry


def test_a_reset_is_retried_once(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(200, b"fine"))]
    double.fail("/api/query*", Reply(fault="reset"), times=1)
    assert ask(client) == b"fine"
    assert len(double.requests) == 2


def test_a_refused_connection_is_down(tmp_path: Path, double: Double) -> None:
    config = config_for(double, tmp_path, base_urls={"arxiv": "http://127.0.0.1:1"})
    with pytest.raises(SourceDown, match="cannot be reached"):
        Client(config).get(ARXIV, source="arxiv")


def test_a_5xx_is_retried_once(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(200, b"fine"))]
    double.fail("/api/query*", UNAVAILABLE, times=1)
    assert ask(client) == b"fine"
    double.fail("/api/query*", UNAVAILABLE, times=2)
    with pytest.raises(SourceDown, match="HTTP 503"):
        ask(client)
    assert len(double.requests) == 4


def test_an_impatient_429_is_not_asked_again(client: Client, double: Double, clock: Clock) -> None:
    double.routes = [("*", RATE_LIMITED)]
    with pytest.raises(RateLimited):
        ask(client)
    assert len(double.requests) == 1 and clock.slept == []


def test_a_patient_429_waits_up_the_ladder(client: Client, double: Double, clock: Clock) -> None:
    double.routes = [("*", Reply(200, b"fine"))]
    double.fail("*", RATE_LIMITED, times=4)
    assert ask(client, patient=True) == b"fine"
    assert clock.slept == [3, 6, 12, 24]


def test_patience_ends_within_a_minute(client: Client, double: Double, clock: Clock) -> None:
    double.routes = [("*", RATE_LIMITED)]
    with pytest.raises(RateLimited):
        ask(client, patient=True)
    assert clock.slept == [3, 6, 12, 24] and len(double.requests) == 5


def test_a_short_retry_after_is_honoured_and_a_long_one_is_not_waited_for(
    client: Client, double: Double, clock: Clock
) -> None:
    double.routes = [("*", Reply(200, b"fine"))]
    double.fail("*", Reply(429, b"", headers={"Retry-After": "20"}), times=1)
    assert ask(client, patient=True) == b"fine"
    assert clock.slept == [20]
    double.fail("*", Reply(429, b"", headers={"Retry-After": "54000"}))
    with pytest.raises(RateLimited, match="its daily allowance is spent") as caught:
        ask(client, patient=True)
    assert clock.slept == [20] and caught.value.retry_after == 54000


def test_a_patient_timeout_is_tried_again(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(200, b"fine"))]
    double.fail("*", Reply(fault="hang"), times=1)
    assert ask(client, patient=True, timeout=0.4, seconds=0.4) == b"fine"


@pytest.mark.parametrize(
    ("reply", "seconds", "says"),
    [
        (UNAVAILABLE, 60, "arxiv is not working"),
        (RATE_LIMITED, 300, "Rate exceeded"),
        (Reply(429, b"", headers={"Retry-After": "900"}), 3600, "daily allowance"),
        (Reply(429, b"{}", headers={"X-RateLimit-Remaining-USD": "0"}), 3600, "daily allowance"),
        (Reply(429, b"slow down", headers={"Retry-After": "400"}), 400, "slow down"),
    ],
)
def test_an_unavailable_source_is_left_alone(
    client: Client, double: Double, clock: Clock, tmp_path: Path, reply: Reply, seconds: int, says
) -> None:
    double.routes = [("*", reply)]
    client.get(ARXIV, source="arxiv")
    asked = len(double.requests)
    other = Client(config_for(double, tmp_path), clock=clock, sleep=clock.sleep)
    for each in (client, other):  # the pause outlives the process
        with pytest.raises(Paused, match=f"arxiv is paused for {seconds} s: .*{says}"):
            each.get("https://arxiv.org/pdf/1", source="arxiv")
    assert len(double.requests) == asked
    other.get(ARXIV.replace("export.arxiv.org", "api.crossref.org"), source="crossref")
    clock.now += seconds + 1
    double.routes = [("*", Reply(200, b"back"))]
    assert ask(other) == b"back"


def test_refresh_asks_a_paused_source_and_success_ends_the_pause(
    client: Client, double: Double
) -> None:
    double.routes = [("*", RATE_LIMITED)]
    client.get(ARXIV, source="arxiv")
    double.routes = [("*", Reply(200, b"back"))]
    with pytest.raises(RateLimited):  # a pause after a 429 is one still
        client.get(ARXIV, source="arxiv")
    assert ask(client, refresh=True) == b"back"
    assert ask(client) == b"back"


def test_broken_answers_never_pause(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(400, b"no"))]
    for _ in range(3):
        client.get(ARXIV, source="arxiv")
    assert len(double.requests) == 3


def test_a_mirrors_pause_is_not_the_real_providers(
    client: Client, double: Double, tmp_path: Path
) -> None:
    double.routes = [("*", RATE_LIMITED)]
    client.get(ARXIV, source="arxiv")
    assert list(client.pauses.all()) == [f"arxiv@127.0.0.1:{double.port}"]
    table = json.loads((tmp_path / "state" / "pauses.json").read_text())
    assert list(table) == [f"arxiv@127.0.0.1:{double.port}"]


@pytest.mark.parametrize("junk", [b"", b"[]", b"{", b'{"arxiv": 3}', b"\xff\xfe", b"[" * 99999])
def test_damaged_state_is_no_error(
    client: Client, double: Double, tmp_path: Path, junk: bytes
) -> None:
    for path in (tmp_path / "state/pauses.json", tmp_path / "cache/pace/arxiv.json"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(junk)
    double.routes = [("*", Reply(200, b"fine"))]
    assert ask(client) == b"fine"


def test_kept_answers(client: Client, double: Double, clock: Clock) -> None:
    double.routes = [("*", Reply(200, b"first", "application/json"))]
    kept = {"source": "arxiv", "keep": SEARCH_SECONDS, "params": {"q": "x"}}
    client.get(ARXIV, **kept)
    again = client.get(ARXIV, **kept)
    assert again.from_cache and again.body == b"first" and again.content_type == "application/json"
    assert len(double.requests) == 1
    clock.now += 301
    double.routes = [("*", Reply(200, b"second"))]
    assert client.get(ARXIV, **kept).body == b"second"
    assert client.get(ARXIV, **(kept | {"params": {"q": "y"}})).from_cache is False
    assert client.get(ARXIV, **kept, refresh=True).from_cache is False


def test_a_record_is_kept_for_good_with_its_first_date(
    client: Client, double: Double, clock: Clock
) -> None:
    double.routes = [("*", Reply(200, b"same"))]
    first = client.get(ARXIV, source="arxiv", keep=FOREVER)
    clock.now += 400 * 86400
    later = client.get(ARXIV, source="arxiv", keep=FOREVER)
    assert later.from_cache and later.date == first.date == "2026-11-30"
    asked = client.get(ARXIV, source="arxiv", keep=FOREVER, refresh=True)
    assert asked.date == "2028-01-04"
    assert client.get(ARXIV, source="arxiv", keep=FOREVER).date == "2026-11-30"


@pytest.mark.parametrize("reply", [HTML, Reply(200, b"", "text/html"), Reply(404, b"no")])
def test_only_a_200_with_a_body_is_kept(client: Client, double: Double, reply: Reply) -> None:
    double.routes = [("*", reply)]
    client.get(ARXIV, source="arxiv", keep=FOREVER)
    again = client.get(ARXIV, source="arxiv", keep=FOREVER)
    assert again.from_cache is (reply is HTML)  # what HTML means is for the parser to say


def test_a_kept_answer_is_served_while_paused(client: Client, double: Double, clock: Clock) -> None:
    double.routes = [("*", Reply(200, b"old"))]
    client.get(ARXIV, source="arxiv", keep=SEARCH_SECONDS)
    clock.now += 301
    double.routes = [("*", RATE_LIMITED)]
    client.get("https://arxiv.org/other", source="arxiv")
    answer = client.get(ARXIV, source="arxiv", keep=SEARCH_SECONDS)
    assert answer.from_cache and answer.body == b"old"


def test_a_damaged_cache_file_counts_as_none(
    client: Client, double: Double, tmp_path: Path
) -> None:
    double.routes = [("*", Reply(200, b"fresh"))]
    client.get(ARXIV, source="arxiv", keep=FOREVER)
    (path,) = (p for p in (tmp_path / "library/.pressmark/cache").rglob("*") if p.is_file())
    whole = path.read_bytes()
    for bad in (b"", whole[:-1], whole[:40], whole.replace(b"fresh", b"fresH"), b"\xff" * 99):
        path.write_bytes(bad)
        assert client.get(ARXIV, source="arxiv", keep=FOREVER).from_cache is False
    assert client.get(ARXIV, source="arxiv", keep=FOREVER).from_cache is True


def test_a_cache_behind_a_link_is_not_written(
    client: Client, double: Double, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "library/.pressmark").mkdir()
    (tmp_path / "library/.pressmark/cache").symlink_to(outside)
    double.routes = [("*", Reply(200, b"fresh"))]
    assert ask(client, keep=FOREVER) == b"fresh"
    assert list(outside.iterdir()) == []


def test_without_a_library_nothing_is_kept(double: Double, tmp_path: Path) -> None:
    client = Client(config_for(double, tmp_path, root=None))
    double.routes = [("*", Reply(200, b"fresh"))]
    client.get(ARXIV, source="arxiv", keep=FOREVER)
    assert client.get(ARXIV, source="arxiv", keep=FOREVER).from_cache is False


def test_secrets_are_in_no_message_file_or_url(
    double: Double, tmp_path: Path, clock: Clock
) -> None:
    config = config_for(
        double, tmp_path, contact="ada@reader.test", keys={"openalex": "k3y-0penalex"}
    )
    client = Client(config, clock=clock, sleep=clock.sleep)
    echo = b'{"error":"bad key k3y-0penalex for ada@reader.test or ada%40reader.test"}'
    double.routes = [("/works", Reply(403, echo)), ("*", Reply(200, b"ok"))]
    url = "https://api.openalex.org/works?api_key=k3y-0penalex&mailto=ada@reader.test&q=x"
    answer = client.get(url, source="openalex")
    with pytest.raises(SourceBroken) as caught:
        checked(answer)
    client.get(url.replace("works", "kept"), source="openalex", keep=FOREVER)
    double.routes = [("*", Reply(429, b"k3y-0penalex, ada@reader.test: too many"))]
    client.get(url, source="openalex")
    shown = [answer.url, str(caught.value), caught.value.head, repr(answer), repr(client.config)]
    for path in tmp_path.rglob("*"):
        if path.is_file():
            shown.append(path.read_text(errors="replace"))
    for text in shown:
        assert "k3y-0penalex" not in text
        assert "ada@" not in text and "ada%40" not in text
    assert answer.url == f"{double.base_url}/works?q=x"


def test_offline_asks_nobody(double: Double, tmp_path: Path) -> None:
    client = open_client(config_for(double, tmp_path, offline=True))
    assert isinstance(client, NullClient) and client.offline
    with pytest.raises(Offline, match="arxiv was not asked"):
        client.get(ARXIV, source="arxiv", refresh=True)
    with pytest.raises(Offline):
        client.post(ARXIV, source="arxiv", content=b"")
    assert double.requests == []


def test_a_post_carries_its_body(client: Client, double: Double) -> None:
    double.routes = [("*", Reply(200, b"done"))]
    client.post("https://www.ebi.ac.uk/x", source="europepmc", content=b"query=a", keep=FOREVER)
    assert (double.requests[0].method, double.requests[0].body) == ("POST", b"query=a")
    kept = client.post("https://www.ebi.ac.uk/x", source="europepmc", content=b"query=b", keep=9e9)
    assert not kept.from_cache
    double.routes = [("*", Reply(307, headers={"Location": "/y"}))]
    with pytest.raises(SourceBroken, match="cannot follow"):
        client.post("https://www.ebi.ac.uk/x", source="europepmc", content=b"z")


def test_the_pace_of_arxiv_is_shared_by_its_hosts_and_processes(
    double: Double, tmp_path: Path, clock: Clock
) -> None:
    double.routes = [("*", Reply(200, b"x"))]
    config = config_for(double, tmp_path, pace={})
    one = Client(config, clock=clock, sleep=clock.sleep)
    two = Client(config, clock=clock, sleep=clock.sleep)
    one.get(ARXIV, source="arxiv")
    two.get("https://arxiv.org/pdf/1706.03762", source="arxiv")
    one.get(ARXIV, source="arxiv")
    one.get("https://api.openalex.org/works", source="openalex")
    assert clock.slept == [3, 3]


def test_crossref_is_slower_without_a_contact_and_by_its_own_headers(
    double: Double, tmp_path: Path, clock: Clock
) -> None:
    double.routes = [("*", Reply(200, b"x"))]

    def three(**more: object) -> list[float]:
        config = config_for(double, tmp_path, pace={}, **more)
        client = Client(config, clock=clock, sleep=clock.sleep)
        clock.now += 1000
        clock.slept.clear()
        for _ in range(3):
            client.get("https://api.crossref.org/works?query=x", source="crossref")
        return list(clock.slept)

    assert three() == [1, 1]
    assert three(contact="ada@reader.test") == [0.33, 0.33]
    headers = {"X-Rate-Limit-Limit": "1", "X-Rate-Limit-Interval": "2s"}
    double.routes = [("*", Reply(200, b"x", headers=headers))]
    assert three() == [2, 2]


def test_a_lower_pace_needs_a_mirror(double: Double, tmp_path: Path, clock: Clock) -> None:
    config = config_for(double, tmp_path, base_urls={}, pace={"arxiv": 0.5, "openalex": 2.0})
    client = Client(config)
    assert client._spacing("arxiv", "arxiv") == (3.0, True)
    assert client._spacing("openalex", "openalex") == (2.0, False)


def test_a_queue_longer_than_a_minute_is_named(
    double: Double, tmp_path: Path, clock: Clock
) -> None:
    config = config_for(double, tmp_path, pace={})
    client = Client(config, clock=clock, sleep=lambda s: None)
    double.routes = [("*", Reply(200, b"x"))]
    with pytest.raises(Busy, match="in use by others of your processes"):
        for _ in range(30):
            client.get(ARXIV, source="arxiv")
    assert len(double.requests) == 21
    assert client.pauses.all() == {}


def test_one_connection_at_a_time_to_arxiv(double: Double, tmp_path: Path) -> None:
    config = config_for(double, tmp_path, pace={"arxiv": 0.01})
    open_now, most = [0], [0]
    guard = threading.Lock()

    def slow(seen: object) -> Reply:
        with guard:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
        time.sleep(0.1)
        with guard:
            open_now[0] -= 1
        return Reply(200, b"x")

    double.routes = [("*", slow)]
    clients = [Client(config) for _ in range(4)]
    threads = [threading.Thread(target=ask, args=(each,)) for each in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(double.requests) == 4 and most == [1]


def test_a_folder_that_takes_no_writes_costs_only_the_memory(
    double: Double, tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "file").write_text("in the way")
    config = config_for(
        double, tmp_path, pace={}, cache_dir=tmp_path / "file/c", state_dir=tmp_path / "file/s"
    )
    client = Client(config, clock=clock, sleep=clock.sleep)
    double.routes = [("*", Reply(200, b"x"))]
    ask(client)
    ask(client)
    assert clock.slept == [3]
    double.routes = [("*", RATE_LIMITED)]
    client.get(ARXIV, source="arxiv")
    with pytest.raises(Paused):
        client.get(ARXIV, source="arxiv")


def test_a_self_signed_certificate_is_refused(tmp_path: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate with")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out",
         str(cert), "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    with Double([("*", Reply(200, b"x"))]) as double:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        server = double._server
        assert server is not None
        server.socket = context.wrap_socket(server.socket, server_side=True)
        config = Config(
            cache_dir=tmp_path, state_dir=tmp_path, pace={"arxiv": 0.0},
            base_urls={"arxiv": f"https://127.0.0.1:{double.port}"},
        )  # fmt: skip
        with pytest.raises(SourceDown, match="TLS certificate was not accepted"):
            Client(config).get(ARXIV, source="arxiv")
        assert double.requests == []


def test_documents_get_more_time_than_metadata(client: Client) -> None:
    metadata = client._limits(1000, None, None, False)
    document = client._limits(DOCUMENT, None, None, False)
    assert (metadata["timeout"], metadata["seconds"]) == (3.0, 3.0)
    assert (document["timeout"], document["seconds"]) == (3.0, 45.0)


def test_importing_the_package_does_not_import_httpx() -> None:
    code = (
        "import sys, pressmark.http as h; from pressmark.config import Config;"
        "h.open_client(Config());"
        "print([m for m in ('httpx', 'httpcore', 'ssl', 'filelock') if m in sys.modules])"
    )
    path = str(Path(__file__).parents[2] / "cli")
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path}
    )
    assert run.stdout == "[]\n", run.stderr


def test_offline_opens_no_socket_however_it_is_asked(
    double: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    from pressmark import search
    from pressmark.ids import Identifier
    from pressmark.sources import candidates, look_up, query

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    config = config_for(double, tmp_path, offline=True)
    client = open_client(config, refresh=True)
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    calls = (
        lambda: client.get(ARXIV, source="arxiv", refresh=True, keep=FOREVER),
        lambda: client.post(ARXIV, source="arxiv", content=b""),
        lambda: search.search(client, config, query("x", today="2026-11-30"), today="2026-11-30"),
        lambda: look_up([Identifier("doi", "10.5555/x")], client, config, "2026-11-30"),
        lambda: candidates("message passing", client, config, "2026-11-30"),
    )
    for call in calls:
        with pytest.raises(Offline):
            call()
    assert double.requests == []
