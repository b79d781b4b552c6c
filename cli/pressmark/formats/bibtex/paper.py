"""The resolved fields of one entry in; the paper that they describe out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pressmark import ids
from pressmark.formats.bibtex import dating, fields, files, titles
from pressmark.formats.bibtex.names import names
from pressmark.formats.bibtex.parts import ENTRY_TYPE, KEEP_CASE, PREPRINT_SERVERS
from pressmark.formats.bibtex.values import text
from pressmark.formats.csljson import values
from pressmark.record import Extra, Paper, Reference
from pressmark.text import clean, escape_markdown, fold

Complain = Callable[[str], None]

_TAKEN = frozenset({*Reference.FIELDS, "key", "body", "extra", "genre", "accessed"})
_NORMALISE = {"doi": ids.normalise_doi, "pmid": ids.normalise_pmid, "pmcid": ids.normalise_pmcid}
_GROUP = re.compile(r"(\\[A-Za-z]+\s*)?(?<![\\])\{([^{}\\$]*)\}")
_WORD = re.compile(r"[^\W_]+")


class Maker:
    """One entry while it becomes a paper."""

    def __init__(self, kind: str, key: str, given: Mapping[str, str], complain: Complain) -> None:
        self.kind = kind
        self.key = key
        self.given = dict(given)
        self.complain = complain
        self.found: dict[str, Any] = {}
        self.extra: dict[str, Extra] = {}

    def paper(self) -> Paper:
        """The paper; its title is empty where nothing could be one."""
        self._type()
        self._title()
        self._people()
        self._where()
        self._date()
        self._identifiers()
        self._words()
        abstract = self._take("abstract", lines=True)
        self._rest()
        source = re.sub(r"\s", "%20", self.key) or ids.identity(Paper(**self.found))
        return Paper(
            **self.found,
            abstract=_markdown(abstract),
            sources=(f"bibtex:{source}",) if source else (),
            key_hint=self.key or None,
            other_keys=self._other_keys(),
            extra=self.extra,
        )

    def _other_keys(self) -> tuple[str, ...]:
        """What biblatex's `ids` calls the entry too; the field itself is kept beside it."""
        listed = clean(str(self.extra.get("ids", ""))).split(",")
        keys = dict.fromkeys(key.strip() for key in listed)
        return tuple(key for key in keys if key and key != self.key)

    def _take(self, name: str, *, lines: bool = False) -> str:
        value = self.given.pop(name, "")
        return text(value, lines=lines) if value else ""

    def _raw(self, name: str) -> str:
        """An address or identifier, where TeX means little."""
        value = self.given.pop(name, "")
        value = files.unbraced(value)
        return clean(re.sub(r"\\([_%&#~{}$])", r"\1", value).strip("{} ")) if value else ""

    def _type(self) -> None:
        really = self.given.get("entrysubtype", "")
        if (self.kind, really) in fields.REALLY:
            self.kind = fields.REALLY[self.kind, self.given.pop("entrysubtype")]
        csl = fields.TYPES.get(self.kind)
        if csl is None:
            self.complain(f"@{self.kind} is no type of BibTeX; it became “document”")
        self.found["type"] = csl or "document"
        genre = self._take("type") or fields.GENRES.get(self.kind, "")
        if genre and genre.lower() not in ("phdthesis", "techreport"):
            mastersthesis = genre.lower() == "mathesis" or genre.lower() == "mastersthesis"
            self.extra["genre"] = "Master's thesis" if mastersthesis else genre
        if self.kind != fields.LEADS_BACK.get(self.found["type"]) and self.kind not in _SAME:
            self.extra[ENTRY_TYPE] = self.kind

    def _title(self) -> None:
        raw = self.given.pop("title", "")
        subtitle = self.given.pop("subtitle", "")
        whole = f"{raw}: {subtitle}" if raw and subtitle else raw or subtitle
        self.found["title"] = text(whole)
        language = fields.LANGUAGES.get(self.given.get("langid", "").lower())
        if "{" in whole and (words := _protected(whole)):
            title = self.found["title"]
            if words := titles.unprotected(title, [w for w in words if w in title], language):
                self.extra[KEEP_CASE] = [*words]

    def _people(self) -> None:
        self.found["authors"] = names(self.given.pop("author", ""))
        self.found["editors"] = names(self.given.pop("editor", ""))

    def _where(self) -> None:
        whole = self.found["type"] in ("book", "periodical")
        if not whole:
            self.found["venue"] = next(filter(None, map(self._take, fields.VENUES)), None)
            subtitle = self._take("journalsubtitle") or self._take("booksubtitle")
            if subtitle and self.found["venue"]:
                self.found["venue"] += f": {subtitle}"
        self.found["publisher"] = next(filter(None, map(self._take, fields.PUBLISHERS)), None)
        for name, ours in fields.PLAIN.items():
            self.found[ours] = self.found.get(ours) or self._take(name) or None
        langid = self.given.pop("langid", "") or self.given.pop("hyphenation", "")
        self.found["language"] = self.found["language"] or fields.LANGUAGES.get(
            langid.lower(), langid or None
        )
        self.found["pages"] = (self.found["pages"] or "").replace("–", "-") or None
        number, issue = self._take("number"), self._take("issue")
        if self.found["type"] in ("article-journal", "periodical"):
            number, issue = (issue, number) if number and issue else ("", number or issue)
        self.found["issue"], self.found["number"] = issue or None, number or None

    def _date(self) -> None:
        given = {name: self._take(name) for name in fields.DATES if name in self.given}
        self.found["published"], kept = dating.published(given)
        for name, value in kept.items():
            self.extra[_own(name)] = value
        if not self.found["published"] and given.get("year", given.get("date", "")):
            said = given.get("date") or given.get("year")
            self.complain(f"“{said}” has no year that can be read; it is kept as it is")

    def _identifiers(self) -> None:
        self._eprint()
        for name, normalise in _NORMALISE.items():
            value = self._raw(name)
            if not value:
                continue
            known = normalise(value)
            self.found[name] = self.found.get(name) or known
            if not known:
                self.extra[_own(name)] = value
                self.complain(f"“{value}” is no {name.upper()}; it is kept as it is")
        self.found["url"] = self._raw("url") or None
        isbn, left = values.isbns(self._take("isbn"))
        self.found["isbn"] = isbn
        if left:
            self.extra["bibtex-isbn"] = left
            self.complain(f"“{left}” is no ISBN; it is kept as it is")
        issn = self._take("issn")
        self.found["issn"] = values.issns(issn)
        if issn and not self.found["issn"]:
            self.extra["bibtex-issn"] = issn

    def _eprint(self) -> None:
        """arXiv, PubMed and PubMed Central stand under `eprint`, others are kept."""
        eprint = self.given.get("eprint", "").strip("{} ")
        archive = (self.given.get("eprinttype") or self.given.get("archiveprefix") or "").strip(
            "{} "
        )
        place = archive.casefold() or ("arxiv" if "arxiv" in eprint.casefold() else "")
        kind = {"arxiv": "arxiv", "pubmed": "pmid", "pmid": "pmid", "pmc": "pmcid"}.get(place)
        plain = None if place else ids.normalise_arxiv(eprint)
        known = {"arxiv": ids.normalise_arxiv, **_NORMALISE}[kind](eprint) if kind else plain
        if known:
            self.found[kind or "arxiv"] = known
            classes = [self._take(name) for name in ("eprintclass", "primaryclass")]
            if (kind or "arxiv") == "arxiv":
                self.found["arxiv_class"] = next(filter(None, classes), None)
            for name in ("eprint", "eprinttype", "archiveprefix"):
                self.given.pop(name, None)
        if not self.found.get("arxiv"):
            self._arxiv_elsewhere()
        venue = fold(self.found.get("venue") or "")
        preprint = venue in PREPRINT_SERVERS or venue.startswith("arxiv")
        alone = self.found.get("arxiv") and (preprint or not self.found.get("venue"))
        if alone and self.found["type"] in _MAY_BE_PREPRINT:
            self.found["type"] = "article"
            self.extra.pop(ENTRY_TYPE, None)

    def _arxiv_elsewhere(self) -> None:
        """`journal = {arXiv preprint arXiv:1706.03762}` and its like, and `arxivId`."""
        places = [self._raw("arxivid"), self._raw("arxiv"), self.found.get("venue") or ""]
        places += [self.given.get(name, "") for name in ("note", "howpublished", "url")]
        if any("arxiv" in place.casefold() for place in places[2:]) or any(places[:2]):
            found = [i.value for place in places for i in ids.find_all(place) if i.kind == "arxiv"]
            self.found["arxiv"] = next(iter(found), None)

    def _words(self) -> None:
        words = self._take("keywords") or self._take("keyword")
        self.found["keywords"] = values.keywords(words) if words else ()

    def _rest(self) -> None:
        """Whatever has no place of its own stays, under its own name if that is free."""
        for name, value in self.given.items():
            if name in ("crossref", "xdata") or not value.strip():
                continue
            kept: Extra
            if name == "file":
                kept = [clean(path) for path in files.paths(value)]
            elif name in fields.ACCESSED:
                name, kept = fields.ACCESSED[name], text(value)
            elif name in fields.VERBATIM:
                kept = clean(value)
            else:
                kept = text(value, lines=name in fields.LINES)
            if kept:
                self.extra[_own(name) if name not in ("accessed",) else name] = kept


_MAY_BE_PREPRINT = frozenset({"document", "article-journal", "webpage", "manuscript"})
_SAME = frozenset({
    "conference", "mastersthesis", "thesis", "report", "electronic", "www", "webpage", "data",
    "image", "music", "movie", "legal",
})  # fmt: skip
"""Entry types that an export need not give back under this very name."""


def _own(name: str) -> str:
    """What a field is called among the fields that are the user's."""
    name = clean(name)[:100]
    return f"bibtex-{name}" if name in _TAKEN else name


def _markdown(abstract: str) -> str | None:
    """An abstract as Markdown that shows literally what stands in it."""
    return escape_markdown(abstract) if abstract else None


def _protected(raw: str) -> list[str]:
    """The words with capitals that stand in braces which belong to no command."""
    inner = raw
    found: list[str] = []
    for _ in range(3):  # `{{Whole} {T}itle}`
        for group in _GROUP.finditer(inner):
            if not group[1] and any(sign.isupper() for sign in group[2]):
                start = re.search(r"[^\W_]*$", inner[: group.start()])
                end = re.match(r"[^\W_]*", inner[group.end() :])
                whole = (start[0] if start else "") + group[2] + (end[0] if end else "")
                found += [word for word in _WORD.findall(whole) if any(s.isupper() for s in word)]
        before, inner = inner, _GROUP.sub(lambda g: g[0] if g[1] else g[2], inner)
        if inner == before:
            break
    return list(dict.fromkeys(found))
