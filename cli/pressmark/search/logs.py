"""A search and what became of its hits in; the record that PRISMA-S asks for, and back, out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pressmark import ids
from pressmark.errors import BadInput
from pressmark.library import Item, Library
from pressmark.record import Paper, Search
from pressmark.search.result import Hit, Report, Result
from pressmark.sources import REGISTRY, Query
from pressmark.sources.query import query as checked

LINE = re.compile(r"^\s*-?\s*((?:\w+:)?title:.+?|\w+:\S+) → (.*)$", re.M)
"""`provider:id → key`, or why the hit was not filed; only a title for an id holds blanks."""


def log(
    library: Library,
    result: Result,
    hits: Sequence[Hit],
    items: Sequence[Item],
    collection: str | None = None,
) -> Search | None:
    """The record of a search; None when the very same one is on record already."""
    filed = iter(items)
    lines, dropped = [], []
    for hit in hits:
        if hit.dropped is not None:
            outcome = f"dropped ({hit.dropped})" if hit.dropped else "dropped"
            reason = f" {hit.dropped}" if hit.dropped else ""
            dropped.append(f"{ids.identity(hit.paper)}{reason}")
        else:
            outcome = _outcome(next(filed))
        lines += [f"- {each} → {outcome}" for each in provider_ids(hit.paper)]
    made = Search(
        query=_title(result.query),
        date=result.date,
        vocabulary=result.vocabulary,
        collection=collection,
        dropped=tuple(sorted(dropped)),
        providers=tuple(row for report in _by_name(result) for row in _rows(result, report)),
        body="\n## Hits\n\n" + "\n".join(lines) + "\n" if lines else "\nNo hits.\n",
    )
    return placed(library, made)


def _title(query: Query) -> str:
    """What was asked, on one line; a strategy of one provider's own stands for itself."""
    own = " ".join(next(iter(query.verbatim.values()), "search").split())
    return query.words or ", ".join(query.categories) or (own if len(own) <= 80 else own[:79] + "…")


def _outcome(item: Item) -> str:
    if item.key:
        return item.key
    return f"{'dropped' if item.outcome == 'dropped' else 'not filed'} ({item.reason})"


def placed(library: Library, made: Search) -> Search | None:
    """A slug of its own: one file a search, but for the one that says the same again."""
    taken = {each.slug.casefold(): each for each in library.searches()}
    base = f"{made.date}-{ids.slug(made.query)}"
    slug, number = base, 2
    while slug.casefold() in taken:
        there = taken[slug.casefold()]
        if _same(there, made):
            return None
        slug, number = f"{base}-{number}", number + 1
    return replace(made, slug=slug)


def _same(there: Search, made: Search) -> bool:
    """Whether a log says what another says; that an answer came from the cache is no news."""

    def told(search: Search) -> list[tuple[str | None, ...]]:
        names = ("platform", "sent", "limits", "reported", "retrieved")
        return [tuple(each.get(name) for name in names) for each in search.providers]

    one, two = LINE.findall(there.body), LINE.findall(made.body)
    same = there.query == made.query and there.collection == made.collection
    return same and told(there) == told(made) and one == two


def _by_name(result: Result) -> list[Report]:
    return sorted(result.everyone, key=lambda report: report.platform.casefold())


def _rows(result: Result, report: Report) -> Iterator[dict[str, str]]:
    """What PRISMA-S asks to report of one database: a row for every string it was sent."""
    row = {
        "platform": report.platform,
        "query": result.query.verbatim.get(report.source, ""),
        "sent": report.sent,
        "limits": result.query.limits,
        "status": "ok" if report.answered else f"{report.status}: {report.reason}",
        "notes": "; ".join(report.notes),
        **_numbers(report.total, report.count, report.answered),
    }
    yield {name: value for name, value in row.items() if value}
    for each in report.variants:
        row = {
            "platform": report.platform, "variant": each.words, "sent": each.sent,
            "limits": result.query.limits, "status": "ok",
            **_numbers(each.total, each.count, True),
        }  # fmt: skip
        yield {name: value for name, value in row.items() if value}


def _numbers(total: int | None, count: int, answered: bool) -> dict[str, str]:
    """What one string brought; what came before a failure is among the hits, so it counts too."""
    capped = not answered or (total is not None and total > count)
    return {
        "reported": "" if total is None else str(total),
        "retrieved": str(count) if answered or count else "",
        "capped": ("yes" if capped else "no") if answered or count else "",
    }


def provider_ids(paper: Paper) -> tuple[str, ...]:
    """`provider:id` of each account of a paper: its sources lines without their day."""
    return tuple(re.sub(r" \d{4}-\d\d-\d\d$", "", line) for line in paper.sources)


def unversioned(provider_id: str) -> str:
    """The same without an arXiv version, which is news of the paper and no other paper."""
    return re.sub(r"^(arxiv:.*\d)v\d+$", r"\1", provider_id)


def hits_of(search: Search) -> dict[str, str]:
    """`provider:id` of every hit on record to its key, or to why it was not filed."""
    return dict(LINE.findall(search.body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeatable:
    """A search on record as it can be asked again."""

    query: Query
    sources: tuple[str, ...]
    vocabulary: str | None = None
    collection: str | None = None
    elsewhere: tuple[str, ...] = field(default=())
    """Platforms that were searched by other means; they are not asked."""


def repeatable(search: Search, today: str) -> Repeatable:
    """Read what was asked, of whom and within which limits out of a record."""
    names = {module.platform: name for name, module in REGISTRY.items()}
    told = [row for row in search.providers if not row.get("status", "").startswith("skipped")]
    asked = [row for row in told if row.get("platform") in names]
    elsewhere = [row["platform"] for row in search.providers if row.get("platform") not in names]
    if not asked:
        raise BadInput(
            f"{search.slug} was made elsewhere ({', '.join(elsewhere) or 'nobody is named'}).",
            next="search again there, and import what it gives with --search",
        )
    verbatim = {names[row["platform"]]: row["query"] for row in asked if row.get("query")}
    limits = parsed_limits(asked[0].get("limits", ""))
    own = all(row.get("query") for row in asked)  # then nobody was sent the words
    made = checked(
        "" if own else search.query, today=today, verbatim=verbatim, fresh=True, **limits
    )
    return Repeatable(
        query=made,
        sources=tuple(dict.fromkeys(names[row["platform"]] for row in asked)),
        vocabulary=search.vocabulary,
        collection=search.collection,
        elsewhere=tuple(dict.fromkeys(elsewhere)),
    )


def parsed_limits(said: str) -> dict[str, Any]:
    """The arguments of a query whose `limits` say this."""
    found: dict[str, Any] = {}
    last = ""
    for part in said.split("; ") if said else ():
        word, _, rest = part.partition(" ")
        if span := re.fullmatch(r"published (\S*)\.\.(\S*)", part):
            found |= {"since": span[1] or None, "until": span[2] or None}
        elif word in ("journal", "categories", "not") and rest:
            last = {"journal": "journal", "categories": "categories", "not": "not_categories"}[word]
            found[last] = rest if word == "journal" else tuple(rest.split(", "))
            continue
        elif part == "open access":
            found["open_access"] = True
        elif part == "by meaning":
            found["semantic"] = True
        elif sort := re.fullmatch(r"sorted by (\w+)", part):
            found["sort"] = sort[1]
        elif size := re.fullmatch(r"(\d+) records(?:, page (\d+))?", part):
            found |= {"limit": int(size[1]), "page": int(size[2] or 1)}
        elif last == "journal":  # a journal's name may hold a semicolon
            found["journal"] = f"{found['journal']}; {part}"
            continue
        last = ""
    return found
