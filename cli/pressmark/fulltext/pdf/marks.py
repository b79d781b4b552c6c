"""Paragraphs with their marks in; citations linked to the list and footnotes to their text, out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import Words, joined
from pressmark.fulltext.pdf.paragraphs import Block

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_RAISED, "0123456789")
_BRACKETS = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]")
_RAISED_MARK = re.compile(rf"[{_RAISED}]+(?:[,⁻][{_RAISED}]+)*")
_NOTE = re.compile(rf"^([{_RAISED}]{{1,3}})\s*(?=\S)")
_NUMBER = re.compile(rf"\d+|[{_RAISED}]+")


@dataclass(frozen=True, slots=True)
class Marks:
    """How a document cites: `cited` numbered entries, in brackets or raised, and its notes."""

    cited: int = 0
    raised: bool = False
    notes: frozenset[int] = frozenset()

    def linked(self, text: str) -> str:
        """The text as Markdown, its marks as links."""
        out, at = "", 0
        for found, shown in self._found(text):
            out = md.join(out, _escaped(text[at : found.start()]))
            out = (out.rstrip() if shown.startswith("[^") else out) + shown
            at = found.end()
        return md.join(out, _escaped(text[at:]))

    def _found(self, text: str) -> list[tuple[re.Match[str], str]]:
        found = []
        if self.cited:
            pattern = _RAISED_MARK if self.raised else _BRACKETS
            found += [(one, self._citation(one)) for one in pattern.finditer(text)]
        if self.notes:
            marks = (one for one in _RAISED_MARK.finditer(text) if one.start())
            found += [
                (one, f"[^{_value(one[0])}]") for one in marks if _value(one[0]) in self.notes
            ]
        return sorted((one for one in found if one[1]), key=lambda one: one[0].start())

    def _citation(self, found: re.Match[str]) -> str:
        """The mark with each number linked; nothing when one is not in the list."""
        numbers = [_value(one) for one in _NUMBER.findall(found[0])]
        if not all(0 < number <= self.cited for number in numbers):
            return ""
        return _NUMBER.sub(lambda one: f"[{one[0]}](#ref-{_value(one[0])})", found[0])


def _value(digits: str) -> int:
    plain = digits.translate(_DIGITS)
    return int(plain) if plain.isdigit() else 0


def _escaped(text: str) -> str:
    return md.escape(md.clean(text))


def read(found: Sequence[Block], cited: int, body: float) -> Marks:
    """Find out how a document cites: raised numbers are notes where brackets cite."""
    texts = [line.text for block in found if block.kind == "text" for line in block.lines]
    brackets = sum(len(_BRACKETS.findall(text)) for text in texts)
    if cited and sum(len(_RAISED_MARK.findall(text)) for text in texts) > brackets:
        return Marks(cited, raised=True)
    small = Counter(
        number for block in found if is_small(block, body) for number, _ in split(block, Words(()))
    )
    marked = Counter(
        _value(one[0]) for text in texts for one in _RAISED_MARK.finditer(text) if one.start()
    )
    notes = {number for number, times in small.items() if times == 1 and marked[number]}
    return Marks(cited, notes=frozenset(notes))


def is_small(block: Block, body: float) -> bool:
    """Whether a block is set as footnotes are, and begins as one does."""
    return (
        block.kind == "text" and block.size < body - 0.6 and bool(_NOTE.match(block.lines[0].text))
    )


def split(block: Block, words: Words) -> list[tuple[int, str]]:
    """The notes of a block at the foot of a page: number and text."""
    starts = [at for at, line in enumerate(block.lines) if _NOTE.match(line.text)]
    notes = []
    for start, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        text = joined([line.text for line in block.lines[start:end]], words)
        found = _NOTE.match(text)
        if found:
            notes.append((_value(found[1]), text[found.end() :]))
    return notes
