"""The Markdown of a note, a topic or a reference in; Markdown that every generator reads out.

Citations and wikilinks become links that begin with `pm:/`, embedded notes quotations, callouts
admonitions, block ids anchors, formulas tokens. What leads nowhere stays visible, is marked, and
is reported with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from posixpath import basename

from pressmark import links
from pressmark.links import Link, Resolver, Target
from pressmark.record import Reference
from pressmark.render import label, people
from pressmark.site import maths
from pressmark.site.callouts import admonitions
from pressmark.site.inert import inert
from pressmark.site.markup import as_written, heading_id, too_much
from pressmark.site.nesting import nested
from pressmark.site.urls import to
from pressmark.text import escape_markdown, plain

EMBEDDED = 3
"""How deep one note stands in another that stands in a third."""

NAMED = 200
"""Problems of one file that are named one by one."""

IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif")
"""Pictures that hold no script, whoever opens them."""

EXCERPT = 300
"""Characters of a sentence that a list of mentions shows."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What prose points to and is not there."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: its file in the repository, and what it is embedded in."""

    path: str
    own: bool = False
    """Whether it is one of the site's own pages, whose links the generator knows."""
    within: tuple[str, ...] = ()
    """The files that embed it."""


@dataclass
class Prose:
    """Turns bodies of the library's files into pages' Markdown; gathers what leads nowhere."""

    resolver: Resolver
    references: Mapping[str, Reference]
    title: Callable[[Target], str]
    """How a page is named where something links to it."""
    published: Callable[[str], bool]
    """Whether the site has a page for a file of the library."""
    tag_uri: Callable[[str], str | None]
    first_line: Callable[[str], int]
    """The line of its file on which a body begins, so that problems name the right one."""
    body: Callable[[Target], str | None]
    """The text of a note or topic that another one embeds."""
    problems: list[Problem] = field(default_factory=list)
    cited: list[str] = field(default_factory=list)
    """Keys that texts cite or link, in order, since somebody looked last."""
    images: set[str] = field(default_factory=set)
    """Pictures of the library that a page shows."""
    seen: int = 0
    """Links, and texts shown as written, so far: without any a text says the same for ever."""

    def convert(self, text: str, path: str, *, own: bool = False) -> str:
        """The Markdown of the page for the body of the file `path`.

        What a page of the site's own folder links to by path is left to the generator, unless
        the library has it.
        """
        return self._convert(text, Place(path, own))

    def _convert(self, text: str, place: Place) -> str:
        if reason := too_much(text):
            self.seen += 1
            self.problems.append(
                Problem(place.path, self.first_line(place.path), f"shown as written: {reason}")
            )
            return as_written(text)
        found = sorted(links.parse(text), key=lambda link: (link.start, link.end))
        self.seen += len(found)
        pieces: list[str] = []
        at = 0
        for start, end, replacement in self._replacements(found, place):
            if start < at:
                continue
            pieces += [text[at:start], replacement]
            at = end
        pieces.append(text[at:])
        return maths.protect(admonitions(nested("".join(pieces))))

    def _replacements(self, found: list[Link], place: Place) -> Iterator[tuple[int, int, str]]:
        def span(link: Link) -> tuple[int, int]:
            return link.group if link.kind == "cite" and link.group else (link.start, link.end)

        for (start, end), group in groupby(found, key=span):
            each = list(group)
            if each[0].kind == "cite":
                yield start, end, self._citation(each, place, bool(each[0].group))
            elif (shown := self._link(each[0], place)) is not None:
                yield start, end, shown

    def _report(self, place: Place, link: Link, message: str) -> None:
        last = [each for each in self.problems[-NAMED:] if each.path == place.path]
        if len(last) < NAMED:
            line = link.line + self.first_line(place.path) - 1
            more = f" (and more in this file: {NAMED} are named)" if len(last) == NAMED - 1 else ""
            self.problems.append(Problem(place.path, line, message + more))

    def _citation(self, cites: list[Link], place: Place, bracketed: bool) -> str:
        shown = [self._cite(link, place, bracketed) for link in cites]
        return f"({'; '.join(shown)})" if bracketed else shown[0]

    def _cite(self, link: Link, place: Place, bracketed: bool) -> str:
        target = self.resolver.cite(link.target)
        before = f"{escape_markdown(link.prefix)} " if link.prefix else ""
        after = f", {escape_markdown(link.locator)}" if link.locator else ""
        if target is None:
            self._report(place, link, f"no reference has the key {link.target}")
            return f"{before}{_missing('@' + link.target)}{after}"
        reference = self.references.get(target.name)
        words = _cited(reference, link.suppress) if reference else target.name
        self.cited.append(target.name)
        where = to(target.path)
        if bracketed or link.suppress:
            return f"{before}[{words}]({where}){after}"
        who = escape_markdown(people(reference) if reference else target.name)
        year = (reference.year if reference else None) or "n.d."
        return f"{before}[{who or words}]({where}) ({year}{after})"

    def _link(self, link: Link, place: Place) -> str | None:
        if link.kind == "tag":
            uri = self.tag_uri(link.target)
            words = f"\\#{escape_markdown(link.target)}"
            return f"[{words}]({to(uri)})" if uri else words
        if link.kind == "block":
            return f'<span id="{escape(block_id(link.target))}"></span>'
        if link.external:
            return self._outside(link, place)
        target = self.resolver.resolve(link, place.path)
        if link.kind in ("link", "image"):
            return self._path_link(link, target, place)
        return self._wikilink(link, target, place)

    def _wikilink(self, link: Link, target: Target | None, place: Place) -> str:
        written = link.label or link.target + (f" › {link.heading}" if link.heading else "")
        if target is None:
            self._report(place, link, f"nothing is called {link.target}")
            return _missing(written)
        if link.kind == "embed":
            return self._embed(link, target, place)
        if not self.published(target.path):
            return _unpublished(written)
        if target.kind == "reference":
            self.cited.append(target.name)
        words = escape_markdown(link.label or self.title(target))
        return f"[{words}]({to(target.path, _fragment(link.heading))})"

    def _embed(self, link: Link, target: Target, place: Place) -> str:
        """Another note's words, quoted; a picture; or a link where neither can be shown."""
        if target.path.lower().endswith(IMAGES):
            return self._picture(target, link.label)
        chain = (*place.within, place.path)
        text = None if target.path in chain else self.body(target)
        words = escape_markdown(link.label or self.title(target))
        if text is None or len(chain) > EMBEDDED:
            return f"[{words}]({to(target.path)})" if self.published(target.path) else words
        part = section_of(text, link.heading) if link.heading else text
        if part is None:
            self._report(place, link, f"{target.name} has no {link.heading}")
            return _missing(f"{target.name} › {link.heading}")
        shown = self._convert(part.strip(), Place(target.path, within=chain))
        # A page of the site's own is trusted and not cleaned; what it embeds is anybody's.
        shown = inert(shown) if place.own else shown
        lines = [f"[{words}]({to(target.path, _fragment(link.heading))})", "", *shown.split("\n")]
        return "\n\n" + "\n".join(f"> {line}".rstrip() for line in lines) + "\n\n"

    def _picture(self, target: Target, words: str) -> str:
        self.images.add(target.path)
        return f"![{escape_markdown(words or basename(target.path))}]({to(target.path)})"

    def _outside(self, link: Link, place: Place) -> str | None:
        """A picture of another host would be a request to it: a link leads there instead."""
        if link.kind != "image" or place.own:
            return None
        return f"[{escape_markdown(link.label or 'image')}](<{link.target}>)"

    def _path_link(self, link: Link, target: Target | None, place: Place) -> str | None:
        if place.own and (target is None or not self.published(target.path)):
            return None
        if target is None:
            self._report(place, link, f"{link.target} does not exist")
            return _missing(link.label or link.target)
        if link.kind == "image" and target.path.lower().endswith(IMAGES):
            return self._picture(target, link.label)
        if target.kind in ("outside", "file", "folder") or not self.published(target.path):
            return _unpublished(link.label or link.target)
        if target.kind == "reference":
            self.cited.append(target.name)
        shown = link.label or escape_markdown(self.title(target))
        return f"[{shown}]({to(target.path, _fragment(link.heading))})"

    def words(self, text: str) -> str:
        """A sentence as plain words: citations and links by what a reader calls them."""
        pieces: list[str] = []
        at = 0
        for link in sorted(links.parse(text), key=lambda link: link.start):
            start, end = link.group or (link.start, link.end)
            if start < at or link.kind == "tag":
                continue
            shown = "" if link.kind == "block" else self._in_words(link, text[start:end])
            pieces += [text[at:start], shown]
            at = end
        return plain("".join([*pieces, text[at:]])).strip()

    def _in_words(self, link: Link, written: str) -> str:
        if link.kind != "cite":
            target = None if link.external else self.resolver.resolve(link, "")
            return link.label or (self.title(target) if target else link.target)
        if not link.group:
            target = self.resolver.cite(link.target)
            return self.title(target) if target else written
        cites = [each for each in links.parse(written) if each.kind == "cite"]
        targets = [self.resolver.cite(each.target) for each in cites]
        return f"({'; '.join(self.title(t) if t else '?' for t in targets)})"

    def excerpt(self, text: str) -> str:
        """A sentence as its plain words, its formulas still in dollars."""
        words = _MARK.sub("", self.words(text[: 10 * EXCERPT]))
        if len(words) > EXCERPT:
            words = words[:EXCERPT].rpartition(" ")[0].rstrip(",;:") + " …"
            # Half a formula is no formula.
            words = words if words.count("$") % 2 == 0 else words.rpartition("$")[0] + "…"
        return _EMPHASIS.sub(r"\2", words)


def block_id(name: str) -> str:
    """The anchor of a block id; apart from those of headings."""
    return f"block-{name}"


def section_of(text: str, heading: str) -> str | None:
    """The part of a text that a link names: the section below a heading, or a block."""
    lines = text.split("\n")
    if heading.startswith("^"):
        mark = re.compile(rf"(?<!\S)\^{re.escape(heading[1:])}[ \t]*$", re.I)
        at = next((n for n, line in enumerate(lines) if mark.search(line)), None)
        if at is None:
            return None
        start = at
        while start and lines[start - 1].strip() and lines[at].strip():
            start -= 1
        return mark.sub("", "\n".join(lines[start : at + 1])).rstrip()
    wanted = heading_id(heading.rpartition("#")[2])
    held = links.headings(text)
    for n, (level, title, line) in enumerate(held):
        if heading_id(title) == wanted:
            ends = (after for depth, _, after in held[n + 1 :] if depth <= level)
            return "\n".join(lines[line : next(ends, len(lines) + 1) - 1])
    return None


def _fragment(heading: str) -> str:
    if not heading:
        return ""
    if heading.startswith("^"):
        return block_id(heading[1:])
    return heading_id(heading.rpartition("#")[2])


def _cited(reference: Reference, suppress: bool) -> str:
    return escape_markdown((reference.year or "n.d.") if suppress else label(reference))


def _missing(words: str) -> str:
    return f'<span class="pm-missing">{escape_markdown(words)}</span>'


def _unpublished(words: str) -> str:
    return f'<span class="pm-unpublished" title="not published">{escape_markdown(words)}</span>'


_MARK = re.compile(r"^\[!\w+\][+-]?\s*")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_|`)(\S(?:[^*_`]*\S)?)\1(?!\w)")
