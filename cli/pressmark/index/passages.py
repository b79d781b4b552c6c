"""The text of a reference, full text or note in; passages with exact places out.

A passage is a stretch of the file itself: `text[start:end]`, in code points of LF text.
Short neighbours of one section are merged, long paragraphs are cut between sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pressmark.index import templates
from pressmark.index.markup import words
from pressmark.index.passage import FULLTEXT, NOTE, REFERENCE, Passage, digest
from pressmark.index.prose import Block, blocks

TARGET, MOST, LEAST = 900, 1200, 80
"""Characters a passage aims at, and has at most and at least."""

_MARKS = {REFERENCE: "b", FULLTEXT: "p", NOTE: "n"}
"""A passage's number counts within its file, so that a new abstract renames no full text."""


def split(
    key: str, text: str, kind: str, start: int = 0, path: str = "",
    known: frozenset[bytes] = frozenset(),
) -> list[Passage]:  # fmt: skip
    """The passages of a file's LF text from `start` (the end of its front matter) on.

    `known` are the template paragraphs of the library, which are left out of full texts.
    """
    found = []
    for number, piece in enumerate(_merged(text, kind, start, known), 1):
        taken = text[piece.start : piece.end]
        found.append(Passage(
            f"{key}#{_MARKS[kind]}{number}-{digest(taken)}", key, piece.section, piece.page, path,
            piece.start, piece.end, taken, start,
        ))  # fmt: skip
    return found


def indexed(title: str, section: str, text: str) -> str:
    """What is indexed of a passage: its title and section give its words their subject."""
    return " | ".join(part for part in (title, section, words(text)) if part)


def _merged(text: str, kind: str, start: int, known: frozenset[bytes]) -> Iterator[Block]:
    """Runs of neighbours, brought to size; no passage crosses a barrier or a template."""
    run: list[Block] = []
    for block in blocks(text, kind, start):
        if block.start == block.end or templates.is_one(text[block.start : block.end], known):
            yield from _sized(run, kind)
            run = []
        else:
            run.extend(_cut(text, block))
    yield from _sized(run, kind)


def _sized(run: list[Block], kind: str) -> Iterator[Block]:
    done: list[Block] = []
    for piece in run:
        if done and _joins(done[-1], piece):
            done[-1] = done[-1]._replace(end=piece.end)
        else:
            done.append(piece)
    # Prose a person wrote is kept however short; a fragment of a printed page says nothing.
    least = LEAST if kind == FULLTEXT else 1
    return (piece for piece in done if piece.end - piece.start >= least)


def _joins(before: Block, piece: Block) -> bool:
    total = piece.end - before.start
    shorter = min(before.end - before.start, piece.end - piece.start)
    return total <= TARGET or (shorter < TARGET // 3 and total <= MOST)


_SENTENCE = re.compile(
    r"[.!?][\"'”’)\]*_]{0,3}(?:\[\^[^\]\s]+\])*\s+(?=[\"'“‘(\[*_$]{0,3}[A-Z0-9À-ÖØ-ÞΑ-ΩА-Я])|[。！？]+|\n"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:fig|figs|eq|eqs|ref|refs|sec|tab|al|vs|e\.g|i\.e|cf|no|nos|vol|pp?|dr|prof|approx|ca|"
    r"resp|st|sp|spp|var|dept|univ|jr)|\b[A-Z])\.\s*$",
    re.I,
)


def _cut(text: str, block: Block) -> Iterator[Block]:
    """A paragraph as it is, or as pieces of about one size that end with a sentence."""
    length = block.end - block.start
    if length <= MOST:
        yield block
        return
    goal = length / max(2, round(length / TARGET))
    start = end = block.start
    for stop in _stops(text, block):
        if stop - start > MOST and end > start:
            yield _trimmed(text, block, start, end)
            start = end
        end = stop
        if end - start >= goal:
            yield _trimmed(text, block, start, end)
            start = end
    if block.end > start:
        yield _trimmed(text, block, start, block.end)


def _stops(text: str, block: Block) -> Iterator[int]:
    """Where the paragraph may be cut, never more than MOST apart, its end last."""
    last = block.start
    ends = [
        found.end() for found in _SENTENCE.finditer(text, block.start, block.end)
        if not _ABBREVIATION.search(text, max(block.start, found.start() - 8), found.start() + 1)
    ]  # fmt: skip
    for end in (*ends, block.end):
        while end - last > MOST:
            blank = text.rfind(" ", last + TARGET, last + MOST)
            last = blank + 1 if blank > 0 else last + MOST
            yield last
        if end > last:
            last = end
            yield last


def _trimmed(text: str, block: Block, start: int, end: int) -> Block:
    """The piece without the blanks at its edges."""
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return block._replace(start=start, end=end)
