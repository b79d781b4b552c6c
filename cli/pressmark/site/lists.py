"""References in; the pages that lead to them out: by year, author, venue, tag, type and licence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

from pressmark import render
from pressmark.ids import slug
from pressmark.record import Author, Note, Reference
from pressmark.site.dialect import Draft
from pressmark.site.model import SitePage
from pressmark.site.references import kind_name, rows
from pressmark.text import fold, plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

PER_PAGE = 50
"""References on one list page."""

VALUES = 600
"""Names on one page of all authors, venues or tags."""

FACETS = {
    "years": "Years", "authors": "Authors", "venues": "Venues", "tags": "Tags", "types": "Types",
    "licences": "Licences", "texts": "Full text",
}  # fmt: skip
"""Folders of the site, and what they are called."""

_PAGED = re.compile(r"-page-\d+$")

NO_REFERENCES = (
    "No references yet: `pressmark search` asks the providers, `pressmark add` files one."
)
NO_CANDIDATES = "Nothing waits to be decided."
INBOX = (
    "Brought by searches and topics; nobody has decided on them yet: "
    "`pressmark keep KEY` or `pressmark drop KEY`."
)

LETTERS = 60
"""Names from which on a page of them is cut up by first letters."""


def pages(site: Site, *, first: bool = False) -> Iterator[SitePage]:
    """Every list page of the site; with `first` only those that lead to the others."""
    if site.only:
        # A preview of some records: the list that leads to the others is enough.
        yield next(paginated(site, "references.md", "References", site.kept, empty=NO_REFERENCES))
        yield next(_inbox(site))
        return
    for folder, grouped in site.facets.items():
        if grouped or folder not in ("licences", "texts"):
            yield from _facet(site, folder, grouped, first=first)
    every = paginated(
        site, "references.md", "References", site.kept, empty=NO_REFERENCES, lead=ways(site)
    )
    for made in (every, _inbox(site)):
        yield from islice(made, 1 if first else None)


def _inbox(site: Site) -> Iterator[SitePage]:
    lead = _said(site, INBOX) if site.candidates else ""
    return paginated(
        site, "inbox.md", "Inbox", site.candidates, empty=NO_CANDIDATES, lead=lead, kind="inbox"
    )


def ways(site: Site) -> str:
    """The ways to narrow the list of all references down."""
    write = site.write
    shown = [
        f"{write.link(write.text(title), f'{folder}/index.md')} {count(site, len(grouped))}"
        for folder, title in FACETS.items()
        if (grouped := site.facets[folder])
    ]
    topics = [t for t in site.topics if site.found_by.get(t.slug)]
    if topics:
        shown.insert(4, f"{write.link('Topics', 'topics/index.md')} {count(site, len(topics))}")
    return write.items(shown, kind="ways") if shown else ""


def count(site: Site, number: int) -> str:
    """A number beside a name."""
    return site.write.mark("count", f"{number:,}")


def facets(site: Site, kept: Sequence[Reference]) -> dict[str, dict[str, list[Reference]]]:
    """References by every value that has a list: a folder of the site to its values."""
    texts = site.fulltexts
    return {
        "years": group(kept, lambda ref: [ref.year or "n.d."]),
        "authors": group(kept, author_names),
        "venues": group(kept, lambda ref: [ref.venue] if ref.venue else []),
        "tags": group(kept, lambda ref: ref.tags),
        "types": group(kept, lambda ref: [ref.type] if ref.type else []),
        "licences": group(kept, lambda ref: [ref.license] if ref.license else []),
        "texts": group(kept, lambda ref: ["with full text"] if ref.key in texts else []),
    }


def author_names(ref: Reference) -> list[str]:
    """The names that a reference is listed under."""
    return [_parsed(name)[0] for name in ref.authors]


def group(
    references: Iterable[Reference], values: Callable[[Reference], Iterable[str]]
) -> dict[str, list[Reference]]:
    """References by a value of theirs."""
    grouped: defaultdict[str, list[Reference]] = defaultdict(list)
    for ref in references:
        for value in dict.fromkeys(values(ref)):
            grouped[value].append(ref)
    return dict(grouped)


def newest_first(references: Iterable[Reference]) -> list[Reference]:
    """References by their date, the newest first."""
    return sorted(references, key=lambda ref: (ref.published or "", ref.key), reverse=True)


def counted(number: int) -> str:
    """`1 reference`, `2 references`."""
    return f"{number:,} reference{'' if number == 1 else 's'}"


def tally(references: Sequence[Reference]) -> str:
    """`3 references`, `2 candidates`, `3 references and 2 candidates`."""
    waiting = sum(ref.stage == "candidate" for ref in references)
    kept = len(references) - waiting
    parts = [counted(kept)] if kept or not waiting else []
    parts += [render.counted(waiting, "candidate")] if waiting else []
    return " and ".join(parts)


def _facet(
    site: Site, folder: str, grouped: Mapping[str, list[Reference]], *, first: bool
) -> Iterator[SitePage]:
    """The pages of all values, and a page a value."""
    shown = _shown(site, folder, grouped)
    names = sorted(grouped, key=lambda name: (fold(shown[name]), name), reverse=folder == "years")
    uri, title = f"{folder}/index.md", FACETS[folder]
    pages = max(1, -(-len(names) // VALUES))
    for name in names:
        site.facet_uri(folder, name)  # their names are given in this order, whoever asks first
    for number in range(1, pages + 1):
        part = names[(number - 1) * VALUES : number * VALUES]
        draft = Draft(site.write)
        draft.add(site.write.heading(1, title))
        if site.write.rich and len(part) > LETTERS and folder != "years":
            draft.add(*_lettered(site, folder, part, shown))
        elif part:
            items = (_value(site, folder, name, shown[name]) for name in part)
            draft.add(site.write.items(items, kind="values"))
        else:
            draft.add(site.write.paragraph(f"No {title.lower()} yet."))
        draft.add(_pager(site, uri, number, pages))
        yield SitePage(uri=page_uri(uri, number), title=title, content=draft.content, kind="facet")
    back = site.write.link(site.write.text(title), uri)
    for name in () if first else names:
        lead = site.write.paragraph(back, "kind") if site.write.rich else ""
        uri = site.facet_uri(folder, name)
        tag = folder == "tags"
        heading = name if folder == "authors" else shown[name]
        make = partial(
            paginated, site, uri, heading, grouped[name], above=lead,
            feed=f"{uri.removesuffix('.md')}.xml" if tag and grouped[name] else "",
            notes=site.tagged.notes.get(name, ()) if tag else (),
        )  # fmt: skip
        if site.keeper and not tag:
            yield from site.keeper.listed(uri, [heading, lead], grouped[name], make)
        else:
            yield from make()


def _value(site: Site, folder: str, name: str, shown: str) -> str:
    words = site.write.link(site.write.text(shown), site.facet_uri(folder, name))
    return f"{words} {count(site, site.held(folder, name))}"


def _shown(site: Site, folder: str, grouped: Mapping[str, object]) -> Mapping[str, str]:
    """What each value is called."""
    if folder == "authors":
        return _by_family(site.kept)
    return {name: kind_name(name) if folder == "types" else name for name in grouped}


def _lettered(
    site: Site, folder: str, names: Sequence[str], shown: Mapping[str, str]
) -> Iterator[str]:
    """A long list of names below their first letters, and a line that leads to each letter."""
    parts: dict[str, list[str]] = defaultdict(list)
    for name in names:
        first = fold(shown[name])[:1].upper()
        parts[first if "A" <= first <= "Z" else "#"].append(name)
    anchors = {letter: f"pm-{letter.lower() if letter != '#' else 'other'}" for letter in parts}
    jumps = (f'<a href="#{anchors[letter]}">{letter}</a>' for letter in parts)
    yield f'<nav class="pm-letters" aria-label="Letters">{"".join(jumps)}</nav>'
    for letter, held in parts.items():
        yield site.write.heading(2, letter, anchors[letter])
        items = (_value(site, folder, name, shown[name]) for name in held)
        yield site.write.items(items, kind="values")


def _by_family(references: Iterable[Reference]) -> dict[str, str]:
    """Printed names of authors to `Family, Given`, which is how readers look for them."""
    return dict(_parsed(name) for ref in references for name in ref.authors)


@lru_cache(maxsize=100_000)
def _parsed(name: str) -> tuple[str, str]:
    """A name as it is printed, and as it is sorted; the same few thousand come again and again."""
    author = Author.parse(name)
    return author.readable, author.family if author.group else str(author)


def paginated(
    site: Site,
    uri: str,
    title: str,
    references: Sequence[Reference],
    empty: str = "None yet.",
    *,
    above: str = "",
    lead: str = "",
    feed: str = "",
    notes: Sequence[Note] = (),
    kind: str = "list",
) -> Iterator[SitePage]:
    """A list of references, the newest first, cut into pages; notes stand on the first."""
    ordered = newest_first(references)
    pages = max(1, -(-len(ordered) // PER_PAGE))
    held = tally(ordered)
    for number in range(1, pages + 1):
        part = ordered[(number - 1) * PER_PAGE : number * PER_PAGE]
        draft = Draft(site.write)
        draft.add(above, site.write.heading(1, site.write.text(title)))
        draft.add(lead if number == 1 else "")
        if part:
            link = site.write.html(f" · {site.write.link('feed', feed)}") if feed else ""
            draft.add(site.write.paragraph(f"{held}{link}", "counted"))
            draft.add(rows(site, part))
        elif not notes:
            draft.add(_said(site, empty))
        if notes and number == 1:
            shown = site.write.items(map(site.note_row, notes), kind="rows")
            draft.section("Notes", shown)
        draft.add(_pager(site, uri, number, pages))
        more = feed_link(site, feed, title)
        yield SitePage(
            uri=page_uri(uri, number), title=plain(title), content=draft.content, kind=kind,
            head=more if feed else "", sections=tuple(draft.sections),
        )  # fmt: skip


def feed_link(site: Site, feed: str, title: str) -> str:
    """What a feed reader looks for in a page's head.

    Material takes a link that is `alternate` and nothing else for one to another language, and
    asks for the map of the site there.
    """
    if not site.write.rich:
        return ""
    return (
        '<link rel="alternate feed" type="application/atom+xml" '
        f'title="{site.write.text(title)}" href="{site.href_of(feed)}">'
    )


def _said(site: Site, sentence: str) -> str:
    """A sentence of ours, in which commands stand between backticks."""
    parts = sentence.split("`")
    return site.write.paragraph(
        "".join(site.write.code(p) if n % 2 else site.write.text(p) for n, p in enumerate(parts))
    )


class Names:
    """The names of the pages of some values, none twice and none of a list's next pages."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._taken = {"index"}
        self._next: dict[str, int] = {}

    def of(self, value: str) -> str:
        """The name of a value; of those that look alike each gets its own, in reading order."""
        if value not in self._held:
            self._held[value] = self._new(slug(value))
            self._taken.add(self._held[value])
        return self._held[value]

    def _new(self, stem: str) -> str:
        if stem not in self._taken and not _PAGED.search(stem):
            return stem
        base = stem[:74].rstrip("-")
        number = self._next.get(base, 2)  # counting from two each time would take n² steps
        while f"{base}-{number}" in self._taken:
            number += 1
        self._next[base] = number + 1
        return f"{base}-{number}"


def page_uri(uri: str, number: int) -> str:
    """The n-th page of a list."""
    return uri if number == 1 else f"{uri.removesuffix('.md')}-page-{number}.md"


def _pager(site: Site, uri: str, number: int, pages: int) -> str:
    """The way to the other pages: the first, the last, and those around this one."""
    if pages == 1:
        return ""
    write = site.write
    near = sorted({1, pages, *range(max(1, number - 2), min(pages, number + 2) + 1)})
    shown = []
    for before, n in zip([0, *near], near, strict=False):
        if n > before + 1:
            shown.append("…")
        here = write.strong(str(n))
        shown.append(here if n == number else write.link(str(n), page_uri(uri, n)))
    return write.paragraph("Page " + " ".join(shown), "pager")
