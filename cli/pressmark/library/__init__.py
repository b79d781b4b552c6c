"""The library: its records and settings in, answers and one commit per change out."""

from __future__ import annotations

from pathlib import Path

from pressmark.library.library import Library
from pressmark.library.outcome import Added, Change, Item, Outcome, Write

__all__ = ["Added", "Change", "Item", "Library", "Outcome", "Write", "create"]


def create(
    root: Path, *, minimal: bool = False, pandoc_filter: bool = False, write: Write | None = None
) -> Outcome:
    """Make a library in a folder, or complete the one that is there; nothing is overwritten."""
    from pressmark.library import creating

    return creating.create(root, minimal=minimal, pandoc_filter=pandoc_filter, write=write)
