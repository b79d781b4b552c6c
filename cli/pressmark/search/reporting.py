"""Searches on record in; the account of them that PRISMA-S asks for, as Markdown, out.

The items are those of PRISMA-S: https://doi.org/10.1186/s13643-020-01542-z
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pressmark.record import Search
from pressmark.search.logs import hits_of, unversioned
from pressmark.text import escape_markdown

ONLY_HERE = "not recorded by a search; say it in your own words"


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of a flow diagram."""

    retrieved: int
    """Records that the databases sent."""
    works: int
    """What is left when the accounts of one work are merged."""
    dropped: int
    filed: int

    @property
    def duplicates(self) -> int:
        """Records that were accounts of a work that another record was of."""
        return max(0, self.retrieved - self.works)


def counts(searches: Sequence[Search]) -> Counts:
    """Records, works, and what became of them, over several searches; each work once."""
    retrieved = sum(_number(row.get("retrieved")) for s in searches for row in s.providers)
    outcome: dict[str, str] = {}
    for search in searches:
        for provider_id, what in hits_of(search).items():
            outcome.setdefault(unversioned(provider_id), what)
    keys = {what for what in outcome.values() if " " not in what and "(" not in what}
    dropped = {identity for search in searches for identity in search.dropped}
    unfiled = [w for w in outcome.values() if w.startswith("not filed")]
    works = len(keys) + len(dropped) + len(unfiled)
    return Counts(retrieved or len(outcome), works, len(dropped), len(keys))


def prisma_s(searches: Sequence[Search]) -> str:
    """The sixteen items of PRISMA-S, as far as the records of searches answer them."""
    return "\n".join(_lines(sorted(searches, key=lambda each: (each.date, each.slug)))) + "\n"


def _lines(searches: Sequence[Search]) -> Iterator[str]:
    rows = [row for search in searches for row in search.providers]
    asked = [row for row in rows if not row.get("status", "").startswith("skipped")]
    platforms = Counter(row.get("platform", "?") for row in asked)
    days = sorted({search.date for search in searches})
    found = counts(searches)
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
        f"{found.works} works remained, {found.dropped} of them dropped, {found.filed} on file."
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
