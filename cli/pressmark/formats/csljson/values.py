"""The values of CSL-JSON variables in; values of our fields out."""

from __future__ import annotations

import re

from pressmark import ids
from pressmark.formats import dates
from pressmark.record import Author, Extra
from pressmark.text import clean, unescape


def is_scalar(value: object) -> bool:
    """Whether a JSON value is a string or a number."""
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def text(value: object, *, lines: bool = False) -> str:
    """A string or number as safe text; of a list the first, as Crossref gives its titles."""
    if isinstance(value, list):
        return text(value[0], lines=lines) if value else ""
    return clean(str(value), newlines=lines) if is_scalar(value) else ""


def unescaped(value: str) -> str:
    """A safe text whose HTML entities become characters, safe once more."""
    return clean(unescape(value)) if "&" in value else value


def several(value: object) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(filter(None, map(text, value))) if isinstance(value, list) else ()


def kept(value: object) -> Extra:
    """A value that is not ours, all of it, as strings."""
    if isinstance(value, dict):
        return {clean(str(name)): kept(each) for name, each in value.items()}
    if isinstance(value, list):
        return [kept(each) for each in value]
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else clean(str(value), newlines=True)


def names(value: object) -> tuple[str, ...]:
    """A name variable as `Family, Given[, Suffix]` lines."""
    listed = value if isinstance(value, list) else [value]
    return tuple(filter(None, map(_name, listed)))


def _name(value: object) -> str:
    """One name; a name given whole is a group's."""
    if isinstance(value, str):
        return str(Author.parse(clean(value)))
    if not isinstance(value, dict):
        return ""
    part = {name: unescaped(text(each)) for name, each in value.items()}
    family = " ".join(filter(None, (part.get("non-dropping-particle"), part.get("family"))))
    given = " ".join(filter(None, (part.get("given"), part.get("dropping-particle"))))
    if not family and (whole := part.get("literal") or part.get("name")):
        return _group(whole)
    if not family:
        family, given = given, ""
    if not given and ("," in family or family.startswith("{")):
        return _group(family)
    family, _, rank = (piece.strip() for piece in family.partition(","))
    return str(Author(family, given, part.get("suffix") or rank))


def _group(name: str) -> str:
    name = name.strip("{} ")
    return str(Author(name, group=True)) if name else ""


def date(value: object) -> str | None:
    """A date variable as `published` has it, its first day where it spans several."""
    if isinstance(value, dict):
        parts = value.get("date-parts")
        first = parts[0] if isinstance(parts, list) and parts else None
        if isinstance(first, list) and (found := dates.from_parts(*(first[:3] or [None]))):
            return found
        value = next((value[name] for name in ("raw", "literal") if value.get(name)), None)
    return dates.from_text(text(value)) if is_scalar(value) else None


def is_no_date(value: object) -> bool:
    """Whether a date variable says nothing: Crossref writes `{"date-parts": [[null]]}`."""
    if isinstance(value, dict):
        return all(is_no_date(each) for each in value.values())
    if isinstance(value, list):
        return all(is_no_date(each) for each in value)
    return value is not True and not text(value)


def is_whole_date(value: object) -> bool:
    """Whether `date` takes all that the variable says: no season, no second day, no `circa`."""
    if not isinstance(value, dict):
        return date(value) == text(value)
    said = {name: each for name, each in value.items() if not is_no_date(each)}
    parts = said.pop("date-parts", None)
    if parts is None:
        return len(said) == 1 and date(said) == text(next(iter(said.values())))
    return not said and isinstance(parts, list) and len(parts) == 1


def keywords(value: object) -> tuple[str, ...]:
    """A list, or a string whose parts stand between semicolons or else commas."""
    if isinstance(value, list):
        return several(value)
    words = unescape(text(value))
    found = (clean(word) for word in words.split(";" if ";" in words else ","))
    return tuple(dict.fromkeys(filter(None, found)))


def isbns(value: object) -> tuple[tuple[str, ...], str]:
    """The ISBNs of a variable that may hold several, and what in it is none."""
    field = " ".join(several(value)) or text(value)
    if whole := ids.normalise_isbn(field):
        return (whole,), ""
    known = {word: ids.normalise_isbn(word) for word in re.split(r"[\s,;]+", field) if word}
    left = [word for word, isbn in known.items() if not isbn and re.search(r"\d", word)]
    return tuple(dict.fromkeys(filter(None, known.values()))), " ".join(left)


def issns(value: object) -> tuple[str, ...]:
    """The ISSNs of a variable, as `1234-567X`."""
    field = " ".join(several(value)) or text(value)
    found = re.findall(r"(?<!\d)(\d{4})-?(\d{3}[\dXx])(?!\d)", field)
    return tuple(dict.fromkeys(f"{head}-{tail.upper()}" for head, tail in found))
