"""The span of one block of prose comes in; its links go out, in the order they stand.

Citations follow pandoc (https://pandoc.org/MANUAL.html#citation-syntax), wikilinks, tags and
block ids Obsidian, links CommonMark. Every search looks forward once, so the time is linear.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pressmark.links import grammar
from pressmark.links.link import Kind


@dataclass(slots=True)
class Found:
    """A link while its surroundings are still being read."""

    kind: Kind
    start: int
    end: int
    target: tuple[int, int]
    prefix: str = ""
    locator: str = ""
    suppress: bool = False
    group: tuple[int, int] | None = None
    label: str = ""
    heading: str = ""


@dataclass(slots=True)
class _Opener:
    """A `[` that waits for its `]`."""

    place: int
    image: bool
    cites: int  # how many open citations there were before it
    after: Found | None = None  # the citation in the text that these brackets may locate
    nested: bool = False  # a bracket stands inside, so this is no label of a definition
    dead: bool = False  # a link stands inside, and links do not nest


@dataclass(slots=True)
class Scanner:
    """Reads the links of one block of prose."""

    text: str
    start: int
    end: int
    definitions: Mapping[str, tuple[int, int]]
    found: list[Found] = field(default_factory=list)
    openers: list[_Opener] = field(default_factory=list)
    cites: list[Found] = field(default_factory=list)  # those whose brackets are still open
    ticks: dict[int, list[int]] | None = None
    semicolons: list[int] | None = None
    spent: set[str] = field(default_factory=set)  # closers that do not occur any more
    place: int = 0

    def scan(self) -> list[Found]:
        """Every link, in the order of their starts."""
        self.place = self.start
        while found := grammar.NEXT.search(self.text, self.place, self.end):
            self.place = found.start()
            _READ.get(found.group()[0], Scanner._url)(self)
        self.found.sort(key=lambda link: (link.start, -link.end))
        return self.found

    # What is passed over

    def _escape(self) -> None:
        after = self.text[self.place + 1 : self.place + 2]
        self.place += 2 if after in grammar.PUNCTUATION else 1

    def _code(self) -> None:
        """A code span of any number of backticks, or backticks that close nothing."""
        if self.ticks is None:
            self.ticks = {}
            for each in grammar.TICKS.finditer(self.text, self.place, self.end):
                self.ticks.setdefault(len(each.group()), []).append(each.start())
        run = grammar.TICKS.match(self.text, self.place, self.end)
        assert run
        places = self.ticks.get(len(run.group()), [])
        later = bisect_left(places, run.end())
        self.place = places[later] + len(run.group()) if later < len(places) else run.end()

    def _math(self) -> None:
        """`$$…$$`, or `$…$` as pandoc has it: no space inside, no digit behind."""
        after = self.text[self.place + 1 : self.place + 2]
        if after == "$":
            self._past("$$", 2)
            return
        if not after.strip() or "$" in self.spent:
            self.place += 1
            return
        closer = grammar.MATH_END.search(self.text, self.place + 2, self.end)
        if closer:
            self.place = closer.end()
        else:
            self.spent.add("$")
            self.place += 1

    def _past(self, closer: str, width: int) -> bool:
        """Go behind the next `closer`, or only over the opener's `width`; whether it was there."""
        stop = -1
        if closer not in self.spent:
            stop = self.text.find(closer, self.place + width, self.end)
        if stop < 0:
            self.spent.add(closer)
            self.place += width
            return False
        self.place = stop + len(closer)
        return True

    def _angle(self) -> None:
        """A comment, an autolink, a tag with its attributes, the content of `<code>`."""
        if self.text.startswith("<!--", self.place):
            self._past("-->", 4)
        elif found := grammar.AUTO.match(self.text, self.place, self.end):
            self.place = found.end()
        elif found := grammar.CODE_HTML.match(self.text, self.place, self.end):
            self._past("</code>", len(found.group()))
        elif found := grammar.TAG_HTML.match(self.text, self.place, self.end):
            self.place = found.end()
        else:
            self.place += 1

    def _url(self) -> None:
        """A bare URL, without the punctuation that ends a sentence."""
        found = grammar.URL.match(self.text, self.place, self.end)
        assert found
        url = found.group().rstrip(".,:;!?'*_~")
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1].rstrip(".,:;!?'*_~")
        self.place += max(len(url), 1)

    # Citations, tags and block ids

    def _cite(self) -> None:
        text, at = self.text, self.place
        self.place += 1
        before = text[at - 1] if at else " "
        if before.isalnum() or before in grammar.BEFORE_KEY:
            return
        if before == "_" and at > 1 and text[at - 2].isalnum():
            return
        braced = grammar.BRACED.match(text, at + 1, self.end)
        key = braced or grammar.KEY.match(text, at + 1, self.end)
        if not key:
            return
        self.place = key.end()
        target = key.span(1) if braced else key.span()
        if before == "_" and not braced:  # emphasis: _@key_
            self.place = target[0] + len(key.group().rstrip("_"))
            target = (target[0], self.place)
            if target[0] == self.place:
                return
        minus = before == "-" and not (at > 1 and text[at - 2].isalnum())
        cite = Found("cite", at - minus, self.place, target, suppress=minus)
        self.found.append(cite)
        self.cites.append(cite)

    def _tag(self) -> None:
        text, mark = self.text, self.place
        self.place += 1
        found = grammar.TAG.match(text, mark, self.end)
        if not found:
            return
        self.place = found.end()
        before = text[mark - 1] if mark else " "
        tag = found.group(1).rstrip("/-")
        if (before.isspace() or before in "([{,;*_\"'") and any(map(_letter, tag)):
            stop = mark + 1 + len(tag)
            self.found.append(Found("tag", mark, stop, (mark + 1, stop)))

    def _block(self) -> None:
        text, mark = self.text, self.place
        self.place += 1
        if mark and not text[mark - 1].isspace():
            return
        if found := grammar.BLOCK.match(text, mark, self.end):
            self.place = found.end()
            self.found.append(Found("block", mark, found.end(), found.span(1)))

    # Brackets

    def _open(self) -> None:
        """`[`, `![`, `[[…]]`, `![[…]]` or a footnote's mark."""
        image = self.text[self.place] == "!"
        bracket = self.place + image
        if footnote := grammar.FOOTNOTE.match(self.text, bracket, self.end):
            self.place = footnote.end()
            return
        wiki = grammar.WIKI.match(self.text, bracket, self.end)
        if wiki and self._wiki(wiki, image):
            return
        for opener in self.openers[-1:]:
            opener.nested = True
        self.openers.append(_Opener(self.place, image, len(self.cites), self._located(bracket)))
        self.place = bracket + 1

    def _located(self, bracket: int) -> Found | None:
        """The citation in the running text that stands just before this bracket."""
        last = self.cites[-1] if self.cites else None
        if last and not self.openers and not last.group:
            between = self.text[last.end : bracket]
            if len(between) < 80 and not between.strip(" \t\r\n") and between.count("\n") < 2:
                return last
        return None

    def _wiki(self, wiki: re.Match[str], image: bool) -> bool:
        """Take a wikilink, if it is one and not a link whose text is in brackets."""
        start, end = wiki.span(1)
        names, bar, label = wiki.group(1).partition("|")
        if self.text[wiki.end() : wiki.end() + 1] in ("(", "[") and self._destination(wiki.end()):
            return False
        if not names.strip("\\ \t\r"):
            return False
        file, _, heading = names.removesuffix("\\").partition("#")
        if not heading and "^" in file:
            file, _, heading = file.partition("^")
            heading = f"^{heading}"
        lead = len(file) - len(file.lstrip())
        target = (start + lead, start + lead + len(file.strip()))
        kind: Kind = "embed" if image else "wikilink"
        shown = label.strip() if bar else ""
        self.found.append(
            Found(kind, self.place, end + 2, target, label=shown, heading=heading.strip())
        )
        self.place = wiki.end()
        return True

    def _close(self) -> None:
        """`]`: a link when a destination or a defined label follows, else a group of citations."""
        close = self.place
        self.place += 1
        if not self.openers:
            return
        opener = self.openers.pop()
        if not opener.dead and (self._linked(opener, close) or self._defined(opener, close)):
            return
        self._group(opener, close)

    def _linked(self, opener: _Opener, close: int) -> bool:
        """`[text](destination "title")`."""
        place = self._destination(close + 1)
        if not place:
            return False
        start, end, after = place
        self._link(opener, close, (start, end), after)
        return True

    def _destination(self, place: int) -> tuple[int, int, int] | None:
        """The span of the destination in `(…)` at `place`, and where the link ends."""
        head = grammar.DEST.match(self.text, place, self.end)
        if not head:
            return None
        start, end = head.span(1) if head.group(1) is not None else self._bare(head.end())
        behind = end + 1 if head.group(1) is not None else end
        tail = grammar.TITLE.match(self.text, behind, self.end) if end >= 0 else None
        return (start, end, tail.end()) if tail else None

    def _bare(self, start: int) -> tuple[int, int]:
        """A destination without angle brackets; its parentheses balance."""
        depth, place, text = 0, start, self.text
        while place < self.end:
            char = text[place]
            if char == "\\" and text[place + 1 : place + 2] in grammar.PUNCTUATION:
                place += 1
            elif char.isspace():
                break
            elif char == "(":
                depth += 1
                if depth > grammar.PARENTHESES:
                    return start, -1
            elif char == ")":
                if not depth:
                    break
                depth -= 1
            place += 1
        return (start, min(place, self.end)) if not depth else (start, -1)

    def _defined(self, opener: _Opener, close: int) -> bool:
        """`[text][label]`, `[label][]` and `[label]`, when the label has a definition."""
        if not self.definitions:
            return False
        inner = opener.place + 1 + opener.image
        own = "" if opener.nested or close - inner > 999 else self.text[inner:close]
        label = grammar.LABEL.match(self.text, close + 1, self.end)
        after = label.end() if label else close + 1
        name = (label.group(1) if label else "") or own
        target = self.definitions.get(grammar.normal(name)) if name else None
        if not target:
            return False
        self._link(opener, close, target, after)
        return True

    def _link(self, opener: _Opener, close: int, target: tuple[int, int], after: int) -> None:
        label = self.text[opener.place + 1 + opener.image : close]
        kind: Kind = "image" if opener.image else "link"
        self.found.append(Found(kind, opener.place, after, target, label=label))
        self.place = after
        if not opener.image:
            self._kill()

    def _kill(self) -> None:
        """No link around a link; stops at the first that is dead already."""
        for opener in reversed(self.openers):
            if opener.dead:
                return
            if not opener.image:
                opener.dead = True

    def _group(self, opener: _Opener, close: int) -> None:
        """Give the citations inside these brackets their prefix, locator and group."""
        inside = self.cites[opener.cites :]
        del self.cites[opener.cites :]
        start = opener.place + opener.image + 1
        span = (opener.place + opener.image, close + 1)
        if opener.after and not (inside and self._semicolon(start, inside[0].start) < 0):
            stop = self._semicolon(start, inside[0].start) if inside else close
            opener.after.locator = self.text[start:stop].strip()
            span = (opener.after.start, close + 1)
            opener.after.group = span
            start = stop + 1
        for number, cite in enumerate(inside):
            limit = inside[number + 1].start if number + 1 < len(inside) else close
            stop = self._semicolon(cite.end, limit)
            stop = limit if stop < 0 else stop
            cite.group = span
            cite.prefix = self.text[max(start, cite.start - grammar.LONGEST) : cite.start].strip()
            locator = self.text[cite.end : min(stop, cite.end + grammar.LONGEST)]
            cite.locator = locator.strip().removeprefix(",").strip()
            start = min(stop + 1, limit)

    def _semicolon(self, start: int, end: int) -> int:
        """The next semicolon between two places, or -1."""
        if self.semicolons is None:
            every = grammar.SEMICOLON.finditer(self.text, self.start, self.end)
            self.semicolons = [each.start() for each in every]
        later = bisect_left(self.semicolons, start)
        found_at = self.semicolons[later] if later < len(self.semicolons) else end
        return found_at if found_at < end else -1


def definitions(text: str, start: int, end: int) -> Iterator[Found]:
    """The reference definitions that a block begins with, each as a link to its target."""
    while found := grammar.DEFINITION.match(text, start, end):
        target = found.span(3 if found.group(3) is not None else 2)
        opens = found.start(1) - 1
        yield Found("link", opens, target[1], target, label=grammar.normal(found.group(1)))
        start = found.end()


def _letter(char: str) -> bool:
    return char.isalpha() or char == "_"


_READ = {
    "\\": Scanner._escape, "`": Scanner._code, "$": Scanner._math, "<": Scanner._angle,
    "@": Scanner._cite, "#": Scanner._tag, "^": Scanner._block,
    "[": Scanner._open, "!": Scanner._open, "]": Scanner._close,
}  # fmt: skip
