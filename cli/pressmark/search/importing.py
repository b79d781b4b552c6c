"""Bibliography files in; every entry filed or reported by file, line and reason, in one commit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.errors import BadInput, PressmarkError
from pressmark.library import Added, Item, Library, Write
from pressmark.record import Paper, Search
from pressmark.render import counted
from pressmark.search.intake import Gathered, read_path
from pressmark.search.logs import placed, provider_ids

if TYPE_CHECKING:
    from pressmark.library.adding import Records, Tell

COLUMNS = ("file", "line", "entry", "outcome", "key", "title", "reason")


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one entry; `outcome` is one of the library's, or `lost` or `note`."""

    file: str
    line: int | None
    entry: str
    outcome: str
    key: str = ""
    title: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A search made where no program asks: its database, the strategy as it was sent, the day."""

    platform: str
    date: str
    strategy: str = ""


@dataclass(slots=True)
class Imported:
    """What an import did: what was filed, and a row for every entry and every doubt."""

    added: Added
    rows: list[Row] = field(default_factory=list)
    failures: list[tuple[str, PressmarkError]] = field(default_factory=list)
    entries: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def lost(self) -> list[Row]:
        """The entries that are in the files and not in the library."""
        return [row for row in self.rows if row.outcome in ("lost", "failed")]


def import_files(
    library: Library,
    paths: Sequence[Path],
    *,
    collection: str | None = None,
    topic: str | None = None,
    elsewhere: Elsewhere | None = None,
    tell: Tell | None = None,
    write: Write | None = None,
) -> Imported:
    """File what the files hold; raises a file's own error when no file could be read."""
    got = Gathered()
    for path in paths:
        read_path(path, got)
    if got.failures and not got.papers:
        raise got.failures[0][1]
    entries = counted(len(got.papers), "entry", "entries")
    subject = f"import: {entries} of {counted(len(paths), 'file')}"
    return file(
        library, got, subject, collection=collection, topic=topic, elsewhere=elsewhere,
        tell=tell, write=write,
    )  # fmt: skip


def file(
    library: Library,
    got: Gathered,
    subject: str,
    *,
    collection: str | None = None,
    topic: str | None = None,
    elsewhere: Elsewhere | None = None,
    records: Records = (),
    tell: Tell | None = None,
    write: Write | None = None,
) -> Imported:
    """File gathered papers, with the log of a search made elsewhere, in one commit."""
    if elsewhere:
        records = partial(_logged, library, elsewhere, got.papers)
    added = library.add(
        got.papers, topic=topic, collection=collection, subject=subject, records=records,
        tell=tell, write=write or Write(),
    )  # fmt: skip
    done = Imported(added, failures=got.failures, entries=len(got.papers), problems=got.problems)
    done.rows = _rows(got, added)
    return done


def _rows(got: Gathered, added: Added) -> list[Row]:
    """A row an entry, in the files' order, then one for each doubt."""
    rows = []
    for at, item in enumerate(added.items):
        name, line = got.places.get(at, ("", None))
        paper = got.papers[at]
        entry = paper.key_hint or ids.identity(paper)
        rows.append(Row(name, line, entry, item.outcome, item.key, item.title, item.reason))
    for name, problem in got.lost:
        outcome = "lost" if problem.lost else "note"
        rows.append(Row(name, problem.line, problem.entry, outcome, reason=problem.message))
    return rows


def report(rows: Sequence[Row], name: str) -> bytes:
    """The rows as JSON where the name ends so, else as CSV."""
    if name.casefold().endswith(".json"):
        listed = [asdict(row) for row in rows]
        return f"{json.dumps(listed, ensure_ascii=False, indent=1)}\n".encode()
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([_cell(getattr(row, column)) for column in COLUMNS] for row in rows)
    return out.getvalue().encode("utf-8")


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def _logged(
    library: Library, elsewhere: Elsewhere, papers: Sequence[Paper], items: Sequence[Item]
) -> list[Search]:
    record = _log(library, elsewhere, papers, items)
    return [record] if record else []


def _log(
    library: Library, elsewhere: Elsewhere, papers: Sequence[Paper], items: Sequence[Item]
) -> Search | None:
    """The record of the search, as PRISMA-S asks for it; None when it is on record already."""
    if not elsewhere.platform.strip():
        raise BadInput("A search needs the name of its database.", next='--search "Embase (Ovid)"')
    lines = [
        f"- {each} → {item.key or f'not filed ({item.reason})'}"
        for paper, item in zip(papers, items, strict=True)
        for each in provider_ids(paper) or (ids.identity(paper),)
    ]
    row = {
        "platform": elsewhere.platform, "sent": elsewhere.strategy.strip(), "status": "ok",
        "retrieved": str(len(papers)),
    }  # fmt: skip
    words = " ".join(elsewhere.strategy.split())
    query = words if 0 < len(words) <= 200 else elsewhere.platform
    made = Search(
        query=query,
        date=elsewhere.date,
        providers=({name: value for name, value in row.items() if value},),
        body="\n## Hits\n\n" + "\n".join(lines) + "\n" if lines else "\nNo hits.\n",
    )
    return placed(library, made)
