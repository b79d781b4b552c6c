"""The nouns of the library, frozen and without I/O: what a file or a provider's answer means.

Attribute names are the front matter's field names with `-` as `_`.
Every text value is a non-empty `str` or None, every list a tuple; nothing is coerced to
numbers or dates, because YAML's guesses damage identifiers (`2101.00010` is not 2101.0001).
"""

from __future__ import annotations

from typing import TypeAlias

from pressmark.record.files import Collection, FullText, Note, Search, Topic, Vocabulary
from pressmark.record.merging import grown, merge, reference, stand
from pressmark.record.work import (
    NOTICES,
    TYPES,
    Author,
    Extra,
    Location,
    Paper,
    Reference,
    Work,
    attribute,
    cut_section,
    section,
    without_section,
)

Record: TypeAlias = Reference | FullText | Topic | Search | Collection | Vocabulary | Note

__all__ = [
    "NOTICES",
    "TYPES",
    "Author",
    "Collection",
    "Extra",
    "FullText",
    "Location",
    "Note",
    "Paper",
    "Record",
    "Reference",
    "Search",
    "Topic",
    "Vocabulary",
    "Work",
    "attribute",
    "cut_section",
    "grown",
    "merge",
    "reference",
    "section",
    "stand",
    "without_section",
]
