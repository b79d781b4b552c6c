"""References in; a .bib file that BibTeX and biber compile without a warning out; and back."""

from __future__ import annotations

from pressmark.formats.bibtex.reading import read
from pressmark.formats.bibtex.writing import MARK, entry, write

__all__ = ["MARK", "entry", "read", "write"]
