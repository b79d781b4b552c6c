"""Anybody's Markdown in; the same for a generator that we do not know, with nothing live, out.

Our own build cleans the finished HTML; of a staged page, and of a note that one of the site's own
pages embeds, the HTML is made elsewhere, with extensions of its owner's choice. So what could
become an element, an attribute, a script's address, a snippet or a macro loses its first sign:
`<` before a name is an entity, `{` takes a backslash, and code that holds a tag is written as an
element whose words are escaped, because programs differ in where a code span ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from pressmark.text import escape_markdown

JOINER = "\u2060"
"""Takes no room and parts no word; only a snippet's mark in code needs one."""

_OURS = re.compile(
    r'<span id="block-[^"<>]*"></span>|<span class="pm-missing">'
    r'|<span class="pm-unpublished" title="not published">|</span>'
    r"|<(?:https?://|mailto:)[^\s<>\"'`]*>"
)
"""What the conversion of prose writes itself, and addresses of the web between angles."""

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`\n]*")
_ANY_FENCE = re.compile(r"^[ \t>*+\d.)-]+(?:```|~~~)", re.M)
_SPAN = re.compile(r"(?<![`\\])(`+)(?!`)([^`\n]*(?:(?!\1)`+[^`\n]+)*)(?<!`)\1(?!`)")
_TAG = re.compile(r"<(?=[A-Za-z/!?$&\\])")
_BRACE = re.compile(r"(?<!\\)(?:\\\\)*\{(?=[{%#.:]|[^{}\n]*=)|(?<=\{)\{")
"""What begins a macro or a list of attributes."""

_SNIPPET = re.compile(r"(-+8<-*)-")
_DESTINATION = re.compile(r"(\][(:][ \t\n>]*<?[ \t]*)([^\s)<>]+)")
_SCRIPT = re.compile(r"(?:javascript|vbscript|data):.")
_IGNORED = re.compile(r"[\x00-\x20\\]+")


def inert(markdown: str) -> str:
    """The prose with nothing in it that any generator would run, load or include."""
    if markdown.startswith('<pre class="pm-code"'):
        return markdown  # shown as written: escaped already
    if _ANY_FENCE.search(markdown):
        return _prose(markdown)  # programs differ in where such a fence ends
    out: list[str] = []
    prose: list[str] = []
    lines = iter(markdown.split("\n"))
    for line in lines:
        opened = _FENCE.fullmatch(line)
        if not opened:
            prose.append(line)
            continue
        out += [_prose("\n".join(prose))] if prose else []
        prose = []
        out.append(_fenced(opened[1], opened[2], lines))
    return "\n".join([*out, _prose("\n".join(prose))] if prose else out)


def plainly(title: str) -> str:
    """A title without what could end an attribute or begin an element where it is printed raw."""
    return _TAG.sub("‹", title).replace('"', "”")


def _fenced(mark: str, language: str, lines: Iterator[str]) -> str:
    """A fence that every program ends in the same place."""
    closing = re.compile(rf"{re.escape(mark)}{mark[0]}*[ \t]*")
    held: list[str] = []
    for line in lines:
        if closing.fullmatch(line):
            break
        held.append(line)
    longest = max((len(run) for run in re.findall(r"[`~]{3,}", "\n".join(held))), default=0)
    fence = "`" * max(3, longest + 1)
    shown = [_SNIPPET.sub(rf"\1{JOINER}-", each) for each in held]
    return "\n".join([fence + language, *shown, fence])


def _prose(text: str) -> str:
    out: list[str] = []
    at = 0
    for found in _SPAN.finditer(text):
        if not any(each.search(found[2]) for each in (_TAG, _BRACE, _SNIPPET)):
            continue
        words = escape_markdown(" ".join(found[2].split()))
        out += [_words(text[at : found.start()]), f"<code>{words}</code>"]
        at = found.end()
    return "".join([*out, _words(text[at:])])


def _words(text: str) -> str:
    text = _DESTINATION.sub(_harmless, text)
    out: list[str] = []
    at = 0
    for found in _OURS.finditer(text):
        out += [_signs(text[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*out, _signs(text[at:])])


def _signs(text: str) -> str:
    text = _SNIPPET.sub(r"\1&#45;", text)
    return _BRACE.sub(lambda found: found[0][:-1] + "\\{", _TAG.sub("&lt;", text))


def _harmless(found: re.Match[str]) -> str:
    """A link to a script leads to a place of its own page that does not exist."""
    address = _IGNORED.sub("", unescape(found[2])).lower()
    return f"{found[1]}#{found[2]}" if _SCRIPT.match(address) else found[0]
