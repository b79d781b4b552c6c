"""A site in, the same site out for one page that is made: what the page asks of it is noted.

A page is made of its own file and of what it asks of the rest of the library: who cites it, what
a list is called, whether a topic has a page. Asked again at the next build, the same questions
with the same answers mean the same page. A page that asks for anything not known here is made
anew each time: a question that nobody thought of costs time and never truth.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pressmark.record import Collection, Note, Record, Reference, Search, Topic, Vocabulary
from pressmark.site import meaning
from pressmark.site.references import citing

if TYPE_CHECKING:
    from pressmark.history import Entry
    from pressmark.links import Mention
    from pressmark.site.collect import Site

Question = list[Any]
"""A name and its arguments, as JSON holds them."""

KINDS: Mapping[type[Record], str] = {
    Collection: "collection", Note: "note", Search: "search", Topic: "topic",
    Vocabulary: "vocabulary",
}  # fmt: skip

PLAIN = frozenset({
    "path", "has_page", "fulltext_uri", "page_title", "changed", "facet_link", "facet_uri",
    "tag_link", "tag_uri", "address", "href", "href_of", "cites", "cited_by", "co_cited",
    "related", "searches_of", "collections_of",
})  # fmt: skip
"""Methods of a site that take texts, change nothing, and answer with texts or records."""

SETTLED = frozenset({
    "path", "href", "href_of", "address", "fulltext_uri", "changed", "history", "cites", "cited_by",
    "co_cited", "related", "row", "reference", "few",
})  # fmt: skip
"""What only references, open full texts, commits and settings answer, and no note or topic."""

MENTIONS = frozenset({"mentions", "linked_from"})


class Answers:
    """Asks a site a page's questions, and keeps a hash of what it answers.

    `body` is the text of the page's own file: of texts that a page asks about, only those parts
    of it can be asked about again.
    """

    def __init__(self, site: Site, body: str, marks: Marks) -> None:
        self.site = site
        self.body = body
        self.marks = marks
        self._others = hashlib.blake2b(digest_size=16)
        self._settled = hashlib.blake2b(digest_size=16)
        self._hash = self._others

    @property
    def digest(self) -> str:
        """The hash of what notes and topics may answer too."""
        return self._others.hexdigest()

    @property
    def settled(self) -> str:
        """The hash of what only references, full texts and commits answer."""
        return self._settled.hexdigest()

    def ask(self, question: Question) -> Any:
        """The answer to one question."""
        name, *words = question
        self._hash = self._settled if is_settled(question) else self._others
        if name in PLAIN:
            answer = getattr(self.site, name)(*words)
            self.note(answer)
        elif name in MENTIONS:
            answer = getattr(self.site, name)(*words)
            self.note([self.site.mention(each) for each in answer])
        else:
            answer = self._asked[name](self, *words)
        return answer

    def note(self, answer: object) -> None:
        """Take an answer into the hash."""
        self._hash.update(self.marks.of(answer).encode("utf-8", "surrogatepass") + b"\x1f")

    def converted(self, answer: str) -> None:
        """Take in prose that was converted when nobody asked."""
        self._hash = self._others
        self.note(answer)

    def _noted(self, answer: Any) -> Any:
        self.note(answer)
        return answer

    def _row(self, key: str) -> None:
        self.note(self.site.references.get(key))

    def _reference(self, key: str) -> Reference | None:
        found: Reference | None = self._noted(self.site.references.get(key))
        return found

    def _few(self) -> int:
        number = len(self.site.references)
        self.note(number <= citing.FORMATTED)
        return number

    def _history(self, path: str) -> list[Entry] | None:
        found: list[Entry] | None = self._noted(self.site.history.get(path))
        return found

    def _record_path(self, kind: str, slug: str) -> str:
        found: str = self._noted(self.site.place(kind, slug))
        return found

    def _convert(self, length: int, path: str) -> str:
        found: str = self._noted(self.site.prose.convert(self.body[:length], path))
        return found

    def _words(self, length: int) -> str:
        found: str = self._noted(self.site.prose.words(self.body[:length]))
        return found

    def _cited_here(self) -> list[Reference]:
        found: list[Reference] = self._noted(self.site.cited_here())
        return found

    _asked: Mapping[str, Callable[..., Any]] = {
        "row": _row, "reference": _reference, "few": _few, "history": _history,
        "record_path": _record_path, "convert": _convert, "words": _words,
        "cited_here": _cited_here,
    }  # fmt: skip


def is_settled(question: Question) -> bool:
    """Whether no note or topic has a say in the answer; the lists by tag have notes too."""
    name = question[0]
    return name in SETTLED or (name in ("facet_link", "facet_uri") and question[1] != "tags")


def settled_by(site: Site) -> str:
    """What stands for all that answers settled questions: the same, the same answers."""
    repository = site.library.repository
    head = (repository.head() or "") if repository else ""
    texts = " ".join(sorted(site.fulltexts))
    found = [site.of_references, texts, meaning.mark(site.library), head, str(site.shallow)]
    return "\x1f".join(found)


class Marks:
    """What stands for an answer in a hash: of a record, the hash of its file and where it is."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._hashes = site.library.catalogue.hashes("reference", *KINDS.values(), "fulltext")
        for paths in site.library.catalogue.doubles().values():
            # Of several files with one key it is no matter of a path which one is shown.
            joined = " ".join(self._hashes.get(path, "") for path in paths)
            self._hashes.update(dict.fromkeys(paths, joined))
        self._known: dict[str, str] = {}

    def file(self, path: str) -> str:
        """The hash of a record's file."""
        return self._hashes.get(path, "")

    def of(self, answer: object) -> str:
        if isinstance(answer, str):
            return answer
        if isinstance(answer, Reference):
            return self._reference(answer)
        if isinstance(answer, list | tuple):
            return "\x1e".join(["*", *map(self.of, answer)])
        if kind := KINDS.get(type(answer)):  # type: ignore[arg-type]
            path = self._site.place(kind, answer.slug)  # type: ignore[attr-defined]
            return f"{kind} {path} {self.file(path)}"
        return repr(answer)

    def _reference(self, ref: Reference) -> str:
        found = self._known.get(ref.key)
        if found is None:
            path = self._site.path(ref.key)
            text = "full" if ref.key in self._site.fulltexts else ""
            found = self._known[ref.key] = f"{ref.key} {path} {self.file(path)} {text}"
        return found


class Asked:
    """Stands for a site while one page is made."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._covered: set[str] = set()
        self.questions: list[Question] = []
        self.unknown = ""
        """What was asked for that cannot be asked again."""
        self.write = answers.site.write
        self.prose = _Prose(self)
        self.history = _History(self)
        self.references = _References(self)
        self.mention = answers.site.mention

    def ask(self, *question: Any) -> Any:
        self.questions.append(list(question))
        answer = self._answers.ask(list(question))
        self._cover(answer)
        return answer

    def converted(self, text: str, length: int, path: str) -> str:
        """Prose; a text without links is its own answer, and nothing is asked again."""
        prose = self._answers.site.prose
        seen = prose.seen
        answer = prose.convert(text, path)
        if prose.seen != seen:
            self.questions.append(["convert", length, path])
            self._answers.converted(answer)
        return answer

    def _cover(self, answer: object) -> None:
        for each in answer if isinstance(answer, list) else (answer,):
            if isinstance(each, Reference):
                self._covered.add(each.key)

    def part(self, text: str) -> int | None:
        """The length of a text that the page's own begins with; None where it is another."""
        return len(text) if self._answers.body.startswith(text) else None

    def row(self, ref: Reference) -> str:
        if ref.key not in self._covered:
            self._covered.add(ref.key)
            self.ask("row", ref.key)
        return self._answers.site.row(ref)

    def href(self, key: str) -> str:
        site = self._answers.site
        return site.href(key) if key in self._covered else str(self.ask("href", key))

    def path(self, key: str) -> str:
        site = self._answers.site
        return site.path(key) if key in self._covered else str(self.ask("path", key))

    def record_path(self, kind: str, record: Record) -> str:
        return str(self.ask("record_path", kind, getattr(record, "slug", "")))

    def cited_here(self) -> Sequence[Reference]:
        found: Sequence[Reference] = self.ask("cited_here")
        return found

    def mentions(self, key: str) -> Sequence[Mention]:
        found: Sequence[Mention] = self.ask("mentions", key)
        return found

    def linked_from(self, path: str) -> Sequence[Mention]:
        found: Sequence[Mention] = self.ask("linked_from", path)
        return found

    def __getattr__(self, name: str) -> Any:
        if name in PLAIN:
            return lambda *words: self.ask(name, *words)
        return self.unasked(name)

    def unasked(self, name: str) -> Any:
        """The site's own; the page cannot stay as it is."""
        self.unknown = name
        return getattr(self._answers.site, name)


class _Prose:
    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def convert(self, text: str, path: str) -> str:
        length = self._asked.part(text)
        if length is None:
            converted: str = self._asked.unasked("prose").convert(text, path)
            return converted
        return self._asked.converted(text, length, path)

    def words(self, text: str) -> str:
        length = self._asked.part(text)
        if length is None:
            words: str = self._asked.unasked("prose").words(text)
            return words
        return str(self._asked.ask("words", length))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asked.unasked("prose"), name)


class _History:
    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def get(self, path: str, default: Any = None) -> Any:
        found = self._asked.ask("history", path)
        return default if found is None else found


class _References:
    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def get(self, key: str, default: Reference | None = None) -> Reference | None:
        return self._asked.ask("reference", key) or default

    def __getitem__(self, key: str) -> Reference:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def __len__(self) -> int:
        return int(self._asked.ask("few"))
