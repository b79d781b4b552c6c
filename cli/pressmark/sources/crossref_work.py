"""One work of Crossref's JSON in; a paper out, every field of it optional."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pressmark import ids, text
from pressmark.record import NOTICES, Paper
from pressmark.sources import licences, names
from pressmark.sources.base import OpenCopy
from pressmark.sources.values import date_of, items, renamed, table, unique, words

TYPES = {
    "journal-article": "article-journal", "proceedings-article": "paper-conference",
    "book-chapter": "chapter", "book-section": "chapter", "book-part": "chapter",
    "book-track": "chapter", "book": "book", "monograph": "book", "edited-book": "book",
    "reference-book": "book", "proceedings": "book", "book-set": "book", "book-series": "book",
    "reference-entry": "entry", "posted-content": "article", "dissertation": "thesis",
    "report": "report", "report-component": "report", "report-series": "report",
    "dataset": "dataset", "database": "dataset", "peer-review": "review", "standard": "standard",
    "journal": "periodical", "journal-volume": "periodical", "journal-issue": "periodical",
    "component": "document", "other": "document", "grant": "document",
}  # fmt: skip

_NOTICE = {
    "retraction": "retracted", "partial_retraction": "corrected", "withdrawal": "withdrawn",
    "removal": "withdrawn", "expression_of_concern": "expression-of-concern",
    "correction": "corrected", "corrigendum": "corrected", "erratum": "corrected",
}  # fmt: skip
_RELATIONS = (
    "has-preprint", "is-preprint-of", "is-version-of", "has-version", "is-identical-to",
    "is-same-as", "is-review-of", "is-translation-of", "has-translation", "is-correction-of",
)  # fmt: skip


def paper(work: object, today: str) -> Paper | None:
    """The paper; None for what is no mapping or has no DOI."""
    work = table(work)
    doi = ids.normalise_doi(words(work.get("DOI")))
    if doi is None:
        return None
    kind = words(work.get("type"))
    venue, series = _containers(work, kind)
    title = _title(work)
    notice, note = _notice(work, title)
    license_ = _licence(work)
    event = table(work.get("event"))
    return Paper(
        title=title,
        authors=_people(work.get("author")),
        editors=_people(work.get("editor")),
        published=_published(work),
        type=TYPES.get(kind, "document" if kind else None),
        venue=venue,
        series=series,
        publisher=text.title(words(work.get("publisher"))),
        place=words(work.get("publisher-location")),
        event=text.title(words(event.get("name"))),
        volume=words(work.get("volume")),
        issue=words(work.get("issue")),
        pages=_pages(work),
        edition=words(work.get("edition-number")).strip("0"),
        doi=doi,
        isbn=unique([ids.normalise_isbn(words(each)) for each in items(work.get("ISBN"))]),
        issn=tuple(sorted(unique([words(each) for each in items(work.get("ISSN"))]))),
        url=f"https://doi.org/{doi}",
        language=words(work.get("language")),
        license=license_,
        notice=notice,
        notice_note=note,
        related=tuple(sorted(unique(list(_related(work))))),
        cites=unique([_cited(each) for each in items(work.get("reference"))]),
        abstract=text.from_jats(str(work.get("abstract") or "")) or None,
        sources=(f"crossref:{doi} {today}",),
        locations=tuple(_locations(work, license_)),
    )


def _title(work: dict[str, Any]) -> str:
    title = text.title(words(work.get("title")))
    subtitle = text.title(words(work.get("subtitle")))
    if not title or not subtitle or text.fold(subtitle) in text.fold(title):
        return title
    return f"{title.rstrip(':')}{' ' if title.endswith(('?', '!')) else ': '}{subtitle}"


def _people(value: object) -> tuple[str, ...]:
    """Names as given; an institution among them is a group, not a person without a given name."""
    people = []
    for person in map(table, items(value)):
        family, given = words(person.get("family")), words(person.get("given"))
        if family or given:
            people.append(names.given_family(given, family, words(person.get("suffix"))))
        elif group := words(person.get("name") or person.get("literal")):
            people.append(names.group(group))
    return unique(people)


def _published(work: dict[str, Any]) -> str | None:
    """The earliest date it states; `[[null]]` is how Crossref writes that there is none."""
    for name in ("issued", "published", "published-online", "published-print", "posted"):
        parts = items(table(work.get(name)).get("date-parts"))
        date = date_of(*items(parts[0])[:3]) if parts and items(parts[0]) else None
        if date:
            return date
    return None


def _containers(work: dict[str, Any], kind: str) -> tuple[str | None, str | None]:
    """Venue and series: a chapter in a series names the series first and its volume second."""
    found = [text.title(words(each)) for each in items(work.get("container-title"))]
    found = [each for each in found if each]
    if len(found) > 1 and TYPES.get(kind) in ("chapter", "paper-conference"):
        return found[1], found[0]
    if found:
        return found[0], None
    institution = items(work.get("institution"))
    if kind == "posted-content" and institution:
        return text.title(words(table(institution[0]).get("name"))), None
    return None, None


def _pages(work: dict[str, Any]) -> str | None:
    """The pages, or the article number that many journals have instead."""
    pages = words(work.get("page")) or words(work.get("article-number"))
    first, dash, last = pages.partition("-")
    return first if dash and first == last else pages or None


def _licence(work: dict[str, Any]) -> str | None:
    """A Creative Commons licence wherever it stands; else the terms of the published version.

    A text-mining licence says nothing about reading or publishing, so it is not the work's.
    """
    found = [table(each) for each in items(work.get("license"))]
    terms = [
        (words(f.get("content-version")), licences.normalise(words(f.get("URL")))) for f in found
    ]
    for version in ("vor", "unspecified", "am", "tdm"):
        for at, licence in terms:
            if at == version and licences.named(licence):
                return licence
    return next((licence for at, licence in terms if at in ("vor", "unspecified")), None)


def _notice(work: dict[str, Any], title: str) -> tuple[str | None, str | None]:
    """What later notices say happened to it, gravest first; publishers also rename the work."""
    found = []
    for update in map(table, items(work.get("updated-by"))):
        kind = re.sub(r"[\s-]+", "_", words(update.get("type")).lower())
        if kind in _NOTICE:
            parts = items(table(update.get("updated")).get("date-parts"))
            date = date_of(*items(parts[0])[:3]) if parts else None
            doi = ids.normalise_doi(words(update.get("DOI")))
            note = " ".join(part for part in (f"doi:{doi}" if doi else "", date) if part)
            found.append((NOTICES.index(_NOTICE[kind]), _NOTICE[kind], note or None))
    if found:
        gravest = min(found, key=lambda each: each[0])
        return gravest[1], gravest[2]
    return renamed(title), None


def _related(work: dict[str, Any]) -> Iterator[str | None]:
    """Preprint, published version, and what a notice is about, as identity strings."""
    relations = table(work.get("relation"))
    for kind in _RELATIONS:
        for target in map(table, items(relations.get(kind))):
            yield _identity(words(target.get("id")))
    for update in map(table, items(work.get("update-to"))):
        yield _identity(words(update.get("DOI")))


def _identity(value: str) -> str | None:
    found = ids.parse(value)
    return str(found) if found else None


def reference(value: object) -> Paper | None:
    """One entry of a reference list: its DOI, an identifier in its text, or its title."""
    entry = table(value)
    loose = words(entry.get("unstructured"))
    doi = ids.normalise_doi(words(entry.get("DOI")))
    found = ids.parse(doi) if doi else next(iter(ids.find_all(loose)), None) if loose else None
    known = {found.kind: found.value} if found and found.kind != "isbn" else {}
    if doi and found is None:
        known = {"doi": doi}
    title = text.title(words(entry.get("article-title")) or words(entry.get("volume-title")))
    if not known and not title:
        return None
    year = re.search(r"\d{4}", words(entry.get("year")))
    author = names.author(words(entry.get("author")).split(";")[0])
    return Paper(
        title=title,
        published=year[0] if year else None,
        authors=(author,) if author else (),
        **known,  # type: ignore[arg-type]
    )


def _cited(value: object) -> str | None:
    """The identity string of one entry."""
    entry = reference(value)
    return ids.identity(entry) or None if entry else None


def _locations(work: dict[str, Any], licence: str | None) -> Iterator[OpenCopy]:
    """The publisher's PDF, where the licence makes it an open copy."""
    if not licences.named(licence):
        return
    for link in map(table, items(work.get("link"))):
        if words(link.get("content-type")) == "application/pdf" and words(link.get("URL")):
            version = {"vor": "published", "am": "accepted"}.get(words(link.get("content-version")))
            yield OpenCopy(
                url=words(link.get("URL")), kind="pdf", source="crossref", version=version,
                license=licence, host_type="publisher",
            )  # fmt: skip
