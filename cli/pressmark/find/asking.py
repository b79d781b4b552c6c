"""A question and a mask in, the ranked lists of every channel out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pressmark.errors import PressmarkError
from pressmark.find import wording
from pressmark.find.choosing import Evidence, Lead
from pressmark.find.fusion import DEPTH, WEIGHTS, Fused, K, fuse, ranked
from pressmark.index import Index, meaning
from pressmark.index.graph import Citations, cocitation, coupling, pagerank
from pressmark.index.ports import Hit, best_of_owner
from pressmark.index.rows import Row
from pressmark.library import Library

if TYPE_CHECKING:
    from pressmark.index.embed import Embedder, Vector

WALKS = {"graph": pagerank, "cocitation": cocitation, "coupling": coupling}
"""The channels of citations; those of weight 0 are not walked."""

SEEDS = 3
"""How many of the best start the walk over citations."""

PASSAGES = 500
"""How many passages each channel gives."""

MOST_CHARACTERS = 100_000
"""A longer question is cut: it would be the text of a book."""


@dataclass(slots=True)
class Question:
    """What is asked: its terms, and its vector where there is a model."""

    bag: Counter[str]
    vector: Vector | None = None
    weight: float = WEIGHTS["meaning"]
    """How much the model's answers count."""
    warnings: list[str] = field(default_factory=list)
    phrases: dict[str, list[str]] = field(default_factory=dict)
    """What was quoted, and its terms, which must follow one another in what is found."""


@dataclass(slots=True)
class Channels:
    """By channel the score of each name, and by name the rows that were found for it."""

    scores: dict[str, dict[str, float]] = field(default_factory=dict)
    leads: dict[str, list[Lead]] = field(default_factory=dict)

    def add(
        self, channel: str, hits: Iterable[Hit], names: Mapping[int, str], weight: float
    ) -> None:
        """Take one engine's hits, best first."""
        scores = self.scores[channel] = {names[hit.owner]: hit.score for hit in hits}
        order = {name: rank for rank, name in enumerate(ranked(scores), 1)}
        for hit in hits:
            name = names[hit.owner]
            if weight and name in order:
                lead = Lead(hit.row, weight / (K + order[name]))
                self.leads.setdefault(name, []).append(lead)

    def of(self, kept: Collection[str]) -> Channels:
        """Only some channels; those of citations are not walked yet."""
        scores = {name: each for name, each in self.scores.items() if name in kept}
        return Channels(scores, self.leads)

    def lists(self) -> dict[str, list[str]]:
        """The names of each channel, best first."""
        return {channel: ranked(scores) for channel, scores in self.scores.items()}


def embedder(library: Library, index: Index) -> Embedder | None:
    """The model whose vectors the index holds; None where questions go by words alone."""
    if meaning(library, index.manifest)[0] != "on":
        return None
    model = kept_embedder(library)
    return model if model is not None and model.id == index.manifest.model else None


def kept_embedder(library: Library) -> Embedder | None:
    """The model of a library's settings, loaded once for a process."""
    from pressmark.index import embed

    with library.keeping:
        if "embedder" not in library.kept:
            library.kept["embedder"] = embed.load(library.config, threads=1)
        return library.kept["embedder"]  # type: ignore[return-value]


def question(library: Library, index: Index, text: str, model: Embedder | None = None) -> Question:
    """Analyse a text, and embed it where vectors can be compared with it."""
    asked = Question(index.words.analyser.bag(text[:MOST_CHARACTERS]))
    return _embedded(library, index, asked, text[:MOST_CHARACTERS], model)


def typed(library: Library, index: Index, text: str) -> Question:
    """As `question`, for what a person typed: quoted phrases and beginnings of words count."""
    said = wording.read(text[:MOST_CHARACTERS])
    analyser = index.words.analyser
    asked = Question(analyser.bag(said.text))
    for phrase in said.phrases:
        terms = analyser.terms(phrase)
        if terms:
            asked.phrases[phrase] = terms
        else:
            asked.warnings.append(f'"{phrase}" has only words that every text has; try grep.')
    for beginning in said.beginnings:
        with index.turn:
            terms = index.words.starting(beginning, wording.EXPANDED)
        asked.bag.update(dict.fromkeys(terms, 1))
    return _embedded(library, index, asked, said.text, None)


def holding(index: Index, asked: Question, allowed: Container[int]) -> Container[int]:
    """Of the allowed owners those that hold every phrase of a question.

    A phrase that none of them holds is left aside, and that is said.
    """
    for phrase, terms in asked.phrases.items():
        found = frozenset(owner for owner in index.words.phrase(terms) if owner in allowed)
        if found:
            allowed = found
        else:
            said = f'Nothing holds the phrase "{phrase}"; its words are looked for.'
            asked.warnings = list(dict.fromkeys((*asked.warnings, said)))
    return allowed


def _embedded(
    library: Library, index: Index, asked: Question, text: str, model: Embedder | None
) -> Question:
    if asked.bag or text.strip():
        try:
            model = model or embedder(library, index)
            if model is not None:
                asked.vector, asked.weight = model.query(text), model.weight
        except PressmarkError as error:  # misconfigured, or a server that is down or offline
            asked.warnings.append(f"{error} Ranked by words alone.")
    return asked


def ask(
    index: Index, asked: Question, allowed: Container[int], weights: Mapping[str, float] = WEIGHTS
) -> Channels:
    """Every channel of words and vectors, one hit an owner.

    The two sets of vectors are one channel, `meaning`, by the better of an owner's: as two lists
    they favour whoever has text in both (nDCG@10 on Cranfield 0.380 for 0.414).
    """
    engines = {"words": index.words.search(asked.bag, DEPTH, allowed=allowed)}
    if asked.vector is not None:
        for channel, vectors in (("papers", index.papers), ("passages", index.passages)):
            if vectors is not None:
                engines[channel] = vectors.search(asked.vector, DEPTH, allowed=allowed)
        near = (*engines.get("papers", ()), *engines.get("passages", ()))
        engines["meaning"] = best_of_owner(near)
    owners = {hit.owner for hits in engines.values() for hit in hits}
    names = index.table.names(owners)
    channels = Channels()
    for channel, hits in engines.items():
        channels.add(channel, hits, names, weights.get(channel, 0.0))
    return channels


def ask_passages(
    index: Index, asked: Question, allowed: Container[int] | None
) -> tuple[dict[str, list[str]], dict[str, Row]]:
    """As `ask` for passages by their ids, and the row of each.

    What was found of a paper as a whole stands for the passage of its abstract that tells most.
    """
    engines = {"words": index.words.search(asked.bag, PASSAGES, allowed=allowed, each=True)}
    if asked.vector is not None:
        near = (
            vectors.search(asked.vector, PASSAGES, allowed=allowed, each=True)
            for vectors in (index.papers, index.passages)
            if vectors is not None
        )
        engines["meaning"] = [hit for hits in near for hit in hits]
    evidence = Evidence(index, asked.bag, {})
    held = index.table.get({hit.row for hits in engines.values() for hit in hits})
    rows: dict[str, Row] = {}
    lists: dict[str, list[str]] = {}
    for channel, hits in engines.items():
        scores: dict[str, float] = {}
        for hit in hits:
            row = evidence.telling(held.get(hit.row))
            if row is not None and row.passage:
                rows[row.passage] = row
                scores[row.passage] = max(hit.score, scores.get(row.passage, 0.0))
        lists[channel] = ranked(scores)
    return lists, rows


def with_graph(
    channels: Channels,
    citations: Citations,
    wanted: Container[str],
    weights: Mapping[str, float],
    seeds: Collection[Fused] = (),
) -> list[Fused]:
    """The fusion of all channels, with those of the citations around the best of the others."""
    first = seeds or fuse(channels.lists(), weights)[:SEEDS]
    start = {each.key: each.score for each in first}
    for channel, walk in WALKS.items():
        if weights.get(channel):
            found = walk(citations, start)
            channels.scores[channel] = {
                key: score for key, score in found.items() if key in wanted and score > 0
            }
    return fuse(channels.lists(), weights)
