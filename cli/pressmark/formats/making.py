"""The fields of one entry, as a reader meets them, in; a paper with everything kept out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pressmark import ids
from pressmark.formats import dates
from pressmark.formats.csljson import values
from pressmark.record import Author, Extra, Paper, Reference
from pressmark.text import clean, escape_markdown
from pressmark.text import title as plain_title

_TAKEN = frozenset({*Reference.FIELDS, "key", "body", "extra"})

NOTICES = (
    ("retract", "retracted"), ("withdraw", "withdrawn"),
    ("expression of concern", "expression-of-concern"),
)  # fmt: skip


class Making:
    """One entry while it is read; the first value of a field stands, a further one is kept."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.found: dict[str, Any] = {}
        self.extra: dict[str, Extra] = {}
        self.problems: list[str] = []
        self.abstract = ""
        self.key = ""
        self.tags: list[str] = []

    def text(self, name: str, value: str, *, other: str = "") -> None:
        """A plain field; what is there already stands, another value goes to `other`."""
        value = clean(value)
        if not value:
            return
        if not self.found.get(name):
            self.found[name] = plain_title(value) if name == "title" else values.unescaped(value)
        elif other and values.unescaped(value) != self.found[name]:
            self.keep(other, value)

    def names(self, name: str, written: Iterable[str]) -> None:
        """More authors or editors, each `Family, Given[, Suffix]` or a whole name."""
        made = [each for each in map(person, written) if each]
        self.found[name] = (*self.found.get(name, ()), *made)

    def date(self, value: str, *, kept: str = "") -> None:
        """The date, the finer of two that agree; one that cannot be read is kept."""
        value = clean(value).rstrip("/ ")
        found = dates.from_text(value) if value else None
        held = self.found.get("published")
        if found and (not held or (len(found) > len(held) and found.startswith(held[:4]))):
            self.found["published"] = found
        elif value and not found:
            self.keep(kept or "date", value)

    def pages(self, first: str, last: str = "") -> None:
        """`93` and `105` as `93-105`; PubMed's `454-81` as `454-481`."""
        first, last = clean(first).replace("–", "-"), clean(last)
        short = re.fullmatch(r"(\d+)-(\d+)", first)
        if not last and short and len(short[2]) < len(short[1]):
            first = f"{short[1]}-{short[1][: len(short[1]) - len(short[2])]}{short[2]}"
        self.text("pages", f"{first}-{last}" if first and last and last != first else first or last)

    def identifier(self, name: str, value: str, *, kept: str = "") -> bool:
        """A DOI, PMID, PMCID or arXiv id; one that is none is kept as it is, and said."""
        value = clean(value)
        known = ids.NORMALISERS[name](value) if value else None
        if known:
            self.found[name] = self.found.get(name) or known
        elif value and kept:
            self.keep(kept, value)
        return bool(known)

    def doi_in(self, value: str) -> None:
        """A DOI where a note or address holds one."""
        if not self.found.get("doi") and "10." in value:
            found = next((i.value for i in ids.find_all(value) if i.kind == "doi"), None)
            self.found["doi"] = found

    def numbers(self, value: str, *, kept: str = "") -> None:
        """ISBNs and ISSNs, which many formats put under one tag."""
        isbns, left = values.isbns(re.sub(r"(?i)\((?:print|electronic|linking)\)|issn-", "", value))
        issns = values.issns(value)
        self.found["isbn"] = tuple(dict.fromkeys((*self.found.get("isbn", ()), *isbns)))
        self.found["issn"] = tuple(dict.fromkeys((*self.found.get("issn", ()), *issns)))
        if left and not issns and not isbns and kept:
            self.keep(kept, value)

    def keywords(self, words: Iterable[str]) -> None:
        """More keywords, each whole."""
        more = (clean(word) for word in words)
        held = self.found.get("keywords", ())
        self.found["keywords"] = tuple(dict.fromkeys(filter(None, (*held, *more))))

    def abstract_text(self, value: str) -> None:
        """The abstract as Markdown that shows literally what stands in it."""
        value = clean(values.unescaped(value), newlines=True)
        if value and not self.abstract:
            self.abstract = escape_markdown(value)

    def notice(self, words: str) -> None:
        """A retraction and its like, where the type of the publication says so."""
        folded = words.casefold()
        if "publication" in folded or folded in ("retracted", "withdrawn"):
            found = next((notice for sign, notice in NOTICES if sign in folded), None)
            if found and not folded.startswith(("retraction of", "expression of concern for")):
                self.found["notice"] = found

    def keep(self, name: str, value: Extra) -> None:
        """A value that has no field of ours, under its own name; several make a list."""
        name = clean(name)[:100]
        name = f"{self.form}-{name}" if name in _TAKEN else name
        kept = clean(value, newlines=True) if isinstance(value, str) else value
        if not name or not kept:
            return
        held = self.extra.get(name)
        if held is None:
            self.extra[name] = kept
        elif isinstance(held, list) and kept not in held:
            held.append(kept)
        elif not isinstance(held, list) and held != kept:
            self.extra[name] = [held, kept]

    def paper(
        self, *, source: str = "", stand_ins: Mapping[str, str] | None = None
    ) -> Paper | None:
        """The paper; None where it has neither a title nor anything that could stand for one."""
        if not self.found.get("title"):
            named = dict(stand_ins or {})
            stand_in = next((clean(each) for each in named.values() if clean(each)), self.key)
            if not stand_in:
                return None
            self.problems.append(f"it has no title; “{stand_in[:60]}” stands for it")
            self.found["title"] = stand_in
        fields: dict[str, Any] = {name: value or None for name, value in self.found.items()}
        for name in ("authors", "editors", "isbn", "issn", "keywords"):
            fields[name] = self.found.get(name, ())
        shown = re.sub(r"\s", "%20", source or self.key) or ids.identity(Paper(**fields))
        return Paper(
            **fields,
            abstract=self.abstract or None,
            sources=(f"{self.form}:{shown}",) if shown else (),
            key_hint=self.key if self.key and not self.key.isdigit() else None,
            tags=tuple(sorted(set(self.tags))),
            extra=self.extra,
        )


def person(written: str) -> str:
    """`Family, Given[, Suffix]`; a name of several words without a comma is a group's."""
    written = clean(values.unescaped(written)).strip(";")
    parts = [part.strip() for part in written.split(",")]
    if len(parts) == 2 and not parts[1]:  # `World Health Organization,`
        return str(Author(parts[0], group=True))
    if len(parts) == 1 and " " in written:
        return str(Author(written, group=True))
    if len(parts) > 3:
        return str(Author(written, group=True))
    family, given, suffix = (*parts, "", "")[:3]
    return str(Author(family, given, suffix)) if family else ""
