"""Which RIS tag is which field of ours, and which type is which.

The tags are those of Reference Manager and of what Zotero, EndNote and the databases make of
them (https://refdb.sourceforge.net/manual-0.9.6/sect1-ris-format.html).
"""

from __future__ import annotations

WRITTEN = {
    "article-journal": "JOUR", "article-magazine": "MGZN", "article-newspaper": "NEWS",
    "article": "UNPB", "bill": "BILL", "book": "BOOK", "broadcast": "VIDEO", "chapter": "CHAP",
    "classic": "CLSWK", "collection": "EDBOOK", "dataset": "DATA", "document": "GEN",
    "entry": "ENCYC", "entry-dictionary": "DICT", "entry-encyclopedia": "ENCYC", "figure": "FIGURE",
    "graphic": "ART", "hearing": "HEAR", "interview": "PCOMM", "legal_case": "CASE",
    "legislation": "STAT", "manuscript": "MANSCPT", "map": "MAP", "motion_picture": "MPCT",
    "musical_score": "MUSIC", "pamphlet": "PAMP", "paper-conference": "CPAPER",
    "patent": "PAT", "periodical": "SER", "personal_communication": "PCOMM", "post": "BLOG",
    "post-weblog": "BLOG", "regulation": "GOVDOC", "report": "RPRT", "review": "JOUR",
    "review-book": "JOUR", "software": "COMP", "song": "SOUND", "speech": "SLIDE",
    "standard": "STAND", "thesis": "THES", "webpage": "ELEC",
}  # fmt: skip
"""RIS's type for CSL's; all others are `GEN`."""

READ = {
    "JOUR": "article-journal", "MGZN": "article-magazine", "NEWS": "article-newspaper",
    "EJOUR": "article-journal", "JFULL": "periodical", "INPR": "article-journal",
    "ABST": "article-journal", "UNPB": "article", "BILL": "bill", "UNBILL": "bill",
    "BOOK": "book", "EBOOK": "book", "WHOLE": "book", "VIDEO": "broadcast", "ADVS": "broadcast",
    "CHAP": "chapter", "ECHAP": "chapter", "CLSWK": "classic", "EDBOOK": "collection",
    "DATA": "dataset", "AGGR": "dataset", "DBASE": "dataset", "GEN": "document",
    "ENCYC": "entry-encyclopedia", "DICT": "entry-dictionary", "FIGURE": "figure", "ART": "graphic",
    "HEAR": "hearing", "PCOMM": "personal_communication", "CASE": "legal_case",
    "STAT": "legislation", "MANSCPT": "manuscript", "MAP": "map", "MPCT": "motion_picture",
    "MUSIC": "musical_score", "PAMP": "pamphlet", "CPAPER": "paper-conference",
    "CONF": "paper-conference", "PAT": "patent", "SER": "periodical", "SERIAL": "periodical",
    "BLOG": "post-weblog", "GOVDOC": "regulation", "LEGAL": "regulation", "RPRT": "report",
    "COMP": "software", "SOUND": "song", "SLIDE": "speech", "STAND": "standard", "THES": "thesis",
    "ELEC": "webpage", "ICOMM": "webpage", "ICOMMPC": "webpage", "EQUA": "figure",
    "CHART": "figure", "GRANT": "document", "ANCIENT": "classic", "MULTI": "webpage",
}  # fmt: skip

WORDS = {
    "journal article": "JOUR", "journal": "JOUR", "article": "JOUR", "book": "BOOK",
    "book section": "CHAP", "book chapter": "CHAP", "edited book": "EDBOOK", "report": "RPRT",
    "thesis": "THES", "conference paper": "CPAPER", "conference proceedings": "CONF",
    "conference": "CPAPER", "web page": "ELEC", "electronic article": "EJOUR", "patent": "PAT",
    "dataset": "DATA", "newspaper article": "NEWS", "magazine article": "MGZN", "review": "JOUR",
    "generic": "GEN", "unpublished work": "UNPB", "manuscript": "MANSCPT", "film": "MPCT",
    "computer program": "COMP", "software": "COMP", "encyclopedia": "ENCYC", "map": "MAP",
    "statute": "STAT", "case": "CASE", "bill": "BILL", "standard": "STAND",
}  # fmt: skip
"""Types by their words, as some databases and EndNote write them."""
