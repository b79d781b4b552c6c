"""What a person gives to `add` in; the papers it stands for, and what could not be found, out.

A word may be an identifier in any spelling, a URL that holds one, the words of a title, or a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.errors import Ambiguous, BadInput, NotFound, PressmarkError
from pressmark.formats import csljson
from pressmark.record import Paper
from pressmark.render import citation
from pressmark.sources import candidates, look_up

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.http import Client, NullClient
    from pressmark.library import Library

READERS = {".json": csljson.read}
"""A file's suffix to what reads it."""

LARGEST = 200 * 1024 * 1024
"""Bytes of a file that is read whole."""


@dataclass(slots=True)
class Gathered:
    """What was found for some words: papers to file, held keys, and a sentence for each failure."""

    papers: list[Paper] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    failures: list[tuple[str, PressmarkError]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def gather(
    library: Library,
    client: Client | NullClient,
    config: Config,
    words: Sequence[str],
    *,
    today: str,
    start: Path,
) -> Gathered:
    """Look up every word; one that fails is a line of the result and the rest go on."""
    got = Gathered()
    wanted: list[tuple[str, ids.Identifier]] = []
    for word in words:
        path = start / word
        identifier = ids.parse(word)
        if identifier is None and _is_file(path):
            for file in _files(path):
                read_file(file, got)
        elif identifier is not None:
            held = library.catalogue.resolve(str(identifier))
            if held:
                got.held += held
            else:
                wanted.append((word, identifier))
        else:
            _title(word, client, config, today, got)
    for (word, _), looked in zip(
        wanted, look_up([i for _, i in wanted], client, config, today), strict=True
    ):
        if looked.paper is None:
            got.failures.append((word, _reason(word, looked.failures)))
        else:
            got.papers.append(looked.paper)
    return got


def read_file(path: Path, got: Gathered) -> None:
    """Take the papers of one bibliography file; every entry is taken or reported."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(sorted(READERS))
        got.failures.append((
            str(path), BadInput(f"{path.name} is of no kind that can be read ({known}).")
        ))  # fmt: skip
        return
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path.name} is larger than {LARGEST // 2**20} MiB.")
        papers, problems = reader(path.read_bytes())
    except OSError as problem:
        got.failures.append(
            (str(path), BadInput(f"{path.name} cannot be read: {problem.strerror}."))
        )
    except PressmarkError as problem:
        got.failures.append((str(path), problem))
    else:
        got.papers += papers
        got.problems += [f"{path.name}: {line}" for line in problems]


def _title(
    words: str, client: Client | NullClient, config: Config, today: str, got: Gathered
) -> None:
    """A title is filed only when one paper is clearly meant; else its candidates are named."""
    try:
        found = candidates(words, client, config, today)
    except PressmarkError as problem:
        got.failures.append((words, problem))
        return
    if found.clear:
        got.papers.append(found.clear)
        return
    if not found.found:
        got.failures.append((words, NotFound(f"No source has a paper titled {words!r}.")))
        return
    lines = [f"{_pasteable(each.paper)}  {citation(each.paper)}" for each in found.found]
    got.failures.append((
        words,
        Ambiguous(
            f"{words!r} could be {len(lines)} papers:\n" + "\n".join(f"  {x}" for x in lines),
            tuple(_pasteable(each.paper) for each in found.found),
            next="pressmark add one of these identifiers",
        ),
    ))  # fmt: skip


def _pasteable(paper: Paper) -> str:
    return ids.identity(paper)


def _reason(word: str, failures: dict[str, PressmarkError]) -> PressmarkError:
    """One error for one word: the sources' own reasons, the passing ones first."""
    if not failures:
        return NotFound(f"No source reads {word}.")
    said = "; ".join(f"{name}: {str(error).rstrip('.')}" for name, error in failures.items())
    passing = [e for e in failures.values() if not isinstance(e, NotFound)]
    if passing:
        kind = type(passing[0])
        return kind(f"{word} could not be looked up ({said}).", next=passing[0].next)
    return NotFound(f"{word} was not found ({said}).", next="check its spelling")


def _is_file(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a title can be too long for a file name
        return False


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return sorted(p for p in path.iterdir() if p.suffix.lower() in READERS and p.is_file())
    return [path]
