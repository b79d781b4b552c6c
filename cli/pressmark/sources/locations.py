"""A work in; every open copy that a provider reports of it, the best first, out.

Only copies that a provider reported as open are named: no page is guessed at, and none that
asks to be paid or to be human is gone around.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pressmark import ids
from pressmark.config import Config
from pressmark.errors import (
    BadInput,
    Configuration,
    NotFound,
    Offline,
    PressmarkError,
    SourceBroken,
)
from pressmark.http import CITATION_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Location, Paper, Work
from pressmark.sources import arxiv, licences, plos, pmc
from pressmark.sources.base import Found, Known, OpenCopy
from pressmark.sources.exchange import Way, ask
from pressmark.sources.registry import LOCATORS

__all__ = ["Located", "OpenCopy", "identifier_for", "locate", "located"]

_VERSIONS = ("published", "accepted", "submitted", None)
_KINDS = ("jats", "html", "pdf", "landing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The open copies of one work, and why a provider could not say whether it knows one."""

    copies: tuple[OpenCopy, ...] = ()
    failures: dict[str, PressmarkError] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    """A provider's name to what it lacks: a key, a contact."""


def locate(
    work: Work,
    client: Way,
    config: Config,
    today: str,
    *,
    sources: Sequence[str] | None = None,
    refresh: bool | None = None,
) -> list[OpenCopy]:
    """The open copies of a reference or paper: published before manuscripts, XML before PDF.

    Several seconds of network at most (the slowest provider's). What failed is left out; use
    `located` to learn of it. Raises `Offline` when the network is off.
    """
    return list(located(work, client, config, today, sources=sources, refresh=refresh).copies)


def located(
    work: Work,
    client: Way,
    config: Config,
    today: str,
    *,
    sources: Sequence[str] | None = None,
    refresh: bool | None = None,
) -> Located:
    """The same with every provider's failure beside it; one thread a provider."""
    work = ids.canonical(work)
    if sources is None or "pmc" in sources:
        work = converted(work, client, config, today)
    asked = [
        _Asked(module, identifier)
        for name, module in LOCATORS.items()
        if (sources is None or name in sources)
        and (identifier := identifier_for(module, work)) is not None
    ]
    threads = [
        threading.Thread(target=one.run, args=(client, config, today, refresh), daemon=True)
        for one in asked
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    off = next((one.error for one in asked if isinstance(one.error, Offline)), None)
    if off is not None:
        raise off
    reported: list[OpenCopy] = [copy for one in asked for copy in one.copies]
    if sources is None or "arxiv" in sources:
        reported += _on_arxiv(work)
    if sources is None or "plos" in sources:
        reported += plos.copies(work.doi)
    failures = {
        one.module.name: one.error
        for one in asked
        if one.error is not None and not isinstance(one.error, NotFound | BadInput)
    }
    skipped = {
        one.module.name: one.error.message for one in asked if isinstance(one.error, Configuration)
    }
    return Located(copies=tuple(best(reported)), failures=failures, skipped=skipped)


def converted(work: Work, client: Way, config: Config, today: str) -> Work:
    """The work with the PMID and the PMCID that NCBI knows of it; a failure costs nothing."""
    if work.pmcid or not (work.pmid or work.doi):
        return work
    identifier = Identifier("pmid", work.pmid) if work.pmid else Identifier("doi", work.doi or "")
    if identifier.value.startswith("10.48550/"):
        return work

    def parse(body: bytes, status: int, kind: str, date: str) -> Found:
        return pmc.parse_lookup(body, status, kind, today=date)

    try:
        request = replace(pmc.lookup_request([identifier], config), keep=CITATION_SECONDS)
        found, _ = ask(client, pmc.name, request, parse, today=today)
    except Offline:
        raise
    except PressmarkError:
        return work
    if not found.papers:
        return work
    known = found.papers[0]
    return replace(work, pmid=work.pmid or known.pmid, pmcid=known.pmcid)


def best(copies: Iterable[Location]) -> list[OpenCopy]:
    """Each URL once, in the order in which a reader wants them."""
    unique: dict[str, OpenCopy] = {}
    for copy in copies:
        open_copy = copy if isinstance(copy, OpenCopy) else _widened(copy)
        known = unique.get(copy.url)
        unique[copy.url] = _joined(known, open_copy) if known else open_copy
    return sorted(_licensed(list(unique.values())), key=_rank)


def _licensed(copies: list[OpenCopy]) -> list[OpenCopy]:
    """arXiv's forms of one manuscript have one licence, whichever of them a provider named."""
    known = next((one.license for one in copies if one.license and _at_arxiv(one)), None)
    return [
        replace(one, license=known) if known and not one.license and _at_arxiv(one) else one
        for one in copies
    ]


def _at_arxiv(copy: OpenCopy) -> bool:
    return bool(re.match(r"https?://(?:export\.)?arxiv\.org/", copy.url))


def identifier_for(module: Known, work: Work) -> Identifier | None:
    """The identifier of a work that a provider answers to, the surest first."""
    for kind in module.kinds:
        value = getattr(work, kind, None)
        if isinstance(value, str) and value:
            return Identifier(kind, value)
    return None


@dataclass(slots=True)
class _Asked:
    """One provider's part, filled in by its thread."""

    module: Known
    identifier: Identifier
    copies: tuple[OpenCopy, ...] = ()
    error: PressmarkError | None = None

    def run(self, client: Way, config: Config, today: str, refresh: bool | None) -> None:
        """Ask for the record and keep the copies it names."""

        def parse(body: bytes, status: int, kind: str, date: str) -> Found:
            return self.module.parse_lookup(body, status, kind, today=date)

        try:
            request = self.module.lookup_request([self.identifier], config)
            request = replace(request, keep=min(request.keep, CITATION_SECONDS))
            found, _ = ask(client, self.module.name, request, parse, today=today, refresh=refresh)
        except PressmarkError as problem:
            self.error = problem
            return
        except Exception as bug:  # a defect of ours must not cost the other providers' answers
            self.error = SourceBroken(f"{type(bug).__name__} in our own code.")
            return
        own = [paper for paper in found.papers if self._meant(paper)]
        self.copies = tuple(best(copy for paper in own for copy in paper.locations))

    def _meant(self, paper: Paper) -> bool:
        """Whether a record does not bear another identifier than the one that was asked for."""
        known = getattr(paper, self.identifier.kind)
        return known is None or known == self.identifier.value


def _on_arxiv(work: Work) -> Iterable[OpenCopy]:
    doi = work.doi or ""
    own = ids.normalise_arxiv(doi) if doi.startswith("10.48550/arxiv.") else None
    known = work.arxiv or own
    return arxiv.locations(known) if known else ()


def _widened(copy: Location) -> OpenCopy:
    return OpenCopy(
        url=copy.url, kind=copy.kind, source=copy.source, version=copy.version,
        license=copy.license,
    )  # fmt: skip


def _joined(one: OpenCopy, two: OpenCopy) -> OpenCopy:
    """What a second provider knows of the same address fills what the first did not say."""
    return replace(
        one,
        version=one.version or two.version,
        license=one.license or two.license,
        host_type=one.host_type or two.host_type,
    )


def _rank(copy: OpenCopy) -> tuple[int, int, int]:
    version = _VERSIONS.index(copy.version) if copy.version in _VERSIONS else len(_VERSIONS)
    kind = _KINDS.index(copy.kind) if copy.kind in _KINDS else len(_KINDS)
    return (version, kind, 0 if licences.is_open(copy.license) else 1)
