"""How the answers of `find` and `related` are shown: a citation, its evidence, its ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from pressmark.render import citation, label, reference_json
from pressmark.text import plain

if TYPE_CHECKING:
    from pressmark.commands.session import Session
    from pressmark.find import Findings, Hit, NoteHit, Passage, PassageHit
    from pressmark.library import Library

SHOWN = 320
"""Characters of evidence printed under a hit."""


def findings_json(library: Library, found: Findings, offset: int = 0) -> dict[str, object]:
    """The JSON of an answer; every hit has its reference, its ranks and its passage."""
    return {
        **_about_json(found),
        "hits": [_hit_json(library, hit, n) for n, hit in enumerate(found.hits, offset + 1)],
        "notes": None if found.notes is None else [_note_json(note) for note in found.notes],
    }


def passages_json(library: Library, found: Findings, offset: int = 0) -> dict[str, object]:
    """The JSON of passages; each has its place, and the reference it belongs to unless a note."""
    return {
        **_about_json(found),
        "passages": [
            _passage_hit_json(library, hit, n) for n, hit in enumerate(found.passages, offset + 1)
        ],
    }


def _about_json(found: Findings) -> dict[str, object]:
    return {
        "total": found.total,
        "next_offset": found.next_offset,
        "state": found.state,
        "semantic": found.semantic,
        "channels": dict(found.channels),
        "coverage": {name: list(pair) for name, pair in found.coverage.items()},
        "next": found.next,
    }


def passages_lines(found: Findings, offset: int = 0) -> list[str]:
    """What a person reads: number, whose, place, text."""
    lines: list[str] = []
    for number, hit in enumerate(found.passages, offset + 1):
        named = f"{label(hit.reference)}  [{hit.key}]" if hit.reference else f"note {hit.key}"
        lines += [
            f"{number:3}. {named}", f"     {place(hit.passage)}{shortened(hit.passage.text)}"
        ]  # fmt: skip
    return lines


def findings_lines(found: Findings, explain: bool, offset: int = 0) -> list[str]:
    """What a person reads: number, citation, evidence."""
    lines: list[str] = []
    for number, hit in enumerate(found.hits, offset + 1):
        lines.append(f"{number:3}. {citation(hit.reference)}  [{hit.key}]")
        if explain:
            ranks = ", ".join(f"{name} {rank}" for name, rank in sorted(hit.ranks.items()))
            lines.append(f"     {hit.score:.4f}  {ranks}")
        if hit.passage:
            lines.append(f"     {place(hit.passage)}{shortened(hit.passage.text)}")
    if found.notes:
        lines += ["", "Notes:"]
        lines += [
            f"     {n.slug}: {shortened(n.passage.text if n.passage else '')}" for n in found.notes
        ]
    return lines


def place(passage: Passage) -> str:
    """`Methods, p. 3: `, as far as it is known."""
    parts = [passage.section, f"p. {passage.page}" if passage.page else ""]
    named = ", ".join(part for part in parts if part)
    return f"{named}: " if named else ""


def shortened(text: str) -> str:
    """The first words of a passage on one line."""
    line = " ".join(plain(text).split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1].rstrip() + "…"


def passage_json(passage: Passage | None) -> dict[str, object] | None:
    """A passage with its exact place: in its file, and as `offset` in that file's body."""
    if passage is None:
        return None
    return {
        "id": passage.id, "section": passage.section or None,
        "page": int(passage.page) if passage.page.isdecimal() else None,
        "path": passage.path, "start": passage.start, "end": passage.end,
        "offset": passage.offset, "text": passage.text,
    }  # fmt: skip


def progress(session: Session) -> Callable[[str, int, int], None]:
    """A counter on the terminal for long work; silent in a pipe or with --quiet."""

    def show(what: str, done: int, total: int) -> None:
        click.echo(f"\r{what}: {done} of {total}\x1b[K", err=True, nl=done >= total)

    def silent(what: str, done: int, total: int) -> None:
        return None

    from pressmark.commands.session import on_terminal

    return show if on_terminal() and not session.quiet else silent


def _hit_json(library: Library, hit: Hit, number: int) -> dict[str, object]:
    return {
        "rank": number,
        "key": hit.key,
        "score": round(hit.score, 6),
        "ranks": dict(hit.ranks),
        "candidate": hit.candidate,
        "notice": hit.notice,
        "passage": passage_json(hit.passage),
        "reference": reference_json(hit.reference, library.path(hit.key)),
    }


def _passage_hit_json(library: Library, hit: PassageHit, number: int) -> dict[str, object]:
    ref = hit.reference
    return {
        "rank": number,
        "key": hit.key,
        "kind": "reference" if ref else "note",
        "score": round(hit.score, 6),
        "ranks": dict(hit.ranks),
        "passage": passage_json(hit.passage),
        "citation": citation(ref) if ref else None,
        "notice": ref.notice if ref else None,
        "route": hit.route,
        "format": hit.format,
        "path": library.path(hit.key) if ref else hit.passage.path,
    }


def _note_json(note: NoteHit) -> dict[str, object]:
    return {
        "slug": note.slug, "score": round(note.score, 6), "passage": passage_json(note.passage)
    }  # fmt: skip
