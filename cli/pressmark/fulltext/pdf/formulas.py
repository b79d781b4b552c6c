"""The lines of a page in; the same with each displayed formula as one, and rows that a raised or
lowered piece cut whole again.

A formula is kept as the characters that the page shows, in its own order: fractions, limits and
roots are not put together again. What is no formula for certain stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pressmark.fulltext.pdf.headings import is_heading
from pressmark.fulltext.pdf.lines import Line, indent

TAG = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?\)$")
"""The number of an equation, at its right."""
_SIGN = re.compile(r"[=≤≥≠≈≡∝∼∑∫∏∈∉⊂⊆∪∩√∂∇→←⇒∀∃≪≫≃≜]")
_WORD = re.compile(r"[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]{2,}")
_NAMES = frozenset({
    "sin", "cos", "tan", "log", "exp", "det", "min", "max", "sup", "inf", "lim", "arg", "diag",
    "argmax", "argmin", "mod", "tr", "rank", "ln", "cosh", "sinh", "tanh", "var", "cov", "pr",
    "sgn", "sign", "dim", "ker", "softmax", "const",
})  # fmt: skip
_SAID = frozenset({"if", "for", "otherwise", "and", "or", "is", "where", "with", "when", "else"})
"""Words that a formula may say itself; a line of nothing else is not one."""
_TOLD = frozenset({
    "the", "are", "we", "of", "to", "that", "this", "be", "as", "by", "it", "let", "has", "have",
    "these", "an", "der", "die", "das", "ist", "sei", "von", "mit", "ein", "eine", "les", "des",
})  # fmt: skip
"""Words of a sentence."""
_CASE = re.compile(r"^[\d./−+-]+,?\s+(?:if|for|when|otherwise|else)\b")
_CODE = re.compile(r"[;{]$|//|\+\+|==|->|\bvar\b|\breturn\b|^\s*(?:if|while|for)\s*\(")
_LISTED = re.compile(r"^(?:\d{1,3}:\s|[•◦▪–—·■●†‡§]\s|\(?[a-z0-9ivx]{1,4}[.)]\s|\[\d{1,3}\]\s)")
MOST = 40
"""Pieces of one formula."""


def gathered(
    lines: Sequence[Line], columns: Sequence[float], leading: float, body: float
) -> list[Line]:
    """The lines of one page, top to bottom as the file has them."""
    out: list[Line] = []
    at = 0
    while at < len(lines):
        end = _run(lines, at, leading)
        before = out[-1] if out else None
        after = lines[end] if end < len(lines) else None
        if end > at and _is_displayed(lines[at:end], before, after, columns, leading, body):
            out.append(_one(lines[at:end], body))
            at = end
        elif end > at and (row := _row(before, lines[at:end], after, leading)):
            out[-1] = row
            at = end + (after is not None and _beside(row, after, leading))
        else:
            out.append(lines[at])
            at += 1
    return out


def _run(lines: Sequence[Line], start: int, leading: float) -> int:
    """Where the pieces that begin here end: close to one another, none of them prose."""
    end = start
    low = high = lines[start].y
    while end < len(lines) and end - start < MOST:
        line = lines[end]
        if line.holds:
            break
        if not is_piece(line.text) and (end == start or not _is_within(line, lines[start:end])):
            break
        if line.y > high + 2.5 * leading or line.y < low - 2.5 * leading:
            break
        low, high = min(low, line.y), max(high, line.y)
        end += 1
        if TAG.search(line.text) and end < len(lines) and lines[end].y < low - 0.7 * leading:
            break  # the next formula
    return end


def _is_within(line: Line, run: Sequence[Line]) -> bool:
    """Whether a short line that says a word stands on a row of the pieces before it."""
    words = [one for one in _WORD.findall(line.text) if len(one) > 3]
    low, high = min(each.y for each in run), max(each.y for each in run)
    inside = low - 0.3 * line.size <= line.y <= high + 0.3 * line.size
    right = line.x > run[0].x + 10 and any(_SIGN.search(each.text) for each in run)
    return len(line.text) <= 25 and len(words) < 2 and inside and right


def is_piece(text: str) -> bool:
    """Whether a line may be a formula or a part of one: signs, letters, hardly a word."""
    if len(text) > 120 or _CODE.search(text) or _LISTED.match(text) or re.search(r"\[\d+\]", text):
        return False
    words = [one for one in _WORD.findall(text) if one.casefold() not in _NAMES]
    if any(one.casefold() in _TOLD for one in words):
        return False
    spoken = [one for one in words if len(one) > 3 or one.casefold() in _SAID]
    if not spoken:
        return not words or bool(_SIGN.search(text) or len(text) <= 8 or TAG.search(text))
    letters = sum(len(one) for one in spoken)
    if _CASE.match(text):
        return len(spoken) <= 4
    signed = bool(_SIGN.search(text) or text[0] in "{(")
    return signed and len(spoken) <= 3 and 2 * letters < len(text)


def _is_displayed(
    run: Sequence[Line], before: Line | None, after: Line | None,
    columns: Sequence[float], leading: float, body: float,
) -> bool:  # fmt: skip
    """Whether pieces stand by themselves: set in, under a line of text, as large as the text."""
    if not any(_SIGN.search(line.text) for line in run) or not any(line.near(body) for line in run):
        return False
    if any(line.size > body + 0.6 or is_heading(line, None, body) for line in run):
        return False
    tagged = any(TAG.search(line.text) for line in run)
    if before is None or before.page != run[0].page or before.formula:
        beneath = tagged or (before is not None and before.formula)
    else:
        step = before.y - max(line.y for line in run)
        set_in = min(line.x for line in run) > before.x + 6 and before.text[-1:] != "-"
        beneath = 0.7 * leading < step < 4 * leading and (tagged or (set_in and _is_text(before)))
        beneath = beneath or (tagged and step < 0)  # at the top of the next column
    if after is not None and after.page == run[0].page:
        step = min(line.y for line in run) - after.y
        beneath = beneath and not -0.7 * leading < step < 0.7 * leading
    return beneath and min(indent(line, columns) for line in run) >= (-2 if tagged else 6)


def _is_text(line: Line) -> bool:
    """Whether a line is of a sentence."""
    return len(_WORD.findall(line.text)) >= 2 and not _CODE.search(line.text)


def _one(run: Sequence[Line], body: float) -> Line:
    """The pieces as one line, in the file's order, the equation's number last."""
    texts = [line.text for line in run]
    tag = next((at for at, text in enumerate(texts) if TAG.fullmatch(text)), None)
    if tag is not None:
        texts.append(texts.pop(tag))
    low = min(line.y for line in run)
    return replace(
        run[0], text=" ".join(texts), y=low, size=body, bold=False, italic=False, lead="",
        formula=True,
    )  # fmt: skip


def _row(
    before: Line | None, run: Sequence[Line], after: Line | None, leading: float
) -> Line | None:
    """The row of text that a few raised or lowered pieces cut in two; None where none is."""
    if before is None or before.formula or len(run) > 4 or not _is_text(before):
        return None
    if not all(_beside(before, line, leading) and len(line.text) <= 20 for line in run):
        return None
    texts = [before.text, *(line.text for line in run)]
    if after is not None and _beside(before, after, leading):
        texts.append(after.text)
    elif len(run) > 1 or not re.match(r"[\d\W]", run[0].text):
        return None
    return replace(before, text=" ".join(texts))


def _beside(row: Line, line: Line, leading: float) -> bool:
    """Whether a line stands on the same row, further right."""
    return (
        line.page == row.page and abs(line.y - row.y) < 0.65 * leading and line.x > row.x + 10
        and not line.formula
    )  # fmt: skip
