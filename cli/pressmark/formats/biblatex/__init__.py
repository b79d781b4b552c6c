"""References in; a .bib file for biblatex and biber, in UTF-8, out."""

from __future__ import annotations

from pressmark.formats.biblatex.writing import entry, write
from pressmark.formats.bibtex import MARK

__all__ = ["MARK", "entry", "write"]
