"""The date fields of an entry in; `published`, and what of them it does not say, out.

biblatex dates are those of ISO 8601-2 level 1 (https://www.loc.gov/standards/datetime/).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pressmark.formats import dates
from pressmark.formats.bibtex.values import MACROS

_PLAIN = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_HEAD = re.compile(r"(?<![\d-])(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?![\dXu])")
_DAY = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")


def published(given: Mapping[str, str]) -> tuple[str | None, dict[str, str]]:
    """The date, and the fields that say more than it (a range, a season, `in press`)."""
    date = given.get("date", "").strip()
    if date:
        found, whole = _date(date)
        if found:
            return found, {} if whole else {"date": date}
    year = given.get("year", "").strip()
    found = dates.from_text(year) if year else None
    if not found:
        return None, {name: given[name] for name in ("date", "year") if given.get(name)}
    kept = {"date": date} if date else {}
    if not re.fullmatch(r"\d{4}", year):
        kept["year"] = year
    if len(found) > 4:
        return found, kept
    month, day, rest = _month(given.get("month", ""))
    day = day or given.get("day", "").strip()
    if rest:
        kept["month"] = given["month"]
    return dates.from_parts(found, month, day or None) or found, kept


def _date(value: str) -> tuple[str | None, bool]:
    """A date of biblatex, its first day where it spans several, and whether that is all of it."""
    plain = _PLAIN.fullmatch(value)
    if plain:
        found = dates.from_parts(*plain.groups())
        return found, found == value
    head = _HEAD.match(value) or _HEAD.search(value)
    if head and not value.startswith("-"):
        return dates.from_parts(*head.groups()), False
    return dates.from_text(value) if "X" not in value and value[:1].isalpha() else None, False


def _month(value: str) -> tuple[str | None, str, bool]:
    """Month, the day that some put beside it (`jul # "~4"`), and whether more is said."""
    value = value.strip().strip("{}.").strip()
    if not value:
        return None, "", False
    name = value.lower()
    if name in MACROS or (name.isdigit() and 1 <= int(name) <= 12):
        return MACROS.get(name, name), "", False
    words = value.replace("~", " ").replace(",", " ")
    numbers = _DAY.findall(words)
    parts = re.findall(r"[^\W\d_]{3,}", words)
    found = dates.from_text(f"{parts[0]} 2000") if parts else None
    month = found[5:7] if found and len(found) > 4 else None
    several = len(parts) > 1 or len(numbers) > 1 or "/" in value
    return month, numbers[0] if numbers and not several else "", several or month is None
