"""References in; pairs that look like one work, with what speaks for it and against it, out.

Nothing here merges: a person does. Two works with two DOIs of publishers are never a pair, nor
are two whose titles differ in a number (`Part I` and `Part II`); a preprint beside its publication
is a version, not a duplicate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pressmark import ids
from pressmark.errors import BadInput
from pressmark.library import Library, Outcome, Write, matching
from pressmark.record import Author, Extra, Reference, Work
from pressmark.text import ascii_words, fold

DISTINCT = "distinct-from"
"""The field that remembers a person's word that two look-alikes are two works."""

CLOSE = 87.0
"""From here on titles are so alike that a slip of the pen explains the rest."""
LARGEST = 60
"""A block of more references than this is no block: half the library begins like that."""

_NUMBER = re.compile(r"\d+|\b[ivx]+\b")
COMPARED = (
    "authors", "published", "type", "venue", "volume", "issue", "pages", "doi", "arxiv", "pmid",
    "isbn", "url",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two references that look like one work; `score` from 0 to 1."""

    a: Reference
    b: Reference
    score: float
    why: tuple[str, ...]
    against: tuple[str, ...] = ()


def pairs(references: Iterable[Reference]) -> list[Pair]:
    """Every pair worth a person's look, the surest first; each reference is compared with few."""
    held = list(references)
    found: dict[tuple[str, str], Pair] = {}
    for block in _blocks(held):
        for at, a in enumerate(block):
            for b in block[at + 1 :]:
                names = (a.key, b.key) if a.key < b.key else (b.key, a.key)
                if names not in found and (pair := compare(a, b)):
                    found[names] = pair
    return sorted(found.values(), key=lambda pair: (-pair.score, pair.a.key, pair.b.key))


def _blocks(references: Sequence[Reference]) -> Iterator[list[Reference]]:
    """References that share the beginning of the title, or an author and a year, or an id."""
    blocks: dict[str, list[Reference]] = defaultdict(list)
    for each in references:
        words = ascii_words(each.title)
        telling = [word for word in words if len(word) > 3] or words
        for name in {f"t:{' '.join(telling[:2])}", f"e:{' '.join(sorted(telling, key=len)[-2:])}"}:
            blocks[name].append(each)
        for family in list(_families(each))[:1]:
            blocks[f"a:{family}:{each.year}"].append(each)
        for kind in ("doi", "arxiv", "pmid"):
            if value := getattr(each, kind):
                blocks[f"{kind}:{value.casefold()}"].append(each)
    return (block for block in blocks.values() if 1 < len(block) <= LARGEST)


def compare(a: Reference, b: Reference) -> Pair | None:
    """The pair that two references are, or None where nothing says that they are one work."""
    editions = _editions(a, b)
    if (matching.different_works(a, b) and not editions) or _told_apart(a, b):
        return None
    if matching.is_version(a, b):
        return None
    shared = [name for name in ("doi", "arxiv", "pmid", "pmcid") if _equal(a, b, name)]
    likeness = _titles(a.title, b.title)
    if not shared and (likeness < CLOSE or _numbers(a.title) != _numbers(b.title)):
        return None
    people = _people(a, b)
    if not shared and people is False:
        return None
    why = [f"the same {name}" for name in shared]
    why.append("the same title" if likeness == 100 else f"titles {likeness:.0f} % alike")
    why += ["a shared author"] if people else []
    against = [f"doi: {a.doi} / {b.doi}"] if editions else []
    score = max(likeness / 100, 0.97 if shared else 0) - (0 if people else 0.05)
    for name, weight in (("year", 0.04), ("venue", 0.12), ("volume", 0.08), ("pages", 0.1)):
        mine, theirs = getattr(a, name), getattr(b, name)
        if not (mine and theirs):
            continue
        if _agree(name, a, b):
            why.append(f"the same {name}")
        else:
            against.append(f"{name}: {mine} / {theirs}")
            score -= weight
    return Pair(a, b, round(max(score, 0.0), 3), tuple(why), tuple(against))


_EDITION = re.compile(r"(?:\.pub\d+|[./]?v\d+)$", re.I)


def _editions(a: Reference, b: Reference) -> bool:
    """Whether two DOIs are one but for the version that some publishers put at the end."""
    if not a.doi or not b.doi or fold(a.doi) == fold(b.doi):
        return False
    return _EDITION.sub("", fold(a.doi)) == _EDITION.sub("", fold(b.doi))


def _told_apart(a: Reference, b: Reference) -> bool:
    """Whether a person said before that these are two."""
    return bool(_names(b) & _listed(a) or _names(a) & _listed(b))


def _listed(each: Reference) -> set[str]:
    held = each.extra.get(DISTINCT)
    return {str(name) for name in held} if isinstance(held, list) else {str(held or "")} - {""}


def _names(each: Reference) -> set[str]:
    return {each.key, *each.aliases}


def _titles(a: str, b: str) -> float:
    """How alike two titles are, from 0 to 100; one may lack the other's subtitle."""
    from rapidfuzz import fuzz

    if ids.same_title(a, b):
        return 100.0
    one, two = (" ".join(ascii_words(each)) for each in (a, b))
    if not one or not two:
        return 0.0
    likeness = fuzz.ratio(one, two)
    return max(likeness, fuzz.token_sort_ratio(one, two))


def _numbers(title: str) -> list[str]:
    """The numbers of a title, Roman ones too; `part` means nothing without one."""
    return sorted(_NUMBER.findall(" ".join(ascii_words(title))))


def _families(work: Work) -> Iterator[str]:
    """The words that can be family names, however a source has put the names together."""
    for name in work.authors or work.editors:
        author = Author.parse(name)
        for word in ascii_words(author.family if author.given or author.group else name):
            if len(word) > 2:
                yield word


def _people(a: Work, b: Work) -> bool | None:
    """Whether two works share an author; None where one has none."""
    mine, theirs = set(_families(a)), set(_families(b))
    if not mine or not theirs:
        return None
    return bool(mine & theirs)


def _equal(a: Work, b: Work, name: str) -> bool:
    mine, theirs = getattr(a, name), getattr(b, name)
    return bool(mine and theirs and fold(mine) == fold(theirs))


def _agree(name: str, a: Reference, b: Reference) -> bool:
    if name == "venue":
        return matching.same_venue(a, b)
    if name == "year":
        mine, theirs = a.year or "", b.year or ""
        return mine.isdigit() and theirs.isdigit() and abs(int(mine) - int(theirs)) <= 1
    mine, theirs = (re.split(r"[-–—]", str(getattr(each, name)))[0].strip() for each in (a, b))
    return fold(mine) == fold(theirs)


def side_by_side(pair: Pair) -> list[tuple[str, str, str]]:
    """Field, value of the one, value of the other: where they differ, and the title always."""
    rows = [("key", pair.a.key, pair.b.key), ("title", pair.a.title, pair.b.title)]
    for name in COMPARED:
        mine, theirs = (_shown(getattr(each, name)) for each in (pair.a, pair.b))
        if mine != theirs:
            rows.append((name, mine, theirs))
    return rows


def _shown(value: object) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value or "")


def keep_apart(library: Library, a: str, b: str, *, write: Write | None = None) -> Outcome:
    """Remember that two look-alikes are two works, in the file of the first.

    BadInput where both names mean one reference.
    """
    held, other = library.get(a), library.get(b)
    if held.key == other.key:
        raise BadInput(f"{a} and {b} are one reference.", next="name two")
    listed: list[Extra] = [*sorted({*_listed(held), other.key})]
    after = replace(held, extra={**held.extra, DISTINCT: listed})
    return library.put([after], f"dedupe: {a} is not {b}", write or Write())


def markdown(found: Sequence[Pair]) -> str:
    """The pairs as the text of a pull request or an issue."""
    if not found:
        return "No references look like one work.\n"
    one = len(found) == 1
    number = "1 pair of references looks" if one else f"{len(found)} pairs of references look"
    lines = [f"{number} like one work.", ""]
    for pair in found:
        lines += [f"### `{pair.a.key}` and `{pair.b.key}`", "", f"For: {', '.join(pair.why)}."]
        lines += [f"Against: {'; '.join(map(_cell, pair.against))}."] if pair.against else []
        lines += ["", f"| | {pair.a.key} | {pair.b.key} |", "|---|---|---|"]
        lines += [f"| {n} | {_cell(a)} | {_cell(b)} |" for n, a, b in side_by_side(pair)[1:]]
        lines += ["", f"`pressmark merge {pair.a.key} {pair.b.key}`", ""]
    return "\n".join(lines)


def _cell(value: str) -> str:
    from pressmark.text import escape_markdown

    return escape_markdown(value).replace("|", "&#124;")
