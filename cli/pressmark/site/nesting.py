"""Lists as people write them in; lists that Python-Markdown nests the same way out.

Editors and CommonMark nest a list below the words of its item, two or three blanks in
(https://spec.commonmark.org/0.31.2/#list-items); Python-Markdown asks for four.
"""

from __future__ import annotations

import re

_ITEM = re.compile(r"( *)([-*+]|\d{1,9}[.)])( {1,4})(?=\S)")
_FENCE = re.compile(r" *(```+|~~~+)")
_SHALLOW = re.compile(r"^(?: {4})* {1,3}\S", re.M)
"""What stands in by some other number of blanks than Python-Markdown's."""


def nested(text: str) -> str:
    """The text with its nested lists four blanks a level; code, and all else, as it is."""
    if not _SHALLOW.search(text):
        return text
    out: list[str] = []
    depths: list[tuple[int, int]] = []
    """Of each open item: where its mark stands, where its words do."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        indent = len(line) - len(line.lstrip(" "))
        item = None if fence or mark else _ITEM.match(line)
        if item:
            while depths and indent < depths[-1][1] and not _sibling(indent, depths):
                depths.pop()
            if depths and indent < depths[-1][1]:
                depths.pop()
            if not depths and indent > 3:
                out.append(line)  # code
                continue
            out.append(" " * 4 * len(depths) + line[indent:])
            depths.append((indent, item.end()))
            continue
        if not line.strip():
            out.append(line)
            continue
        while depths and indent < depths[-1][1] and not _lazy(out, indent, depths):
            depths.pop()
        if depths and indent >= depths[-1][1]:
            line = " " * 4 * len(depths) + line[depths[-1][1] :]
        out.append(line)
    return "\n".join(out)


def _sibling(indent: int, depths: list[tuple[int, int]]) -> bool:
    """Whether a mark stands beside that of the last open item."""
    return indent >= depths[-1][0] or (len(depths) == 1 and indent <= 3)


def _lazy(out: list[str], indent: int, depths: list[tuple[int, int]]) -> bool:
    """Whether a line goes on with the words above it, however far in it stands."""
    return bool(out and out[-1].strip())
