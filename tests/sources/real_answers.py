"""What the two suites of real answers share: the rows of the corpus, and the ways to break one."""

from __future__ import annotations

import csv
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from damage import check_clean, mutated
from pressmark import ids
from pressmark.errors import NotFound, RateLimited, SourceBroken, SourceDown
from pressmark.sources.base import Found

TODAY = "2026-11-30"
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("PRESSMARK_CORPUS", BESIDE))
FAILURES = (SourceBroken, SourceDown, RateLimited, NotFound)
FULL = bool(os.environ.get("PRESSMARK_FULL"))
MUTATIONS = int(os.environ.get("PRESSMARK_MUTATIONS", "10000" if FULL else "300"))
PAGES = ["<!doctype html>", "<html>", "<HTML><head>", "\n\n<!DOCTYPE html"]
STATUSES = [400, 401, 403, 404, 410, 429, 500, 502, 503, 504]
DEEP_JSON = b'{"a":' * 100_000 + b"1" + b"}" * 100_000

Row = dict[str, str]
Read = Callable[[Row, bytes], Found]


def manifest_rows(wanted: Callable[[str], bool]) -> list[Row]:
    """The rows of the corpus's MANIFEST whose provider is wanted; none where it is missing."""
    path = CORPUS / "providers" / "MANIFEST.tsv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if wanted(row["provider"])]


def row_id(row: Row) -> str:
    return row["file"]


def an_empty_answer_is_an_outage(read: Read, row: Row) -> None:
    with pytest.raises(SourceDown, match="empty answer"):
        read(row, b"")


def a_web_page_is_broken(read: Read, row: Row, page: str) -> None:
    with pytest.raises(SourceBroken):
        read(row, f"{page}<title>Just a moment...</title></html>".encode())


def a_bad_status_is_named(module: ModuleType, status: int) -> None:
    expected = {404: NotFound, 410: NotFound, 429: RateLimited}.get(
        status, SourceDown if status >= 500 else SourceBroken
    )
    parses = [p for p in ("parse_search", "parse_lookup") if hasattr(module, p)]
    for body in (b"", b"Too many requests", b"<html></html>", b"\xff\xfe"):
        for parse in parses:
            with pytest.raises(expected):
                getattr(module, parse)(body, status, "text/html", today=TODAY)


def mutations_are_read_or_refused(
    name: str, bodies: Sequence[tuple[Row, bytes]], read: Read, least: int
) -> None:
    """Seeded damage: a named failure or clean papers, of them at least one in `least` answers."""
    chance = random.Random(20261130)
    good = failed = 0
    for _ in range(MUTATIONS):
        row, body = chance.choice(bodies)
        try:
            found = read(row, mutated(body, chance))
        except FAILURES as problem:
            assert problem.message and "\n" not in problem.message
            failed += 1
            continue
        for paper in found.papers:
            check_clean(paper.title, *paper.authors, paper.venue or "", *paper.cites)
            assert ids.identities(paper)
        good += 1
    print(f"{name}: {good} read, {failed} refused")
    assert good + failed == MUTATIONS and good > MUTATIONS / least
