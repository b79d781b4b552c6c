"""A reference in; whether anybody can be asked for its text, and whether now, out."""

from __future__ import annotations

import datetime
import re

from pressmark.record import Reference

RETRY_DAYS = 30
"""Days that a reference without an open copy is left alone."""

KINDS = ("doi", "arxiv", "pmid", "pmcid", "openalex")
"""The identifiers that lead to a copy, or that a provider of copies is asked by."""

_MARK = re.compile(r"^none \((?P<reason>.*), (?P<date>\d{4}-\d\d-\d\d)\)$", re.S)


def askable(ref: Reference) -> bool:
    """Whether it has an identifier by which somebody can be asked."""
    return any(getattr(ref, kind) for kind in KINDS)


def mark(reason: str, today: str) -> str:
    """What a reference without a text says: `none (reason, date)`, on one line."""
    return f"none ({' '.join(reason.split())[:300]}, {today})"


def waiting(ref: Reference, today: str) -> str | None:
    """Why it has no text, with the date, where that was found out less than 30 days ago."""
    found = _MARK.match(ref.fulltext or "")
    if found is None or _days(found["date"], today) >= RETRY_DAYS:
        return None
    return f"{found['reason']} ({found['date']})"


def _days(earlier: str, today: str) -> int:
    try:
        gone = datetime.date.fromisoformat(today) - datetime.date.fromisoformat(earlier)
    except ValueError:
        return RETRY_DAYS
    return gone.days if gone.days >= 0 else RETRY_DAYS
