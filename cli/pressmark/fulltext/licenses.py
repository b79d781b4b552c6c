"""The words or the address of a licence in; its short name, and whether it lets us republish."""

from __future__ import annotations

import re

_CC = re.compile(
    r"creativecommons\.org/licen[sc]es/(?P<url>[a-z-]+)(?:/(?P<version>\d\.\d))?"
    r"|\bcc[-_ ]?(?P<code>by(?:[-_ ](?:nc|nd|sa))*)\b(?:[-_ ]?v?(?P<number>\d\.\d))?",
    re.I,
)
_ZERO = re.compile(r"creativecommons\.org/publicdomain/zero|\bcc[-_ ]?0\b|\bcc[-_ ]zero\b", re.I)
_PUBLIC = re.compile(r"creativecommons\.org/publicdomain/mark|\bpublic[-_ ]domain\b|\bpd\b", re.I)
_WORDS = re.compile(
    r"creative commons[\s:,®-]+(?P<terms>attribution(?:[\s,-]+(?:and\s+)?(?:non-?commercial|"
    r"no-?deriv\w*|share-?alike))*)(?:[\s\w(),:-]{0,40}?\b(?P<number>\d\.\d))?",
    re.I,
)
OPEN = frozenset({"CC0", "CC BY", "CC BY-SA", "public domain"})


def normalise(value: str | None, *, strict: bool = False) -> str | None:
    """`CC BY-NC 4.0`, `CC0`, `public domain`; other words stay (cut), or None with `strict`."""
    value = " ".join((value or "").split())
    if not value:
        return None
    if _ZERO.search(value):
        return "CC0"
    found = _CC.search(value)
    if found:
        code = found["url"] or found["code"]
        return _named(re.split(r"[-_ ]", code.lower()), found["version"] or found["number"])
    found = _WORDS.search(value)
    if found:
        return _named(_terms(found["terms"]), found["number"])
    if _PUBLIC.search(value):
        return "public domain"
    return None if strict else value[:200]


def _terms(spelled: str) -> list[str]:
    spelled = re.sub(r"[\s-]", "", spelled.lower())
    marks = (("nc", "noncommercial"), ("nd", "noderiv"), ("sa", "sharealike"))
    return ["by", *(code for code, word in marks if word in spelled)]


def _named(codes: list[str], version: str | None) -> str:
    name = "CC " + "-".join(code.upper() for code in codes if code)
    return f"{name} {version}" if version else name


def is_open(license: str | None) -> bool:
    """Whether text under this licence may be published by others: CC0, CC BY, CC BY-SA, PD.

    Open access is a right to read, not to republish: an unknown licence is not open, nor is
    one that forbids commercial use or changed versions.
    """
    name = normalise(license, strict=True) or ""
    return re.sub(r" \d\.\d$", "", name) in OPEN
