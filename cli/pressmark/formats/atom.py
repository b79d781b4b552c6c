"""A feed's title and entries in; the bytes of an Atom 1.0 document (RFC 4287) out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from pressmark.text import clean

NEVER = "1970-01-01T00:00:00Z"
"""Atom wants a moment from every feed; this one says that none is known."""

OWNED = "2026"
"""The year a tag URI is minted in (RFC 4151); it never changes, so that no id does."""

_WHEN = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d))?)?)?"
)
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that came into a library: a paper, as a feed reader shows it."""

    id: str
    """A URI that never changes, such as `tag` makes."""
    title: str
    updated: str
    """When it was filed or changed: a day, or a moment in RFC 3339."""
    published: str | None = None
    """When it was filed first."""
    url: str | None = None
    """Its page."""
    authors: tuple[str, ...] = ()
    summary: str = ""
    """Plain text."""
    categories: tuple[str, ...] = ()


def write(
    title: str,
    feed_id: str,
    updated: str | None,
    entries: Iterable[Entry],
    *,
    url: str | None = None,
    own_url: str | None = None,
    author: str = "Pressmark",
) -> bytes:
    """The feed, its entries in the order they come in; the same input, the same bytes.

    `updated` is the newest entry's when it is None. `url` is the page that the feed is of,
    `own_url` its own address; `author` stands for entries without authors, as Atom demands.
    """
    entries = list(entries)
    newest = max((_when(each.updated) for each in entries), default=NEVER)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"  <title>{_text(title) or 'Feed'}</title>",
        f"  <id>{_text(feed_id)}</id>",
        f"  <updated>{_when(updated) if updated else newest}</updated>",
        f"  <author><name>{_text(author)}</name></author>",
        "  <generator>Pressmark</generator>",
        *_link(own_url, "self", "application/atom+xml"),
        *_link(url, "alternate", "text/html"),
    ]
    for each in entries:
        lines += _entry(each)
    return ("\n".join([*lines, "</feed>"]) + "\n").encode("utf-8")


def tag(authority: str, *path: str) -> str:
    """A tag URI (RFC 4151): `tag:example.org,2026:topic/graphs`; it outlives every address."""
    host = re.sub(r"[^a-z0-9.-]", "", authority.casefold()).strip(".-") or "localhost"
    return f"tag:{host},{OWNED}:" + "/".join(quote(part, safe="-_.~") for part in path)


def _entry(entry: Entry) -> list[str]:
    lines = [
        "  <entry>",
        f"    <title>{_text(entry.title) or '(no title)'}</title>",
        f"    <id>{_text(entry.id)}</id>",
        f"    <updated>{_when(entry.updated)}</updated>",
    ]
    if entry.published:
        lines.append(f"    <published>{_when(entry.published)}</published>")
    names: Sequence[str] = [name for each in entry.authors if (name := _text(each))]
    lines += [f"    <author><name>{name}</name></author>" for name in names]
    lines += [f"  {each}" for each in _link(entry.url, "alternate", "text/html")]
    lines += [
        f'    <category term="{term}"/>' for each in entry.categories if (term := _text(each))
    ]
    if summary := _text(entry.summary, newlines=True):
        lines.append(f'    <summary type="text">{summary}</summary>')
    return [*lines, "  </entry>"]


def _link(address: str | None, relation: str, kind: str) -> list[str]:
    if not address or not re.match(r"https?://|[^:]*$", address):
        return []  # a reader may follow it: nothing but the web, and the site's own pages
    return [f'  <link rel="{relation}" type="{kind}" href="{_text(address)}"/>']


def _when(value: str) -> str:
    """A day or a moment in RFC 3339, in which Atom writes time; a day begins at its midnight."""
    found = _WHEN.fullmatch(value.strip())
    if not found:
        return NEVER
    year, month, day, time, zone = found.groups()
    return f"{year}-{month or '01'}-{day or '01'}T{time or '00:00:00'}{zone or 'Z'}"


def _text(value: str, *, newlines: bool = False) -> str:
    """Untrusted text as character data, or as the value of an attribute."""
    plain = _FORBIDDEN.sub("", clean(value, newlines=newlines))
    for sign, name in {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}.items():
        plain = plain.replace(sign, name)
    return plain
