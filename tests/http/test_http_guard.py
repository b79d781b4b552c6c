"""The address guard: every spelling of a place that is not the public internet is refused."""

from __future__ import annotations

import pytest

from double import Double, Reply
from pressmark.config import Config
from pressmark.errors import SourceBroken, SourceDown
from pressmark.http import Client, Refused, check_address, public
from pressmark.http.guard import resolve

REFUSED = [
    "127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1",
    "017700000001", "0", "0.0.0.0", "0.1.2.3", "localhost", "localhost.", "LOCALHOST",
    "db.localhost", "printer.local", "metadata.google.internal", "router.home.arpa",
    "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "169.254.169.254.", "100.64.0.1", "100.127.255.255", "192.0.0.170", "192.0.2.1",
    "198.18.0.1", "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255",
    "::", "::1", "[::1]", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8",
    "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1",
    "2001::1", "2001:db8::1", "3fff::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1",
    "fec0::1", "ff02::1", "100::1", "4000::1", "", ".", "1.2.3.4.5", "0x08080808", "08.8.8.8",
]  # fmt: skip

ALLOWED = ["8.8.8.8", "151.101.1.140", "2606:4700:4700::1111", "2a00:1450:4001:830::200e"]


@pytest.mark.parametrize("host", REFUSED)
def test_a_host_that_is_not_public_is_refused(host: str) -> None:
    with pytest.raises(Refused, match="is not on the public internet"):
        check_address(host, 443, lambda name, port: [name])


@pytest.mark.parametrize("address", ALLOWED)
def test_a_public_address_is_let_through(address: str) -> None:
    assert public(address)
    assert check_address(address, 443, lambda name, port: []) == [address]
    assert check_address("papers.test", 443, lambda name, port: [address]) == [address]


@pytest.mark.parametrize(
    "answers",
    [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"], ["8.8.8.8", "fe80::1%2"], ["nonsense"]],
)
def test_one_private_answer_among_good_ones_refuses_the_name(answers: list[str]) -> None:
    with pytest.raises(Refused, match=r"papers\.test is not on the public internet"):
        check_address("papers.test", 443, lambda name, port: answers)


def test_a_name_without_an_address_is_an_outage() -> None:
    with pytest.raises(SourceDown, match=r"papers\.test has no address"):
        check_address("papers.test", 443, lambda name, port: [])


def test_a_resolver_that_hangs_costs_its_seconds_only() -> None:
    import threading
    import time

    stop = threading.Event()

    def hang(name: str, port: int) -> list[str]:
        stop.wait(30)
        return []

    began = time.monotonic()
    with pytest.raises(SourceDown, match="did not resolve in"):
        check_address("papers.test", 443, hang, 0.2)
    stop.set()
    assert time.monotonic() - began < 2


def test_the_system_resolver_names_the_host_it_cannot_find() -> None:
    with pytest.raises(SourceDown, match=r"no\.such\.name\.invalid cannot be found"):
        resolve("no.such.name.invalid", 443)
    with pytest.raises(SourceDown):
        resolve("a" * 300, 443)


def _client(config: Config, resolver: object = resolve) -> Client:
    return Client(config, resolver=resolver, sleep=lambda s: None)  # type: ignore[arg-type]


@pytest.fixture
def config(tmp_path) -> Config:
    return Config(cache_dir=tmp_path / "cache", state_dir=tmp_path / "state", timeout=5)


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "gopher://h.test/1", "ftp://h.test/x", "javascript:alert(1)", "//h",
     "data:text/plain,x", "http://", "https:///x", "/etc/passwd", ""],
)  # fmt: skip
def test_only_http_and_https_go_out(config: Config, url: str) -> None:
    with pytest.raises(Refused, match=r"neither http nor https|not well formed"):
        _client(config).get(url, source="web")


@pytest.mark.parametrize("url", ["http://[::1", "http://h:99999/", "http://a b/", "http://\x00/"])
def test_a_malformed_address_is_a_sentence(config: Config, url: str) -> None:
    with pytest.raises(SourceBroken):
        _client(config).get(url, source="web")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
def test_the_loopback_is_never_asked_without_a_base_url(config: Config, host: str) -> None:
    with Double([("*", Reply(200, b"secret"))]) as double:
        with pytest.raises(Refused):
            _client(config).get(f"http://{host}:{double.port}/", source="web")
        assert double.requests == []


def test_a_rebinding_name_is_connected_where_it_was_checked(config: Config) -> None:
    """The second look-up would say 127.0.0.1; there is none, so the socket goes to the first."""
    answers = iter([["203.0.113.250"], ["127.0.0.1"], ["127.0.0.1"]])
    asked: list[str] = []

    def resolver(name: str, port: int) -> list[str]:
        asked.append(name)
        return next(answers)

    with Double([("*", Reply(200, b"secret"))]) as double:
        with pytest.raises((Refused, SourceDown)):
            _client(config, resolver).get(f"http://evil.test:{double.port}/", source="web")
        assert double.requests == []
    assert asked == ["evil.test"]


def test_the_socket_goes_to_the_checked_address(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Name in the Host header, the checked number in connect()."""
    import httpcore

    connected: list[str] = []
    with Double([("*", Reply(200, b"hello"))]) as double:
        real = httpcore.SyncBackend.connect_tcp

        def connect(self: object, host: str, port: int, *rest: object) -> object:
            connected.append(host)
            return real(self, "127.0.0.1", double.port, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
        answer = _client(config, lambda name, port: ["8.8.4.4"]).get(
            "http://papers.test/x", source="web"
        )
        assert answer.body == b"hello"
        assert double.requests[0].headers["host"] == "papers.test"
    assert connected == ["8.8.4.4"]


@pytest.mark.parametrize(
    "target",
    ["http://169.254.169.254/latest/meta-data/", "http://[::1]/", "http://localhost./",
     "file:///etc/passwd", "gopher://127.0.0.1/", "http://10.0.0.1/"],
)  # fmt: skip
def test_a_redirect_from_a_mirror_is_guarded_again(tmp_path, target: str) -> None:
    with Double() as double:
        double.routes = [
            ("/a", Reply(302, headers={"Location": "/b"})),
            ("/b", Reply(301, headers={"Location": target})),
        ]
        config = Config(
            cache_dir=tmp_path, state_dir=tmp_path, pace={"arxiv": 0.0},
            base_urls={"arxiv": double.base_url},
        )  # fmt: skip
        with pytest.raises(Refused):
            _client(config).get("https://arxiv.org/a", source="arxiv")
        assert double.paths == ["/a", "/b"]


def test_another_source_does_not_borrow_the_exception(tmp_path) -> None:
    with Double([("*", Reply(200, b"x"))]) as double:
        config = Config(
            cache_dir=tmp_path, state_dir=tmp_path, base_urls={"arxiv": double.base_url}
        )
        with pytest.raises(Refused):
            _client(config).get(double.base_url + "/a", source="crossref")
        assert double.requests == []


def test_environment_proxies_are_not_used(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    with Double([("*", Reply(200, b"proxied"))]) as double:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, double.base_url)
        with pytest.raises((SourceDown, Refused)):
            _client(config, lambda name, port: []).get("http://papers.test/", source="web")
        assert double.requests == []
