"""RIS: references in, the text of a file out; the bytes of a file in any dialect in, papers out."""

from __future__ import annotations

from pressmark.formats.ris.reading import read
from pressmark.formats.ris.writing import entry, write

__all__ = ["entry", "read", "write"]
