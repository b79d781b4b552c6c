"""Searches on record in; the account of them that PRISMA-S asks for, as Markdown, out.

The items are those of PRISMA-S: https://doi.org/10.1186/s13643-020-01542-z
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pressmark.record import Search
from pressmark.search.logs import LINE, unversioned
from pressmark.text import escape_markdown

if TYPE_CHECKING:
    from pressmark.library import Library

ONLY_HERE = "not recorded by a search; say it in your own words"


Held = Callable[[str], str | None]
"""A key as a search filed it -> the key that holds the work today; None when none does."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of a flow diagram; `works` are the dropped, the filed and the unfiled."""

    retrieved: int
    """Records that the databases sent."""
    works: int
    """What is left when the accounts of one work are merged."""
    dropped: int
    """Those that somebody said no to, or took out again."""
    filed: int
    """Those that are on file today."""

    @property
    def duplicates(self) -> int:
        """Records that were accounts of a work that another record was of."""
        return max(0, self.retrieved - self.works)

    @property
    def unfiled(self) -> int:
        """Those that could not be filed."""
        return self.works - self.dropped - self.filed


def on_file(library: Library) -> Held:
    """What the library holds today: renamed and merged references by the key they have now."""

    @cache
    def held(key: str) -> str | None:
        return next(iter(library.catalogue.resolve(key)), None)

    return held


def counts(searches: Sequence[Search], held: Held = str) -> Counts:
    """Records, works, and what became of them, over several searches; each work once.

    Two hits are one work where they share a provider's id, or the key they were filed under.
    """
    retrieved = sum(_number(row.get("retrieved")) for s in searches for row in s.providers)
    hits = [hit for search in searches for hit in _hits(LINE.findall(search.body))]
    keyed = {id(hit): key for hit in hits if (key := _key(hit[0][1]))}
    now = {key: held(key) for key in keyed.values()}
    works = _Works()
    for hit in hits:
        if id(hit) in keyed:
            key = keyed[id(hit)]
            outcome = "filed" if now[key] else "dropped"
            works.join(f"key {now[key] or key}", *(_node(p) for p, _ in hit), outcome=outcome)
    for hit in hits:
        if id(hit) not in keyed:
            outcome = "dropped" if hit[0][1].startswith("dropped") else "unfiled"
            for names in works.apart([_node(provider_id) for provider_id, _ in hit]):
                works.join(*names, outcome=outcome)
    found = Counter(works.outcomes())
    return Counts(retrieved or sum(map(len, hits)), found.total(), found["dropped"], found["filed"])


def _key(outcome: str) -> str:
    return "" if " " in outcome or "(" in outcome or outcome == "dropped" else outcome


def _node(provider_id: str) -> str | None:
    """What an id stands for; one that older logs cut off behind a title's first word, nothing."""
    cut = re.fullmatch(r"(?:\w+:)?title:[^\s:]*", provider_id)
    return None if cut else unversioned(provider_id)


def _hits(rows: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The lines of each hit: they stand together, in order, one a provider, with one outcome."""
    hit: list[tuple[str, str]] = []
    for row in rows:
        named = {provider_id.partition(":")[0] for provider_id, _ in hit}
        other = row[0].partition(":")[0] in named or (hit and row[0] < hit[-1][0])
        if hit and (other or row[1] != hit[-1][1]):
            yield hit
            hit = []
        hit.append(row)
    if hit:
        yield hit


class _Works:
    """Names that mean one work, joined as they turn up together."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}
        self._outcome: dict[str, str] = {}
        self._nameless: list[str] = []

    def join(self, *names: str | None, outcome: str) -> None:
        """Say that names mean one work, and what became of it; without a name it is its own."""
        tops = [self._top(name) for name in names if name is not None]
        if not tops:
            self._nameless.append(outcome)
            return
        said = [self._outcome.pop(top) for top in set(tops) if top in self._outcome]
        self._above |= dict.fromkeys(tops, tops[0])
        self._outcome[tops[0]] = min([outcome, *said], key=_GRAVITY.index)

    def apart(self, names: Sequence[str | None]) -> list[list[str | None]]:
        """The names of lines with one outcome, parted where those that are known mean two works."""
        parts: list[list[str | None]] = [[]]
        meant = ""
        for name in names:
            top = self._top(name) if name in self._above else ""
            if meant and top and top != meant:
                parts.append([])
            meant = top or meant
            parts[-1].append(name)
        return parts

    def outcomes(self) -> list[str]:
        """What became of each work."""
        return [*self._outcome.values(), *self._nameless]

    def _top(self, name: str) -> str:
        while (above := self._above.setdefault(name, name)) != name:
            name = above
        return name


_GRAVITY = ("filed", "dropped", "unfiled")
"""Of a work with several outcomes the first of these counts."""


def prisma_s(searches: Sequence[Search], held: Held = str) -> str:
    """The sixteen items of PRISMA-S, as far as the records of searches answer them."""
    ordered = sorted(searches, key=lambda each: (each.date, each.slug))
    return "\n".join(_lines(ordered, counts(ordered, held))) + "\n"


def _lines(searches: Sequence[Search], found: Counts) -> Iterator[str]:
    rows = [row for search in searches for row in search.providers]
    asked = [row for row in rows if not row.get("status", "").startswith("skipped")]
    platforms = Counter(row.get("platform", "?") for row in asked)
    days = sorted({search.date for search in searches})
    yield "# Searches, as PRISMA-S asks to report them"
    yield ""
    yield "## Information sources and methods"
    yield ""
    yield f"1. Database names: {', '.join(map(escape_markdown, sorted(platforms))) or 'none'}."
    yield (
        "2. Multi-database searching: every database was asked in its own interface; their answers "
        "were merged by Pressmark."
    )
    yield f"3. Study registries: {ONLY_HERE}."
    yield f"4. Online resources and browsing: {ONLY_HERE}."
    yield f"5. Citation searching: {ONLY_HERE}."
    yield f"6. Contacts: {ONLY_HERE}."
    yield f"7. Other methods: {ONLY_HERE}."
    yield ""
    yield "## Search strategies"
    yield ""
    yield "8. Full search strategies, each string as it was sent:"
    yield ""
    for search in searches:
        yield f"### {escape_markdown(search.query)} ({search.date})"
        yield ""
        for row in search.providers:
            yield from _string(row)
    limits = dict.fromkeys(row["limits"] for row in asked if row.get("limits"))
    yield f"9. Limits and restrictions: {' / '.join(map(escape_markdown, limits)) or 'none'}."
    words = dict.fromkeys(search.vocabulary for search in searches if search.vocabulary)
    filters = f"the vocabularies {', '.join(words)}" if words else "none"
    yield f"10. Search filters: {filters}."
    yield f"11. Prior work: {ONLY_HERE}."
    updated = f"repeated on {', '.join(days)}" if len(days) > 1 else "not repeated"
    yield f"12. Updates: {updated}."
    yield f"13. Dates of searches: {', '.join(days)}."
    yield ""
    yield "## Peer review and records"
    yield ""
    yield f"14. Peer review: {ONLY_HERE}."
    yield f"15. Total records: {found.retrieved}."
    yield (
        "16. Deduplication: by DOI, PMCID, PMID, arXiv and OpenAlex identifier, then by an equal "
        "title with year and first author where no identifier stands against it; "
        f"{found.duplicates} records were accounts of a work that another described, "
        f"{found.works} works remained, {found.dropped} of them dropped, {found.filed} on file"
        f"{f', {found.unfiled} not to be filed' if found.unfiled else ''}."
    )


def _string(row: Mapping[str, str]) -> Iterator[str]:
    """One database: the string as it was sent, and what came of it."""
    numbers = [
        row.get("status", ""),
        f"{row['reported']} reported" if "reported" in row else "",
        f"{row['retrieved']} retrieved" if "retrieved" in row else "",
        "not all of them" if row.get("capped") == "yes" else "",
        f"variant: {row['variant']}" if "variant" in row else "",
        row.get("notes", ""),
    ]
    said = "; ".join(escape_markdown(each.rstrip(".")) for each in numbers if each)
    yield f"{escape_markdown(row.get('platform', '?'))}: {said}."
    yield ""
    for name in ("query", "sent"):
        if value := row.get(name):
            yield from (f"    {line}" for line in value.splitlines())
            yield ""


def _number(value: str | None) -> int:
    return int(value) if value and value.isdigit() else 0
