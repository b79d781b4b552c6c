"""A name as a provider displays it in; the file's form, `Family, Given[, Suffix]`, out."""

from __future__ import annotations

import re

from pressmark import text
from pressmark.record import Author

PARTICLES = frozenset({
    "af", "al", "an", "ap", "av", "ben", "bin", "bint", "d'", "da", "dal", "dalla", "das", "de",
    "degli", "dei", "del", "dela", "della", "den", "der", "des", "di", "dos", "du", "e", "el",
    "i", "ibn", "in", "la", "las", "le", "lo", "los", "op", "'t", "'s", "ten", "ter",
    "van", "vande", "vanden", "vander", "vom", "von", "vor", "y", "zu", "zum", "zur",
})  # fmt: skip
"""Small words that belong to the family name when they stand before it in lower case."""

_SUFFIX = re.compile(r"(?:jr|sr|junior|senior|ii|iii|iv|ph\.?d|m\.?d|esq)\.?", re.I)
_GROUP = re.compile(
    r"\b(?:collaborations?|consortium|consortia|group|team|committee|organi[sz]ation|society|"
    r"project|network|initiative|investigators|association|commission|council|agency|ministry|"
    r"federation|alliance|task force|working party|study|programme?|foundation|universit\w+|"
    r"institute|laborator(?:y|ies)|centre|center|department|company|inc\.?|ltd\.?|gmbh)$",
    re.I,
)
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af ·]+")


def author(name: str) -> str | None:
    """One display name as the file writes it; None when it holds no letters (`:` happens)."""
    name = text.clean(re.sub(r"\([^()]*\)", " ", name)).strip(" ,;*†‡")
    if not re.search(r"[^\W\d_]", name):
        return None
    if is_group(name):
        return group(name)
    if "," in name:
        return str(Author.parse(name))
    return str(split(name))


def split(name: str) -> Author:
    """The last word is the family name, with the particles before it; a suffix stands apart."""
    words = name.split()
    if _IDEOGRAPHS.fullmatch(name) and len(words) == 2:
        return Author(words[0], words[1])
    suffix = ""
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        suffix = words.pop()
    start = len(words) - 1
    while start > 0 and words[start - 1] in PARTICLES:
        start -= 1
    if start > 1 and words[start] in ("y", "e", "i"):  # Ortega y Gasset
        start -= 1
    return Author(" ".join(words[start:]), " ".join(words[:start]), suffix)


def is_group(name: str) -> bool:
    """Whether a name is a collaboration's or an institution's and no person's."""
    return bool(_GROUP.search(name)) or bool(re.match(r"(?:on behalf of|for the)\s", name, re.I))


def group(name: str) -> str:
    """A name kept whole; `for the` before it is no part of it."""
    name = re.sub(r"^(?:(?:on behalf of|for|the)\s+)+", "", text.clean(name), flags=re.I)
    return str(Author(name.replace("{", "").replace("}", ""), group=True))


def given_family(given: str, family: str, suffix: str = "") -> str | None:
    """A name whose parts the provider knows: stored as given, never split again."""
    parts = [text.clean(part).replace(",", " ") for part in (family, given, suffix)]
    family, given, suffix = (" ".join(part.split()) for part in parts)
    if not family:
        return author(given)
    if not given and is_group(family):
        return group(family)
    return str(Author(family, given, suffix))
