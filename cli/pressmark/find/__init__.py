"""A library and a question in, ranked answers out: papers with evidence, passages, exact lines."""

from __future__ import annotations

from pressmark.find.exact import grep
from pressmark.find.finding import find, passages, related
from pressmark.find.hits import Findings, Hit, Line, NoteHit, PassageHit
from pressmark.index import Passage

__all__ = [
    "Findings",
    "Hit",
    "Line",
    "NoteHit",
    "Passage",
    "PassageHit",
    "find",
    "grep",
    "passages",
    "related",
]
