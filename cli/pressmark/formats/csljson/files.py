"""The bytes of a JSON file in; its papers out, whether CSL's items or Zotero's."""

from __future__ import annotations

from pressmark.formats.csljson.reading import entries, taken
from pressmark.formats.reading import Read


def read(data: bytes) -> Read:
    """Every entry of a CSL-JSON file, of Better BibTeX JSON, or of what Zotero's API answers."""
    found = entries(data)
    if any(isinstance(each, dict) and ("itemType" in each or "data" in each) for each in found):
        from pressmark.formats import zotero

        return zotero.taken(found)
    return taken(found)
