"""Changes in; lines for a terminal, data for a program, Markdown for a pull request out: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pressmark.record import Reference, Work
from pressmark.render import citation, counted
from pressmark.text import clean
from pressmark.topics.changing import Changes

MOST = 200
"""Rows of one table: GitHub shows a megabyte, and nobody reads more."""


def as_text(found: Changes) -> list[str]:
    """A line a reference, and a last one with the counts."""
    lines = [f"+ {ref.key}  {citation(ref)}" for ref in found.added]
    lines += [f"- {ref.key}  {citation(ref)}" for ref in found.removed]
    lines += [f"= {old} is now {new}" for old, new in found.renamed]
    lines += [f"~ {each.reference.key}  {', '.join(each.fields)}" for each in found.changed]
    lines += [f"! {ref.key}  {ref.notice}" for ref in found.retracted]
    lines += [f"? {path}  cannot be read" for path in found.unreadable]
    return [*lines, summary(found)]


def summary(found: Changes) -> str:
    """`3 added, 1 removed, 2 changed, 1 retracted; 1 topic, 2 notes`, or that nothing changed."""
    numbers = {
        "added": len(found.added), "removed": len(found.removed), "renamed": len(found.renamed),
        "changed": len(found.changed), "retracted": len(found.retracted),
    }  # fmt: skip
    told = ", ".join(f"{number} {word}" for word, number in numbers.items() if number)
    kinds = {"search": "searches", "vocabulary": "vocabularies"}
    others = ", ".join(
        counted(number, _KINDS.get(kind, kind), kinds.get(kind, f"{_KINDS.get(kind, kind)}s"))
        for kind, number in (found.others or {}).items()
    )
    return "; ".join(part for part in (told, others) if part) or "No reference changed."


_KINDS = {"fulltext": "full text"}


def as_data(found: Changes) -> dict[str, object]:
    """The same as plain lists: keys with every identifier that a program may go on with."""
    return {
        "since": found.since, "until": found.until,
        "added": [_row(ref) for ref in found.added],
        "removed": [_row(ref) for ref in found.removed],
        "changed": [
            {**_row(each.reference), "fields": list(each.fields)} for each in found.changed
        ],
        "renamed": [{"old": old, "new": new} for old, new in found.renamed],
        "retracted": [_row(ref) for ref in found.retracted],
        "others": dict(found.others or {}), "unreadable": list(found.unreadable),
    }  # fmt: skip


def as_markdown(found: Changes) -> str:
    """Tables for a pull request or the summary of a workflow."""
    parts = [f"**{summary(found)}**"]
    parts += table("Retracted", found.retracted)
    parts += table("Added", found.added)
    parts += table("Removed", found.removed)
    if found.renamed:
        rows = [f"- `{old}` is now `{new}`" for old, new in found.renamed]
        parts += ["### Renamed", "\n".join(_cut(rows))]
    if found.changed:
        rows = [
            f"| `{each.reference.key}` | {', '.join(f'`{name}`' for name in each.fields)} |"
            for each in found.changed
        ]
        parts += ["### Changed", "\n".join(["| reference | fields |", "|---|---|", *_cut(rows)])]
    if found.unreadable:
        parts += ["### Cannot be read", "\n".join(f"- `{path}`" for path in found.unreadable)]
    return "\n\n".join(parts) + "\n"


def table(heading: str, refs: Sequence[Reference]) -> list[str]:
    """A heading and a table of references, each with its link; nothing for none."""
    if not refs:
        return []
    rows = [
        f"| {linked(ref)} | {cell(', '.join(_families(ref)))} | {ref.published or ''} | "
        f"{cell(ref.venue or '')} | `{ref.key}`{f' **{ref.notice}**' if ref.notice else ''} |"
        for ref in refs
    ]
    head = ["| title | authors | date | venue | key |", "|---|---|---|---|---|"]
    return [f"### {heading} ({len(refs)})", "\n".join([*head, *_cut(rows)])]


def linked(work: Work) -> str:
    """The title as a link to the paper, where an identifier or an address leads there."""
    title = cell(work.title)
    where = address(work)
    return f"[{title}]({where})" if where else title


def address(work: Work) -> str | None:
    """Where a reader finds a work on the web."""
    if work.doi:
        return f"https://doi.org/{_safe(work.doi)}"
    if work.arxiv:
        return f"https://arxiv.org/abs/{_safe(work.arxiv)}"
    if work.pmid:
        return f"https://pubmed.ncbi.nlm.nih.gov/{_safe(work.pmid)}/"
    url = work.url or ""
    return _safe(url) if url.startswith(("https://", "http://")) else None


def cell(value: str) -> str:
    """Untrusted text in one cell: nothing in it is markup, a mention or a reference to an issue."""
    plain = clean(value)
    for sign in "\\`*_[]<>|#!~":
        plain = plain.replace(sign, f"&#{ord(sign)};")
    return plain.replace("@", "&#64;").replace("://", "&#58;//")


def _safe(url: str) -> str:
    """An address that cannot end the link it stands in."""
    from urllib.parse import quote

    return quote(clean(url), safe=":/?#@!$&'*+,;=%-._~")


def _families(ref: Reference) -> list[str]:
    from pressmark.record import Author

    names = [Author.parse(name).family for name in ref.authors]
    return names if len(names) <= 3 else [names[0], "et al."]


def _cut(rows: Iterable[str]) -> list[str]:
    rows = list(rows)
    return rows if len(rows) <= MOST else [*rows[:MOST], f"\nand {len(rows) - MOST:,} more"]


def _row(ref: Reference) -> dict[str, object]:
    return {
        "key": ref.key, "title": ref.title, "authors": list(ref.authors),
        "published": ref.published, "venue": ref.venue, "doi": ref.doi, "arxiv": ref.arxiv,
        "pmid": ref.pmid, "topics": list(ref.topics), "stage": ref.stage, "notice": ref.notice,
    }  # fmt: skip
