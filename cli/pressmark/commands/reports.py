"""How the answers of a federated search are shown: a line a source, a line a hit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from pressmark.commands.session import outcome_data, preview
from pressmark.errors import BadInput
from pressmark.library import Added, Write
from pressmark.render import citation, counted

if TYPE_CHECKING:
    from pressmark.search import Hit, Report


def report_line(report: Report) -> str:
    """`openalex     ok           10 of 1,234   0.8 s`, or why there is nothing."""
    if report.answered:
        total = f" of {report.total:,}" if report.total is not None else ""
        return (
            f"{report.source:12} {report.status:11} {report.count}{total}, {report.seconds:.1f} s"
        )
    loud = "! BROKEN: " if report.status == "broken" else ""
    until = f" (left alone until {report.until})" if report.until else ""
    return f"{loud}{report.source:12} {report.status:11} {report.reason}{until}"


def count_lines(reports: Iterable[Report]) -> list[str]:
    """How many each source has that answered."""
    return [
        f"{report.source:12} {'?' if report.total is None else f'{report.total:,}'}"
        for report in reports
        if report.answered
    ]


def report_json(report: Report) -> dict[str, object]:
    """One source's part of the JSON answer."""
    return {
        "source": report.source,
        "status": report.status,
        "reason": report.reason or None,
        "count": report.count,
        "total": report.total,
        "seconds": round(report.seconds, 3),
        "sent": report.sent or None,
        "paused": report.paused,
        "until": report.until,
    }


def hit_json(hit: Hit) -> dict[str, object]:
    """One hit's part of the JSON answer."""
    paper = hit.paper
    return {
        "key": hit.key,
        "held": hit.held,
        "seen": hit.seen,
        "dropped": hit.dropped,
        "score": round(hit.score, 6),
        "found_by": dict(hit.ranks),
        "title": paper.title,
        "authors": list(paper.authors),
        "published": paper.published,
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv": paper.arxiv,
        "pmid": paper.pmid,
        "notice": paper.notice,
        "locations": [{"url": c.url, "kind": c.kind, "source": c.source} for c in paper.locations],
    }


def hit_lines(hits: Iterable[Hit], new: Collection[str] = ()) -> list[str]:
    """Two lines a hit: its citation, then who found it and where it is.

    `new` are the keys that this very call filed.
    """
    lines = []
    for number, hit in enumerate(hits, 1):
        marks = [", ".join(hit.finders)]
        marks += [f"{'filed' if hit.key in new else 'held'} as {hit.key}"] if hit.key else []
        marks += ["dropped before"] if hit.dropped is not None else []
        lines += [f"{number:3}. {citation(hit.paper)}", f"     {'; '.join(marks)}"]
    return lines


def found_text(hits: Sequence[Hit], added: Added, write: Write) -> list[str]:
    """A search's answer: its hits and what became of them; with --dry-run the files as well."""
    if not hits:
        return ["Nothing was found."]
    new = {item.key for item in added.items if item.outcome == "added"}
    lines = [*hit_lines(hits, new), "", f"{added_line(added)}."]
    return [*lines, "", *preview(added)] if write.dry_run else lines


def added_line(added: Added) -> str:
    """`3 new, 2 merged, 5 held already, 1 failed, 1 conflict`, leaving out what is nought."""
    words = {
        "new": added.added, "merged": added.merged, "enriched": added.enriched,
        "held already": added.unchanged, "dropped before": added.dropped, "failed": added.failed,
    }  # fmt: skip
    parts = [f"{n} {word}" for word, n in words.items() if n] or ["nothing to file"]
    return ", ".join(parts + [counted(n, "conflict") for n in [len(added.conflicts)] if n])


def unfiled(added: Added) -> BadInput | None:
    """The failure of a call that could not file all it was given; the reasons are told before."""
    if not added.failed:
        return None
    return BadInput(f"{counted(added.failed, 'paper')} could not be filed.")


def added_json(added: Added, write: Write) -> dict[str, object]:
    """What became of the offered papers."""
    return {
        **added.counts,
        "items": [
            {
                "outcome": i.outcome,
                "key": i.key or None,
                "title": i.title,
                "reason": i.reason or None,
            }
            for i in added.items
        ],
        "conflict_count": len(added.conflicts),
        "conflicts": list(added.conflicts[:5]),
        **outcome_data(added, write),
    }
