"""A place in a text comes in; the sentence around it goes out, on one line."""

from __future__ import annotations

import re

REACH = 800
"""How far to each side a sentence is looked for."""

_BLOCK = re.compile(
    r"\n[ \t>]*\r?(?=\n)|\n(?=[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|\[\^[^\]\s]+\]:)[ \t])"
    r"|\n(?=[ \t]*\|)"
)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]*_]*\s+(?=[\"'“‘«(*_]*(?:[^\W\d_a-z]|\d|@|\[(?!-?@)))|[。！？]"
)
_SHORT = re.compile(
    r"(?:\b(?:al|e\.g|i\.e|cf|vs|ca|approx|resp|figs?|eqs?|nos?|pp?|chs?|chap|secs?|vols?|eds?"
    r"|dr|prof|st|mr|mrs|ms|ref|refs|tab|etc)|(?<![^\W\d_])(?-i:[^\W\d_a-z]))$",
    re.I,
)
_LEAD = re.compile(r"(?:[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|\[\^[^\]\s]+\]:)?[ \t]+|>+)+")


def sentence(text: str, start: int, end: int) -> str:
    """The sentence that holds `text[start:end]`; a list item or heading ends one too."""
    low, high = _block(text, start, end)
    for found in _END.finditer(text, low, high):
        if found.group()[0] == "." and _SHORT.search(
            text, max(low, found.start() - 12), found.start()
        ):
            continue
        if found.end() <= start:
            low = found.end()
        elif found.start() >= end:
            high = found.end()
            break
    line = text[low:high]
    lead = _LEAD.match(line)
    if lead and low + lead.end() <= start:
        line = line[lead.end() :]
    return " ".join(re.sub(r"\n[ \t]*>+", "\n", line).split())


def _block(text: str, start: int, end: int) -> tuple[int, int]:
    """The reach around a place, cut at the borders of its block."""
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    line = text.rfind("\n", low, start) + 1
    if _HEADING.match(text, max(line, low)):
        stop = text.find("\n", end, high)
        return max(line, low), high if stop < 0 else stop
    for found in _BLOCK.finditer(text, low, start):
        low = found.end()
    after = _BLOCK.search(text, end, high)
    return low, after.start() if after else high
