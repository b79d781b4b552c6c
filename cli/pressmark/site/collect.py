"""A library in, every page of its site out, with the problems that the prose has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pressmark import links, page
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.ids import slug
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
from pressmark.site import lists, maths, records, references
from pressmark.site.model import SitePage
from pressmark.site.prose import Prose, relative

if TYPE_CHECKING:
    from pressmark.library import Library


class Site:
    """What the pages of one library know of each other; made once a build."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.backlinks: Backlinks = links.index(library)
        self.prose = Prose(
            resolver=self.backlinks.resolver,
            references=self.references,
            title=self.title,
            published=self.has_page,
            tag_uri=self.tag_uri,
            first_line=self.first_line,
        )
        self._slugs: dict[str, dict[str, str]] = {}
        self._taken: dict[str, set[str]] = {}
        self._rows: dict[str, tuple[str, str]] = {}

    def pages(self) -> Iterator[SitePage]:
        """Every page; the problems of the prose are complete when it is exhausted."""
        for ref in self.references.values():
            yield references.page(self, ref)
        for text in self.fulltexts.values():
            yield records.fulltext(self, text)
        yield from records.pages(self)
        yield from lists.pages(self)

    @property
    def problems(self) -> list[str]:
        return [str(problem) for problem in self.prose.problems]

    # What there is

    @cached_property
    def references(self) -> dict[str, Reference]:
        return {ref.key: ref for ref in self.library.all()}

    @cached_property
    def kept(self) -> list[Reference]:
        return [ref for ref in self.references.values() if ref.stage != "candidate"]

    @cached_property
    def candidates(self) -> list[Reference]:
        return [ref for ref in self.references.values() if ref.stage == "candidate"]

    @cached_property
    def fulltexts(self) -> dict[str, FullText]:
        """The full texts whose licence lets a site show them."""
        from pressmark.fulltext.licenses import is_open

        found = {}
        for ref in self.library.select(["has:fulltext"]):
            path = fulltext_path(self._paths[ref.key])
            text = page.read(FullText, self.library.read_page(path), path)
            if is_open(text.license):
                found[ref.key] = text
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
    def _fulltext_paths(self) -> frozenset[str]:
        return frozenset(fulltext_path(self._paths[key]) for key in self.fulltexts)

    def fulltext_uri(self, key: str) -> str | None:
        return fulltext_path(self._paths[key]) if key in self.fulltexts else None

    def record_path(self, kind: str, record: Record) -> str:
        """The file of a note, topic, search or collection."""
        wanted = getattr(record, "slug", "")
        return self._record_paths[kind].get(wanted, "")

    @cached_property
    def _record_paths(self) -> dict[str, dict[str, str]]:
        kinds = ("note", "topic", "search", "collection", "vocabulary")
        return {k: {f.name: f.path for f in self.library.catalogue.files(k)} for k in kinds}

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
        return f"{folder}/{self._slug(folder, name)}.md"

    def facet_link(self, folder: str, name: str, words: str, path: str) -> str:
        """Words that lead to the list of a value, or just the words where it has no list."""
        if name not in self.facets[folder]:
            return words
        return f"[{words}]({relative(self.facet_uri(folder, name), path)})"

    @cached_property
    def facets(self) -> dict[str, dict[str, list[Reference]]]:
        """The kept references by every value that has a list of its own."""
        return lists.facets(self.kept)

    def tag_uri(self, tag: str) -> str | None:
        """The page of a tag; None for one that only notes carry."""
        return self.facet_uri("tags", tag) if tag in self.facets["tags"] else None

    def prose_of_text(self, body: str) -> str:
        """A full text's Markdown; only its formulas are ours to draw."""
        return maths.protect(body)

    def _slug(self, folder: str, name: str) -> str:
        """A page name for a value; two values that look alike get two names, in reading order."""
        known = self._slugs.setdefault(folder, {})
        if name not in known:
            taken = self._taken.setdefault(folder, {"index"})
            known[name] = slug(name, taken)
            taken.add(known[name])
        return known[name]

    def row_words(self, ref: Reference) -> tuple[str, str]:
        """The two lines that name a reference in a list, made once however many lists show it."""
        if ref.key not in self._rows:
            self._rows[ref.key] = references.row_words(ref)
        return self._rows[ref.key]

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

    def cites(self, key: str) -> list[Reference]:
        return [self.references[k] for k in self._edges[0].get(key, ())]

    def cited_by(self, key: str) -> list[Reference]:
        return [self.references[k] for k in self._edges[1].get(key, ())]

    @cached_property
    def _edges(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Held references that a reference cites, and that cite it."""
        identities = self.library.catalogue.identities()
        out: dict[str, list[str]] = {}
        back: dict[str, list[str]] = {}
        for ref in self.references.values():
            for cited in ref.cites:
                held = identities.get(cited)
                if held and held != ref.key and held in self.references:
                    out.setdefault(ref.key, []).append(held)
                    back.setdefault(held, []).append(ref.key)
        return out, back

    def searches_of(self, key: str) -> list[Search]:
        return self._searches_by_key.get(key, [])

    @cached_property
    def _searches_by_key(self) -> dict[str, list[Search]]:
        found: dict[str, list[Search]] = {}
        for search in self.searches:
            for key in records.filed_keys(search):
                found.setdefault(key, []).append(search)
        return found

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
