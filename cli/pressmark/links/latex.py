"""A LaTeX text comes in; every key it cites goes out, with offsets, line and column.

The commands are those of LaTeX, natbib, biblatex, apacite and jurabib: any whose name holds
`cite`, but for those that only set something up. Comments and verbatim text cite nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pressmark.links import foreign
from pressmark.links.link import Link

_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%[^\n]*")
UNREAD = re.compile(
    _COMMENT.pattern
    + r"|\\begin\{(verbatim\*?|Verbatim|lstlisting|minted|comment|filecontents\*?)\}.*?\\end\{\1\}"
    r"|\\(?:verb|lstinline)\*?(?:\[[^\]\n]*\])?([^A-Za-z\s*\[{])[^\n]*?\2"
    r"|\\iffalse\b.*?\\fi\b",
    re.S,
)
_COMMAND = re.compile(r"\\([A-Za-z@]*[cC]ite[A-Za-z]*)\*?(?![A-Za-z])")
_ARGUMENTS = re.compile(r"\s*(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]|<[^<>]*>|\([^()]*\))")
_KEYS = re.compile(r"\s*\{([^{}]*)\}")

_SETS_UP = frozenset({
    "bibcite", "citestyle", "setcitestyle", "citereset", "citepunct", "citedash", "citenumfont",
    "citeform", "citeleft", "citeright", "citemid", "citesort", "DeclareCiteCommand",
    "DeclareMultiCiteCommand", "DeclareCitePunctuationPosition", "citetrackerfalse",
    "citetrackertrue", "citeindexfalse", "citeindextrue", "citeauthoryear", "citeprefix",
    "AtEveryCite", "AtNextCite", "AtEveryCitekey", "AtNextCitekey", "citesetup", "citeyearpar@",
    "DeclareAutoCiteCommand", "citetitlefont", "citenotefont",
})  # fmt: skip
_AFTER_VOLUME = re.compile(r"[A-Za-z]*volcites?$", re.I)
"""biblatex's `\\volcite{2}[17]{key}` has the volume where others have the key."""


def uncommented(text: str) -> str:
    """The text with its comments blanked out, so that every offset stays."""
    return foreign.blanked(text, _COMMENT)


def parse(text: str) -> list[Link]:
    """Every citation of a LaTeX text, in order; `\\nocite{*}` names nothing."""
    if "cite" not in text and "Cite" not in text:
        return []
    return foreign.links(text, cites(foreign.blanked(text, UNREAD)))


def cites(text: str) -> Iterator[foreign.Cite]:
    """Places of the keys in a text whose comments are blanked out."""
    for command in _COMMAND.finditer(text):
        name = command[1]
        if name in _SETS_UP or "@" in name or "excite" in name or "recite" in name:
            continue
        at = command.end()
        several = name.lower().endswith("cites")
        groups = _groups(text, at, bool(_AFTER_VOLUME.fullmatch(name)), several)
        for start, end, last in groups:
            for first, stop in foreign.keys(text, start, end):
                if text[first:stop] != "*" and "#" not in text[first:stop]:
                    yield first, stop, command.start(), last


def _groups(text: str, at: int, volumes: bool, several: bool) -> Iterator[tuple[int, int, int]]:
    """The `{…}` of a command that hold keys: the first, or all of `\\cites` and its kind."""
    while True:
        if volumes:
            at = _after(_KEYS, text, at)
        while (after := _after(_ARGUMENTS, text, at)) != at:
            at = after
        found = _KEYS.match(text, at)
        if not found:
            return
        yield found.start(1), found.end(1), found.end()
        at = found.end()
        if not several:
            return


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
