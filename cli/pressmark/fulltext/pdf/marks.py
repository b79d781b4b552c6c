"""Paragraphs with their marks in; citations linked to the list and footnotes to their text, out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import Words, joined
from pressmark.fulltext.pdf.formulas import TAG
from pressmark.fulltext.pdf.paragraphs import Block
from pressmark.fulltext.pdf.references import Cut
from pressmark.fulltext.years import AuthorYears

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_RAISED, "0123456789")
_BRACKETS = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]")
_APART = re.compile(r"(?<!\w)" + _BRACKETS.pattern)
_GLUED = re.compile(r"(?:(?<!\w)|(?<=[a-z]{3}))" + _BRACKETS.pattern)
_ROUND = re.compile(
    r"(?<=[\w.,;\"”’)] )"
    r"\((\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\)(?!\w)"
)
_COUNTED = re.compile(
    r"(?:\b(?:eqs?|eqns?|equations?|figs?|figures?|tables?|sections?|steps?|cases?|lines?|items?|"
    r"rules?|formulas?|formulae|inequality|inequalities|conditions?|constraints?|by|from|in|using|"
    r"problems?|theorems?|lemmas?|examples?|parts?|types?|stages?|phases?|of|and|or|to|that|with)"
    r"\.?|[=<>≤≥+×]|:) $",
    re.I,
)
"""What stands before a round number that is an equation's, a step's or a count."""
_RAISED_MARK = re.compile(rf"[{_RAISED}]+(?:[,⁻][{_RAISED}]+)*")
_NOTE = re.compile(rf"^([{_RAISED}]{{1,3}})\s*(?=\S)")
_NUMBER = re.compile(rf"\d+|[{_RAISED}]+")
_WORDED = re.compile(
    rf"(?:([^\W\d_{_RAISED}]{{3,}})|\b\d{{4}}(?=[.,;:)\]]))[.,;:!?)\]\"”’']{{0,4}}\s?$"
)
_FORMULA = frozenset({"sin", "cos", "tan", "log", "exp", "det", "min", "max", "mpc", "kpc", "kms"})


@dataclass(frozen=True, slots=True)
class Marks:
    """How a document cites: by the numbers of `cited` (label -> entry), in square or round brackets
    or raised, or by author and year; and its notes."""

    cited: Mapping[int, int] = field(default_factory=dict)
    pattern: re.Pattern[str] = _BRACKETS
    notes: frozenset[int] = frozenset()
    years: AuthorYears | None = None
    worded: frozenset[int] = frozenset()  # the notes that a word is marked with somewhere

    def linked(self, text: str) -> str:
        """The text as Markdown, its marks as links."""
        out, at = "", 0
        for start, end, shown in self._found(text):
            if start < at:
                continue
            out = md.join(out, _escaped(text[at:start]))
            out = (out.rstrip() if shown.startswith("[^") else out) + shown
            at = end
        return md.join(out, _escaped(text[at:]))

    def _found(self, text: str) -> list[tuple[int, int, str]]:
        found: list[tuple[int, int, str]] = []
        if self.cited:
            marks = self.pattern.finditer(text)
            found += [(*one.span(), self._citation(one)) for one in marks]
        if self.years:
            found += [
                (start, end, f"[{text[start:end]}](#ref-{number})")
                for start, end, number in self.years.find(text)
            ]
        if self.notes:
            found += [
                (*one.span(), f"[^{_value(one[0])}]")
                for one in _RAISED_MARK.finditer(text)
                if one.start() and self._is_note(_value(one[0]), text[: one.start()])
            ]
        return sorted(one for one in found if one[2])

    def _is_note(self, number: int, before: str) -> bool:
        """Whether a raised number marks a note: where words carry its mark, `R²` is a power."""
        return number in self.notes and (number not in self.worded or _is_worded(before))

    def _citation(self, found: re.Match[str]) -> str:
        """The mark with each number linked; nothing when one is not in the list."""
        if found.re is _ROUND and _COUNTED.search(
            found.string[max(0, found.start() - 20) : found.start()]
        ):
            return ""
        numbers = [_value(one) for one in _NUMBER.findall(found[0])]
        if not all(number in self.cited for number in numbers):
            return ""
        return _NUMBER.sub(lambda one: f"[{one[0]}](#ref-{self.cited[_value(one[0])]})", found[0])


def _is_worded(before: str) -> bool:
    """Whether a text ends as it does before the mark of a note: with a word or a year's end."""
    found = _WORDED.search(before[-40:])
    return found is not None and (found[1] or "").casefold() not in _FORMULA


def _value(digits: str) -> int:
    plain = digits.translate(_DIGITS)
    return int(plain) if plain.isdigit() else 0


def _escaped(text: str) -> str:
    return md.escape(md.clean(text))


def read(found: Sequence[Block], list_: Cut | None, body: float) -> Marks:
    """Find out how a document cites: raised numbers are notes where brackets or years cite."""
    cited = {label: at for at, label in enumerate(list_.labels, 1)} if list_ else {}
    texts = [line.text for block in found if block.kind == "text" for line in block.lines]
    pattern, brackets = _bracketed(texts, cited)
    raised = _raised(texts, cited)
    years, dated = _years(texts, list_)
    if cited and raised > max(brackets, dated):
        return Marks(cited, _RAISED_MARK)
    rounds = _rounded(found, cited)
    small = Counter(
        number
        for block in found[front_end(found) :]
        if is_small(block, body)
        for number, _ in split(block, Words(()))
    )
    marked = [
        (_value(one[0]), _is_worded(text[: one.start()]))
        for text in texts for one in _RAISED_MARK.finditer(text) if one.start()
    ]  # fmt: skip
    notes = frozenset(number for number, _ in marked if small[number] == 1)
    worded = frozenset(number for number, is_worded in marked if is_worded) & notes
    if rounds > 5 * max(brackets, raised, dated):
        return Marks(cited, _ROUND, notes, worded=worded)
    if dated > brackets or not cited:
        return Marks(notes=notes, years=years, worded=worded)
    return Marks(cited, pattern, notes, worded=worded)


def front_end(found: Sequence[Block]) -> int:
    """Where the first section begins on page 1: the raised numbers of names and addresses
    before it are no notes."""
    heads = (at for at, block in enumerate(found) if block.kind == "heading" and block.page == 1)
    return next(heads, 0)


def _raised(texts: Sequence[str], cited: Mapping[int, int]) -> int:
    """How many raised marks cite; none where they name few of the entries: they are notes then."""
    marks = [one[0] for text in texts for one in _RAISED_MARK.finditer(text)]
    named = {_value(number) for one in marks for number in _NUMBER.findall(one)} & cited.keys()
    return len(marks) if 3 * len(named) >= len(cited) else 0


def _bracketed(texts: Sequence[str], cited: Mapping[int, int]) -> tuple[re.Pattern[str], int]:
    """How brackets stand where they cite, and how many do: `v[3]` may be an array's third."""
    apart = sum(len(_APART.findall(text)) for text in texts)
    glued = [one[0] for text in texts for one in _GLUED.finditer(text)]
    named = {_value(number) for one in glued for number in _NUMBER.findall(one)} & cited.keys()
    if 5 * apart < 4 * len(glued) and 3 * len(named) >= len(cited):
        return _GLUED, len(glued)
    return _APART, apart


def _rounded(found: Sequence[Block], cited: Mapping[int, int]) -> int:
    """How many round marks cite: five or more that name half of the list and nearly nothing else,
    in a document that numbers no equations in the same way."""
    if any(TAG.search(line.text) for block in found for line in block.lines if line.formula):
        return 0
    texts = [" ".join(line.text for line in block.lines) for block in found if block.kind == "text"]
    marks = [
        [_value(number) for number in _NUMBER.findall(one[0])]
        for text in texts
        for one in _ROUND.finditer(text)
        if not _COUNTED.search(text[max(0, one.start() - 20) : one.start()])
    ]
    known = [numbers for numbers in marks if all(number in cited for number in numbers)]
    named = {number for numbers in known for number in numbers}
    if len(known) < 5 or 2 * len(named) < len(cited) or 5 * len(known) < 4 * len(marks):
        return 0
    return len(known)


def _years(texts: Sequence[str], list_: Cut | None) -> tuple[AuthorYears | None, int]:
    """The entries by author and year, and how often the lines of a document cite them so."""
    if not list_:
        return None, 0
    years = AuthorYears(list_.entries)
    return years, sum(1 for text in texts for _ in years.find(text))


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
