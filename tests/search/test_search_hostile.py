"""One source of a search means ill: it is a row, it costs little, and the others answer."""

from __future__ import annotations

import gzip
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from double import Double, Reply
from pressmark.http import Client
from pressmark.search import Report, Result, search
from pressmark.sources import query
from story import story_routes

TODAY = "2026-11-30"
ALL = ("openalex", "crossref", "arxiv")

ENTITIES = b"""<?xml version="1.0"?>
<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&d;</title></feed>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE feed SYSTEM "http://127.0.0.1/evil.dtd">
<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>"""
DEEP = (
    b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">'
    + b"<a>" * 50_000 + b"</a>" * 50_000 + b"</feed>"
)  # fmt: skip
NESTED = b'{"meta": ' * 50_000 + b"1" + b"}" * 50_000


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as started:
        yield started


def client_of(
    double: Double, tmp_path: Path, resolver: object = None, timeout: float = 20
) -> Client:
    config = double.config(tmp_path, None, ALL, sources=ALL, timeout=timeout)
    return Client(config, resolver=resolver) if resolver else Client(config)  # type: ignore[arg-type]


def asked(client: Client) -> Result:
    return search(client, client.config, query("graph transformers", today=TODAY), today=TODAY)


def row_of(result: Result, name: str) -> Report:
    assert result.answered and result.hits
    assert [row.status for row in result.reports if row.source != name] == ["ok", "ok"]
    return next(row for row in result.reports if row.source == name)


@pytest.mark.parametrize("name", ALL)
def test_a_bomb_of_gzip_is_broken_and_stays_small(
    double: Double, tmp_path: Path, name: str
) -> None:
    bomb = gzip.compress(b"\0" * (200 * 2**20), 9)
    double.fail(f"/at-{name}/*", Reply(200, bomb, headers={"Content-Encoding": "gzip"}))
    client = client_of(double, tmp_path)
    asked(client_of(double, tmp_path / "warm"))  # imports
    tracemalloc.start()
    row = row_of(asked(client), name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (row.status, row.paused) == ("broken", False) and "larger than 20 MiB" in row.reason
    assert peak < 64 * 2**20


@pytest.mark.parametrize(
    ("name", "body"),
    [("arxiv", ENTITIES), ("arxiv", OUTSIDE), ("arxiv", DEEP), ("crossref", NESTED),
     ("openalex", NESTED), ("openalex", b"\xff\xfe{}"), ("crossref", b"[]")],
)  # fmt: skip
def test_a_bomb_of_structure_is_broken(
    double: Double, tmp_path: Path, name: str, body: bytes
) -> None:
    kind = "application/atom+xml" if name == "arxiv" else "application/json"
    double.fail(f"/at-{name}/*", Reply(200, body, kind))
    client = client_of(double, tmp_path)
    began = time.process_time()
    assert row_of(asked(client), name).status == "broken"
    assert time.process_time() - began < 3.0
    assert client.defects.all()[0].source == name
    assert all(seen.path != "/evil.dtd" for seen in double.requests)


def test_an_answer_that_never_ends_costs_its_seconds_once(double: Double, tmp_path: Path) -> None:
    double.fail("/at-openalex/*", Reply(200, b" " * 10_000, fault="drip"))
    client = client_of(double, tmp_path, timeout=3)
    began = time.monotonic()
    row = row_of(asked(client), "openalex")
    assert time.monotonic() - began < client.config.timeout + 1.5
    assert row.status == "unavailable" and "did not answer in time" in row.reason
    began = time.monotonic()
    assert row_of(asked(client), "openalex").paused
    assert time.monotonic() - began < 1.0


@pytest.mark.parametrize(
    "target",
    ["http://169.254.169.254/latest/meta-data/", "http://[::1]/x", "file:///etc/passwd",
     "http://[::ffff:10.0.0.1]/x", "http://rebound.test/x", "gopher://127.0.0.1/x"],
)  # fmt: skip
def test_a_redirect_into_the_house_is_broken_and_not_followed(
    double: Double, tmp_path: Path, target: str
) -> None:
    """`rebound.test` resolves to a public and to a private address: one is enough to refuse."""

    def resolver(name: str, port: int) -> list[str]:
        return ["8.8.4.4", "127.0.0.1"] if name == "rebound.test" else ["127.0.0.1"]

    double.fail("/at-crossref/*", Reply(302, headers={"Location": target}))
    client = client_of(double, tmp_path, resolver)
    row = row_of(asked(client), "crossref")
    assert row.status == "broken" and ("not asked" in row.reason or "neither" in row.reason)
    assert [seen.source for seen in double.requests].count("crossref") == 1
    assert client.defects.all()[0].reason == row.reason
