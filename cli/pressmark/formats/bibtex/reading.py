"""The bytes of a .bib file in; a paper for each entry, and what could not be taken, out."""

from __future__ import annotations

from collections.abc import Iterator

from pressmark.errors import TooLarge
from pressmark.formats.bibtex import blocks as splitting
from pressmark.formats.bibtex import inherit
from pressmark.formats.bibtex.blocks import Block, Entry, Failed, String, blocks
from pressmark.formats.bibtex.paper import Maker
from pressmark.formats.bibtex.values import resolved, text
from pressmark.formats.encoding import decode
from pressmark.formats.reading import Only, Read
from pressmark.record import Paper
from pressmark.text import clean

_STAND_INS = ("booktitle", "maintitle", "shorttitle", "journaltitle", "journal", "note", "url")
"""What is taken for the title of an entry that has none, so that it can still be cited."""


def read(data: bytes, only: Only | None = None) -> Read:
    """Every entry of a file: as a paper, or as a problem with its line and reason.

    Entries that `only` says no to are passed over; others still inherit from them.
    Raises TooLarge for more than `blocks.MOST` entries, before any is read.
    """
    text_, encoding, doubt = decode(data)
    if splitting.too_many(text_):
        raise TooLarge(
            f"The file holds more than {splitting.MOST:,} entries.",
            next="split it, and import the parts one after another",
        )
    found = Read("bibtex", encoding=encoding)
    if doubt:
        found.say(doubt)
    _Reader(text_, found, only).run()
    return found


class _Reader:
    def __init__(self, text: str, found: Read, only: Only | None = None) -> None:
        self.text = text
        self.only = only
        self.found = found
        self.strings: dict[str, str] = {}
        self.parents: dict[str, Entry] = {}
        self.seen: dict[str, int] = {}

    def run(self) -> None:
        wanted = {
            key.strip().lower()
            for value in inherit.PARENTS.findall(self.text)
            for key in value.split(",")
        }
        if wanted:
            for block in blocks(self.text):
                if isinstance(block, Entry):
                    for name in wanted.intersection(_names(block)):
                        self.parents.setdefault(name, block)
        for block in self._in_order():
            if isinstance(block, Entry):
                if self.only is None or self.only(_names(block), block.fields):
                    self._entry(block)
            elif isinstance(block, Failed):
                self.found.say(f"{block.reason} ({block.head})", block.line, lost=True)

    def _in_order(self) -> Iterator[Block]:
        """The blocks, each string defined before the next block is looked at."""
        for block in blocks(self.text):
            if isinstance(block, String):
                self.strings[block.name] = resolved(block.value, self.strings, set())
            else:
                yield block

    def _entry(self, entry: Entry) -> None:
        name = entry.key or "(no key)"
        self._shape(entry, name)
        if entry.kind in inherit.CONTAINERS:
            what = "holds fields" if entry.kind == "xdata" else "names entries"
            self.found.say(f"@{entry.kind} {what} for others and is no work", entry.line, name)
            return

        def complain(message: str) -> None:
            self.found.say(f"{message}.", entry.line, name)

        whole = inherit.inherited(entry, self._find, complain)
        missing: set[str] = set()
        given = {field: resolved(value, self.strings, missing) for field, value in whole.items()}
        for number, (field, value) in enumerate(entry.repeated, 2):
            given[f"{field}-{number}"] = resolved(value, self.strings, missing)
        for macro in sorted(missing):
            complain(f"the string {macro} is defined nowhere; it stands as it is")
        maker = Maker(entry.kind, clean(entry.key), given, complain)
        paper = maker.paper()
        if not paper.title:
            paper = self._titled(maker, given)
        if paper.title:
            self.found.take(paper, entry.line)
        else:
            self.found.say("it has neither a title nor a key", entry.line, name, lost=True)

    def _titled(self, maker: Maker, given: dict[str, str]) -> Paper:
        """The same paper under whatever can stand for its title."""
        stand_in = next(filter(None, (text(given.get(name, "")) for name in _STAND_INS)), "")
        title = stand_in or maker.key
        if title:
            maker.complain(f"it has no title; “{title[:60]}” stands for it")
            again = Maker(maker.kind, maker.key, {**given, "title": ""}, lambda _: None).paper()
            fields = {name: getattr(again, name) for name in again.__dataclass_fields__}
            return Paper(**{**fields, "title": title})
        return Paper()

    def _shape(self, entry: Entry, name: str) -> None:
        """What is odd about the entry as it stands."""
        say = self.found.say
        if entry.mended:
            say(
                "its closing brace is missing; it was read as if it stood at the end.",
                entry.line,
                name,
            )
        for field, _ in entry.repeated:
            say(f"the field {field} stands there twice; the first is taken.", entry.line, name)
        folded = entry.key.lower()
        if folded and folded in self.seen and entry.kind not in inherit.CONTAINERS:
            say(f"the key stands at line {self.seen[folded]} already.", entry.line, name)
        self.seen.setdefault(folded, entry.line)

    def _find(self, key: str) -> Entry | None:
        return self.parents.get(key.lower())


def _names(entry: Entry) -> list[str]:
    """The key of an entry and what biblatex's `ids` calls it too."""
    others = entry.fields.get("ids", "").strip('{}" ').split(",")
    return [name.strip().lower() for name in (entry.key, *others)]
