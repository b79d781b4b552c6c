"""A licence as a provider writes it in; its short name (`CC BY 4.0`), or its address, out."""

from __future__ import annotations

import re

_CC_URL = re.compile(
    r"creativecommons\.org/(?:licenses|licences)/(?P<kind>by(?:-nc)?(?:-nd|-sa)?)"
    r"(?:/(?P<version>\d\.\d))?",
    re.I,
)
_CC_NAME = re.compile(
    r"(?:creative\s*commons|cc)[\s_-]*(?P<kind>by(?:[\s_-]*nc)?(?:[\s_-]*(?:nd|sa))?)"
    r"(?:[\s_-]*(?P<version>\d\.\d))?(?![a-z])",
    re.I,
)
_ZERO = re.compile(r"publicdomain/zero|\bcc[\s_-]?0\b|\bcc[\s_-]?zero\b", re.I)
_PUBLIC = re.compile(r"publicdomain/mark|public[\s_-]?domain", re.I)


def normalise(value: str | None) -> str | None:
    """`CC BY 4.0`, `CC0`, `public domain`, else the value as it came; None for nothing."""
    value = " ".join((value or "").split())
    if not value:
        return None
    if _ZERO.search(value):
        return "CC0"
    if _PUBLIC.search(value):
        return "public domain"
    found = _CC_URL.search(value) or _CC_NAME.search(value)
    if not found:
        return value[:200]
    kind = re.sub(r"[\s_-]+", "-", found["kind"].upper())
    return f"CC {kind} {found['version']}" if found["version"] else f"CC {kind}"


def named(value: str | None) -> str | None:
    """The same, but None where the words name no licence that is known everywhere."""
    licence = normalise(value)
    return licence if licence and licence.startswith(("CC", "public domain")) else None


def is_open(value: str | None) -> bool:
    """Whether a text under this licence may be published again by anybody."""
    return bool(re.fullmatch(r"CC0|CC BY(?:-SA)?(?: \d\.\d)?|public domain", value or ""))
