"""A search's result in; its new papers as candidates and its log, in one commit, out."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from pressmark import ids
from pressmark.library import Added, Library, Write
from pressmark.search.logs import LINE, log, provider_ids, unversioned
from pressmark.search.result import Result, lasting


def annotated(library: Library, result: Result) -> Result:
    """The same result, each hit marked with what the library knows of it."""
    seen = _seen(library)
    said_no = _said_no(library)
    lists = {c.slug: frozenset(c.members) for c in library.collections()}
    hits = []
    for hit in result.hits:
        key = next(iter(library.catalogue.holders(ids.identities(hit.paper))), None)
        marked = replace(
            hit,
            key=key,
            text=key is not None and library.artefact(key, "text") is not None,
            collections=tuple(sorted(slug for slug, members in lists.items() if key in members)),
            seen=any(unversioned(each) in seen for each in provider_ids(hit.paper)),
            dropped=next((said_no[i] for i in ids.identities(hit.paper) if i in said_no), None),
        )
        hits.append(marked)
    return replace(result, hits=tuple(hits))


def file(
    library: Library,
    result: Result,
    *,
    stage: str | None = "candidate",
    collection: str | None = None,
    write: Write | None = None,
) -> Added:
    """File what is new as candidates and log the search, in one commit.

    What a person dropped before is logged as dropped and not offered again.
    """
    write = write or Write()
    hits = annotated(library, result).hits
    offered = [lasting(hit.paper) for hit in hits if hit.dropped is None]
    repository = library.repository
    # The log names keys that only filing decides on: look first, under one lock, then write.
    with repository.lock() if repository and not write.dry_run else nullcontext():
        plan = library.add(
            offered, stage=stage, collection=collection, write=replace(write, dry_run=True)
        )
        record = log(library, result, hits, plan.items, collection)
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
    words = result.query.words or ", ".join(result.query.categories) or "a query of their own"
    shown = words if len(words) <= 60 else words[:59].rstrip() + "…"
    names = ", ".join(sorted(report.source for report in result.everyone if report.answered))
    what = {0: "nothing new", 1: "1 reference"}.get(new, f"{new} references")
    return f'search: {what} for "{shown}" ({names})'


def _trailers(result: Result) -> dict[str, str]:
    return {"Pressmark-Search": " ".join(result.query.words.split())} if result.query.words else {}


def _seen(library: Library) -> frozenset[str]:
    found = (LINE.findall(search.body) for search in library.searches())
    return frozenset(unversioned(each) for lines in found for each, _ in lines)


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
