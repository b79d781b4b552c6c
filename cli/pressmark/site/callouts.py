"""Callouts in Markdown (`> [!note] Title`) in; admonitions of Python-Markdown out."""

from __future__ import annotations

import re
from html import escape

_CALLOUT = re.compile(r"^> ?\[!(\w+)\]([+-]?)[ \t]*(.*)$")
_FENCE = re.compile(r"\s*(```+|~~~+)")


def admonitions(text: str) -> str:
    """The text with each callout and its quoted lines as an admonition; code is left alone."""
    if "[!" not in text:
        return text
    lines: list[str] = []
    inside = False
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark.group(1)
        begins = None if fence else _CALLOUT.match(line)
        if begins:
            title = escape(begins.group(3).strip() or begins.group(1).capitalize())
            lines += ["", f'!!! {begins.group(1).lower()} "{title}"', ""]
            inside = True
        elif inside and line.startswith(">"):
            lines.append("    " + line[1:].removeprefix(" "))
        else:
            lines += [""] if inside else []
            inside = False
            lines.append(line)
    return "\n".join(lines)
