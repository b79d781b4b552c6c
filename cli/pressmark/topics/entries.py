"""The bytes of an RSS or Atom feed in; its entries as papers, each under its guid, out: pure.

https://www.rfc-editor.org/rfc/rfc4287, https://www.rssboard.org/rss-specification and the PRISM
and Dublin Core names that journals' feeds use. feedparser reads them all, and much that is broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit

from pressmark import ids
from pressmark.errors import SourceBroken
from pressmark.http import head as first_words
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.values import abstract, iso_date, unique
from pressmark.text import clean, fold, title

MOST = 2000
"""Entries taken of one feed, the first ones: a feed is news and no archive."""

AHEAD_DAYS = 366
"""A paper may be dated into the coming year; what is dated beyond that has no date."""

_NO_DATE = ("1970-01-01", "1969-12-31", "0001-01-01")
"""What programs write that know none."""

_NUMBER = re.compile(r"^(?:\s*\d+\s*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: what the feed calls it, the paper it tells of, and the hash of what it says."""

    guid: str
    paper: Paper
    named: bool
    """Whether it carries an identifier; one without is known by its guid and its hash."""

    @property
    def hash(self) -> str:
        """16 hex digits of its title and summary."""
        return content_hash(self.paper.title, self.paper.abstract)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed as it was read."""

    title: str = ""
    entries: tuple[Entry, ...] = ()
    doubled: int = 0
    """Entries that only repeat another one of the same feed."""
    untitled: int = 0
    """Entries with neither title nor identifier: nothing to file."""
    cut: int = 0
    """Entries beyond the most that are taken."""


def parse(body: bytes, content_type: str, *, slug: str, today: str) -> Feed:
    """Read a feed; SourceBroken when it is a web page, or nothing that can be read."""
    import feedparser

    head = body[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not head:
        raise SourceBroken("The feed is empty.")
    if head.startswith((b"<!doctype html", b"<html")):
        raise SourceBroken("The address gives a web page and no feed.", head=first_words(body))
    try:
        read = feedparser.parse(
            body, response_headers={"content-type": content_type or "application/xml"}
        )
    except Exception as problem:  # feedparser takes almost anything; what it fails on, it raises
        raise SourceBroken(
            "The feed is damaged and cannot be read.", head=first_words(body)
        ) from problem
    if not read.get("version") and not read.entries:
        raise SourceBroken("The answer is no RSS or Atom feed.", head=first_words(body))
    about = title(str(read.feed.get("title", "")))
    return _sorted_out(read.entries, about, slug, today)


def content_hash(name: str, summary: str | None) -> str:
    """What tells two entries apart that have no identifier: letters and digits alone count."""
    words = " ".join(re.findall(r"\w+", fold(f"{name} \n {summary or ''}")))
    return sha256(words.encode()).hexdigest()[:16]


def _sorted_out(entries: list[Any], about: str, slug: str, today: str) -> Feed:
    """Each entry once: a guid that two different entries share is told apart by their hash."""
    kept: dict[str, Entry] = {}
    names_seen: set[str] = set()
    doubled = untitled = 0
    for raw in entries[:MOST]:
        entry = _entry(raw, about, slug, today)
        if entry is None:
            untitled += 1
            continue
        same = kept.get(entry.guid)
        identity = ids.identity(entry.paper) if entry.named else entry.hash
        if identity in names_seen or (same and same.hash == entry.hash):
            doubled += 1
            continue
        if same:
            entry = _under(entry, f"{entry.guid}-{entry.hash[:8]}", slug, today)
        names_seen.add(identity)
        kept[entry.guid] = entry
    return Feed(
        title=about, entries=tuple(kept.values()), doubled=doubled, untitled=untitled,
        cut=max(0, len(entries) - MOST),
    )  # fmt: skip


def _entry(raw: Any, about: str, slug: str, today: str) -> Entry | None:
    """One entry; None when it has neither a title nor an identifier."""
    link = _web(raw.get("link"))
    found = _identifiers(raw, link)
    summary = abstract(_summary(raw))
    shown = title(str(raw.get("title", "")))
    if not shown and not found:
        return None
    guid = clean(str(raw.get("id") or link or "")) or content_hash(shown, summary)
    paper = Paper(
        title=shown or next(iter(found.values())),
        authors=_authors(raw),
        published=_published(raw, today),
        type=None if found else "webpage",
        venue=_venue(raw) or (None if found else about or None),
        doi=found.get("doi"),
        arxiv=found.get("arxiv"),
        pmid=found.get("pmid"),
        pmcid=found.get("pmcid"),
        url=link,
        abstract=summary,
    )
    return _under(Entry(guid="", paper=paper, named=bool(found)), _spelt(guid), slug, today)


def _under(entry: Entry, guid: str, slug: str, today: str) -> Entry:
    line = f"feed:{slug}/{guid} {today}"
    return replace(entry, guid=guid, paper=replace(entry.paper, sources=(line,)))


def _spelt(guid: str) -> str:
    """A guid as one word of a `sources` line."""
    word = quote(guid, safe="/:?#[]@!$&'()*+,;=-._~%")
    return word if len(word) <= 200 else f"{word[:180]}-{sha256(guid.encode()).hexdigest()[:16]}"


def _identifiers(raw: Mapping[str, Any], link: str | None) -> dict[str, str]:
    """Kind to value, from the fields that name the entry itself; its text may name others."""
    found: dict[str, str] = {}
    for name in ("prism_doi", "doi", "dc_identifier", "id", "guid"):
        value = raw.get(name)
        if isinstance(value, str) and not _NUMBER.match(value):
            _take(value, found)
    for address in (link, _web(raw.get("prism_url"))):
        if address:
            _take(address, found)
    return found


def _take(value: str, found: dict[str, str]) -> None:
    bare = re.sub(r"^oai:arxiv\.org:", "arxiv:", value.strip(), flags=re.I)
    known = ids.parse(bare)
    if known is not None and known.kind in ("doi", "arxiv", "pmid", "pmcid"):
        found.setdefault(known.kind, known.value)


def _summary(raw: Mapping[str, Any]) -> str:
    """The summary, or the content where there is none; arXiv's own heading is no part of it."""
    contents = raw.get("content") or [{}]
    value = str(raw.get("summary") or contents[0].get("value") or "")
    return re.sub(r"^\s*arXiv:\S+\s+Announce Type:\s*\S+\s*(?:Abstract:)?\s*", "", value)


def _authors(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """The names; arXiv's feed of 2026 gives all of them as one, and its help desk as another."""
    listed = [str(each.get("name", "")) for each in raw.get("authors") or () if each]
    if not any(listed):
        listed = [str(raw.get("author", ""))]
    if len(listed) == 1 and _is_list(listed[0]):
        listed = re.split(r"\s*;\s*|\s*,\s*(?:and\s+)?|\s+and\s+", listed[0])
    clear = [each for each in listed if each and "@" not in each and "rss-help" not in each]
    return unique([names.author(each) for each in clear])


def _is_list(name: str) -> bool:
    """Whether one text holds several names: `Ada Reader, Bo Writer`, and not `Reader, Ada`."""
    if re.search(r"\s+and\s+|;", name) or name.count(",") > 1:
        return True
    parts = name.split(",")
    return len(parts) == 2 and all(len(part.split()) > 1 for part in parts) and name[:1].isupper()


def _venue(raw: Mapping[str, Any]) -> str | None:
    return title(str(raw.get("prism_publicationname") or raw.get("dc_source") or "")) or None


def _published(raw: dict[str, Any], today: str) -> str | None:
    """The paper's own date; none for 1970, 2099 and other dates that programs make up."""
    latest = (date.fromisoformat(today) + timedelta(AHEAD_DAYS)).isoformat()
    for day in _days(raw):
        if day and day not in _NO_DATE and "1600" < day <= latest:
            return day
    return None


def _days(raw: dict[str, Any]) -> Iterator[str | None]:
    for name in ("prism_publicationdate", "prism_coverdate", "dc_date"):
        yield iso_date(raw.get(name))
    for name in ("published", "updated"):
        said = str(dict.get(raw, name, "")).strip()
        yield said if re.fullmatch(r"\d{4}(-\d\d)?", said) else None  # no day, and none made up
    for name in ("published_parsed", "updated_parsed", "created_parsed"):
        moment = dict.get(raw, name)  # feedparser's own `get` puts one for another, and warns
        yield f"{moment[0]:04}-{moment[1]:02}-{moment[2]:02}" if moment else None


def _web(value: object) -> str | None:
    """An address that leads to the web, or None."""
    text = clean(str(value or ""))
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return (
        text if parts.scheme in ("http", "https") and parts.hostname and " " not in text else None
    )
