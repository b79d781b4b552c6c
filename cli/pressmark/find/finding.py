"""A library and words in, its papers by how well they answer out, each with one passage.

Never asks the network. Every channel is masked by the same filters; ties are broken by key, so
that the same files give the same answer on every machine. Threads may share a library.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import TypeVar

from pressmark.catalogue.filters import is_filter
from pressmark.errors import Integrity, NotFound
from pressmark.find.asking import (
    Channels,
    Question,
    ask,
    holding,
    question,
    typed,
    with_graph,
)
from pressmark.find.choosing import Evidence
from pressmark.find.fusion import WEIGHTS, Fused, fuse
from pressmark.find.hits import Findings, Hit, NoteHit, PassageHit
from pressmark.find.narrowing import after, keys_of, window
from pressmark.find.relations import ANY, checked
from pressmark.find.reranking import rerank
from pressmark.find.selecting import selected
from pressmark.find.wording import LONGEST
from pressmark.index import READY, Index, borrowed, drop, meaning
from pressmark.index.graph import Citations
from pressmark.index.ports import Progress, quiet
from pressmark.index.rows import NOTES_ONLY, PAPER, REFERENCES_ONLY
from pressmark.library import Library

T = TypeVar("T")

NOTES = 5
"""Notes shown beside the papers."""

RELATED = {**WEIGHTS, "graph": 0.5, "cocitation": 0.3}
"""For a paper at hand, what cites it and what it cites says more than for a question."""


def find(
    library: Library,
    query: str,
    filters: Sequence[str] = (),
    *,
    k: int = 20,
    offset: int = 0,
    exclude: Collection[str] = (),
    relation: str = ANY,
    original_query: str | None = None,
    explain: bool = False,
    progress: Progress = quiet,
) -> Findings:
    """The best references for a question, and the best notes apart from them.

    `k` is 1 to 200; `original_query` is the person's own words beside a query that somebody made
    of them, and is what passages are compared with. BadInput for an unknown filter or relation.
    """
    shown, said = window(k, offset), checked(relation) + _misread(library, query)

    def answer(index: Index) -> Findings:
        asked = typed(library, index, query)
        asked.warnings += said
        told = question(library, index, original_query) if original_query else asked
        with index.turn:
            mask = Mask(library, index, filters, exclude)
            weights = _weights(library, WEIGHTS, asked)
            mask.keep(index, holding(index, asked, mask.owners))
            channels = ask(index, asked, mask.owners, weights)
        rerank(library, index, channels, original_query or query, told, weights)
        with index.turn:
            fused = with_graph(channels, citations(library), mask, weights)
            hits = _hits(library, index, told, channels, fused[shown], explain=explain)
            notes = None if filters else notes_of(index, asked, weights, min(k, NOTES))
            return _findings(
                library, index, asked, channels, hits=hits, notes=notes, total=len(fused),
                next_offset=after(shown, len(fused)),
            )  # fmt: skip

    return with_index(library, answer, progress)


def _misread(library: Library, query: str) -> list[str]:
    """What must be said of words that mean something elsewhere: a reference's name, a filter."""
    if len(query) > LONGEST:
        return []
    parts = query.split()
    named = library.catalogue.resolve(query)[:1] if len(parts) == 1 else []
    said = [f"{parts[0]} names a reference you hold: pressmark show {key}." for key in named]
    read = [each for each in parts if is_filter(each)]
    return said + [f"{each} was read as words; as a filter it is --filter {each}." for each in read]


def related(
    library: Library,
    what: str,
    filters: Sequence[str] = (),
    *,
    k: int = 20,
    offset: int = 0,
    exclude: Collection[str] = (),
    relation: str = ANY,
    text: bool = False,
    explain: bool = False,
    progress: Progress = quiet,
) -> Findings:
    """The references nearest to a paper (a key or any identifier) or to a pasted text.

    With `text` what is given is a text, however short; the paper itself is left out.
    """
    shown, said = window(k, offset), checked(relation)
    key = None if text else _key(library, what)

    def answer(index: Index) -> Findings:
        asked = question(library, index, what) if key is None else None
        with index.turn:
            mask = Mask(library, index, filters, (*exclude, *([key] if key else [])))
            asked = asked or _about(library, index, key or what)
            weights = _weights(library, RELATED if key else WEIGHTS, asked)
            channels = ask(index, asked, mask.owners, weights)
            seeds = (Fused(key, 1.0),) if key else ()
            fused = with_graph(channels, citations(library), mask, weights, seeds)
            hits = _hits(library, index, asked, channels, fused[shown], explain=explain)
            asked.warnings += said
            return _findings(
                library, index, asked, channels, hits=hits, total=len(fused),
                next_offset=after(shown, len(fused)),
            )  # fmt: skip

    return with_index(library, answer, progress)


def citations(library: Library) -> Citations:
    """The citation graph of the held references."""
    catalogue = library.catalogue
    return Citations(catalogue.cites, catalogue.cited_by)


class Mask:
    """What filters leave: owners for the engines, keys for the graph."""

    def __init__(
        self, library: Library, index: Index, filters: Sequence[str], exclude: Collection[str]
    ) -> None:
        self._keys: set[str] | None = None
        self.owners: Container[int] = REFERENCES_ONLY
        if not filters and not exclude and index.state == READY:
            return
        kept = selected(library, filters) if filters else library.catalogue.keys()
        self._keys = set(kept).difference(keys_of(library, exclude))
        owners = index.table.owners(notes=False)
        self.owners = frozenset(owner.id for owner in owners if owner.name in self._keys)

    def keep(self, index: Index, owners: Container[int]) -> None:
        """Let only these owners through, all of which it lets through now."""
        if owners is not self.owners:
            assert isinstance(owners, frozenset)
            self.owners = owners
            self._keys = set(index.table.names(owners).values())

    def __contains__(self, key: object) -> bool:
        return self._keys is None or key in self._keys


def with_index(library: Library, answer: Callable[[Index], T], progress: Progress = quiet) -> T:
    """Answer from the index; one that turns out to be damaged is built anew, once."""
    for last in (False, True):
        with borrowed(library, progress) as index:
            try:
                return answer(index)
            except Integrity:
                drop(library, index)
                if last:
                    raise
    raise AssertionError("unreachable")


def _hits(
    library: Library, index: Index, asked: Question, channels: Channels, fused: Sequence[Fused],
    *, explain: bool,
) -> tuple[Hit, ...]:  # fmt: skip
    evidence = Evidence(index, asked.bag, {e.key: channels.leads.get(e.key, []) for e in fused})
    found = []
    for each in fused:
        reference = library.catalogue.get(each.key)
        if reference is None:
            continue
        passage = evidence.passage(each.key)
        if passage is None:
            owner = index.table.owner(each.key)
            passage = evidence.first(owner) if owner is not None else None
        scores = {name: channels.scores[name][each.key] for name in each.ranks} if explain else {}
        found.append(Hit(
            key=each.key, score=each.score, ranks=each.ranks, passage=passage,
            reference=reference, scores=scores,
        ))  # fmt: skip
    return tuple(found)


def notes_of(
    index: Index, asked: Question, weights: Mapping[str, float], k: int
) -> tuple[NoteHit, ...]:
    if not index.manifest.counts.get("notes"):
        return ()
    allowed: Container[int] = NOTES_ONLY
    for terms in asked.phrases.values():
        allowed = frozenset(owner for owner in index.words.phrase(terms) if owner in allowed)
    channels = ask(index, asked, allowed, weights)
    fused = fuse(channels.lists(), weights)[:k]
    evidence = Evidence(index, asked.bag, {e.key: channels.leads.get(e.key, []) for e in fused})
    return tuple(
        NoteHit(slug=e.key, score=e.score, ranks=e.ranks, passage=evidence.passage(e.key))
        for e in fused
    )


def _about(library: Library, index: Index, key: str) -> Question:
    """A held paper as a question: its own vector, where it has one."""
    reference = library.catalogue.get(key)
    text = f"{reference.title}\n{reference.abstract or ''}" if reference else key
    owner = index.table.owner(key)
    row = next(iter(index.table.of(owner, PAPER)), None) if owner is not None else None
    if row and index.papers and meaning(library, index.manifest)[0] == "on":
        vector = index.papers.near(row.id)
        if vector is not None:
            return Question(index.words.analyser.bag(text), vector)
    return question(library, index, text)


def _key(library: Library, what: str) -> str | None:
    """The key of the one reference that a short text names; None for any other text.

    One word is taken for a name: as a text it would say too little.
    """
    named = len(what) < 500 and library.catalogue.resolve(what)
    if not named and len(what.split()) != 1:
        return None
    try:
        return library.key(what)
    except NotFound as problem:
        from pressmark import ids  # slow to import

        if ids.parse(what) is None:
            raise
        raise NotFound(
            problem.message, next="give title and abstract of a paper that is not held, with --text"
        ) from problem


def _weights(library: Library, usual: Mapping[str, float], asked: Question) -> dict[str, float]:
    """The usual weights, the model's own for meaning, and what the library's file says."""
    return {**usual, "meaning": asked.weight, **library.config.weights}


def _findings(
    library: Library, index: Index, asked: Question, channels: Channels, *, total: int,
    hits: tuple[Hit, ...] = (), notes: tuple[NoteHit, ...] | None = None,
    next_offset: int | None = None,
) -> Findings:  # fmt: skip
    counted = {name: len(scores) for name, scores in channels.scores.items()}
    return summed(
        library, index, asked, counted, hits=hits, notes=notes, total=total,
        next_offset=next_offset,
    )  # fmt: skip


def summed(
    library: Library, index: Index, asked: Question, channels: Mapping[str, int], *, total: int,
    hits: tuple[Hit, ...] = (), notes: tuple[NoteHit, ...] | None = None,
    passages: tuple[PassageHit, ...] = (), next_offset: int | None = None,
) -> Findings:  # fmt: skip
    """An answer with what is said of the index that it came from."""
    semantic, advice = meaning(library, index.manifest)
    counts = index.manifest.counts
    warnings = list(asked.warnings)
    if index.state != READY:
        said = "is being built" if index.state == "building" else "is out of date"
        warnings.append(f"The index {said}; this is what it knew before.")
        advice = "pressmark index"
    if not asked.bag and asked.vector is None:
        warnings.append("The question holds no word that can be looked for.")
    return Findings(
        hits=hits, notes=notes, passages=passages, total=total, next_offset=next_offset,
        channels={name: channels.get(name) for name in WEIGHTS},
        state=index.state,
        semantic=semantic if asked.vector is not None or not asked.bag else "off",
        next=advice, warnings=tuple(warnings),
        coverage={
            name: (counts.get(f"{name}_embedded", 0), counts.get(f"{name}_to_embed", 0))
            for name in ("papers", "passages")
        },
    )  # fmt: skip
