"""CSL-JSON in, papers and a sentence for each thing that could not be taken out; and back.

https://docs.citationstyles.org/en/stable/specification.html, with what Zotero, Mendeley, pandoc
and Crossref make of it. Fields that CSL has no name for stand under `custom`, where its schema
has room for them.
"""

from __future__ import annotations

from pressmark.formats.csljson.reading import entries, read, taken
from pressmark.formats.csljson.writing import item, items, write

__all__ = ["entries", "item", "items", "read", "taken", "write"]
