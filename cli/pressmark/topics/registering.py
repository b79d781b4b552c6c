"""What somebody wants to follow in; a topic's file, written without asking the network, out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from pressmark import ids
from pressmark.errors import BadInput, PressmarkError
from pressmark.library import Library, Outcome, Write
from pressmark.library.writing import finish, writing
from pressmark.record import Topic
from pressmark.search import vocabulary as vocabularies
from pressmark.text import clean
from pressmark.topics.address import Asked, address, checked, feed_address, is_research, parse_topic
from pressmark.topics.running import asked_of, get, is_feed

SEEDS = ("url", "query", "providers", "journal", "categories", "title", "by", "why")
"""What an entry `[[topic]]` of a topics.toml may say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """The topics that were written, those that were there, and why an entry was refused."""

    outcome: Outcome
    slugs: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def add_topic(
    library: Library,
    what: str,
    *,
    title: str | None = None,
    providers: Sequence[str] = (),
    journal: str | None = None,
    categories: Sequence[str] = (),
    added_by: str | None = None,
    vocabulary: str | None = None,
    why: str = "",
    write: Write | None = None,
) -> Added:
    """Follow a query, a `research:` address, or an RSS or Atom feed; one commit.

    BadInput names what is off; a topic that asks the same is refused by its name.
    """
    topic = made(
        what, title=title, providers=providers, journal=journal, categories=categories,
        added_by=added_by, why=why,
    )  # fmt: skip
    if vocabulary:
        topic = replace(topic, vocabulary=vocabularies.get(vocabulary, library).slug)
    with writing(library, write or Write()) as draft:
        topics = library.topics()
        if same := _same(topic, topics):
            raise BadInput(
                f"The topic {same.slug} asks that already.",
                next=f"pressmark topic show {same.slug}",
            )
        topic = _named(topic, topics)
        draft.write(topic)
        outcome = finish(library, draft, f"topic: follow {topic.title}", write or Write())
    return Added(outcome=outcome, slugs=(topic.slug,))


def seed(library: Library, data: bytes, name: str, *, write: Write | None = None) -> Added:
    """Every `[[topic]]` of a topics.toml, in one commit; what is there stays, the bad are named."""
    entries = _entries(data, name)
    slugs, held, refused = [], [], []
    with writing(library, write or Write()) as draft:
        topics = library.topics()
        for place, entry in enumerate(entries, 1):
            try:
                topic = _from_entry(entry)
            except PressmarkError as problem:
                refused.append(f"{name}: topic {place}: {problem}")
                continue
            if same := _same(topic, topics):
                held.append(same.slug)
                continue
            topic = _named(topic, topics)
            topics.append(topic)
            slugs.append(topic.slug)
            draft.write(topic)
        subject = f"topic: follow {len(slugs)} of {name}"
        outcome = finish(library, draft, subject, write or Write())
    return Added(outcome=outcome, slugs=tuple(slugs), held=tuple(held), refused=tuple(refused))


def remove_topic(library: Library, slug: str, *, write: Write | None = None) -> Outcome:
    """Stop following; what it found stays, with its name among the reference's topics."""
    with writing(library, write or Write()) as draft:
        topic = get(library, slug)
        found = library.catalogue.record("topic", topic.slug)
        assert found is not None
        draft.delete(found[0])
        return finish(
            library, draft, f"topic: {topic.slug} is no longer followed", write or Write()
        )


def made(
    what: str,
    *,
    title: str | None = None,
    providers: Sequence[str] = (),
    journal: str | None = None,
    categories: Sequence[str] = (),
    added_by: str | None = None,
    why: str = "",
) -> Topic:
    """The record of what is to be followed, its address checked and nothing asked; no slug yet."""
    words = clean(what)
    body = f"\n{clean(why, newlines=True)}\n" if why.strip() else ""
    by = clean(added_by or "") or None
    name = clean(title or "")
    if "://" in words.split(" ")[0]:
        _refuse_beside(providers, journal, categories)
        url = feed_address(words)
        parts = urlsplit(url)
        shown = f"{parts.hostname}{parts.path}".rstrip("/")
        return Topic(title=name or shown, feed=url, added_by=by, body=body)
    if is_research(words):
        _refuse_beside(providers, journal, categories)
        asked = parse_topic(words)
        return Topic(title=name or asked.title, feed=address(asked), added_by=by, body=body)
    without = tuple(each[1:] for each in categories if each.startswith("-"))
    asked = checked(
        Asked(
            clients=tuple(dict.fromkeys(providers))
            or (("arxiv",) if categories and not words else ()),
            query=words,
            journal=clean(journal or "") or None,
            categories=tuple(dict.fromkeys(each for each in categories if each[:1] != "-")),
            not_categories=tuple(dict.fromkeys(without)),
        )
    )
    return Topic(
        title=name or asked.title, query=asked.query or None, providers=asked.clients,
        journal=asked.journal, added_by=by, body=body,
        categories=(*asked.categories, *(f"-{each}" for each in asked.not_categories)),
    )  # fmt: skip


def _refuse_beside(
    providers: Sequence[str], journal: str | None, categories: Sequence[str]
) -> None:
    if providers or journal or categories:
        raise BadInput(
            "An address says by itself what is asked.",
            next="give words with --provider, --journal and --category, or the address alone",
        )


def _named(topic: Topic, topics: Sequence[Topic]) -> Topic:
    taken = {each.slug for each in topics}
    return replace(topic, slug=ids.slug(topic.title, taken))


def _same(topic: Topic, topics: Sequence[Topic]) -> Topic | None:
    """The topic that asks the same already; one that cannot be read asks nothing."""
    for each in topics:
        try:
            if is_feed(topic) or is_feed(each):
                alike = topic.feed == each.feed
            else:
                alike = asked_of(topic) == asked_of(each)
        except PressmarkError:
            continue
        if alike:
            return each
    return None


def _entries(data: bytes, name: str) -> list[Mapping[str, Any]]:
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as problem:
        raise BadInput(f"{name} is no TOML: {str(problem).rstrip('.')}.") from problem
    entries = table.get("topic")
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise BadInput(f"{name} holds no [[topic]].", next='[[topic]] with url = "research:…"')
    return entries


def _from_entry(entry: Mapping[str, Any]) -> Topic:
    for name in entry:
        if name not in SEEDS:
            raise BadInput(f"There is no setting {name!r}.", next=f"it has {', '.join(SEEDS)}")
    texts = {name: _text(entry, name) for name in ("url", "query", "journal", "title", "by", "why")}
    if bool(texts["url"]) == bool(texts["query"]) and not entry.get("categories"):
        raise BadInput("It needs a url or a query.", next="give one of the two")
    return made(
        texts["url"] or texts["query"],
        title=texts["title"], providers=_texts(entry, "providers"), journal=texts["journal"],
        categories=_texts(entry, "categories"), added_by=texts["by"], why=texts["why"],
    )  # fmt: skip


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name, "")
    if not isinstance(value, str):
        raise BadInput(f"{name} is no text.")
    return value


def _texts(entry: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = entry.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadInput(f"{name} is no list of texts.")
    return tuple(value)
