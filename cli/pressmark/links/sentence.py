"""A place in a text comes in; the sentence around it goes out, on one line."""

from __future__ import annotations

import re

REACH = 800
"""How far to each side a sentence is looked for."""

_BLOCK = re.compile(
    r"\n[ \t>]*\r?(?=\n)|\n(?=[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|\[\^[^\]\s]+\]:)[ \t])"
    r"|\n(?=[ \t]*\|)"
    r"|(?m:^[ \t>]*(?:#{1,6}|=+)[ \t][^\n]*\n)"  # a heading and the text right below it
    r"|(?m:^([=~^\"#+*-])\1{2,}[ \t]*\n)"
    r"|(?m:^[ \t]*\\(?:item\b(?:[ \t]*\[[^\]\n]*\])?"
    r"|(?:begin|end|documentclass|usepackage|part|chapter|(?:sub)*section|(?:sub)?paragraph|title"
    r"|author|date|label|bibliographystyle|caption)\*?(?:\[[^\]\n]*\])?(?:\{[^{}\n]*\})+(?:\[[^\]\n]*\])?"
    r"|maketitle\b|centering\b|tableofcontents\b|noindent\b))[ \t]*\n?"  # of LaTeX
    r"|\n(?=[ \t]*\\(?:item|begin|end|caption|(?:sub)*section|(?:sub)?paragraph|chapter)\b)"
)
_ORG_HEADING = re.compile(r"^\*+[ \t][^\n]*\n", re.M)
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


def sentence(text: str, start: int, end: int, path: str = "") -> str:
    """The sentence that holds `text[start:end]`; a list item or heading ends one too.

    The name of its file says of which language the headings are; without one it is Markdown.
    """
    low, high = bounds(text, start, end, path)
    return " ".join(re.sub(r"\n[ \t]*>+", "\n", text[low:high]).split())


def bounds(text: str, start: int, end: int, path: str = "") -> tuple[int, int]:
    """Where the sentence that holds `text[start:end]` begins and ends."""
    low, high = _block(text, start, end)
    if path.lower().endswith(".org"):
        low = max((found.end() for found in _ORG_HEADING.finditer(text, low, start)), default=low)
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
    lead = _LEAD.match(text, low, high)
    if lead and lead.end() <= start:
        low = lead.end()
    return low, high


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
