"""The pages of the last build in; those whose questions are answered as before are kept out of
the work, the others are made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark.disk import output
from pressmark.disk.output import Held, Output
from pressmark.errors import PressmarkError
from pressmark.site.keeping import store as stores
from pressmark.site.keeping.questions import Answers, Asked, Marks, is_settled, settled_by
from pressmark.site.keeping.store import Store
from pressmark.site.model import Found, SitePage

if TYPE_CHECKING:
    from pressmark.record import Reference
    from pressmark.site.collect import Site

Frame = Callable[[str, bool], str]
"""A hash of the frame that a page is set in, with or without a table of contents."""


class Keeper:
    """Knows one built site: which of its files stay, and what its pages asked.

    With `root` it remembers in a file from one process to the next, else for its own life.
    """

    output: Output | None = None

    def __init__(self, place: Path, root: Path | None = None, *, whole: bool = False) -> None:
        self.place = place
        self._root = root
        self._whole = whole
        self._former = Store()
        self._stamp = ""
        self._next = Store()
        self._there: set[str] = set()
        """All files that are in the place."""
        self.reused = 0
        """Pages of this build that stayed as they were."""

    def begin(self, site: Site, frame: Frame, output_: Output, settings: str) -> None:
        """A build: its site, its frames, and what else its pages depend on."""
        self.reused = 0
        stamp = f"{stores.program()} {settings}"
        if self._root is not None:
            self._former = Store() if self._whole else self._from_disk(stamp)
        elif stamp != self._stamp:
            self._former = Store(files=self._former.files)
        self._stamp = stamp
        self._next = Store()
        self._site, self._frame, self.output = site, frame, output_
        self._marks = Marks(site)
        self._next.settled_by = settled_by(site)
        output_.former = self._former.files

    def page(self, uri: str, body: str, make: Callable[[Any], SitePage]) -> SitePage:
        """The page as it was, or made."""
        own = self._marks.file(uri)
        known = self._former.page(uri)
        if known and known["own"] == own and self._same(uri, known, body):
            self.reused += 1
            self._next.pages[uri] = self._former.pages[uri]
            self._site.unread.extend(known["unread"])
            return SitePage(
                uri=uri, title="", content="", kind="kept", edit=uri, kept=tuple(known["files"]),
                found=_found(known["found"]), changed=known["changed"],
            )  # fmt: skip
        return self._made(uri, own, body, make)

    def _same(self, uri: str, known: Mapping[str, Any], body: str) -> bool:
        """Whether all of its files are there and all its questions are answered as before."""
        if known["frame"] != self._frame(uri, known["contents"]):
            return False
        if not all(path in self._former.files for path in known["files"]):
            return False
        prose = self._site.prose
        problems, cited, images = len(prose.problems), list(prose.cited), prose.images
        prose.images = set()
        answers = Answers(self._site, body, self._marks)
        same = True
        try:
            settled = self._former.settled_by == self._next.settled_by
            for question in known["questions"]:
                if not (settled and is_settled(question)):
                    answers.ask(question)
            same = answers.digest == known["answers"]
            same = same and (settled or answers.settled == known["settled"])
        except (PressmarkError, LookupError, TypeError, ValueError, AttributeError):
            same = False  # it asks about what is gone
        if same:
            images |= prose.images
        else:
            del prose.problems[problems:]
            prose.cited = cited
        prose.images = images
        return same

    def _made(self, uri: str, own: str, body: str, make: Callable[[Any], SitePage]) -> SitePage:
        from pressmark.site.publish import FEW

        answers = Answers(self._site, body, self._marks)
        asked = Asked(answers)
        before = len(self._site.unread)
        page = make(asked)
        if not asked.unknown and own:
            contents = len(page.sections) >= FEW
            folder = uri.rpartition("/")[0]
            names = [f"{folder}/{name}" if folder else name for name in page.files]
            known = {
                "own": own, "frame": self._frame(uri, contents), "contents": contents,
                "questions": asked.questions, "answers": answers.digest,
                "settled": answers.settled,
                "files": [self._site.urls.file(uri), *names], "changed": page.changed,
                "found": asdict(page.found) if page.found else None,
                "unread": self._site.unread[before:],
            }  # fmt: skip
            self._next.pages[uri] = json.dumps(known, separators=(",", ":")).encode("ascii")
        return page

    def row(self, ref: Reference, make: Callable[[], str]) -> str:
        """The lines that name a reference in a list, as they were or made."""
        mark = self._marks.of(ref)
        held = self._former.rows.get(ref.key)
        if held is None or held[0] != mark:
            held = (mark, make())
        self._next.rows[ref.key] = held
        return held[1]

    def listed(
        self, uri: str, words: Sequence[str], references: Sequence[Reference],
        make: Callable[[], Iterable[SitePage]],
    ) -> Iterator[SitePage]:  # fmt: skip
        """The pages of a list of references without contents: as they were, or made."""
        name = f"list {uri}"
        hash_ = hashlib.blake2b(self._frame(uri, False).encode(), digest_size=16)
        for each in (*words, *map(self._marks.of, references)):
            hash_.update(each.encode("utf-8", "surrogatepass") + b"\x1f")
        made_of, file = hash_.hexdigest(), self._site.urls.file
        held = self._former.made_of.get(name)
        if (
            isinstance(held, list)
            and held[0] == made_of
            and all(file(each) in self._former.files for each in held[1])
        ):
            self._next.made_of[name] = held
            for each in held[1]:
                yield SitePage(uri=each, title="", content="", kind="kept", kept=(file(each),))
            return
        pages = list(make())
        self._next.made_of[name] = [made_of, [page.uri for page in pages]]
        yield from pages

    def forget(self, uris: Iterable[str]) -> None:
        """Pages that were left out: what is at their addresses is another's."""
        gone = set(uris)
        for uri in gone:
            self._next.pages.pop(uri, None)
        for name, held in list(self._next.made_of.items()):
            if name.startswith("list ") and gone.intersection(held[1]):
                del self._next.made_of[name]

    def stays(self, name: str, made_of: str, paths: list[str]) -> bool:
        """Whether files that are made of all pages stay, for they are made of the same."""
        self._next.made_of[name] = made_of
        if self._former.made_of.get(name) != made_of or not paths:
            return False
        if any(path not in self._former.files for path in paths):
            return False
        assert self.output is not None
        for path in paths:
            self.output.keep(path)
        return True

    def below(self, folder: str) -> list[str]:
        """The files that the last build left in a folder."""
        return [path for path in self._former.files if path.startswith(f"{folder}/")]

    def remembered(self, name: str, made_of: str, make: Callable[[], Any]) -> Any:
        """A value that JSON can hold, made anew only when what it is made of is not the same."""
        held = self._former.made_of.get(name)
        if not (isinstance(held, list) and len(held) == 2 and held[0] == made_of):
            held = [made_of, make()]
        self._next.made_of[name] = held
        return held[1]

    def place_files(self, made: Path) -> None:
        """Put what was made in its place, and know from then on what is there."""
        if self._root is not None:
            with suppress(PressmarkError):
                stores.forget(self._root)
        kept = self.output.kept if self.output else set()
        there = self._there
        if self._root is None:
            self._there = output.names(made) | kept
        if kept:
            output.update(made, self.place, there, kept)
        else:
            output.swap(made, self.place)
        if self.output:
            self._remember(kept, self.output.digests)
            self.output = None

    def _remember(self, kept: Collection[str], digests: Mapping[str, str]) -> None:
        """Marks of all files; those that stayed have the ones they had."""
        files = {path: held for path, held in self._former.files.items() if path in kept}
        for path, digest in digests.items():
            if path not in files and (mark := output.mark(self.place / path)):
                files[path] = Held(mark, digest)
        self._next.files = files
        self._former = self._next
        if self._root is not None:
            with suppress(PressmarkError):
                stores.save(self._root, self._stamp, self._next)

    def _from_disk(self, stamp: str) -> Store:
        """What the last build left, as far as its files are still as it left them."""
        assert self._root is not None
        held = stores.load(self._root, stamp)
        there = output.marks(self.place) if held else None
        self._there = set(there or ())
        if held is None or there is None:
            return Store()
        held.files = {path: each for path, each in held.files.items()
                      if there.get(path) == each.mark}  # fmt: skip
        return held


def _found(known: Mapping[str, Any] | None) -> Found | None:
    if known is None:
        return None
    filters = {name: tuple(values) for name, values in known["filters"].items()}
    return Found(**{**known, "filters": filters})
