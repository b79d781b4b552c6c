"""What outlives a process: pauses, allowances and defects, shared by all of a user's processes."""

from __future__ import annotations

import calendar
import json
import subprocess
import sys
from pathlib import Path

import pytest

from double import HTML, Double, Reply
from pressmark.config import Config
from pressmark.errors import RateLimited, SourceBroken
from pressmark.http import Client, Defects, Paused
from pressmark.http.allowance import DAY, HOUR, LIMITS, MONTH, Allowances, month_left
from pressmark.http.answer import Answer
from pressmark.http.cache import Cache
from pressmark.sources import REGISTRY, ask, query
from shell import CLI

PLOS = "https://api.plos.org/search"
NOON = float(calendar.timegm((2026, 11, 30, 12, 0, 0)))


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def double():
    with Double([("*", Reply(200, b"{}"))]) as started:
        yield started


@pytest.fixture
def config(double: Double, tmp_path: Path) -> Config:
    names = ("plos", "crossref", "scite")
    return Config(
        cache_dir=tmp_path / "cache",
        state_dir=tmp_path / "state",
        base_urls=dict.fromkeys(names, double.base_url),
        pace=dict.fromkeys(names, 0.0),
        timeout=3.0,
    )


# allowances


def test_an_hourly_allowance_slides(tmp_path: Path) -> None:
    clock = Clock()
    counted = Allowances(tmp_path, clock)
    for _ in range(300):
        counted.take("plos")
    with pytest.raises(RateLimited, match="hourly allowance of 300 is spent") as caught:
        counted.take("plos")
    assert caught.value.allowance == "hourly"
    clock.now += HOUR - 60
    with pytest.raises(RateLimited):
        counted.take("plos")
    clock.now += 120
    counted.take("plos")
    assert counted.used("plos") == [(1, 300, "hourly"), (301, 7200, "daily")]


def test_a_monthly_allowance_ends_with_the_month(tmp_path: Path) -> None:
    clock = Clock()
    counted = Allowances(tmp_path, clock)
    for _ in range(250):
        counted.take("scite")
    with pytest.raises(RateLimited, match="monthly allowance of 250") as caught:
        counted.take("scite")
    assert caught.value.retry_after == month_left(NOON) == 12 * 3600.0
    clock.now += month_left(NOON)
    counted.take("scite")
    assert counted.used("scite") == [(1, 250, "monthly")]


def test_a_key_buys_more(tmp_path: Path) -> None:
    counted = Allowances(tmp_path, Clock())
    for _ in range(100):
        counted.take("core")
    with pytest.raises(RateLimited):
        counted.take("core")
    counted.take("core", key=True)
    assert counted.used("core", key=True) == [(101, 1000, "daily")]


def test_what_counts_nothing_is_never_refused(tmp_path: Path) -> None:
    counted = Allowances(tmp_path, Clock())
    for _ in range(3):
        counted.take("arxiv")
    assert counted.used("arxiv") == [] and not (tmp_path / "allowances.json").exists()


def test_every_allowance_has_a_period_that_is_counted() -> None:
    assert {seconds for limits in LIMITS.values() for _, seconds in limits} <= {HOUR, DAY, MONTH}


def test_damaged_counts_start_anew(tmp_path: Path) -> None:
    counted = Allowances(tmp_path, Clock())
    for wrong in (b"", b"[]", b'{"plos": 3}', b"\xff", b"{" * 4000):
        (tmp_path / "allowances.json").write_bytes(wrong)
        counted.take("plos")
        assert counted.used("plos")[0][0] == 1


def test_a_spent_allowance_is_a_pause_and_no_request(double: Double, config: Config) -> None:
    clock = Clock()
    client = Client(config, clock=clock)
    lane = f"plos@127.0.0.1:{double.port}"
    for _ in range(300):
        client.allowances.take(lane)
    with pytest.raises(RateLimited, match="hourly allowance of 300"):
        client.get(PLOS, source="plos")
    with pytest.raises(Paused, match="hourly allowance of 300"):
        client.get(PLOS, source="plos")
    assert double.requests == []
    assert client.pauses.all()[lane].until == NOON + 60


def test_a_monthly_pause_lasts_until_the_month_ends(config: Config) -> None:
    clock = Clock()
    client = Client(config, clock=clock)
    for _ in range(250):
        client.spend("scite")
    with pytest.raises(RateLimited):
        client.spend("scite")
    (pause,) = client.pauses.all().values()
    assert pause.until == NOON + month_left(NOON)
    clock.now += month_left(NOON) + 1
    assert client.pauses.all() == {}


def test_two_processes_count_together(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pressmark.http.allowance import Allowances\n"
        "a = Allowances(Path(sys.argv[1]))\nfor _ in range(40): a.take('plos')"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            env={"PYTHONPATH": str(CLI), "HOME": str(tmp_path)},
        )
        for _ in range(2)
    ]
    assert [run.wait(60) for run in runs] == [0, 0]
    assert Allowances(tmp_path).used("plos")[0][0] == 80


# defects


def parse_search(client: Client, name: str) -> None:
    module = REGISTRY[name]
    request = module.search_request(query("tides", today="2026-11-30"), client.config, 0, 10)
    ask(
        client, name, request,
        lambda body, status, kind, date: module.parse_search(body, status, kind, today=date),
        today="2026-11-30",
    )  # fmt: skip


def test_a_defect_is_kept_with_its_date_request_and_head(double: Double, config: Config) -> None:
    double.fail("*", HTML)
    client = Client(config, clock=Clock())
    with pytest.raises(SourceBroken):
        parse_search(client, "crossref")
    (defect,) = Defects(config.state_dir, Clock()).all()  # a reader of its own
    assert defect.source == "crossref" and defect.date.startswith("2026-11-30T")
    assert defect.request.startswith("https://api.crossref.org/works?query.bibliographic=tides")
    assert defect.reason == "The answer of crossref is a web page and no data."
    assert defect.head.startswith("<!doctype html>") and defect.trace == ""


def test_at_most_500_bytes_of_an_answer_are_kept(double: Double, config: Config) -> None:
    double.fail("*", Reply(400, b"\x1b[31m" + b"no " * 400, "text/plain"))
    client = Client(config)
    with pytest.raises(SourceBroken):
        parse_search(client, "crossref")
    head = client.defects.all()[0].head
    assert len(head) <= 500 and len(head) > 400 and "\x1b" not in head


def test_a_defect_of_ours_has_its_traceback(
    double: Double, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(REGISTRY["crossref"], "parse_search", defect)
    client = Client(config)
    with pytest.raises(ZeroDivisionError):
        parse_search(client, "crossref")
    found = client.defects.all()[0]
    assert found.reason == "ZeroDivisionError in our own code" and "a bug" in found.trace


def test_no_key_and_no_address_is_kept(double: Double, tmp_path: Path, config: Config) -> None:
    secret = "s3cr3tkey"
    config = Config(
        cache_dir=config.cache_dir, state_dir=config.state_dir, base_urls=config.base_urls,
        pace=config.pace, keys={"core": secret}, contact="ada@reader.test",
    )  # fmt: skip
    client = Client(config)
    client.report(
        "core", f"https://api.core.ac.uk/v3?api_key={secret}&mailto=ada@reader.test&q=x",
        SourceBroken("The answer of core is damaged."),
        f"who are you, {secret}, ada@reader.test?".encode(),
    )  # fmt: skip
    kept = (config.state_dir / "defects.jsonl").read_text()
    assert secret not in kept and "ada@" not in kept
    assert (config.state_dir / "defects.jsonl").stat().st_mode & 0o077 == 0


def test_the_oldest_defects_go(tmp_path: Path) -> None:
    defects = Defects(tmp_path, Clock())
    defects.add("x", "u", "first", "")
    lines = (tmp_path / "defects.jsonl").read_text() * 300
    (tmp_path / "defects.jsonl").write_text(lines + "not json\n[1]\n")
    defects.add("x", "u", "last", "")
    found = defects.all()
    assert len(found) == 200 and found[-1].reason == "last"
    assert all(json.loads(line) for line in (tmp_path / "defects.jsonl").read_text().splitlines())


def test_an_answer_is_kept_while_another_process_tidies_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    cache.store("one", Answer(status=200, body=b"1", source="arxiv"), 300.0)
    gone = tmp_path / ".pressmark/cache/arxiv/recent/gone-already"
    real = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda self: iter([gone, *real(self)]))
    cache.store("two", Answer(status=200, body=b"2", source="arxiv"), 300.0)
    kept = [cache.load(key, "arxiv", 300.0) for key in ("one", "two")]
    assert [each[0].body for each in kept if each] == [b"1", b"2"]
