"""A topic's one-line address in; what it asks of whom out, and back: pure.

`research:arxiv,crossref?q=graph+transformers&journal=…` is a query, `research:arxiv?cat=cs.CL`
arXiv's categories, `https://…` an RSS or Atom feed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote_plus, urlsplit

from pressmark.errors import BadInput
from pressmark.sources import REGISTRY, Query
from pressmark.text import clean

SCHEME = "research:"

CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)?(?:\.(?:[A-Z]{2}|[a-z]+(?:-[a-z]+)*|\*))?")
"""`hep-th`, `cs.CL`, `astro-ph.CO`, `cond-mat.mes-hall`, `math.*`."""

EXAMPLE = "research:arxiv,crossref?q=graph+transformers"


class FeedError(BadInput):
    """An address that stands for no topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a topic asks: of which search clients, with which words and limits."""

    clients: tuple[str, ...] = ()
    """Empty: those that the library's settings turn on."""
    query: str = ""
    journal: str | None = None
    categories: tuple[str, ...] = ()
    not_categories: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """`<clients>: <query>`, and `in <journal>` when one is given."""
        words = self.query or " AND ".join(self.categories)
        words += "".join(f" -{each}" for each in self.not_categories)
        told = f"{', '.join(self.clients)}: {words}" if self.clients else words
        return f"{told} in {self.journal}" if self.journal else told


def is_research(url: str) -> bool:
    """Whether an address is a query's and no feed's."""
    return url.strip().lower().startswith(SCHEME)


def parse_topic(url: str) -> Asked:
    """What a `research:` address asks; FeedError says what is off and what would be right."""
    text = clean(url).strip()
    if not is_research(text):
        raise FeedError(f"{text!r} is no research: address.", next=EXAMPLE)
    names, _, asked = text[len(SCHEME) :].partition("?")
    values = _values(asked)
    categories, without = _listed(values, "cat"), _listed(values, "not")
    made = Asked(
        clients=_clients(names),
        query=" ".join(values.get("q", "").split()),
        journal=" ".join(values.get("journal", "").split()) or None,
        categories=categories,
        not_categories=without,
    )
    return checked(made)


def checked(asked: Asked) -> Asked:
    """The same, when its clients can answer it; FeedError names those that can."""
    _known(asked.clients)
    for each in (*asked.categories, *asked.not_categories):
        if not CATEGORY.fullmatch(each):
            raise FeedError(
                f"{each!r} is no arXiv category.", next="pressmark topic categories lists them"
            )
    if not asked.query and not asked.categories:
        what = "only leaves categories out" if asked.not_categories else "asks for nothing"
        raise FeedError(
            f"The topic {what}: it needs words, or arXiv categories.",
            next=f"{EXAMPLE}, or research:arxiv?cat=cs.CL",
        )
    for name in asked.clients:
        if reason := _cannot(name, asked):
            able = [each for each in REGISTRY if not _cannot(each, asked)]
            raise FeedError(f"{reason}.", next=f"clients that can: {', '.join(able) or 'none'}")
    return asked


def address(asked: Asked) -> str:
    """The one-line form of what a topic asks; `parse_topic` reads it back."""
    pairs = [
        ("q", quote_plus(asked.query, safe="")),
        ("journal", quote_plus(asked.journal or "", safe="")),
        ("cat", ",".join(asked.categories)),
        ("not", ",".join(asked.not_categories)),
    ]
    told = "&".join(f"{name}={value}" for name, value in pairs if value)
    return f"{SCHEME}{','.join(asked.clients)}?{told}"


def feed_address(url: str) -> str:
    """The address of an RSS or Atom feed, when it can be one."""
    text = url.strip()
    try:
        parts = urlsplit(text)
        whole = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        whole = False
    if not whole or re.search(r"[\x00-\x20\x7f]", text):
        raise FeedError(
            f"{clean(text)!r} is no address of a feed.",
            next=f"give an https: address, or {EXAMPLE}",
        )
    return text


def _clients(names: str) -> tuple[str, ...]:
    found = tuple(
        dict.fromkeys(n.strip().lower() for n in names.strip("/").split(",") if n.strip())
    )
    if not found:
        raise FeedError(
            "The topic names no search client.", next=f"choose from {', '.join(REGISTRY)}"
        )
    return found


def _known(names: Sequence[str]) -> None:
    for name in names:
        if name not in REGISTRY:
            raise FeedError(
                f"There is no search client {name!r} (there are {', '.join(REGISTRY)}).",
                next=EXAMPLE,
            )


def _cannot(name: str, asked: Asked) -> str | None:
    """Why a client cannot answer; one that needs a journal's ISSN is taken to get it."""
    query = Query(
        words=asked.query,
        journal=asked.journal,
        issn="0000-0000" if asked.journal else None,
        categories=asked.categories,
        not_categories=asked.not_categories,
    )
    return REGISTRY[name].cannot(query)


def _values(asked: str) -> dict[str, str]:
    """The address's fields; an unknown or doubled one is refused, never passed over."""
    found: dict[str, str] = {}
    for name, value in parse_qsl(asked, keep_blank_values=True):
        if name not in ("q", "journal", "cat", "not"):
            raise FeedError(f"A topic has no field {name!r}.", next="it has q, journal, cat, not")
        if name in found:
            raise FeedError(f"The topic names {name} twice.", next="give it once")
        found[name] = clean(value)
    return found


def _listed(values: dict[str, str], name: str) -> tuple[str, ...]:
    """Categories, each once, in order; named and empty is refused."""
    if name not in values:
        return ()
    found = tuple(dict.fromkeys(each.strip() for each in values[name].split(",") if each.strip()))
    if not found:
        raise FeedError(f"The topic's {name}= names no category.", next="research:arxiv?cat=cs.CL")
    return found
