"""Which CSL variable is which field of ours."""

from __future__ import annotations

TEXTS = {
    "container-title": "venue", "publisher": "publisher", "publisher-place": "place",
    "event-title": "event", "event": "event", "volume": "volume", "issue": "issue",
    "number": "number", "page": "pages", "edition": "edition", "collection-title": "series",
    "URL": "url", "language": "language",
}  # fmt: skip
"""CSL's name, and ours; of two for one of ours the first is written."""

NAMES = {"author": "authors", "editor": "editors"}

IDENTIFIERS = {"DOI": "doi", "PMID": "pmid", "PMCID": "pmcid"}

CUSTOM_TEXTS = ("arxiv", "arxiv-class", "openalex", "s2", "license", "oa", "notice", "notice-note")
CUSTOM_LISTS = ("related", "cites", "tags")
"""Fields of ours that CSL has no name for."""

DATES = ("accessed", "event-date", "original-date", "submitted", "available-date")

READ = frozenset({
    *TEXTS, *NAMES, *IDENTIFIERS, "id", "citation-key", "type", "title", "issued", "ISBN", "ISSN",
    "keyword", "abstract", "custom",
})  # fmt: skip
"""Variables whose meaning is taken; every other is kept under its own name."""

UNREAD = frozenset({
    *DATES, "annote", "archive", "archive-place", "archive_collection", "archive_location",
    "authority", "call-number", "categories", "chapter-number", "citation-label",
    "citation-number", "collection-number", "container-title-short", "dimensions", "division",
    "event-place", "first-reference-note-number", "genre", "journalAbbreviation", "jurisdiction",
    "locator", "medium", "note", "number-of-pages", "number-of-volumes", "original-publisher",
    "original-publisher-place", "original-title", "page-first", "part-number", "part-title",
    "printing-number", "references", "reviewed-genre", "reviewed-title", "scale", "section",
    "shortTitle", "source", "status", "supplement-number", "title-short", "version",
    "volume-title", "year-suffix",
    "chair", "collection-editor", "compiler", "composer", "container-author", "contributor",
    "curator", "director", "editorial-director", "editor-translator", "executive-producer",
    "guest", "host", "illustrator", "interviewer", "narrator", "organizer", "original-author",
    "performer", "producer", "recipient", "reviewed-author", "script-writer", "series-creator",
    "translator",
})  # fmt: skip
"""The rest of CSL 1.0.2: written at an entry's top, where anything else goes under `custom`."""
