"""The tools that check: whether what a draft cites is held, and how the library itself stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from pressmark.errors import BadInput
from pressmark.library import Library
from pressmark.links import parse
from pressmark.links.resolve import Resolver
from pressmark.mcp import shapes
from pressmark.mcp.budget import fit
from pressmark.mcp.desk import Call
from pressmark.mcp.shapes import Answer, Arguments
from pressmark.mcp.tool import Told, Tool, flow
from pressmark.text import clean

MOST_CITED = 500
"""Keys of one draft that are looked at."""


class CheckCitations(Arguments):
    """Arguments of `check_citations`."""

    text: Annotated[str, Field(max_length=200_000)] | None = None
    keys: Annotated[tuple[Annotated[str, Field(max_length=300)], ...], Field(max_length=500)] = ()


class Cited(shapes.Strict):
    """One cited key: whether a reference has it."""

    cited: str
    held: bool
    key: str | None
    notice: str | None
    candidate: bool
    line: int | None
    nearest: str | None


class Checked(Answer):
    """Every key that is cited, the unknown ones first."""

    cited: int
    unknown: int
    retracted: int
    more: int
    results: list[Cited]


class NoArguments(Arguments):
    """A tool that takes nothing."""


class Status(Answer):
    """What the library holds and how fresh its index is."""

    counts: dict[str, int]
    unreadable: list[str]
    unreadable_total: int
    branch: str | None
    commit: str | None
    git: str | None
    index: str
    index_counts: dict[str, int]
    semantic: str
    model: str | None
    offline: bool
    sources: list[str]
    mode: str
    next: str | None


def check_citations(call: Call, asked: CheckCitations) -> Told:
    """Which of the cited keys are references of the library."""
    if asked.text is None and not asked.keys:
        raise BadInput("Give a draft's `text`, or `keys`.")
    resolver = Resolver(call.library)
    places: dict[str, int | None] = {key.strip().lstrip("@"): None for key in asked.keys}
    for link in parse(asked.text or ""):
        if link.kind == "cite":
            places.setdefault(link.target, link.line)
    rows = [_cited(call.library, resolver, key, line) for key, line in places.items() if key]
    rows.sort(key=lambda row: (row.held, row.notice is None))
    shown = rows[:MOST_CITED]

    def build(part: Sequence[Cited], _cut: int) -> Told:
        unknown = sum(not row.held for row in rows)
        grave = sum(row.notice in ("retracted", "withdrawn") for row in rows)
        answer = Checked(
            cited=len(rows), unknown=unknown, retracted=grave, more=len(rows) - len(part),
            results=list(part),
        )  # fmt: skip
        missing = ", ".join(row.cited for row in part if not row.held)
        said = f"{len(rows)} keys cited, {unknown} unknown, {grave} retracted."
        return Told(answer, f"{said} Unknown: {missing}." if missing else said)

    return fit(shown, shapes.DEFAULT_BUDGET, build)


def _cited(library: Library, resolver: Resolver, key: str, line: int | None) -> Cited:
    target = resolver.cite(key)
    ref = library.catalogue.get(target.name) if target else None
    return Cited(
        cited=shapes.short(key, 120) or "", held=ref is not None, key=ref.key if ref else None,
        notice=ref.notice if ref else None, candidate=bool(ref and ref.stage == "candidate"),
        line=line, nearest=None if ref else resolver.nearest(key),
    )  # fmt: skip


def library_status(call: Call, _asked: NoArguments) -> Told:
    """What the library holds, and how fresh its index is."""
    from pressmark import index
    from pressmark.catalogue import filters

    library, catalogue = call.library, call.library.catalogue
    held = index.status(library)
    repository = library.repository
    wrecks = [clean(str(each))[:160] for each in catalogue.unreadable()]
    kinds = {"notes": "note", "topics": "topic", "searches": "search", "collections": "collection"}
    counts = {
        "references": catalogue.count(),
        "candidates": len(catalogue.select_keys(filters.parse(["stage:candidate"]))),
        "full_texts": len(catalogue.with_fulltext()),
        **{name: len(catalogue.files(kind)) for name, kind in kinds.items()},
    }
    answer = Status(
        counts=counts, unreadable=wrecks[:10], unreadable_total=len(wrecks),
        branch=repository.branch() if repository else None,
        commit=repository.head() if repository else None,
        git=repository.state() if repository else None, index=held["state"],
        index_counts=held["counts"], semantic=held["semantic"], model=held["model"],
        offline=call.desk.config.offline, sources=list(call.desk.config.sources),
        mode=call.desk.mode, next=held["next"],
    )  # fmt: skip
    told = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items())
    return Told(answer, f"{told}. Index {held['state']}, semantic {held['semantic']}.")


TOOLS = (
    Tool(
        name="check_citations", title="Check what a draft cites", group="verify",
        takes=CheckCitations, gives=Checked, run=check_citations,
        about=flow("""
            Check that every citation of a draft is a reference of this library: give its
            Markdown in `text` ([@key] citations) or a list of `keys`. Says which are unknown
            (with the nearest key), retracted or still candidates. Call it before you hand over
            any text with citations. Offline. Example: {"text": "As shown by
            [@vaswani2017attention]."}
        """),
    ),
    Tool(
        name="library_status", title="State of the library", group="verify",
        takes=NoArguments, gives=Status, run=library_status,
        about=flow("""
            What the library holds, which commit it is at, whether its index is ready and by
            meaning too, which providers search_literature asks, and whether this server may
            write. Takes no argument. Offline.
        """),
    ),
)  # fmt: skip
