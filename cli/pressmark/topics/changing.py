"""Two commits in; what was added, removed, changed and retracted between them out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk, page
from pressmark.catalogue import layout
from pressmark.errors import NotFound, PressmarkError
from pressmark.history import exchange
from pressmark.history.reading import read_blobs, tree
from pressmark.library import Library
from pressmark.library.writing import repository as repository_of
from pressmark.page.schema import differing
from pressmark.record import Reference
from pressmark.sources.query import day

if TYPE_CHECKING:
    from pressmark.history import Repository

GRAVE = ("retracted", "withdrawn")
QUIET = frozenset({"sources"})
"""Fields whose change alone is no news: that a second provider knows a paper too."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A reference that both commits have, and the fields that differ."""

    reference: Reference
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened to the references between two commits."""

    since: str | None
    """None: since before the first commit that is here."""
    until: str
    added: tuple[Reference, ...] = ()
    removed: tuple[Reference, ...] = ()
    changed: tuple[Changed, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """Old and new key, of a rename or of a reference folded into another."""
    retracted: tuple[Reference, ...] = ()
    """Those of the added and changed that turned out to be retracted or withdrawn."""
    others: Mapping[str, int] | None = None
    """How many topics, searches, lists, notes and texts differ."""
    unreadable: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.renamed or self.others)


def changes(library: Library, since: str | None = None, until: str = "HEAD") -> Changes:
    """What happened since a commit, a tag, a branch or a date (`2026-11-01`, `7d`).

    Without one: in the last commit. From a branch that went its own way, since the two parted.
    """
    repo = repository_of(library)
    head = _resolved(repo, until)
    if since is None:
        return between(repo, exchange.commit(repo, f"{head}~1"), head)
    start = _start(repo, since, head)
    base = exchange.merge_base(repo, start, head) if start else None
    return between(repo, base or start, head)


def since_seen(library: Library, *, mark: bool = True) -> Changes:
    """What happened since this user last looked; nothing at the first look. Looking is marked."""
    repo = repository_of(library)
    head = _resolved(repo, "HEAD")
    place = _mark(library)
    seen = _read(place)
    start = exchange.commit(repo, seen.get("commit", "")) if seen.get("commit") else None
    if seen and start is None:  # rewritten away: its day still says where to begin
        start = exchange.before(repo, seen.get("date", "9999-12-31"))
    if mark:
        import datetime

        today = datetime.date.today().isoformat()
        data = json.dumps({"commit": head, "date": today}, sort_keys=True).encode()
        disk.write_file(place, data, 0o600)
    return between(repo, start if seen else head, head)


def between(repo: Repository, since: str | None, until: str) -> Changes:
    """The same for two commits as they are."""
    rows = exchange.names(repo, since, until, "")
    references = [row for row in rows if layout.kind(row[1]) == "reference"]
    unreadable: list[str] = []
    old = _records(repo, since, [p for mark, p in references if mark != "A"], unreadable)
    new = _records(repo, until, [p for mark, p in references if mark != "D"], unreadable)
    before = {ref.key: ref for ref in old.values()}
    after = {ref.key: ref for ref in new.values()}
    names = {alias: ref.key for ref in after.values() for alias in ref.aliases}
    gone = [ref for key, ref in before.items() if key not in after]
    renamed = {ref.key: names[ref.key] for ref in gone if ref.key in names}
    arrived = [ref for key, ref in after.items() if key not in before]
    taken = {new_key: old_key for old_key, new_key in renamed.items()}
    changed = [
        Changed(ref, tuple(fields))
        for key, ref in after.items()
        if (held := before.get(key) or before.get(taken.get(key, "")))
        and (fields := _fields(held, ref))
    ]
    return Changes(
        since=since, until=until,
        added=_sorted(ref for ref in arrived if ref.key not in taken),
        removed=_sorted(ref for ref in gone if ref.key not in names),
        changed=tuple(sorted(changed, key=lambda each: each.reference.key.casefold())),
        renamed=tuple(sorted(renamed.items())),
        retracted=_sorted(
            ref for ref in after.values()
            if ref.notice in GRAVE and getattr(before.get(ref.key), "notice", None) not in GRAVE
        ),
        others=_others(rows), unreadable=tuple(sorted(set(unreadable))),
    )  # fmt: skip


def _sorted(refs: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(refs, key=lambda ref: ref.key.casefold()))


def _fields(old: Reference, new: Reference) -> list[str]:
    """The fields that differ, the body among them; none when only the sources grew."""
    names = differing(old, new)
    if old.body != new.body:
        names.append("body")
    return [] if set(names) <= QUIET else names


def _others(rows: list[tuple[str, str]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for _, path in rows:
        kind = layout.kind(path)
        if kind and kind != "reference":
            found[kind] = found.get(kind, 0) + 1
    return found


def _records(
    repo: Repository, rev: str | None, paths: list[str], unreadable: list[str]
) -> dict[str, Reference]:
    """The references of a commit at some paths; one that cannot be read is named."""
    if rev is None or not paths:
        return {}
    blobs = tree(repo, rev, [repo.prefix + path for path in paths])
    contents = read_blobs(repo, list(blobs.values()))
    found = {}
    for path, oid in blobs.items():
        inside = path.removeprefix(repo.prefix)
        try:
            found[inside] = page.read(Reference, contents[oid], inside)
        except (PressmarkError, KeyError):
            unreadable.append(inside)
    return found


def _resolved(repo: Repository, name: str) -> str:
    from pressmark.history import run

    found = exchange.commit(repo, run.revision(name))
    if found is None:
        raise NotFound(f"There is no commit {name!r}.", next="git log --oneline")
    return found


def _start(repo: Repository, since: str, head: str) -> str | None:
    """The commit to begin from; None when a date lies before all that is here."""
    import datetime

    if re.fullmatch(r"\d{4}-\d{1,2}(-\d{1,2})?|\d{1,5}[dwmy]", since.strip()):
        first = day(since, datetime.date.today().isoformat(), first=True)
        return exchange.before(repo, first, head)
    return _resolved(repo, since)


def _mark(library: Library) -> Path:
    """Where the user's mark of a library is kept: by the folder of its repository."""
    common = repository_of(library).place.common
    name = disk.sha256(str(common).encode("utf-8", "surrogateescape"))[:32]
    return library.config.state_dir / "seen" / f"{name}.json"


def _read(place: Path) -> dict[str, str]:
    try:
        table = json.loads(place.read_bytes())
        return {str(name): str(value) for name, value in table.items()}
    except (OSError, ValueError, AttributeError):
        return {}
