"""The Markdown of a note, a topic or a reference in; Markdown that any generator reads out.

Citations become links, wikilinks become links, callouts admonitions, block ids anchors, formulas
MathML. What leads nowhere stays visible, is marked, and is reported with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from urllib.parse import quote

from pressmark import links
from pressmark.links import Link, Resolver, Target
from pressmark.record import Reference
from pressmark.render import label, people
from pressmark.site import maths
from pressmark.text import escape_markdown, plain

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
    """Where a text stands: its file in the repository, its page in the site."""

    path: str
    uri: str
    own: bool
    """Whether it is one of the site's own pages."""


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
    problems: list[Problem] = field(default_factory=list)

    def convert(self, text: str, path: str, *, uri: str | None = None) -> str:
        """The Markdown of the page for the body of the file `path`.

        A page of the site's own folder has another place in the site than in the repository: its
        `uri`; what it links to by path is left to the generator, unless the library has it.
        """
        place = Place(path, uri or path, uri is not None)
        found = sorted(links.parse(text), key=lambda link: (link.start, link.end))
        pieces: list[str] = []
        at = 0
        for start, end, replacement in self._replacements(found, place):
            if start < at:
                continue
            pieces += [text[at:start], replacement]
            at = end
        pieces.append(text[at:])
        return maths.protect(_callouts("".join(pieces)))

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
        line = link.line + self.first_line(place.path) - 1
        self.problems.append(Problem(place.path, line, message))

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
        where = relative(target.path, place.uri)
        if bracketed or link.suppress:
            return f"{before}[{words}]({where}){after}"
        who = escape_markdown(people(reference) if reference else target.name)
        year = (reference.year if reference else None) or "n.d."
        return f"{before}[{who or words}]({where}) ({year}{after})"

    def _link(self, link: Link, place: Place) -> str | None:
        if link.kind == "tag":
            uri = self.tag_uri(link.target)
            words = f"\\#{escape_markdown(link.target)}"
            return f"[{words}]({relative(uri, place.uri)})" if uri else words
        if link.kind == "block":
            return f'<span id="{escape(block_id(link.target))}"></span>'
        if link.external:
            return None
        target = self.resolver.resolve(link, place.path)
        if link.kind in ("link", "image"):
            return self._path_link(link, target, place)
        return self._wikilink(link, target, place)

    def _wikilink(self, link: Link, target: Target | None, place: Place) -> str:
        written = link.label or link.target + (f" › {link.heading}" if link.heading else "")
        if target is None:
            self._report(place, link, f"nothing is called {link.target}")
            return _missing(written)
        if not self.published(target.path):
            return escape_markdown(written)
        words = escape_markdown(link.label or self.title(target))
        return f"[{words}]({relative(target.path, place.uri)}{_fragment(link.heading)})"

    def _path_link(self, link: Link, target: Target | None, place: Place) -> str | None:
        if place.own and (target is None or not self.published(target.path)):
            return None
        if target is None:
            self._report(place, link, f"{link.target} does not exist")
            return _missing(link.label or link.target)
        if target.kind in ("outside", "file", "folder") or not self.published(target.path):
            return escape_markdown(link.label or link.target)
        shown = link.label or self.title(target)
        return f"[{shown}]({relative(target.path, place.uri)}{_fragment(link.heading)})"

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
        """A sentence as Markdown that shows its plain words and draws its formulas."""
        words = _MARK.sub("", self.words(text))
        if len(words) > EXCERPT:
            words = words[:EXCERPT].rpartition(" ")[0].rstrip(",;:") + " …"
            # Half a formula is no formula.
            words = words if words.count("$") % 2 == 0 else words.rpartition("$")[0] + "…"
        drawn = maths.protect(words, inline=True)
        return escape_markdown(_EMPHASIS.sub(r"\2", drawn))


def relative(target: str, path: str) -> str:
    """The link from one page's source to another's, as a generator expects it."""
    there, here = target.split("/"), path.split("/")[:-1]
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return quote("/".join([".."] * (len(here) - shared) + there[shared:]), errors="replace")


def block_id(name: str) -> str:
    """The anchor of a block id; apart from those of headings."""
    return f"block-{name}"


def heading_id(title: str) -> str:
    """The anchor that Python-Markdown's table of contents gives a heading."""
    from markdown.extensions.toc import slugify

    return str(slugify(title, "-"))


def _fragment(heading: str) -> str:
    if not heading:
        return ""
    if heading.startswith("^"):
        return f"#{block_id(heading[1:])}"
    return f"#{heading_id(heading.rpartition('#')[2])}"


def _cited(reference: Reference, suppress: bool) -> str:
    return escape_markdown((reference.year or "n.d.") if suppress else label(reference))


def _missing(words: str) -> str:
    return f'<span class="pm-missing">{escape_markdown(words)}</span>'


_MARK = re.compile(r"^\[!\w+\][+-]?\s*")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_|`)(\S(?:[^*_`]*\S)?)\1(?!\w)")
_CALLOUT = re.compile(r"^> ?\[!(\w+)\][+-]?[ \t]*(.*)$")


def _callouts(text: str) -> str:
    """`> [!note] Title` and its quoted lines as an admonition; code fences are left alone."""
    if "[!" not in text:
        return text
    lines: list[str] = []
    inside = False
    fence = ""
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark.group(1)
        begins = None if fence else _CALLOUT.match(line)
        if begins:
            title = escape(begins.group(2).strip() or begins.group(1).capitalize())
            lines += ["", f'!!! {begins.group(1).lower()} "{title}"', ""]
            inside = True
        elif inside and line.startswith(">"):
            lines.append("    " + line[1:].removeprefix(" "))
        else:
            lines += [""] if inside else []
            inside = False
            lines.append(line)
    return "\n".join(lines)
