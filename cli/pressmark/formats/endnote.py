"""The bytes of an EndNote XML file in; a paper for each record out.

Also what Bookends, Zotero and Mendeley write under that name; `style` elements dress the text.
"""

from __future__ import annotations

import re

from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.ris import tags
from pressmark.formats.xmltree import Element, all_words, below, name, tree, words

_TYPES = {
    "0": "JOUR", "1": "JOUR", "2": "THES", "3": "CONF", "4": "PCOMM", "5": "CHAP", "6": "BOOK",
    "7": "CASE", "8": "CHAP", "9": "COMP", "10": "CPAPER", "12": "ELEC", "13": "GEN", "14": "HEAR",
    "15": "BILL", "16": "ELEC", "17": "JOUR", "18": "HEAR", "19": "MGZN", "20": "MAP", "21": "MPCT",
    "22": "ELEC", "23": "NEWS", "25": "PAT", "26": "PCOMM", "27": "RPRT", "28": "EDBOOK",
    "31": "STAT", "32": "THES", "34": "UNPB", "36": "MANSCPT", "37": "FIGURE", "38": "CHART",
    "43": "EJOUR", "44": "EBOOK", "46": "GOVDOC", "47": "CPAPER", "48": "ELEC", "51": "CLSWK",
    "52": "DICT", "53": "ENCYC", "56": "BLOG", "57": "SER", "58": "STAND", "59": "DATA",
    "60": "ECHAP",
}  # fmt: skip
"""EndNote's numbers of its reference types, as RIS calls them."""

_TEXTS = {
    "volume": "volume", "number": "issue", "edition": "edition", "publisher": "publisher",
    "pub-location": "place", "language": "language", "section": "",
}  # fmt: skip
_READ = frozenset({
    "database", "source-app", "rec-number", "foreign-keys", "ref-type", "contributors", "titles",
    "periodical", "alt-periodical", "pages", "dates", "isbn", "keywords", "abstract", "urls",
    "electronic-resource-num", "label", *(each for each, ours in _TEXTS.items() if ours),
})  # fmt: skip


def read(data: bytes) -> Read:
    """Every record of a file: as a paper, or as a problem with its number and reason."""
    root = tree(data, "EndNote XML")
    found = Read("endnote-xml")
    for number, record in enumerate((e for e in root.iter() if name(e) == "record"), 1):
        _take(record, number, found)
    return found


def _take(record: Element, number: int, found: Read) -> None:
    making = Making("endnote")
    kind = below(record, "ref-type")
    said = kind.get("name", "") if kind is not None else ""
    code = tags.WORDS.get(said.casefold()) or _TYPES.get(words(kind), "")
    making.found["type"] = tags.READ.get(code, "document")
    making.key = re.sub(r"\s+", "-", words(below(record, "label")))
    _titles(record, making)
    contributors = below(record, "contributors")
    making.names("authors", all_words(contributors, "authors", "author"))
    editors = all_words(contributors, "secondary-authors", "author")
    making.names("editors", editors)
    for part in ("tertiary-authors", "subsidiary-authors", "translated-authors"):
        for person in all_words(contributors, part, "author"):
            making.keep(part, person)
    year = words(below(record, "dates", "year"))
    for day in all_words(record, "dates", "pub-dates", "date"):
        making.date(day if re.search(r"\d{4}", day) else f"{day} {year}")
    making.date(year)
    making.pages(words(below(record, "pages")))
    for tag, ours in _TEXTS.items():
        if ours:
            making.text(ours, words(below(record, tag)))
    making.numbers(words(below(record, "isbn")), kept="isbn")
    making.keywords(all_words(record, "keywords", "keyword"))
    making.abstract_text(words(below(record, "abstract")))
    _links(record, making)
    for child in record:
        if name(child) not in _READ and words(child):
            making.keep("note" if name(child) == "notes" else name(child), words(child))
    paper = making.paper(source=words(below(record, "rec-number")) if not making.key else "")
    if paper is None:
        found.say("it has no title", None, f"record {number}", lost=True)
        return
    for problem in making.problems:
        found.say(f"{problem}.", None, f"record {number}")
    found.take(paper)


def _titles(record: Element, making: Making) -> None:
    titles = below(record, "titles")
    making.text("title", words(below(titles, "title")))
    whole = making.found["type"] in ("book", "collection")
    for value in (
        words(below(record, "periodical", "full-title")),
        words(below(titles, "secondary-title")),
        words(below(record, "alt-periodical", "full-title")),
    ):
        making.text("series" if whole else "venue", value)
    making.text("series", words(below(titles, "tertiary-title")))
    for part in ("short-title", "alt-title", "translated-title"):
        making.keep(part, words(below(titles, part)))


def _links(record: Element, making: Making) -> None:
    value = words(below(record, "electronic-resource-num"))
    if value and not making.identifier("doi", value):
        making.doi_in(value)
        if not making.found.get("doi"):
            making.keep("electronic-resource-num", value)
    urls = below(record, "urls")
    for part in ("related-urls", "web-urls"):
        for address in all_words(urls, part, "url"):
            making.text("url", address, other="urls")
            making.doi_in(address)
    files = [a for part in ("pdf-urls", "text-urls") for a in all_words(urls, part, "url")]
    if files:
        making.keep("file", [*files])
