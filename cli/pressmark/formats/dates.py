"""A date as bibliographies write it in; `YYYY`, `YYYY-MM` or `YYYY-MM-DD` out."""

from __future__ import annotations

import re

from pressmark.text import fold

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_MONTHS = {
    "jan": 1, "ene": 1, "gen": 1, "feb": 2, "fev": 2, "mar": 3, "apr": 4, "avr": 4, "abr": 4,
    "may": 5, "mai": 5, "mag": 5, "jun": 6, "juin": 6, "giu": 6, "jul": 7, "juil": 7, "lug": 7,
    "aug": 8, "aou": 8, "ago": 8, "sep": 9, "set": 9, "oct": 10, "okt": 10, "ott": 10,
    "nov": 11, "dec": 12, "dez": 12, "dic": 12,
}  # fmt: skip
"""English, French, German, Spanish, Portuguese and Italian names by how they begin."""

_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?=$|[t\s/])")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})$")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_NUMBER = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
_WORD = re.compile(r"[a-z]{3,}")


def from_parts(year: object, month: object = None, day: object = None) -> str | None:
    """As much of a date as makes sense; a month or day that cannot be is left out."""
    years, months, days = _whole(year), _whole(month), _whole(day)
    if years is None or not 1 <= years <= 9999:
        return None
    if months is None or not 1 <= months <= 12:
        return f"{years:04d}"
    if days is None or not 1 <= days <= _last_day(years, months):
        return f"{years:04d}-{months:02d}"
    return f"{years:04d}-{months:02d}-{days:02d}"


def from_text(value: str) -> str | None:
    """A date in ISO form, or in words: `June 12, 2017`, `2017 Jan-Feb`, `c. 1850`."""
    value = fold(value).strip()
    written = _ISO.match(value) or _COMPACT.match(value)
    if written and (written[2] or written.end() == len(value)):
        return from_parts(*written.groups())
    year = _YEAR.search(value)
    if not year:
        return None
    rest = value.replace(year[0], " ", 1)
    month = next((found for word in _WORD.findall(rest) if (found := _month(word))), None)
    day = _NUMBER.search(rest) if month else None
    several = re.search(r"[a-z\d]\s*[-–/&]\s*[a-z\d]", rest)
    return from_parts(year[0], month, day[0] if day and not several else None)


def _month(word: str) -> int | None:
    return _MONTHS.get(word[:4]) or _MONTHS.get(word[:3])


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    text = str(value).strip().removesuffix(".0")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _last_day(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 if month == 2 and not leap else _DAYS[month - 1]
