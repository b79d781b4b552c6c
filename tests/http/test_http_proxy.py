"""The user's own proxy: everything goes through it but the user's own mirrors; it opens no door."""

from __future__ import annotations

from pathlib import Path

import pytest

from double import Double, Reply, Seen
from pressmark.config import Config, load
from pressmark.errors import Configuration, SourceDown
from pressmark.http import Client, Refused

URL = "http://papers.test/x?q=1"


def nobody(name: str, port: int) -> list[str]:
    raise SourceDown(f"{name} cannot be found.")


def proxied(tmp_path: Path, proxy: str, **more: object) -> Config:
    return Config(cache_dir=tmp_path, state_dir=tmp_path, timeout=3.0, proxy=proxy, **more)  # type: ignore[arg-type]


def test_a_request_goes_to_the_proxy_with_its_whole_url(tmp_path: Path) -> None:
    with Double([("*", Reply(200, b"through"))]) as proxy:
        client = Client(proxied(tmp_path, proxy.base_url), resolver=nobody)
        assert client.get(URL, source="web").body == b"through"
        seen = proxy.requests[0]
        assert (seen.target, seen.headers["host"]) == (URL, "papers.test")


def test_user_and_password_go_into_a_header_and_no_message(tmp_path: Path) -> None:
    def refuse(seen: Seen) -> Reply:
        return Reply(407, seen.headers["proxy-authorization"].encode())

    with Double([("*", refuse)]) as proxy:
        url = proxy.base_url.replace("://", "://ada:s3cret@")
        config = proxied(tmp_path, url)
        client = Client(config, resolver=nobody)
        assert client.get(URL, source="web").body == b"Basic YWRhOnMzY3JldA=="
        with pytest.raises(SourceDown) as caught:  # CONNECT is refused
            client.get("https://papers.test/x", source="web")
        assert "s3cret" not in str(caught.value) + repr(config)


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/latest", "http://[::1]/", "http://localhost/", "http://10.1.2.3/",
     "http://router.local/"],
)  # fmt: skip
def test_a_proxy_opens_no_way_into_a_private_network(tmp_path: Path, url: str) -> None:
    with Double([("*", Reply(200, b"secret"))]) as proxy:
        with pytest.raises(Refused):
            Client(proxied(tmp_path, proxy.base_url), resolver=nobody).get(url, source="web")
        assert proxy.requests == []


def test_a_name_that_resolves_to_a_private_address_is_refused(tmp_path: Path) -> None:
    with Double([("*", Reply(200, b"secret"))]) as proxy:
        client = Client(proxied(tmp_path, proxy.base_url), resolver=lambda name, port: ["10.0.0.1"])
        with pytest.raises(Refused):
            client.get(URL, source="web")
        assert proxy.requests == []


def test_the_users_own_mirror_is_not_asked_through_the_proxy(tmp_path: Path) -> None:
    with Double([("*", Reply(200, b"mirror"))]) as mirror, Double() as proxy:
        config = proxied(tmp_path, proxy.base_url, base_urls={"arxiv": mirror.base_url})
        answer = Client(config).get("https://export.arxiv.org/api/query", source="arxiv")
        assert answer.body == b"mirror" and proxy.requests == []


def test_only_the_users_own_file_names_a_proxy(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/pressmark.toml").write_text('format = 1\n[network]\nproxy = "http://evil:1"\n')
    env = {"HOME": str(tmp_path), "PRESSMARK_CONFIG": str(tmp_path / "config.toml")}
    (tmp_path / "config.toml").write_text("")
    config = load(tmp_path / "lib", env)
    assert config.proxy is None and "network.proxy" in config.ignored
    (tmp_path / "config.toml").write_text('[network]\nproxy = "http://u:p@proxy.test:3128/"\n')
    assert load(None, env).proxy == "http://u:p@proxy.test:3128"


@pytest.mark.parametrize("proxy", ["socks5://x", "proxy:3128", "http://a b", "http://x/path", "no"])
def test_what_is_no_proxy_is_refused(tmp_path: Path, proxy: str) -> None:
    (tmp_path / "config.toml").write_text(f'[network]\nproxy = "{proxy}"\n')
    with pytest.raises(Configuration, match=r"network\.proxy must be http"):
        load(None, {"HOME": str(tmp_path), "PRESSMARK_CONFIG": str(tmp_path / "config.toml")})
