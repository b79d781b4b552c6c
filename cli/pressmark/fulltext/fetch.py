"""References in; their open full text found, read, checked and filed in one commit, and an account.

No lock of the library is held while anybody is asked. Ctrl-C keeps what was fetched before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from pressmark.errors import PressmarkError, Unavailable
from pressmark.fulltext import accept, asking, documents, filing, keeping
from pressmark.fulltext.convert import ReaderFault
from pressmark.fulltext.flight import PATIENCE, Flights
from pressmark.fulltext.locate import locate, ranked
from pressmark.library import Outcome, Write
from pressmark.record import FullText, Location, Reference

if TYPE_CHECKING:
    from pressmark.fulltext.extracted import Extracted
    from pressmark.http import Client, NullClient
    from pressmark.library import Library

DEFAULT = Write()
LIMIT = 50 * 2**20
Status: TypeAlias = Literal["fetched", "held", "none", "waiting", "unidentified", "unavailable"]
"""fetched: filed now; held: it was there; none: nothing could be had, for reasons that last;
waiting: none was to be had less than 30 days ago; unidentified: no identifier to ask by;
unavailable: ask again, later."""


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
    waiting: int = 0  # further references that nobody was asked for: they wait, or
    unidentified: int = 0  # have no identifier

    def number(self, status: Status) -> int:
        """How many references came to this."""
        further = {"waiting": self.waiting, "unidentified": self.unidentified}.get(status, 0)
        return further + sum(item.status == status for item in self.items)


@dataclass
class _Run:
    texts: list[FullText] = field(default_factory=list)
    found: dict[str, Extracted] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    items: list[Fetched] = field(default_factory=list)
    asked: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: whose texts, of whom they are asked, and how they are written."""

    library: Library
    client: Client | NullClient
    again: bool
    today: str
    limit: int
    write: Write
    extra: Mapping[str, Iterable[Location]]
    progress: Callable[[Fetched], None] | None
    collection: str | None


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

    What was looked at goes into the reading list `collection`, in the same commit. With `again`,
    a text that an older version of ours made is made anew from its stored document, without the
    network; any other is asked for again. What another process is fetching is waited for, once
    our own is filed.
    """
    call = _Call(library, client, again, today, limit, write, extra or {}, progress, collection)
    run, interrupted = _Run(), False
    with Flights(library) as flights:
        try:
            others = [ref for ref in refs if not _step(call, run, ref, flights, wait=0)]
        except KeyboardInterrupt:
            interrupted, others = True, []
        outcome = _file(call, run)
    if others:
        outcome, interrupted = _waited(call, run, others, outcome)
    return Report(items=tuple(run.items), outcome=outcome, left=run.left, interrupted=interrupted)


def _step(call: _Call, run: _Run, ref: Reference, flights: Flights, wait: float) -> bool:
    """One reference; False when another process is fetching it."""
    known = _known(call, ref)
    if known is None and run.asked >= call.limit:
        run.left += 1
        return True
    if known is None:
        if not flights.take(ref.key, wait):
            return False
        run.asked += 1
        known = _redone(call, ref, run) or _one(call, ref, run)
    run.items.append(known)
    if call.progress:
        call.progress(known)
    return True


def _waited(
    call: _Call, run: _Run, others: Sequence[Reference], outcome: Outcome
) -> tuple[Outcome, bool]:
    """What another process was fetching: its result, and only where it has none, our own.

    Returns what was written, and whether Ctrl-C ended it early.
    """
    later, interrupted = _Run(asked=run.asked, left=run.left), False
    with Flights(call.library) as flights:
        try:
            for ref in others:
                mine = flights.take(ref.key, PATIENCE)
                call.library.refresh()
                if mine and _step(replace(call, again=False), later, ref, flights, wait=0):
                    continue
                tried = (Tried("flight", "", "", "another process is fetching it", passing=True),)
                later.items.append(Fetched(key=ref.key, status="unavailable", tried=tried))
        except KeyboardInterrupt:
            interrupted = True
        run.items += later.items
        run.left = later.left
        more = _file(call, later)
    if not more:
        return outcome, interrupted
    together = replace(
        more, changes=(*outcome.changes, *more.changes), keys=(*outcome.keys, *more.keys),
        warnings=(*outcome.warnings, *more.warnings),
    )  # fmt: skip
    return together, interrupted


def _file(call: _Call, run: _Run) -> Outcome:
    seen = tuple(item.key for item in run.items)
    filed = filing.Filed(run.texts, run.marks, run.found, call.collection, seen)
    return filing.file(call.library, filed, _subject(run), call.write)


def _redone(call: _Call, ref: Reference, run: _Run) -> Fetched | None:
    """The text made anew from its document; None where it is to be asked for."""
    text = call.library.fulltext(ref.key) if call.again else None
    if text is None or not (documents.is_stale(text) or text.source == "attached"):
        return None
    path = call.library.artefact(ref.key, "text")
    if not documents.is_stale(text):  # a copy of the user's is not replaced by another's
        return Fetched(key=ref.key, status="held", path=path)
    data = documents.stored(call.library, text)
    if data is None:
        return None if text.source != "attached" else Fetched(
            key=ref.key, status="held", path=path,
            warnings=("its document is not on this machine, so its text stays",),
        )  # fmt: skip
    found = accept.extract(data, text.format or accept.sniff(data))
    if found.state != "ok":
        warnings = (f"its text stays: {found.sentence}",)
        return Fetched(key=ref.key, status="held", path=path, warnings=warnings)
    made = filing.redone(ref, text, found, call.today)
    run.texts.append(made)
    run.found[ref.key] = found
    return _fetched(call.library, made, found, [Tried("document", str(text.format), "")])


def _known(call: _Call, ref: Reference) -> Fetched | None:
    """The answer for a reference that needs no asking."""
    path = call.library.artefact(ref.key, "text")
    if path is not None:
        return None if call.again else Fetched(key=ref.key, status="held", path=path)
    if not asking.askable(ref) and not call.extra.get(ref.key):
        tried = (Tried("identifiers", "", "", "it has no identifier to ask by"),)
        return Fetched(key=ref.key, status="unidentified", tried=tried)
    why = None if call.again else asking.waiting(ref, call.today)
    if why is None:
        return None
    return Fetched(key=ref.key, status="waiting", tried=(Tried("earlier", "", "", why),))


def _one(call: _Call, ref: Reference, run: _Run) -> Fetched:
    """Try every copy in turn; the first that is the work, whole and readable, is kept.

    Providers are asked where else a copy lies only when none of those that the identifiers lead
    to was kept.
    """
    if call.client.offline:
        tried = [Tried("network", "", "", "the network is off", passing=True)]
        return _nothing(call, ref, tried, run)
    tried = []
    forms = call.library.config.fulltext_formats
    first = locate(ref, call.extra.get(ref.key, ()), forms)
    found = _first_good(call, ref, first, tried, run)
    if found is None:
        seen = {one.url for one in first}
        reported = _reported(call, ref, tried)
        more = [one for one in ranked(reported, forms) if one.url not in seen]
        found = _first_good(call, ref, more, tried, run)
    return found or _nothing(call, ref, tried, run)


def _reported(call: _Call, ref: Reference, tried: list[Tried]) -> Sequence[Location]:
    """The open copies that the providers know of; who could not say is noted."""
    from pressmark.sources.locations import located

    try:
        answer = located(ref, call.client, call.library.config, call.today)
    except PressmarkError as error:
        passing = isinstance(error, Unavailable)
        tried.append(Tried("locations", "", "", str(error).rstrip("."), passing=passing))
        return ()
    for name, problem in answer.failures.items():
        if name not in answer.skipped:
            passing = isinstance(problem, Unavailable)
            tried.append(Tried(name, "record", "", str(problem).rstrip("."), passing=passing))
    return answer.copies


def _first_good(
    call: _Call, ref: Reference, copies: Iterable[Location], tried: list[Tried], run: _Run
) -> Fetched | None:
    for location in copies:
        try:
            data = _download(call.client, location)
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
            notes: tuple[str, ...] = ()
            if not call.write.dry_run:
                notes = keeping.keep(call.library, ref.key, data, location.kind)
            text = filing.record(ref, found, data, today=call.today, location=location)
            run.texts.append(text)
            run.found[ref.key] = found
            tried.append(_tried(location, ""))
            return _fetched(call.library, text, found, tried, notes)
    return None


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


def _fetched(
    library: Library,
    text: FullText,
    found: Extracted,
    tried: list[Tried],
    notes: tuple[str, ...] = (),
) -> Fetched:
    path = library.path(text.reference).removesuffix(".md") + ".fulltext.md"
    return Fetched(
        key=text.reference, status="fetched", path=path, source=text.source, format=text.format,
        license=text.license, version=text.version, tried=tuple(tried),
        warnings=(*found.warnings, *notes),
    )  # fmt: skip


def _nothing(call: _Call, ref: Reference, tried: list[Tried], run: _Run) -> Fetched:
    """No text: a mark only when no copy could be had for reasons that last, and none is held."""
    if not tried:
        tried.append(Tried("identifiers", "", "", "no open copy is known"))
    path = call.library.artefact(ref.key, "text")
    if path is not None:
        warnings = ("its text stays: no other could be had",)
        return Fetched(key=ref.key, status="held", path=path, tried=tuple(tried), warnings=warnings)
    if any(one.passing for one in tried):
        return Fetched(key=ref.key, status="unavailable", tried=tuple(tried))
    reasons = dict.fromkeys(f"{one.source}: {one.reason}" for one in tried)
    run.marks[ref.key] = asking.mark("; ".join(reasons), call.today)
    return Fetched(key=ref.key, status="none", tried=tuple(tried))


def _subject(run: _Run) -> str:
    sources = ", ".join(sorted({str(text.source) for text in run.texts}))
    keys = [text.reference for text in run.texts]
    if not keys:
        number = len(run.marks)
        return f"fetch: no full text for {number} reference{'' if number == 1 else 's'}"
    named = ", ".join(keys) if len(keys) <= 3 else f"{len(keys)} references"
    return f"fetch: full text of {named} ({sources})"
