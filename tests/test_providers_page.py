"""docs/providers.md states the hosts and paces that the program keeps."""

from __future__ import annotations

from pathlib import Path

from pressmark.http.hosts import GENERAL, HOSTS, RULES, lane
from pressmark.sources import REGISTRY

PAGE = Path(__file__).resolve().parent.parent / "docs" / "providers.md"


def rows(heading: str) -> dict[str, list[str]]:
    """The table under a heading: its first column to the others."""
    section = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: others for first, *others in cells}


def test_every_lane_has_its_pace() -> None:
    stated = {}
    for name, (_, seconds, polite, keyed, at_once) in rows("Hosts and paces").items():
        number = [float(each) if each else None for each in (seconds, polite, keyed)]
        stated[name] = (*number, at_once == "1")
    kept = {
        name: (
            rule.seconds, round(rule.polite, 2) if rule.polite else None, rule.keyed, rule.single,
        )
        for name, rule in RULES.items()
    }  # fmt: skip
    assert stated.pop("any other") == (GENERAL.seconds, None, None, False)
    assert stated == kept


def test_every_host_stands_in_its_lane() -> None:
    for name, (hosts, *_) in rows("Hosts and paces").items():
        if name in ("any other", "crossref/doi"):
            continue
        listed = hosts.split(", ")
        assert {lane(f"https://{host}/x") for host in listed} == {name}
        known = {
            host for held in HOSTS.values() for host in held if lane(f"https://{host}") == name
        }
        assert set(listed) == known


def test_what_is_searched_is_said() -> None:
    stated = rows("What is asked")
    assert {name for name, cells in stated.items() if cells[0]} == set(REGISTRY)
