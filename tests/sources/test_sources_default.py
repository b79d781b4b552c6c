"""A search as a person makes it, of everybody who is asked by default."""

from __future__ import annotations

from pathlib import Path

from double import RATE_LIMITED, Double
from pressmark.config import DEFAULT_SOURCES
from providers import holds_all, provider_routes
from shell import Shell
from story import story_routes


def test_twelve_are_asked_and_one_work_is_filed_once_with_all_its_names(tmp_path: Path) -> None:
    with Double([*provider_routes(holds_all), *story_routes()]) as double:
        config = double.write_config(tmp_path / "config.toml", whole=True)
        shell = Shell(tmp_path / "lib", tmp_path, {"PRESSMARK_CONFIG": str(config)})
        shell("init", "lib", cwd=tmp_path)
        double.fail("/at-hal/*", RATE_LIMITED)
        done = shell("search", "eel", "migration", "--json")
        asked = {seen.source for seen in double.requests}
        assert asked == set(DEFAULT_SOURCES)
        # a key joins its source
        keyed = {"PRESSMARK_CONFIG": str(config), "PRESSMARK_S2_KEY": "a-key"}
        Shell(shell.root, tmp_path, keyed)("search", "salinity", "--no-store")
        assert "semanticscholar" in {seen.source for seen in double.requests}
    rows = {row["source"]: row["status"] for row in done.data["sources"]}
    assert rows == {**dict.fromkeys(DEFAULT_SOURCES, "ok"), "hal": "unavailable"}
    (path,) = (shell.root / "library").rglob("elsayed2024graph.md")
    filed = path.read_text("utf-8")
    for line in ("doi: 10.5555/iel.2024.99", "pmid: '990000007'", "pmcid: PMC99000007",
                 "openalex: W9900000007"):  # fmt: skip
        assert line in filed
    assert filed.count("\n- pubmed:990000007 ") == 1 and filed.count("\n- doaj:") == 1
