"""The words after a command (`author:simic year:2018..2020 deep learning`) in, a `Query` out.

Several words must all hold; values of one field joined by a comma are alternatives; a leading
`-` negates. Letter case and accents never matter: values are folded here, once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pressmark.errors import BadInput
from pressmark.record import NOTICES, TYPES, Reference
from pressmark.text import fold

WORDS = "words"
"""The field of a free word: it may stand in title, authors, venue, key, tags or keywords."""

KEYS = "keys"
"""The field of whole keys that a caller has found already; no word spells it."""

FIELDS = {
    "author": "a family or given name: author:simic",
    "title": "words of the title: title:attention",
    "year": "year:2020, year:2018..2020, year:2020.., year:..2010 or year:nd",
    "venue": 'the journal or conference: venue:"nature methods"',
    "tag": "tag:transformers",
    "topic": "the topic that brought it: topic:sequence-models",
    "collection": "a reading list: collection:thesis-chapter-2",
    "source": "a provider that contributed: source:arxiv",
    "type": "a CSL type: type:article-journal",
    "notice": "notice:retracted, or notice:any",
    "stage": "stage:candidate, stage:kept or stage:any",
    "has": "has:fulltext, has:abstract, has:doi or any other field",
    "missing": "the same names as has: missing:doi",
    "cited": "cited in your prose under a path: cited:thesis/",
    "key": "the beginning of a key: key:vaswani2017",
}
"""Every filter, with what its value looks like."""

STAGES = ("candidate", "kept", "any")
PRESENT = (*Reference.FIELDS, "abstract", "year", "body")
"""What `has:` and `missing:` can ask for (`fulltext` means a text file beside the reference)."""

_TERM = re.compile(r"(-?)([A-Za-z][A-Za-z-]*):(?!//)(?=\S)(.+)", re.S)
_YEAR = re.compile(r"(\d{1,4})?(?:(\.\.)(\d{1,4})?)?")
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: any of `values` in `field`, or none of them when negated."""

    field: str
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that must all hold; none at all means every reference."""

    terms: tuple[Term, ...] = ()

    def names(self, field: str) -> bool:
        """Whether a condition speaks about this field."""
        return any(term.field == field for term in self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms)


def split(line: str) -> list[str]:
    """One line into words as a shell would, double quotes only: `venue:"nature methods" x`."""
    return [_unquote(word) for word in re.findall(r'(?:"(?:\\.|[^"\\])*"?|[^\s"])+', line)]


MOST = 400
"""Words and values of one question; SQLite's expressions are 1,000 levels deep at most."""


def parse(words: Sequence[str]) -> Query:
    """Words as the shell hands them over; raises BadInput for an unknown field or bad value."""
    query = Query(tuple(_term(word) for word in words if word.strip()))
    if sum(len(term.values) for term in query.terms) > MOST:
        raise BadInput(
            f"A question holds at most {MOST} words and values.", next="ask for fewer at once"
        )
    return query


def is_filter(word: str) -> bool:
    """Whether a word names one of our fields (`year:2020`), rather than being free text."""
    found = _TERM.fullmatch(word.strip())
    return bool(found) and found[2].lower() in FIELDS if found else False


def words_of(value: str) -> str:
    """The folded words of a text, one blank between them: what filters compare."""
    return " ".join(re.findall(r"[^\W_]+", fold(value)))


def year_range(value: str) -> tuple[int | None, int | None]:
    """`2018..2020`, `2020..`, `..2010` or `2020` as inclusive bounds."""
    found = _YEAR.fullmatch(value)
    if not found or not (found[1] or found[3]):
        raise BadInput(
            f"year:{value} is not a year or a range of years.", next=f"Write {FIELDS['year']}."
        )
    first = int(found[1]) if found[1] else None
    last = (int(found[3]) if found[3] else None) if found[2] else first
    if first is not None and last is not None and first > last:
        raise BadInput(f"year:{value} ends before it begins.", next=f"Write year:{last}..{first}.")
    return first, last


def _term(word: str) -> Term:
    found = _TERM.fullmatch(word.strip())
    if not found:
        return _free(word)
    sign, name, value = found.groups()
    field = name.lower()
    if field not in FIELDS:
        raise BadInput(f"There is no filter {field!r}.{_nearest(field, FIELDS)}", next=_VALID)
    values = tuple(_value(field, each) for each in _alternatives(value))
    if not any(values):
        raise BadInput(f"{field}: has no value.", next=f"Write {FIELDS[field]}.")
    return Term(field, tuple(each for each in values if each), bool(sign))


_VALID = (
    f"The filters are {', '.join(FIELDS)}; quote a free text with a colon and a blank after it."
)


def _free(word: str) -> Term:
    stripped = word.strip()
    negated = len(stripped) > 1 and stripped.startswith("-") and stripped[1].isalnum()
    folded = words_of(_unquote(stripped))
    if not folded:
        raise BadInput(f"{stripped!r} holds no word to look for.", next=_VALID)
    return Term(WORDS, (folded,), negated)


def _alternatives(value: str) -> list[str]:
    """`a,b` are two; a comma before a blank or inside quotes belongs to a name."""
    kept = _QUOTED.sub(lambda found: found[0].replace(",", "\0"), value)
    parts = re.split(r",(?!\s)", kept)
    return [_unquote(part).replace("\0", ",").strip() for part in parts]


def _unquote(value: str) -> str:
    return _QUOTED.sub(lambda found: re.sub(r"\\(.)", r"\1", found[1]), value).replace('"', "")


def _value(field: str, value: str) -> str:
    if not value:
        return ""
    if field in ("author", "title", "venue", "tag"):
        return words_of(value)
    if field == "year":
        lowered = value.lower()
        if lowered not in ("nd", "any"):
            year_range(lowered)
        return lowered
    if field in ("cited", "key"):
        return value if field == "cited" else value.casefold()
    folded = fold(value).strip()
    valid = _CHOICES.get(field)
    if valid is not None and folded not in valid:
        raise BadInput(
            f"{field}:{value} is not known.{_nearest(folded, valid)}",
            next=f"{field}: takes {', '.join(valid)}.",
        )
    return folded


_CHOICES: dict[str, tuple[str, ...]] = {
    "type": TYPES,
    "notice": (*NOTICES, "any"),
    "stage": STAGES,
    "has": PRESENT,
    "missing": PRESENT,
}


def _nearest(word: str, valid: Sequence[str] | dict[str, str]) -> str:
    import difflib  # slow to import, and only for who mistyped

    close = difflib.get_close_matches(word, list(valid), n=1, cutoff=0.6)
    return f" Did you mean {close[0]!r}?" if close else ""
