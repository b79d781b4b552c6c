"""A search's result in; its new papers as candidates and its log, in one commit, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from pressmark import ids
from pressmark.library import Added, Item, Library, Write
from pressmark.record import Paper, Search
from pressmark.search.result import Hit, Report, Result

_LINE = re.compile(r"^\s*-?\s*(\w+:\S+) → (.*)$", re.M)


def annotated(library: Library, result: Result) -> Result:
    """The same result, each hit marked with what the library knows of it."""
    seen = _seen(library)
    said_no = _said_no(library)
    hits = tuple(
        replace(
            hit,
            key=next(iter(library.catalogue.holders(ids.identities(hit.paper))), None),
            seen=any(_base(each) in seen for each in provider_ids(hit.paper)),
            dropped=next((said_no[i] for i in ids.identities(hit.paper) if i in said_no), None),
        )
        for hit in result.hits
    )
    return replace(result, hits=hits)


def file(
    library: Library,
    result: Result,
    *,
    stage: str | None = "candidate",
    collection: str | None = None,
    vocabulary: str | None = None,
    write: Write | None = None,
) -> Added:
    """File what is new as candidates and log the search, in one commit.

    What a person dropped before is logged as dropped and not offered again.
    """
    write = write or Write()
    hits = annotated(library, result).hits
    offered = [hit.paper for hit in hits if hit.dropped is None]
    repository = library.repository
    # The log names keys that only filing decides on: look first, under one lock, then write.
    with repository.lock() if repository and not write.dry_run else nullcontext():
        plan = library.add(
            offered, stage=stage, collection=collection, write=replace(write, dry_run=True)
        )
        record = log(library, result, hits, plan.items, vocabulary)
        return library.add(
            offered,
            stage=stage,
            collection=collection,
            subject=subject(result, plan.added),
            records=(record,) if record else (),
            write=replace(write, trailers={**write.trailers, **_trailers(result)}),
        )


def subject(result: Result, new: int) -> str:
    """`search: 12 references for "graph transformers" (arxiv, openalex)`."""
    words = result.query.words or ", ".join(result.query.categories)
    shown = words if len(words) <= 60 else words[:59].rstrip() + "…"
    names = ", ".join(sorted(report.source for report in result.reports if report.answered))
    what = {0: "nothing new", 1: "1 reference"}.get(new, f"{new} references")
    return f'search: {what} for "{shown}" ({names})'


def _trailers(result: Result) -> dict[str, str]:
    return {"Pressmark-Search": " ".join(result.query.words.split())} if result.query.words else {}


def log(
    library: Library,
    result: Result,
    hits: Sequence[Hit],
    items: Sequence[Item],
    vocabulary: str | None = None,
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
    words = result.query.words or ", ".join(result.query.categories) or "search"
    made = Search(
        query=words,
        date=result.date,
        vocabulary=vocabulary,
        dropped=tuple(sorted(dropped)),
        providers=tuple(_provider(result, report) for report in _by_name(result.reports)),
        body="\n## Hits\n\n" + "\n".join(lines) + "\n" if lines else "\nNo hits.\n",
    )
    return _placed(library, made)


def _outcome(item: Item) -> str:
    if item.key:
        return item.key
    return f"{'dropped' if item.outcome == 'dropped' else 'not filed'} ({item.reason})"


def _placed(library: Library, made: Search) -> Search | None:
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

    one, two = _LINE.findall(there.body), _LINE.findall(made.body)
    return there.query == made.query and told(there) == told(made) and one == two


def _by_name(reports: Sequence[Report]) -> list[Report]:
    return sorted(reports, key=lambda report: report.platform.casefold())


def _provider(result: Result, report: Report) -> dict[str, str]:
    """What PRISMA-S asks to report of one database."""
    status = "ok" if report.answered else report.status
    row = {
        "platform": report.platform,
        "sent": report.sent,
        "limits": result.query.limits,
        "status": status if report.answered else f"{status}: {report.reason}",
        "reported": "" if report.total is None else str(report.total),
        "retrieved": str(report.count) if report.answered else "",
        "capped": ("yes" if report.capped else "no") if report.answered else "",
    }
    return {name: value for name, value in row.items() if value}


def provider_ids(paper: Paper) -> tuple[str, ...]:
    """`provider:id` of each account of a paper, as its sources lines begin."""
    return tuple(line.partition(" ")[0] for line in paper.sources)


def _base(provider_id: str) -> str:
    """The same without an arXiv version, which is news of the paper and no other paper."""
    return re.sub(r"^(arxiv:.*\d)v\d+$", r"\1", provider_id)


def _seen(library: Library) -> frozenset[str]:
    found = (_LINE.findall(search.body) for search in library.searches())
    return frozenset(_base(each) for lines in found for each, _ in lines)


def _said_no(library: Library) -> dict[str, str]:
    """Identities that a person dropped from any search, and why."""
    found: dict[str, str] = {}
    for search in library.searches():
        for line in search.dropped:
            for identity, reason in _readings(line):
                found.setdefault(identity, reason)
    return found


def _readings(line: str) -> list[tuple[str, str]]:
    """Identity and reason; a title's identity holds blanks, so every way to part it counts."""
    words = line.split(" ")
    ends = range(1, len(words) + 1) if line.startswith("title:") else (1,)
    return [(" ".join(words[:end]), " ".join(words[end:])) for end in ends]
