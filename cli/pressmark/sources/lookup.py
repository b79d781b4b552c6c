"""An identifier, or the words of a title, in; what the sources that know it say of it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import (
    BadInput,
    NotFound,
    Offline,
    PressmarkError,
    RateLimited,
    SourceBroken,
    SourceDown,
    Unavailable,
    Unsupported,
)
from pressmark.ids import Identifier
from pressmark.record import Author, Paper
from pressmark.sources import arxiv, crossref, openalex
from pressmark.sources.base import Found, Request, Source
from pressmark.sources.batches import batched
from pressmark.sources.exchange import Way, ask
from pressmark.sources.merge import groups, merged
from pressmark.sources.query import Query
from pressmark.sources.registry import LOOKUPS

_PLANS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "doi": (("crossref", "openalex"), ("datacite", "europepmc")),
    "arxiv": (("arxiv",), ("openalex",)),
    "openalex": (("openalex",), ()),
    "pmid": (("pubmed", "openalex"), ("europepmc",)),
    "pmcid": (("europepmc", "openalex"), ()),
    "s2": (("semanticscholar",), ()),
    "isbn": (("crossref",), ()),
}
"""For a kind of identifier: the sources that are all asked, and those asked when none had it."""

_KNOWS_ALL = frozenset({"arxiv"})
"""Whose `not found` is the last word: nobody else has what they do not."""

BATCHES = {"arxiv": "arxiv", "pmid": "pubmed", "pmcid": "europepmc", "s2": "semanticscholar"}
"""For a kind of identifier: the source that takes many of them in one request."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What became of a look-up: the merged paper, and why sources did not contribute."""

    identifier: Identifier
    paper: Paper | None = None
    failures: dict[str, PressmarkError] = field(default_factory=dict)

    @property
    def error(self) -> PressmarkError | None:
        """Why there is no paper, in one sentence with every source's reason; None when there is."""
        return None if self.paper is not None else _why_not(self)


def lookup(
    identifier: Identifier,
    client: Way,
    config: Config,
    today: str,
    *,
    refresh: bool | None = None,
) -> Paper:
    """The paper an identifier stands for, merged from all that answered."""
    looked = look_up([identifier], client, config, today, refresh=refresh)[0]
    return looked.paper or _raised(looked)


def look_up(
    identifiers: Sequence[Identifier],
    client: Way,
    config: Config,
    today: str,
    *,
    refresh: bool | None = None,
) -> list[Looked]:
    """Several identifiers at once: a source that takes many in one request gets them so.

    Nothing is raised for one of them; `Looked.failures` says why a source gave nothing.
    """
    asking = _Asking(client, config, today, refresh)
    for kind, source in BATCHES.items():
        same = [_for_arxiv(each) for each in identifiers if _kind(each) == kind]
        if len(same) > 1:
            asking.many(source, same)
    return [asking.one(each) for each in identifiers]


class _Asking:
    """The state of one look-up: what was already asked of whom, and what came back."""

    def __init__(self, client: Way, config: Config, today: str, refresh: bool | None) -> None:
        self.client = client
        self.config = config
        self.today = today
        self.refresh = refresh
        self.known: dict[tuple[str, Identifier], Paper | PressmarkError] = {}

    def one(self, identifier: Identifier) -> Looked:
        """Ask every source of the plan, then the ones that stand in for a failure."""
        first, fallback = _PLANS.get(_kind(identifier), ((), ()))
        papers: list[Paper] = []
        failures: dict[str, PressmarkError] = {}
        for source in first:
            self._collect(source, identifier, papers, failures)
        for source in fallback:
            settled = _absent(failures) and bool(_KNOWS_ALL & set(first))
            if not any(paper.title for paper in papers) and not settled:
                self._collect(source, identifier, papers, failures)
        if papers and "crossref" not in first and "arxiv" not in first:
            self._by_doi(papers, failures)
        titled = [paper for paper in papers if paper.title]
        return Looked(identifier, merged(titled) if titled else None, failures)

    def many(self, source: str, identifiers: Sequence[Identifier]) -> None:
        """Ask for batches; those that an answer leaves out are not found."""
        many = batched(
            source, identifiers, self.client, self.config, self.today, refresh=self.refresh
        )
        for each, paper in many.found.items():
            self.known[source, each] = paper
        for each in many.not_found:
            self.known[source, each] = NotFound(f"{source} does not have {each}.")
        for each, problem in many.failed.items():
            self.known[source, each] = problem

    def _collect(
        self,
        source: str,
        identifier: Identifier,
        papers: list[Paper],
        failures: dict[str, PressmarkError],
    ) -> None:
        wanted = _for_arxiv(identifier) if _kind(identifier) == "arxiv" else identifier
        got = self.known.get((source, wanted))
        if got is None:
            found = self._request(source, [wanted])
            if isinstance(found, PressmarkError):
                got = found
            else:
                missing = NotFound(f"{source} does not have {wanted}.")
                got = found.papers[0] if found.papers else missing
            self.known[source, wanted] = got
        if isinstance(got, PressmarkError):
            failures[source] = got
        else:
            papers.append(got)

    def _by_doi(self, papers: list[Paper], failures: dict[str, PressmarkError]) -> None:
        """A DOI that was learnt on the way leads to the publisher's own account."""
        doi = next((paper.doi for paper in papers if paper.doi), None)
        if doi and not doi.startswith("10.48550/"):
            self._collect("crossref", Identifier("doi", doi), papers, failures)

    def _request(self, source: str, wanted: Sequence[Identifier]) -> Found | PressmarkError:
        module = LOOKUPS[source]

        def parse(body: bytes, status: int, kind: str, date: str) -> Found:
            found = module.parse_lookup(body, status, kind, today=date)
            if not found.papers:  # an absence is not kept: the next day may have it
                raise NotFound(f"{source} does not have {', '.join(map(str, wanted))}.")
            return found

        try:
            request = module.lookup_request(wanted, self.config)
            return ask(
                self.client, source, request, parse,
                today=self.today, patient=True, refresh=self.refresh,
            )[0]  # fmt: skip
        except Offline:
            raise
        except PressmarkError as problem:
            return problem


def _kind(identifier: Identifier) -> str:
    """The plan to follow: arXiv's own DOIs are not Crossref's to know."""
    return "arxiv" if _for_arxiv(identifier).kind == "arxiv" else identifier.kind


def _for_arxiv(identifier: Identifier) -> Identifier:
    if identifier.kind == "doi" and identifier.value.startswith("10.48550/arxiv."):
        own = ids.normalise_arxiv(identifier.value)
        return Identifier("arxiv", own) if own else identifier
    return identifier


def _absent(failures: dict[str, PressmarkError]) -> bool:
    """Whether whoever was asked knows for certain that there is no such record."""
    return bool(failures) and all(isinstance(each, NotFound) for each in failures.values())


def _raised(looked: Looked) -> NoReturn:
    raise _why_not(looked)


def _why_not(looked: Looked) -> PressmarkError:
    """One error for several sources' reasons: absent only when all say so."""
    wanted, failures = looked.identifier, looked.failures
    if not failures:
        if _kind(wanted) in _PLANS:
            return SourceBroken(f"{wanted} was answered without a title.")
        return Unsupported(
            f"No source reads {wanted.kind} identifiers yet.", next="give a DOI or an arXiv id"
        )
    reasons = "; ".join(f"{name}: {error.message.rstrip('.')}" for name, error in failures.items())
    message = f"{wanted} could not be had ({reasons})."
    worst = list(failures.values())
    if all(isinstance(each, NotFound) for each in worst):
        return NotFound(f"No source has {wanted} ({reasons}).", next="check its spelling")
    if any(isinstance(each, RateLimited) for each in worst):
        return RateLimited(message, next="try again later")
    if any(isinstance(each, Unavailable) for each in worst):
        return SourceDown(message, next="try again later")
    broken = next((each for each in worst if isinstance(each, SourceBroken)), None)
    return SourceBroken(message, head=broken.head) if broken else worst[0]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that a title may mean: how alike they are, from 0 to 1, and who knows it."""

    paper: Paper
    score: float
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The papers that the words of a title may mean, the likeliest first."""

    found: tuple[Candidate, ...] = ()
    failures: dict[str, PressmarkError] = field(default_factory=dict)

    @property
    def clear(self) -> Paper | None:
        """The one that is meant beyond doubt; None where a person has to choose."""
        if not self.found or self.found[0].score < _SURE:
            return None
        rivals = [each for each in self.found[1:] if each.score >= _SURE - 0.05]
        return None if rivals else self.found[0].paper


_SURE = 0.95
_WORTH_SHOWING = 0.5


def candidates(
    words: str, client: Way, config: Config, today: str, *, limit: int = 5
) -> Candidates:
    """Ask every enabled source for a title; whatever comes first is compared, never believed."""
    title = text.clean(words)
    if len(re.findall(r"\w+", title)) < 2:
        raise BadInput(f"{title!r} is too short for a title.", next="give more of its words")
    papers: list[Paper] = []
    failures: dict[str, PressmarkError] = {}
    for source, request, module in _title_requests(title, config, limit):

        def parse(body: bytes, status: int, kind: str, date: str, it: Source = module) -> Found:
            return it.parse_search(body, status, kind, today=date)

        try:
            papers += ask(client, source, request, parse, today=today, patient=True)[0].papers
        except Offline:
            raise
        except PressmarkError as problem:
            failures[source] = problem
    if not papers and failures:
        raise _why_not(Looked(Identifier("title", title), None, failures))
    titled = [paper for paper in papers if paper.title]
    found = [_candidate(title, [titled[at] for at in group]) for group in groups(titled)]
    likely = sorted(found, key=lambda each: (-each.score, each.paper.title))
    shown = tuple(each for each in likely if each.score >= _WORTH_SHOWING)
    return Candidates(shown[:limit], failures)


def _title_requests(
    title: str, config: Config, limit: int
) -> Iterator[tuple[str, Request, Source]]:
    phrase = re.sub(r"[\"():\\]+", " ", title)
    for source in config.sources:
        if source == "crossref":
            plain = Query(words=phrase, limit=limit)
            yield source, crossref.search_request(plain, config, 0, limit), crossref
        elif source == "openalex":
            yield source, openalex.title_request(phrase, config, limit), openalex
        elif source == "arxiv":
            plain = Query(words=f'ti:"{phrase}"', limit=limit)
            yield source, arxiv.search_request(plain, config, 0, limit), arxiv


def _candidate(title: str, papers: Sequence[Paper]) -> Candidate:
    paper = merged(papers)
    names = tuple(dict.fromkeys(line.partition(":")[0] for line in paper.sources))
    return Candidate(paper, max(similarity(title, each) for each in papers), names)


def similarity(words: str, paper: Paper) -> float:
    """How alike words and a paper's title are; its year and authors among the words do not hurt."""
    from rapidfuzz import fuzz

    if ids.same_title(words, paper.title):
        return 1.0
    families = {text.fold(Author.parse(name).family) for name in paper.authors}
    extra = families | ({paper.year} if paper.year else set())
    given = text.fold(words).split()
    kept = [word for word in given if word.strip(".,;:()") not in extra]
    said = " ".join(re.findall(r"\w+", " ".join(kept)))
    title = " ".join(re.findall(r"\w+", text.fold(paper.title)))
    return round(max(fuzz.ratio(said, title), fuzz.token_sort_ratio(said, title)) / 100, 3)
