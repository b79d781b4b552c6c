"""References in; a .bib file in pure ASCII that BibTeX and biber compile without a warning out."""

from __future__ import annotations

from pressmark.formats.bibtex.writing import MARK, entry, write

__all__ = ["MARK", "entry", "write"]
