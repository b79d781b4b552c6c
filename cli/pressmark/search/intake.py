"""What a person gives to `add` in; the papers it stands for, and what could not be found, out.

A word may be an identifier in any spelling, a URL that holds one, the words of a title, a
bibliography file, a PDF, or a folder of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk, formats, ids
from pressmark.errors import Ambiguous, BadInput, NotFound, Offline, PressmarkError
from pressmark.record import Paper, Reference, Work
from pressmark.render import citation
from pressmark.search.documents import Document, identify, is_document, load

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.formats.reading import Problem
    from pressmark.http import Client, NullClient
    from pressmark.library import Library

READERS = formats.SUFFIXES
"""How the names of bibliography files end."""

LARGEST = 200 * 1024 * 1024
"""Bytes of a bibliography file that is read whole."""


@dataclass(slots=True)
class Gathered:
    """What was found for some words: papers to file, held keys, and a sentence for each failure."""

    papers: list[Paper] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    """Keys of the references that the library has already; they stand among the papers too."""
    documents: list[tuple[int, Document]] = field(default_factory=list)
    """PDFs, each with the place of its paper in `papers`."""
    failures: list[tuple[str, PressmarkError]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    places: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    """For papers out of files their place in `papers`, the file's name, and the line."""
    lost: list[tuple[str, Problem]] = field(default_factory=list)
    """Each problem of the files with the file's name."""


@dataclass
class Asking:
    """One call: the library it is for, and whom it may ask."""

    library: Library
    client: Client | NullClient
    config: Config
    today: str
    start: Path
    password: str = ""
    looked: dict[ids.Identifier, Paper | PressmarkError] = field(default_factory=dict)
    cited: int = 0
    """Papers whose references were asked for."""

    @cached_property
    def by_hash(self) -> dict[str, str]:
        """The reference that each document is of, by the document's hash."""
        from pressmark.fulltext import documents

        return documents.by_hash(self.library)

    def paper(self, identifier: ids.Identifier) -> Paper:
        """The paper of an identifier: the held one, else what the sources say of it."""
        held = self.library.catalogue.resolve(str(identifier))
        if held:
            return as_paper(self.library.get(held[0]))
        if identifier not in self.looked:
            self.ask([identifier])
        found = self.looked[identifier]
        if isinstance(found, PressmarkError):
            raise found
        found = self.looked[identifier] = self.with_cites(found)
        return found

    def with_cites(self, paper: Paper) -> Paper:
        """The paper with what it cites, where its own record does not say and few are asked for."""
        from pressmark.search.citing import MOST, with_cites

        if paper.cites or self.cited >= MOST:
            return paper
        self.cited += 1
        return with_cites(paper, self.client, self.config, self.today)

    def ask(self, identifiers: Sequence[ids.Identifier]) -> None:
        """Look up those that are not held, many in one request where a source takes them so."""
        from pressmark.sources import look_up  # slow to import, and files need no source

        wanted = [i for i in identifiers if not self.library.catalogue.resolve(str(i))]
        try:
            answers = look_up(wanted, self.client, self.config, self.today)
        except Offline as problem:  # what is held, and files, can be taken all the same
            self.looked |= dict.fromkeys(wanted, problem)
            return
        for looked in answers:
            found = looked.paper or looked.error
            assert found is not None
            self.looked[looked.identifier] = found

    def titled(self, words: str) -> Paper:
        """The one paper that the words of a title mean; else an error that names the candidates."""
        from pressmark.sources import candidates

        found = candidates(words, self.client, self.config, self.today)
        if found.clear:
            return self.with_cites(found.clear)
        if not found.found:
            raise NotFound(f"No source has a paper titled {words!r}.", next="pressmark search …")
        likely = [each.paper for each in found.found]
        lines = "\n".join(f"  {ids.identity(paper)}  {citation(paper)}" for paper in likely)
        raise Ambiguous(
            f"{words!r} could be {len(likely)} papers:\n{lines}",
            tuple(ids.identity(paper) for paper in likely),
            next="pressmark add one of these identifiers",
        )


def gather(
    library: Library,
    client: Client | NullClient,
    config: Config,
    words: Sequence[str],
    *,
    today: str,
    start: Path,
    password: str = "",
) -> Gathered:
    """Look up every word, in their order; one that fails is a line of the result."""
    got = Gathered()
    asking = Asking(library, client, config, today, start, password)
    meant = {word: ids.parse(word) for word in words}
    asking.ask([each for each in dict.fromkeys(meant.values()) if each])
    for word in words:
        try:
            _take(word, meant[word], asking, got)
        except PressmarkError as problem:
            got.failures.append((word, problem))
    return got


def _take(word: str, identifier: ids.Identifier | None, asking: Asking, got: Gathered) -> None:
    if identifier is not None:
        got.papers.append(_noted(asking.paper(identifier), asking.library, got))
        return
    path = asking.start / word
    if word.strip() and _is_there(path):
        for file in files(path):
            _take_file(file, asking, got)
        return
    keys = asking.library.catalogue.resolve(word)
    if not keys:
        refuse(word)
    paper = as_paper(asking.library.get(keys[0])) if keys else asking.titled(word)
    got.papers.append(_noted(paper, asking.library, got))


def _take_file(path: Path, asking: Asking, got: Gathered) -> None:
    if not is_document(path):
        read_file(path, got)
        return
    try:
        document = load(path, asking.password)
        key = asking.by_hash.get(document.sha256)
        twin = next((at for at, one in got.documents if one.sha256 == document.sha256), None)
        if key is not None:
            paper = as_paper(asking.library.get(key))
        elif twin is not None:
            paper = got.papers[twin]
        else:
            paper, document = identify(document, asking.paper, asking.titled)
    except PressmarkError as problem:
        got.failures.append((str(path), problem))
        return
    got.documents.append((len(got.papers), document))
    got.papers.append(_noted(paper, asking.library, got))


def _noted(paper: Paper, library: Library, got: Gathered) -> Paper:
    held = library.catalogue.holders(ids.identities(paper))
    got.held += [key for key in held if key not in got.held]
    return paper


def refuse(word: str) -> None:
    """Raise for what can be no title, and say what it seems to be."""
    if not word.strip():
        raise BadInput("An empty word names no paper.", next="see what the shell made of the call")
    if re.fullmatch(r"\s*\d+\s*", word):
        raise BadInput(
            f"The bare number {word} names no paper.", next="say of what kind it is: pmid:NUMBER"
        )
    if re.match(r"https?://", word.strip(), re.I):
        raise BadInput(
            f"{word} holds no identifier that a source reads.", next="give its DOI or its title"
        )
    if Path(word).suffix.lower() in (*READERS, ".pdf"):
        raise NotFound(f"There is no file {word}.")


def as_paper(held: Reference) -> Paper:
    """A held reference as if a source had sent it: filed again, it loses its stage at most."""
    shared = {each.name: getattr(held, each.name) for each in fields(Work)}
    return Paper(**shared, sources=held.sources)


def read_path(path: Path, got: Gathered) -> None:
    """Take a bibliography file, or every one in a folder."""
    for file in [path] if not path.is_dir() else [p for p in files(path) if not is_document(p)]:
        read_file(file, got)


def read_file(path: Path, got: Gathered) -> None:
    """Take the papers of one bibliography file; every entry is taken or reported."""
    try:
        read = formats.read(disk.read_given(path, LARGEST), path.name)
    except PressmarkError as problem:
        got.failures.append((str(path), problem))
        return
    for paper, line in zip(read.papers, read.lines, strict=True):
        got.places[len(got.papers)] = path.name, line
        got.papers.append(paper)
    got.problems += [f"{path.name}: {problem}" for problem in read.problems]
    got.lost += [(path.name, problem) for problem in read.problems]


def files(path: Path) -> list[Path]:
    """The file itself, or what can be read in a folder and those below it."""
    if not path.is_dir():
        return [path]
    found = sorted(_below(path))
    if not found:
        kinds = ", ".join(sorted((*READERS, ".pdf")))
        raise NotFound(f"{path} holds no file that can be read ({kinds}).")
    return found


def _below(folder: Path) -> Iterator[Path]:
    try:
        entries = list(folder.iterdir())
    except OSError as problem:
        raise BadInput(f"{folder} cannot be read: {problem.strerror}.") from problem
    for entry in entries:
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _below(entry)
        elif is_document(entry) or _is_bibliography(entry):
            yield entry


def _is_bibliography(path: Path) -> bool:
    """Whether a folder's file is one: where many things end like it, its bytes must say so."""
    suffix = path.suffix.lower()
    if suffix not in READERS:
        return False
    if suffix not in _OF_MANY_KINDS:
        return True
    try:
        with path.open("rb") as file:
            return bool(formats.detect(file.read(65536)))
    except (OSError, BadInput):
        return False


_OF_MANY_KINDS = frozenset({".txt", ".xml", ".yaml", ".yml"})


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a title can be too long for a file name, or hold a NUL
        return False
