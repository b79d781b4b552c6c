"""A draft in; each sentence that cites, beside the best passage of the paper it cites, out.

Scores, never verdicts: whether a passage bears a sentence out is for the reader to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pressmark import links
from pressmark.find.asking import Question, ask_passages, question
from pressmark.find.finding import with_index
from pressmark.find.fusion import WEIGHTS, fuse
from pressmark.index import Index, Passage
from pressmark.index.markup import words
from pressmark.index.ports import Progress, quiet
from pressmark.library import Library
from pressmark.links import latex, prose
from pressmark.text import from_tex

MOST = 32 * 2**20
"""Bytes of a draft."""

UNKNOWN, NO_TEXT, NO_WORDS = "unknown", "no text", "no words"
NOTHING_SHARED = "no word in common"
"""Why a sentence has no passage: nobody has the key, no text of the paper is held, the sentence
says nothing but its citation, or no passage has any of its words (and there is no model)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A sentence of a draft, one of the works it cites, and what that says nearest to it."""

    line: int
    column: int
    sentence: str
    cited: str
    """As the draft writes it: a cite key, an alias, an identifier."""
    key: str | None
    passage: Passage | None = None
    words: float | None = None
    """How much of what the sentence tells stands in the passage, 0 to 1, rare words more."""
    meaning: float | None = None
    """The cosine of sentence and passage; None without a model or a vector."""
    why: str | None = None
    """Why there is no passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidenced:
    """The cited sentences of a draft in order."""

    claims: tuple[Claim, ...]
    without: int
    """How many of them have no passage."""
    semantic: bool
    warnings: tuple[str, ...] = ()


def evidence(
    library: Library, draft: str, path: str = "", *, progress: Progress = quiet
) -> Evidenced:
    """Every sentence of a draft that cites or links references, each with its passage.

    The name of its file says what it is written in (LaTeX, Typst, Org, reStructuredText); without
    one it is Markdown. A sentence that cites three works gives three claims.
    """
    cited = list(_cited(library, draft, path))

    def answer(index: Index) -> Evidenced:
        claims, warnings = [], dict[str, None]()
        asked: dict[str, Question] = {}
        for number, (claim, text) in enumerate(cited, 1):
            if text not in asked:
                asked[text] = question(library, index, text)
            warnings |= dict.fromkeys(asked[text].warnings)
            with index.turn:
                claims.append(_supported(library, index, claim, asked[text]))
            progress("comparing sentences", number, len(cited))
        return Evidenced(
            claims=tuple(claims), without=sum(each.passage is None for each in claims),
            semantic=any(each.vector is not None for each in asked.values()),
            warnings=tuple(warnings),
        )  # fmt: skip

    return with_index(library, answer, progress)


def _cited(library: Library, draft: str, path: str) -> Iterator[tuple[Claim, str]]:
    """What the draft cites, by place, with the words of its sentence but for the citations.

    The same work twice in one sentence counts once.
    """
    resolver = links.Resolver(library)
    pointing = [each for each in prose.links(draft, path) if each.kind in ("cite", "wikilink")]
    spans = sorted({each.group or (each.start, each.end) for each in pointing})
    shown = latex.uncommented(draft) if _is_latex(path) else draft
    seen = set()
    for link in pointing:
        target = resolver.cite(link.target) if link.kind == "cite" else resolver.wiki(
            link.target, ""
        )  # fmt: skip
        held = target if target and target.kind in ("reference", "fulltext") else None
        if held is None and link.kind == "wikilink":
            continue  # a note, or nothing: `check` speaks of it
        low, high = links.bounds(shown, link.start, link.end, path)
        name = held.name if held else link.target
        if (low, name) not in seen:
            seen.add((low, name))
            claim = Claim(
                line=link.line, column=link.column, cited=link.target,
                sentence=links.sentence(shown, link.start, link.end, path),
                key=held.name if held else None,
            )  # fmt: skip
            yield claim, _told(shown, low, high, spans, path)


def _is_latex(path: str) -> bool:
    return path.lower().endswith((".tex", ".ltx"))


def _supported(library: Library, index: Index, claim: Claim, asked: Question) -> Claim:
    """The claim with the best passage of its paper, by words and meaning together."""
    if claim.key is None:
        return _without(claim, UNKNOWN)
    if not asked.bag:
        return _without(claim, NO_WORDS)
    owner = index.table.owner(claim.key)
    if owner is None:
        return _without(claim, NO_TEXT)
    lists, rows = ask_passages(index, asked, frozenset([owner]))
    weights = {**WEIGHTS, "meaning": asked.weight, **library.config.weights}
    for each in fuse(lists, weights):
        row = rows[each.key]
        passage = index.passage(row)
        if passage is not None:
            return Claim(
                line=claim.line, column=claim.column, sentence=claim.sentence, cited=claim.cited,
                key=claim.key, passage=passage, words=_shared(index, asked.bag, passage),
                meaning=_cosine(index, asked, row.id, owner),
            )  # fmt: skip
    held = any(row.passage for row in index.table.of(owner))
    return _without(claim, NOTHING_SHARED if held else NO_TEXT)


def _without(claim: Claim, why: str) -> Claim:
    return Claim(
        line=claim.line, column=claim.column, sentence=claim.sentence, cited=claim.cited,
        key=claim.key, why=why,
    )  # fmt: skip


def _shared(index: Index, bag: Mapping[str, int], passage: Passage) -> float:
    """The share of the sentence's terms, weighed by rarity, that stand in the passage."""
    weights = {term: index.words.weight(term) or _UNSEEN for term in bag}
    found = index.words.analyser.common(words(passage.text), weights)
    return round(sum(weights[term] for term in sorted(found)) / sum(weights.values()), 4)


_UNSEEN = 1.0
"""The weight of a term that no text of the library has."""


def _cosine(index: Index, asked: Question, row: int, owner: int) -> float | None:
    """The cosine of sentence and passage; a lone abstract has its paper's vector."""
    if asked.vector is None:
        return None
    for vectors, number in ((index.passages, row), (index.papers, _paper(index, owner))):
        vector = vectors.near(number) if vectors is not None and number is not None else None
        if vector is not None:
            return round(float(asked.vector @ vector), 4)
    return None


def _paper(index: Index, owner: int) -> int | None:
    from pressmark.index.rows import PAPER

    return next((row.id for row in index.table.of(owner, PAPER)), None)


_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|[{}]")


def _told(text: str, low: int, high: int, spans: Sequence[tuple[int, int]], path: str) -> str:
    """The words of a stretch of text without the citations in it."""
    parts, at = [], low
    for start, end in spans[bisect_left(spans, (low, 0)) :]:
        if start >= high:
            break
        parts.append(text[at:start])
        at = max(at, end)
    parts.append(text[at:high])
    told = " ".join(parts)
    return words(_COMMAND.sub(" ", from_tex(told)) if _is_latex(path) else told)
