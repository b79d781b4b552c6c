"""A library and a question in, ranked answers out: papers with evidence, passages, exact lines."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.find.drafts import Claim, Evidenced, evidence
    from pressmark.find.exact import grep
    from pressmark.find.finding import find, related
    from pressmark.find.hits import (
        CitingSentence,
        Findings,
        Hit,
        Line,
        Neighbour,
        Neighbours,
        NoteHit,
        PassageHit,
        Wanted,
        WantedList,
    )
    from pressmark.find.narrowing import held, narrowed
    from pressmark.find.nearness import Relevance, relevance
    from pressmark.find.neighbours import cites, wanted
    from pressmark.find.passaging import passages
    from pressmark.find.relations import RELATIONS
    from pressmark.find.skimming import Part, Skim, skim
    from pressmark.index import Passage

_HOMES = {
    "Claim": "find.drafts", "Evidenced": "find.drafts", "evidence": "find.drafts",
    "grep": "find.exact", "find": "find.finding", "related": "find.finding",
    "CitingSentence": "find.hits", "Findings": "find.hits", "Hit": "find.hits",
    "Line": "find.hits", "Neighbour": "find.hits", "Neighbours": "find.hits",
    "NoteHit": "find.hits", "PassageHit": "find.hits", "Wanted": "find.hits",
    "WantedList": "find.hits", "held": "find.narrowing", "narrowed": "find.narrowing",
    "cites": "find.neighbours", "wanted": "find.neighbours", "passages": "find.passaging",
    "RELATIONS": "find.relations", "Relevance": "find.nearness", "relevance": "find.nearness",
    "Part": "find.skimming", "Skim": "find.skimming", "skim": "find.skimming",
    "Passage": "index",
}  # fmt: skip
"""Name -> its module: a question pays for what it uses alone."""

__all__ = [
    "RELATIONS",
    "CitingSentence",
    "Claim",
    "Evidenced",
    "Findings",
    "Hit",
    "Line",
    "Neighbour",
    "Neighbours",
    "NoteHit",
    "Part",
    "Passage",
    "PassageHit",
    "Relevance",
    "Skim",
    "Wanted",
    "WantedList",
    "cites",
    "evidence",
    "find",
    "grep",
    "held",
    "narrowed",
    "passages",
    "related",
    "relevance",
    "skim",
    "wanted",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"pressmark.{_HOMES[name]}"), name)
