"""Cite keys that prose uses and no reference has in; the references, filed under them, out.

Bibliography files are asked first, those that a person gives before those that the prose names,
then a Zotero where it is wanted, then the providers where the user said so. Each is gone through
once for all keys, and prose is only read.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.errors import BadInput, NotFound, PressmarkError
from pressmark.exchange import lacking, zotero, zoteroapi
from pressmark.exchange.citations import (
    Answers,
    CitationPort,
    FileReader,
    Found,
    Resolver,
    WebReader,
    ZoteroReader,
)
from pressmark.exchange.lacking import Lacking, Text
from pressmark.library import Added, Library, Write
from pressmark.links.resolve import same
from pressmark.record import Paper, Reference, Work
from pressmark.render import counted

if TYPE_CHECKING:
    from pressmark.http import Client, NullClient


@dataclass(frozen=True, slots=True)
class Row:
    """A key that was found: who answered, who else has it, and what became of it."""

    cited: str
    path: str
    line: int
    source: str
    also: tuple[str, ...]
    outcome: str
    key: str
    title: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A key that no source has, and why, where more is to say than that."""

    cited: str
    path: str
    line: int
    sure: bool
    reason: str = ""


@dataclass(slots=True)
class Brought:
    """What a call did: a row for each key that was found, and the keys that were not."""

    added: Added
    rows: list[Row] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """The sources, in their order."""
    problems: list[str] = field(default_factory=list)

    @property
    def failure(self) -> PressmarkError | None:
        """NotFound where a key that cites beyond doubt is in no source."""
        missing = [each.cited for each in self.unknown if each.sure]
        if not missing:
            return None
        if self.asked:
            has = "is" if len(missing) == 1 else "are"
            said = f"{counted(len(missing), 'cited key')} {has} not in any source that was asked."
        else:
            said = f"{counted(len(missing), 'cited key')} not held, and no bibliography to look in."
        return NotFound(said, next=self._advice())

    def _advice(self) -> str:
        parsed = {each.cited: ids.parse(each.cited) for each in self.unknown if each.sure}
        identifier = next((each for each in parsed.values() if each), None)
        asked = WebReader.name in self.asked
        if (
            identifier
            and not asked
            and len([each for each in parsed.values() if each]) == len(parsed)
        ):
            return f"pressmark add {shlex.quote(str(identifier))}"
        if ZoteroReader.name not in self.asked and zotero.exists(zotero.home()):
            return "pressmark add --cited --zotero"
        return "pressmark add --cited --from FILE, or pressmark search"


def bring(
    library: Library,
    client: Client | NullClient,
    *,
    today: str,
    start: Path,
    files: Sequence[str] = (),
    texts: Sequence[Text] = (),
    sources: Sequence[str] = (),
    with_zotero: bool = False,
    tags: Sequence[str] = (),
    topic: str | None = None,
    collection: str | None = None,
    write: Write | None = None,
) -> Brought:
    """File what the prose cites and nothing holds, in one commit; the prose itself stays as it is.

    `files` and `texts` say in which prose to look, without them in the library's; `sources` are
    bibliography files and Zotero's folders. Raises for a file or source that was named and is not
    there.
    """
    texts = [*texts, *lacking.given(library, files, start)]
    chosen = bool(texts)
    own = [_reader(library, start / each, each) for each in sources]
    texts = texts or lacking.held(library)
    wanted = lacking.keys(library, texts)
    brought = Brought(Added())
    if not wanted:
        return brought
    more = lacking.held(library, ("prose", "note")) if chosen else []
    named, brought.problems = lacking.bibliographies(library, texts)
    named = list(dict.fromkeys([*named, *lacking.bibliographies(library, more)[0]]))
    taken = {each.path for each in own if isinstance(each, FileReader)}
    readers: list[FileReader | ZoteroReader] = [
        *own, *(FileReader(each.path, each.name) for each in named if each.path not in taken),
    ]  # fmt: skip
    if with_zotero:
        readers.append(ZoteroReader(zotero.home(), zoteroapi.client(library.config)))
    web = WebReader(client, library.config, today)
    answers = _ask(readers, web, [each.key for each in wanted])
    brought.asked = [each.name for each in readers] + [web.name] * web.enabled
    brought.problems += [line for each in readers for line in each.problems]
    brought.problems += _two_works(answers)
    _file(library, brought, wanted, answers, tags, topic, collection, write or Write())
    brought.unknown = [
        Unknown(each.key, each.path, each.line, each.sure, _why(each.key, answers, web, library))
        for each in wanted if each.key not in answers.found
    ]  # fmt: skip
    return brought


def _reader(library: Library, path: Path, word: str) -> FileReader | ZoteroReader:
    """The source that a person names: a bibliography file, or a Zotero's folder or database."""
    if path.suffix.lower() == ".sqlite" or (path.is_dir() and zotero.exists(path)):
        return ZoteroReader(path)
    if path.is_dir():
        raise BadInput(
            f"{word} is a folder, and no Zotero's.", next="name its bibliography files one by one"
        )
    if not word.strip() or not path.exists():
        raise NotFound(f"There is no file {word}.")
    return FileReader(path, path.name)


def _ask(readers: Sequence[CitationPort], web: WebReader, keys: Sequence[str]) -> Answers:
    """What the files and the Zotero have of all keys, and the web of those that are left."""
    answers = Resolver(readers).find(keys)
    left = [key for key in keys if key not in answers.found]
    if web.enabled and left:
        answers.found |= Resolver([web]).find(left).found
    return answers


def _two_works(answers: Answers) -> list[str]:
    """A sentence for each key that two sources have for different works."""
    said = []
    for key, found in answers.found.items():
        first = found[0]
        others = [each.source for each in found[1:] if not _alike(first.reference, each.reference)]
        if others:
            said.append(
                f"{key}: taken from {first.source}; it is another work in {', '.join(others)}."
            )
    return said


def _alike(one: Reference, two: Reference) -> bool:
    """Whether two entries can be one work: an identifier of both, or their titles, say so."""
    return ids.same_title(one.title, two.title) or not set(ids.identities(one)).isdisjoint(
        ids.identities(two)
    )


def _why(key: str, answers: Answers, web: WebReader, library: Library) -> str:
    """What is to say of a key that was not found."""
    if key in answers.doubts:
        return f"a source has {answers.doubts[key]}, and which is meant cannot be told"
    if key in web.failures:
        return str(web.failures[key])
    if ids.parse(key) and not web.enabled:
        return "offline" if library.config.offline else "network.resolve is off"
    return ""


def _file(
    library: Library, brought: Brought, wanted: Sequence[Lacking], answers: Answers,
    tags: Sequence[str], topic: str | None, collection: str | None, write: Write,
) -> None:  # fmt: skip
    """One paper for each entry, whichever of its names the prose cites; then the rows."""
    found = {each.key: answers.found[each.key] for each in wanted if each.key in answers.found}
    entries = _entries(found)
    if not entries:
        return
    seen: set[str] = set()
    papers = [_paper(library, held, keys, tags, seen) for held, keys in entries]
    sources = ", ".join(dict.fromkeys(each[0].source for each in found.values()))
    subject = f"add: {counted(len(papers), 'cited reference')} ({sources})"
    brought.added = library.add(
        papers, topic=topic, collection=collection, subject=subject, write=write
    )
    places = {each.key: each for each in wanted}
    for (_, keys), item in zip(entries, brought.added.items, strict=True):
        for key in keys:
            first, *others = found[key]
            brought.rows.append(Row(
                key, places[key].path, places[key].line, first.source,
                tuple(each.source for each in others), item.outcome, item.key, item.title,
                item.reason,
            ))  # fmt: skip
    order = {each.key: at for at, each in enumerate(wanted)}
    brought.rows.sort(key=lambda row: order[row.cited])


def _entries(found: Mapping[str, tuple[Found, ...]]) -> list[tuple[Reference, list[str]]]:
    """Each entry that answered, and the keys that it answered to."""
    entries: dict[int, tuple[Reference, list[str]]] = {}
    for key, (first, *_) in found.items():
        entries.setdefault(id(first.reference), (first.reference, []))[1].append(key)
    return list(entries.values())


def _paper(
    library: Library, held: Reference, keys: Sequence[str], tags: Sequence[str], seen: set[str]
) -> Paper:
    """The entry as a paper that brings the key of the prose, and its other names with it.

    A key that is an identifier leads to its reference anyhow: it is brought only where nothing
    else is cited and the work is new, so that exports have it as the prose does. `seen` gathers
    the identities of the papers before.
    """
    identities = ids.identities(held)
    names = _once([key for key in keys if ids.parse(key) is None])
    if not names and seen.isdisjoint(identities) and not library.catalogue.holders(identities):
        names = [keys[0]]
    seen.update(identities)
    own = (held.cite_as or held.key, *held.aliases)
    names = _once([*names, *(each for each in own if ids.valid_key(each))]) if names else []
    shared = {each.name: getattr(held, each.name) for each in fields(Work)}
    return replace(
        Paper(**shared), abstract=held.abstract, sources=held.sources,
        key_hint=next(iter(names), None), other_keys=tuple(names[1:]),
        tags=(*held.tags, *tags), extra=held.extra,
    )  # fmt: skip


def _once(names: Sequence[str]) -> list[str]:
    """The names, each once whatever its letter case, the first spelling of each."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(same(name), name)
    return list(found.values())
