"""A field of names in TeX in; `Family, Given[, Suffix]` and `{Group}` out.

The parts are those of BibTeX (`First von Last`, `von Last, First`, `von Last, Jr, First`;
https://ctan.org/pkg/tamethebeast) and of biblatex's `family=…, given=…`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pressmark.formats.bibtex.values import untexed, wrapped
from pressmark.record import Author
from pressmark.text import clean

_AND = re.compile(r"\s+and\s+", re.I)
_EXTENDED = re.compile(
    r"(?:^|,)\s*\"?(family|given|prefix|suffix|id|useprefix|given-i|family-i)\s*=", re.I
)
_PART = re.compile(r"\s*\"?([\w-]+)\s*=\s*(.*?)\"?\s*", re.S)
_ACCENTED = re.compile(r"^\{\\(?:[^A-Za-z]|[A-Za-z]+)")


def names(value: str) -> tuple[str, ...]:
    """Every name of a field, in its order."""
    value = " ".join(value.split())
    return tuple(filter(None, (name(each) for each in _parted(value, _AND))))


@lru_cache(maxsize=8192)
def name(value: str) -> str:
    """One name; nothing for an empty one."""
    value = value.strip().rstrip(",").strip()
    if not value:
        return ""
    if value.lower() == "others":
        return "et al."
    if wrapped(value) and not _is_letter(value):
        inner = _text(value[1:-1]).strip("{} ")
        return str(Author(inner, group=True)) if inner else ""
    if _EXTENDED.search(value):
        return _extended(value)
    parts = [part.strip() for part in _parted(value, re.compile(","))]
    if len(parts) == 1:
        given, family = _in_order(value)
        return _author(family, given)
    if len(parts) == 2:
        return _author(parts[0], parts[1])
    return _author(parts[0], " ".join(parts[2:]), parts[1])


def _is_letter(value: str) -> bool:
    """`{\\'E}`: one accented letter and no group."""
    return bool(_ACCENTED.match(value)) and len(_text(value)) < 3


def _author(family: str, given: str, suffix: str = "") -> str:
    parts = [_text(part).replace(",", " ") for part in (family, given, suffix)]
    parts = [" ".join(part.split()) for part in parts]
    if not parts[0]:
        parts = [parts[1], "", parts[2]]
    if not parts[1] and parts[2]:
        return str(Author(f"{parts[0]} {parts[2]}"))
    return str(Author(parts[0], parts[1], parts[2]))


def _text(value: str) -> str:
    if value.isascii() and value.isalpha():
        return value
    return clean(untexed(value))


def _in_order(value: str) -> tuple[str, str]:
    """`First von Last`: what stands before the family name, and the family name."""
    tokens = _parted(value.replace("~", " "), re.compile(r"\s+"))
    tokens = [token for token in tokens if token]
    small = [at for at, token in enumerate(tokens[:-1]) if _is_small(token)]
    start = small[0] if small else len(tokens) - 1
    return " ".join(tokens[:start]), " ".join(tokens[start:])


def _is_small(token: str) -> bool:
    """Whether a word begins in lower case, which makes it a particle; braces have no case."""
    if token.startswith("{") and not token.startswith("{\\"):
        return False
    letter = next((sign for sign in _text(token) if sign.isalpha()), "")
    return letter.islower()


def _extended(value: str) -> str:
    given: dict[str, str] = {}
    for part in _parted(value, re.compile(",")):
        found = _PART.fullmatch(part)
        if found:
            given[found[1].lower()] = found[2]
    family = " ".join(filter(None, (given.get("prefix"), given.get("family"))))
    return _author(family, given.get("given", ""), given.get("suffix", "")) if family else ""


def _parted(value: str, between: re.Pattern[str]) -> list[str]:
    """The parts of a value between matches that stand outside of braces."""
    if "{" not in value:
        return between.split(value)
    parts, depth, start, at = [], 0, 0, 0
    while at < len(value):
        sign = value[at]
        depth += {"{": 1, "}": -1}.get(sign, 0)
        found = between.match(value, at) if depth == 0 and sign != "}" else None
        if found and found.end() > at:
            parts.append(value[start:at])
            start = at = found.end()
        else:
            at += 1
    return [*parts, value[start:]]
