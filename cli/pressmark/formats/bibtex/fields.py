"""Which type and field of BibTeX and biblatex is which of ours."""

from __future__ import annotations

TYPES = {
    "article": "article-journal", "suppperiodical": "article-journal", "book": "book",
    "mvbook": "book", "collection": "book", "mvcollection": "book", "proceedings": "book",
    "mvproceedings": "book", "reference": "book", "mvreference": "book", "manual": "document",
    "inbook": "chapter", "incollection": "chapter", "bookinbook": "chapter", "suppbook": "chapter",
    "suppcollection": "chapter", "inproceedings": "paper-conference",
    "conference": "paper-conference", "phdthesis": "thesis", "mastersthesis": "thesis",
    "thesis": "thesis", "techreport": "report", "report": "report", "misc": "document",
    "booklet": "pamphlet", "unpublished": "manuscript", "online": "webpage",
    "electronic": "webpage", "www": "webpage", "webpage": "webpage", "patent": "patent",
    "periodical": "periodical", "dataset": "dataset", "data": "dataset", "software": "software",
    "softwareversion": "software", "softwaremodule": "software", "codefragment": "software",
    "inreference": "entry-encyclopedia", "review": "review", "artwork": "graphic",
    "image": "graphic", "audio": "song", "music": "song", "video": "motion_picture",
    "movie": "motion_picture", "jurisdiction": "legal_case", "legislation": "legislation",
    "legal": "legislation", "letter": "personal_communication", "performance": "performance",
    "standard": "standard", "commentary": "document", "unknown": "document", "bibnote": "document",
}  # fmt: skip

LEADS_BACK = {
    "article-journal": "article", "book": "book", "chapter": "incollection",
    "paper-conference": "inproceedings", "thesis": "phdthesis", "report": "techreport",
    "document": "misc", "manuscript": "unpublished", "webpage": "online", "patent": "patent",
    "periodical": "periodical", "dataset": "dataset", "software": "software",
    "pamphlet": "booklet", "entry-encyclopedia": "inreference",
}  # fmt: skip
"""The entry type that an export gives; another one is kept beside ours."""

REALLY = {("inproceedings", "chapter"): "incollection", ("proceedings", "book"): "book"}
"""What an export calls by another type, because a style or biber wants names that it lacks."""

GENRES = {"mastersthesis": "Master's thesis", "phdthesis": ""}
"""What a type says that CSL's does not."""

PLAIN = {
    "publisher": "publisher", "address": "place", "location": "place", "volume": "volume",
    "pages": "pages", "edition": "edition", "series": "series", "language": "language",
    "eventtitle": "event", "license": "license",
}  # fmt: skip
"""Texts that mean the same whatever the type."""

VENUES = ("journaltitle", "journal", "booktitle", "maintitle")
PUBLISHERS = ("publisher", "school", "institution", "organization")

DATES = ("date", "year", "month", "day")

LINES = frozenset({"abstract", "annote", "annotation", "note", "comment", "review"})
"""Fields whose paragraphs mean something."""

VERBATIM = frozenset({
    "url", "doi", "eprint", "file", "urn", "pdf", "ps", "link", "bdsk-url-1", "bdsk-url-2",
    "bdsk-file-1", "local-url", "verba", "verbb", "verbc", "owner", "timestamp", "date-added",
    "date-modified", "groups", "swhid", "repository", "hal_id", "hal_version", "crossref", "ids",
})  # fmt: skip

ACCESSED = {"urldate": "accessed", "lastchecked": "accessed", "lastaccessed": "accessed"}

LANGUAGES = {
    "english": "en", "american": "en-US", "british": "en-GB", "usenglish": "en-US",
    "ukenglish": "en-GB", "german": "de", "ngerman": "de", "austrian": "de-AT", "french": "fr",
    "francais": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "brazil": "pt-BR",
    "brazilian": "pt-BR", "dutch": "nl", "russian": "ru", "polish": "pl", "czech": "cs",
    "swedish": "sv", "danish": "da", "finnish": "fi", "norwegian": "no", "greek": "el",
    "turkish": "tr", "latin": "la", "chinese": "zh", "japanese": "ja", "hungarian": "hu",
}  # fmt: skip
"""babel's names; any other value stands as it is."""
