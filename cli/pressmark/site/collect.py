"""A library in, every page of its site out, with the problems that the prose has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, TypeVar

from pressmark import links, page
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.links import Backlinks, Mention, Target
from pressmark.notes import titled
from pressmark.record import (
    Collection,
    FullText,
    Note,
    Record,
    Reference,
    Search,
    Topic,
    Vocabulary,
)
from pressmark.render import label
from pressmark.site import indexes, lists, overview, records, references
from pressmark.site.around import Around
from pressmark.site.dialect import Dialect, Html
from pressmark.site.lists import Names
from pressmark.site.model import SitePage
from pressmark.site.prose import Prose
from pressmark.site.tagging import Tagged
from pressmark.site.urls import ROOT, Urls

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.site.keeping import Keeper

R = TypeVar("R", Reference, FullText, Note)


class Site(Around):
    """What the pages of one library know of each other; made once a build.

    `address` is that of the published site (`site_url`), where one is known.
    """

    def __init__(
        self, library: Library, *, write: Dialect | None = None, urls: Urls | None = None,
        address: str = "", only: Callable[[str], bool] | None = None,
    ) -> None:  # fmt: skip
        self.library = library
        self.urls = urls or Urls()
        self.write: Dialect = write or Html(self.urls)
        self.site_url = address and address.rstrip("/") + "/"
        self.only = only
        self.left_out = self.cut_short()
        self.namesakes: list[str] = []
        """Files that a link by name cannot tell from another one."""
        self.searches_texts = False
        """Whether there is a second index, of full texts."""
        self.keeper: Keeper | None = None
        """Who knows the pages of the last build."""
        self.backlinks: Backlinks = links.index(library)
        self.prose = Prose(
            resolver=self.backlinks.resolver,
            references=self.references,
            title=self.title,
            published=self.has_page,
            tag_uri=self.tag_uri,
            first_line=self.first_line,
            body=self.body,
        )
        self._names: dict[str, Names] = {}
        self._rows: dict[str, str] = {}

    def pages(self) -> Iterator[SitePage]:
        """Every page; the problems of the prose are complete when it is exhausted."""
        wanted = self.only or (lambda path: True)
        for ref in self.references.values():
            if wanted(path := self.path(ref.key)):
                yield self.kept_or_made(path, references.page, ref)
        for key, text in self.fulltexts.items():
            if wanted(self.path(key)):
                yield self.kept_or_made(fulltext_path(self.path(key)), records.fulltext, text)
        yield from records.pages(self, wanted)
        yield from self.lists()

    def kept_or_made(self, uri: str, make: Callable[[Site, R], SitePage], record: R) -> SitePage:
        """The page of a record; where somebody keeps pages and it would be the same, that one."""
        if self.keeper is None:
            return make(self, record)
        return self.keeper.page(uri, record.body, lambda site: make(site, record))

    def lists(self, *, first: bool = False) -> Iterator[SitePage]:
        """The pages that lead to the records; with `first` none that only such a page leads to."""
        yield from lists.pages(self, first=first)
        yield from self._indexes
        if not self.only:
            yield self._overview
        if self.write.rich:
            yield overview.search(self)

    @cached_property
    def _indexes(self) -> list[SitePage]:
        return list(indexes.pages(self))

    @cached_property
    def _overview(self) -> SitePage:
        return overview.page(self)

    @property
    def problems(self) -> list[str]:
        """What strict mode fails for: unreadable files, and what the prose points to in vain."""
        wrecks = [f"{each} It is left out." for each in self.library.catalogue.unreadable()]
        formulas = [
            f"a formula cannot be drawn and stays as code: {' '.join(each.split())[:200]}"
            for each in dict.fromkeys(self.unread)
        ]
        return [*wrecks, *self.namesakes, *map(str, self.prose.problems), *formulas]

    @property
    def unread(self) -> list[str]:
        return self.write.markup.unread if isinstance(self.write, Html) else []

    # What there is

    @cached_property
    def fulltexts(self) -> dict[str, FullText]:
        """The full texts whose licence lets a site show them."""
        from pressmark.fulltext.licenses import is_open

        found = {}
        closed: Counter[str] = Counter()
        for ref in self.library.select(["has:fulltext"]):
            path = fulltext_path(self._paths[ref.key])
            text = page.read(FullText, self.library.read_page(path), path)
            if is_open(text.license):
                found[ref.key] = text
            else:
                closed[text.license or "no licence recorded"] += 1
        for reason, number in sorted(closed.items()):
            texts = "full text is" if number == 1 else "full texts are"
            self.left_out.append(f"{number} {texts} not published: {reason}")
        return found

    @cached_property
    def notes(self) -> list[Note]:
        """The notes, each with a title: its field, else its first heading, else its name."""
        return [titled(note) for note in self.library.notes()]

    @cached_property
    def topics(self) -> list[Topic]:
        return self.library.topics()

    @cached_property
    def searches(self) -> list[Search]:
        return self.library.searches()

    @cached_property
    def collections(self) -> list[Collection]:
        return self.library.collections()

    @cached_property
    def vocabularies(self) -> list[Vocabulary]:
        return self.library.vocabularies()

    @cached_property
    def found_by(self) -> dict[str, list[Reference]]:
        """References by the topic that found them."""
        return lists.group(self.references.values(), lambda ref: ref.topics)

    # Where it is

    def path(self, key: str) -> str:
        return self._paths[key]

    @cached_property
    def _paths(self) -> dict[str, str]:
        return self.library.catalogue.paths()

    def has_page(self, path: str) -> bool:
        """Whether a file of the library becomes a page."""
        if path.endswith(".fulltext.md"):
            return path in self._fulltext_paths
        return path in self._published

    @cached_property
    def _published(self) -> frozenset[str]:
        kinds = ("note", "topic", "search", "collection", "vocabulary")
        files = {f.path for kind in kinds for f in self.library.catalogue.files(kind)}
        return frozenset(files | set(self._paths.values()))

    @cached_property
    def deepest(self) -> int:
        """Folders that the deepest page lies in."""
        return max((self.urls.root(path).count("../") for path in self._published), default=0) + 1

    @cached_property
    def _fulltext_paths(self) -> frozenset[str]:
        return frozenset(fulltext_path(self._paths[key]) for key in self.fulltexts)

    def fulltext_uri(self, key: str) -> str | None:
        return fulltext_path(self._paths[key]) if key in self.fulltexts else None

    def record_path(self, kind: str, record: Record) -> str:
        """The file of a note, topic, search or collection."""
        return self.place(kind, getattr(record, "slug", ""))

    def place(self, kind: str, name: str) -> str:
        """The file of the record of a kind that has a name."""
        return self._record_paths[kind].get(name, "")

    @cached_property
    def _record_paths(self) -> dict[str, dict[str, str]]:
        kinds = ("note", "topic", "search", "collection", "vocabulary")
        found: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
        for kind in kinds:
            for file in self.library.catalogue.files(kind):
                first = found[kind].setdefault(file.name, file.path)
                if first != file.path:
                    self.namesakes.append(
                        f"{file.path} has no page: {first} is a {kind} of the same name."
                    )
        return found

    def first_line(self, path: str) -> int:
        """The line of its file on which a body begins; asked only when a problem is reported."""
        try:
            data = self.library.read_page(path)
        except PressmarkError:
            return 1
        end = data.find(b"\n---", 3) if data.startswith(b"---") else -1
        body = data.find(b"\n", end + 1) + 1 if end > 0 else 0
        if body and not layout.kind(path):
            # A page of the site's own comes without the blank lines before its body.
            body = len(data) - len(data[body:].lstrip())
        return data.count(b"\n", 0, body) + 1

    def facet_uri(self, folder: str, name: str) -> str:
        """The page of a value: `tags/maps.md`."""
        return f"{folder}/{self._names.setdefault(folder, Names()).of(name)}.md"

    def facet_link(self, folder: str, name: str, words: str) -> str:
        """Words that lead to the list of a value, or just the words where it has no list."""
        if self.only or name not in self.facets[folder]:
            return words
        return self.write.link(words, self.facet_uri(folder, name))

    def href(self, key: str) -> str:
        """The link to a reference's page, with its root mark."""
        return self.href_of(self.path(key))

    def href_of(self, uri: str) -> str:
        return escape(ROOT + self.urls.url(uri))

    def address(self, uri: str) -> str:
        """The whole address of a page in the published site, where that is known."""
        return self.site_url + self.urls.url(uri) if self.site_url else ""

    @cached_property
    def facets(self) -> dict[str, dict[str, list[Reference]]]:
        """The kept references by every value that has a list of its own.

        A tag that only notes carry has a list too, of no reference.
        """
        made_of = f"{self.of_references} {sorted(self.fulltexts)}"
        found = dict(self._lasting("facets", made_of, lambda: lists.facets(self, self.kept)))
        found["tags"] = dict(found["tags"])
        for tag in self.tagged.notes:
            found["tags"].setdefault(tag, [])
        return found

    @cached_property
    def tagged(self) -> Tagged:
        """The notes by their tags."""
        return Tagged(self.notes, (tag for ref in self.kept for tag in ref.tags))

    def held(self, folder: str, name: str) -> int:
        """How many references, and for a tag notes, the list of a value has."""
        notes = self.tagged.notes.get(name, ()) if folder == "tags" else ()
        return len(self.facets[folder][name]) + len(notes)

    def tag_uri(self, tag: str) -> str | None:
        """The page of a tag; None for one that only candidates carry."""
        name = self.tagged.name(tag)
        held = not self.only and name in self.facets["tags"]
        return self.facet_uri("tags", name) if held else None

    def tag_link(self, tag: str) -> str:
        """A tag that leads to its list, or just the tag where it has none."""
        words = self.write.text(f"#{tag}")
        uri = self.tag_uri(tag)
        return self.write.link(words, uri) if uri else words

    def row(self, ref: Reference) -> str:
        """The lines that name a reference in a list, made once however many lists show it."""
        if ref.key not in self._rows:
            keeper = self.keeper
            self._rows[ref.key] = (
                keeper.row(ref, lambda: references.row(self, ref))
                if keeper
                else references.row(self, ref)
            )
        return self._rows[ref.key]

    def note_row(self, note: Note) -> str:
        """The lines that name a note in a list."""
        return indexes.note_line(self, note)

    def body(self, target: Target) -> str | None:
        """The text of a note, topic or collection, for one that embeds it."""
        kinds: tuple[Sequence[Note | Topic | Collection], ...] = (
            self.notes, self.topics, self.collections,
        )  # fmt: skip
        if target.kind in ("note", "topic", "collection"):
            for record in (each for held in kinds for each in held):
                if self.record_path(target.kind, record) == target.path:
                    return record.body
        return None

    def cited_here(self) -> list[Reference]:
        """What the texts converted since the last call cite or link, in order."""
        keys, self.prose.cited = self.prose.cited, []
        return [self.references[key] for key in dict.fromkeys(keys) if key in self.references]

    # How it hangs together

    def mentions(self, key: str) -> Sequence[Mention]:
        """Where the prose cites or links a reference, one mention a file."""
        first: dict[str, Mention] = {}
        for mention in self.backlinks.of(key):
            if self.has_page(mention.path):
                first.setdefault(mention.path, mention)
        return list(first.values())

    def linked_from(self, path: str) -> Sequence[Mention]:
        first: dict[str, Mention] = {}
        for mention in self.backlinks.to(path):
            if self.has_page(mention.path):
                first.setdefault(mention.path, mention)
        return list(first.values())

    def searches_of(self, key: str) -> list[Search]:
        return self._searches_by_key.get(key, [])

    @cached_property
    def _searches_by_key(self) -> dict[str, list[Search]]:
        found: dict[str, list[Search]] = {}
        for search in self.searches:
            for key in records.filed_keys(search):
                found.setdefault(key, []).append(search)
        return found

    def collections_of(self, key: str) -> list[Collection]:
        return self._collections_by_key.get(key, [])

    @cached_property
    def _collections_by_key(self) -> dict[str, list[Collection]]:
        found: dict[str, list[Collection]] = {}
        for collection in self.collections:
            for key in collection.members:
                found.setdefault(key, []).append(collection)
        return found

    def mention(self, mention: Mention) -> str:
        """Where a page is mentioned, and the sentence that says why."""
        words = self.write.text(self.page_title(mention.path))
        said = self.write.title(self.prose.excerpt(mention.sentence))
        return f"{self.write.link(words, mention.path)}{self.write.below(said)}"

    def page_title(self, path: str) -> str:
        return self.title(self.backlinks.resolver.at(path))

    def title(self, target: Target) -> str:
        """How a page is named where something links to it."""
        if target.kind in ("reference", "fulltext"):
            reference = self.references.get(target.name)
            return label(reference) if reference else target.name
        return self._titles.get(target.path) or target.name

    @cached_property
    def _titles(self) -> dict[str, str]:
        """The title of every note, topic, collection and vocabulary by its file."""
        kinds: dict[str, Sequence[Note | Topic | Collection | Vocabulary]] = {
            "note": self.notes, "topic": self.topics,
            "collection": self.collections, "vocabulary": self.vocabularies,
        }  # fmt: skip
        titles = {
            self.record_path(kind, record): record.title
            for kind, held in kinds.items()
            for record in held
        }
        return titles | {self.record_path("search", s): f"Search: {s.query}" for s in self.searches}


def fulltext_path(path: str) -> str:
    """Where the full text of the reference at `path` is."""
    return f"{path.removesuffix('.md')}.fulltext.md"
