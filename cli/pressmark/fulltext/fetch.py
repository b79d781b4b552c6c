"""References in; their open full text found, read, checked and filed in one commit, and an account.

No lock of the library is held while anybody is asked. Ctrl-C keeps what was fetched before it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from pressmark.errors import PressmarkError, Unavailable
from pressmark.fulltext import accept, filing
from pressmark.fulltext.convert import ReaderFault
from pressmark.fulltext.locate import locate
from pressmark.library import Outcome, Write
from pressmark.record import FullText, Location, Reference

if TYPE_CHECKING:
    from pressmark.fulltext.extracted import Extracted
    from pressmark.http import Client, NullClient
    from pressmark.library import Library

DEFAULT = Write()
LIMIT = 50 * 2**20
RETRY_DAYS = 30
Status: TypeAlias = Literal["fetched", "held", "none", "waiting", "unavailable"]
"""fetched: filed now; held: it was there; none: nothing could be had, for reasons that last;
waiting: none was to be had less than 30 days ago; unavailable: ask again, later."""

_MARK = re.compile(r"^none \((?P<reason>.*), (?P<date>\d{4}-\d\d-\d\d)\)$", re.S)


@dataclass(frozen=True, slots=True)
class Tried:
    """One copy that was tried, and why it was not kept (empty when it was)."""

    source: str
    kind: str
    url: str
    reason: str = ""
    passing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What became of one reference."""

    key: str
    status: Status
    path: str | None = None
    source: str | None = None
    format: str | None = None
    license: str | None = None
    version: str | None = None
    tried: tuple[Tried, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """Why there is no text, the reasons of all copies together."""
        return "; ".join(f"{one.source} {one.kind}: {one.reason}" for one in self.tried)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of every reference, and what was written."""

    items: tuple[Fetched, ...]
    outcome: Outcome
    left: int = 0  # references beyond the limit, not tried
    interrupted: bool = False

    def number(self, status: Status) -> int:
        """How many references came to this."""
        return sum(item.status == status for item in self.items)


@dataclass
class _Run:
    texts: list[FullText] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    items: list[Fetched] = field(default_factory=list)


def fetch(
    library: Library,
    client: Client | NullClient,
    refs: Sequence[Reference],
    *,
    limit: int = 10,
    again: bool = False,
    today: str,
    progress: Callable[[Fetched], None] | None = None,
    extra: Mapping[str, Iterable[Location]] | None = None,
    collection: str | None = None,
    write: Write = DEFAULT,
) -> Report:
    """Fetch what `refs` lack, `limit` of them at most; `extra` are further copies, by key.

    What was looked at goes into the reading list `collection`, in the same commit.
    """
    run = _Run()
    asked = left = 0
    interrupted = False
    try:
        for ref in refs:
            known = _known(library, ref, today, again=again)
            if known is None and asked >= limit:
                left += 1
                continue
            if known is None:
                asked += 1
                known = _one(
                    library, client, ref, (extra or {}).get(ref.key, ()), today, run, write
                )
            run.items.append(known)
            if progress:
                progress(known)
    except KeyboardInterrupt:
        interrupted = True
    filed = filing.Filed(run.texts, run.marks, collection, tuple(item.key for item in run.items))
    outcome = filing.file(library, filed, _subject(run), write)
    return Report(items=tuple(run.items), outcome=outcome, left=left, interrupted=interrupted)


def _known(library: Library, ref: Reference, today: str, *, again: bool) -> Fetched | None:
    """The answer for a reference that needs no asking."""
    if again:
        return None
    path = library.artefact(ref.key, "text")
    if path is not None:
        return Fetched(key=ref.key, status="held", path=path)
    mark = _MARK.match(ref.fulltext or "")
    if mark and _days(mark["date"], today) < RETRY_DAYS:
        tried = (Tried("earlier", "", "", f"{mark['reason']} ({mark['date']})"),)
        return Fetched(key=ref.key, status="waiting", tried=tried)
    return None


def _days(earlier: str, today: str) -> int:
    try:
        gone = datetime.date.fromisoformat(today) - datetime.date.fromisoformat(earlier)
    except ValueError:
        return RETRY_DAYS
    return gone.days if gone.days >= 0 else RETRY_DAYS


def _one(
    library: Library,
    client: Client | NullClient,
    ref: Reference,
    extra: Iterable[Location],
    today: str,
    run: _Run,
    write: Write,
) -> Fetched:
    """Try every copy in turn; the first that is the work, whole and readable, is kept."""
    tried: list[Tried] = []
    for location in locate(ref, extra, library.config.fulltext_formats):
        try:
            data = _download(client, location)
            found = _read(ref, data, location)
        except Unavailable as error:
            tried.append(_tried(location, str(error), passing=True))
        except PressmarkError as error:
            tried.append(_tried(location, str(error)))
        except Exception as error:
            # One document that our reader breaks on must not cost the others; no mark is left.
            named = str(error) if isinstance(error, ReaderFault) else type(error).__name__
            reason = f"our reader failed on it ({named})"
            tried.append(_tried(location, reason, passing=True))
        else:
            if isinstance(found, str):
                tried.append(_tried(location, found))
                continue
            if not write.dry_run:
                filing.keep_original(library, ref, data, location.kind)
            text = filing.record(ref, found, data, today=today, location=location)
            run.texts.append(text)
            tried.append(_tried(location, ""))
            return _fetched(library, text, found, tried)
    return _nothing(ref, tried, today, run)


def _download(client: Client | NullClient, location: Location) -> bytes:
    from pressmark.http import checked

    answer = client.get(
        location.url,
        source=location.source,
        params=_signed(client, location),
        max_bytes=LIMIT,
        patient=True,
    )
    return checked(answer).body


def _signed(client: Client | NullClient, location: Location) -> dict[str, str] | None:
    """What NCBI asks of programs: a name, an address to write to, a key where there is one."""
    if location.source != "pmc":
        return None
    config = client.config
    given = {"tool": "pressmark", "email": config.contact, "api_key": config.keys.get("ncbi")}
    return {name: value for name, value in given.items() if value}


def _read(ref: Reference, data: bytes, location: Location) -> Extracted | str:
    """The text, or why it is not kept."""
    wrong = accept.unfit(data, location.kind)
    if wrong:
        return wrong
    found = accept.extract(data, location.kind)
    return accept.refusal(ref, found) or found


def _tried(location: Location, reason: str, *, passing: bool = False) -> Tried:
    return Tried(location.source, location.kind, location.url, reason.rstrip("."), passing)


def _fetched(library: Library, text: FullText, found: Extracted, tried: list[Tried]) -> Fetched:
    path = library.path(text.reference).removesuffix(".md") + ".fulltext.md"
    return Fetched(
        key=text.reference, status="fetched", path=path, source=text.source, format=text.format,
        license=text.license, version=text.version, tried=tuple(tried), warnings=found.warnings,
    )  # fmt: skip


def _nothing(ref: Reference, tried: list[Tried], today: str, run: _Run) -> Fetched:
    """No text: a mark only when no copy could be had for reasons that last."""
    if any(one.passing for one in tried):
        return Fetched(key=ref.key, status="unavailable", tried=tuple(tried))
    if not tried:
        tried.append(Tried("identifiers", "", "", "no open copy is known"))
    reasons = dict.fromkeys(f"{one.source}: {one.reason}" for one in tried)
    reason = re.sub(r"\s+", " ", "; ".join(reasons))[:300]
    run.marks[ref.key] = f"none ({reason}, {today})"
    return Fetched(key=ref.key, status="none", tried=tuple(tried))


def _subject(run: _Run) -> str:
    sources = ", ".join(sorted({str(text.source) for text in run.texts}))
    keys = [text.reference for text in run.texts]
    if not keys:
        return f"fetch: no full text for {len(run.marks)} references"
    named = ", ".join(keys) if len(keys) <= 3 else f"{len(keys)} references"
    return f"fetch: full text of {named} ({sources})"
