"""The library: its records and settings in, answers and one commit per change out."""

from __future__ import annotations

from pressmark.library.library import Library
from pressmark.library.outcome import Added, Change, Item, Outcome, Write

__all__ = ["Added", "Change", "Item", "Library", "Outcome", "Write"]
