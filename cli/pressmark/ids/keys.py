"""A bibliographic record in; a cite key, the folder it goes to, or a slug out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from pressmark.record import Author, Paper, Work
from pressmark.text import ascii_words, from_tex

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_LONGEST = 100

_RESERVED = frozenset({
    "con", "prn", "aux", "nul",
    *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)),
})  # fmt: skip
"""Names that Windows gives to devices, whatever their suffix.

https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
"""

_STOP_WORDS_BY_LANGUAGE = {
    "en": "a an the and or nor but of in on at to for from by with without into onto over under "
    "between among as is are was were be been being do does did can could should will would may "
    "might how what when where which who whom whose why this that these those it its i we you he "
    "she they our my your their his her not no if than then so towards toward about via using "
    "against",
    "de": "der die das den dem des ein eine einer eines einem einen und oder von vom zu zum zur im "
    "am an auf aus bei mit nach uber ueber fur fuer als wie ist sind",
    "fr": "le la les l un une du de d et ou au aux dans sur sous avec sans en que qui est sont ce "
    "cette ces pour par",
    "es": "el los las lo uno unos unas del al y e o u con para por como es se su sus",
}
_STOP_WORDS = frozenset(" ".join(_STOP_WORDS_BY_LANGUAGE.values()).split())

_LONE_LETTER = re.compile(r"\b([^\W\d_])[-‐‑](?=\w)")
"""`X-ray`, `t-SNE`, `p-value` are one word each."""


def valid_key(key: str) -> bool:
    """Whether a key can be a file stem on every system and a citation in every program."""
    return bool(_KEY.fullmatch(key)) and len(key) <= _LONGEST and key.casefold() not in _RESERVED


def key_year(key: str) -> str:
    """The year in a key: its first run of exactly four digits from 1000 to 2999, else `nd`."""
    found = _YEAR.search(key)
    return found[0] if found else "nd"


def folder(key: str) -> str:
    """The folder under `library/` where the key's file stands."""
    return key_year(key)


USUAL = "{family}{year}{word}"
_PLACE = re.compile(r"\{(\w+)(?::(\d+))?\}")


def check_formula(formula: str) -> None:
    """Raise ValueError for a formula that names an unknown part, or makes no key."""
    for found in _PLACE.finditer(formula):
        if found[1] not in _PARTS:
            raise ValueError(
                f"{{{found[1]}}} is no part of a key; the parts are {', '.join(_PARTS)}"
            )
    if not valid_key(_PLACE.sub("a", formula)) or not _PLACE.search(formula):
        raise ValueError("a key has letters, digits, - and _ only, and some part of the work")


def make_key(
    work: Work, taken: Container[str], promised: Container[str] = (), formula: str = ""
) -> str:
    """Family name, year (or `nd`), first significant title word; a, b, c … when that is taken.

    `taken` and `promised` hold case-folded keys; `formula` says otherwise what a key is made of:
    `{family:3}_{year}` has the first three letters of the name.
    """
    stem = _PLACE.sub(lambda found: _part(work, found), formula or USUAL)
    keys = (stem + suffix for suffix in _suffixes())
    return next(key for key in keys if _free(key, taken) and key not in promised)


def _part(work: Work, found: re.Match[str]) -> str:
    value = _PARTS[found[1]](work)
    return value[: int(found[2])] if found[2] else value


def _year(work: Work) -> str:
    year = work.year or ""
    return year if _YEAR.fullmatch(year) else "nd"


def choose_key(
    paper: Paper, taken: Container[str], promised: Container[str] = (), formula: str = ""
) -> tuple[str, str | None]:
    """The key to file a paper under, and the `cite-as` for a key it came with and cannot keep.

    `promised` are keys that other papers bring and will keep: no new key may be one of them.
    """
    hint = paper.key_hint
    if hint and _free(hint, taken):
        return hint, None
    return make_key(paper, taken, promised, formula), hint or None


def _free(key: str, taken: Container[str]) -> bool:
    return valid_key(key) and key.casefold() not in taken


def _suffixes() -> Iterator[str]:
    yield ""
    for length in itertools.count(1):
        for letters in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=length):
            yield "".join(letters)


def _family(work: Work) -> str:
    """The first author's family name in `[a-z0-9]`, without digits that would read as a year."""
    names = work.authors or work.editors
    if not names:
        return "anon"
    author = Author.parse(names[0])
    words = ascii_words(from_tex(author.family or author.given))
    if author.group:
        words = _capped(words)
    return re.sub(r"\d{3,}|\d+$", "", "".join(words)[:40]) or "anon"


def _capped(words: list[str]) -> list[str]:
    """A group's words while they fit in a key that people still type."""
    words = [word for word in words if word not in _STOP_WORDS] or words
    kept = [words[0]] if words else []
    for word in words[1:]:
        if len("".join(kept)) + len(word) > 32:
            break
        kept.append(word)
    return kept


def _title_word(title: str) -> str:
    title = _LONE_LETTER.sub(r"\1", from_tex(title))
    words = [word for word in ascii_words(title) if word[0].isalpha()]
    telling = [word for word in words if word not in _STOP_WORDS and len(word) > 1]
    return next(iter(telling or words), "")[:30]


def _authors(work: Work) -> str:
    """The family names of up to three authors."""
    names = (work.authors or work.editors)[:3]
    return "".join(_family(replace(work, authors=(name,), editors=())) for name in names) or "anon"


def _title_words(work: Work) -> str:
    words = ascii_words(_LONE_LETTER.sub(r"\1", from_tex(work.title)))
    return "".join([word for word in words if word not in _STOP_WORDS and len(word) > 1][:3])[:60]


_PARTS: dict[str, Callable[[Work], str]] = {
    "family": lambda work: _family(work),
    "families": _authors,
    "year": _year,
    "yy": lambda work: _year(work)[-2:],
    "word": lambda work: _title_word(work.title),
    "words": _title_words,
    "venue": lambda work: "".join(ascii_words(work.venue or ""))[:30],
}
"""What a formula can put into a key."""


def slug(title: str, taken: Container[str] = ()) -> str:
    """A file stem for a topic, note or search: `[a-z0-9-]{1,80}`, numbered when taken."""
    stem = "-".join(ascii_words(title)) or "untitled"
    if len(stem) > 80:
        stem = stem[:80].rpartition("-")[0] or stem[:80]
    numbered = (f"{stem[:74].rstrip('-')}-{number}" for number in itertools.count(2))
    return next(
        name
        for name in itertools.chain((stem,), numbered)
        if name not in taken and name not in _RESERVED
    )
