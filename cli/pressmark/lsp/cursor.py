"""The text before the cursor in, what is being typed there out, in each of five languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

What: TypeAlias = Literal["cite", "wiki", "heading", "block", "tag"]

_KEY = r"[\w:.#$%&\-+?<>~/]*"
_MD_CITE = re.compile(rf"(?<![\w./+=%&\\@])-?@(\{{[^{{}}\n]*|{_KEY})$")
_MD_WIKI = re.compile(r"\[\[([^\[\]\n|]*)$")
_MD_TAG = re.compile(r"(?:(?<=[\s(\[{,;*_\"'])|^)#([\w/-]*)$")
_ITEM = re.compile(r"^[ \t]*-[ \t]+[\"']?(@?[\w-]*)$")
_LISTS = re.compile(r"^(about|members)[ \t]*:", re.M)
_LATEX = re.compile(
    r"\\[A-Za-z]*[cC]ite[A-Za-z]*\*?(?:\s*(?:\[[^\]\n]*\]|<[^<>\n]*>))*\s*\{([^{}]*)$"
)
_TYPST = (
    re.compile(r"(?<![\w\\@./+-])@([\w:.-]*)$"),
    re.compile(r"\bcite\(\s*<([\w:.-]*)$"),
    re.compile(r"\bcite\(\s*label\(\s*\"([^\"\n]*)$"),
)
_ORG = (
    re.compile(r"\[cite(?:/[\w/-]*)?:[^\[\]]*@([^\s;\[\]]*)$"),
    re.compile(r"(?<![\w/])[A-Za-z]*cite[A-Za-z]*\*?:(?!//)([^\s\[\]]*)$"),
)
_RST = re.compile(r":(?:[\w.-]+:)?(?:foot|full)?cite[\w:]*:`([^`]*)$")
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.M)


@dataclass(frozen=True, slots=True)
class Typed:
    """What is being typed: the words so far, and where they begin in the text."""

    what: What
    words: str
    start: int
    note: str = ""  # for a heading or block: whose
    braced: bool = False


def typed(source: str, offset: int, line: str, language: str) -> Typed | None:
    """What stands before the cursor at `offset`, whose line so far is `line`."""
    if language == "latex":
        return _last(_LATEX.search(source[max(0, offset - 2000) : offset]), offset)
    if language == "typst":
        return _first([_last(each.search(line), offset, "") for each in _TYPST])
    if language == "org":
        return _first([_last(each.search(line), offset, ",;&") for each in _ORG])
    if language == "rst":
        return _last(_RST.search(line), offset)
    return _markdown(source, offset, line)


def _markdown(source: str, offset: int, line: str) -> Typed | None:
    if source.startswith("---") and _in_front(source, offset):
        return _listed(source, offset, line)
    if line.count("`") % 2 or _in_code(source, offset):
        return None
    if found := _MD_WIKI.search(line):
        words = found[1]
        start = offset - len(words)
        if words.startswith("@"):
            return Typed("cite", words[1:], start + 1, braced=True)
        note, hash_, heading = words.partition("#")
        if hash_:
            if heading.startswith("^"):
                return Typed("block", heading[1:], offset - len(heading) + 1, note)
            return Typed("heading", heading, offset - len(heading), note)
        return Typed("wiki", words, start)
    if found := _MD_CITE.search(line):
        words = found[1]
        braced = words.startswith("{")
        bare = words.removeprefix("{")
        return Typed("cite", bare, offset - len(bare), braced=braced)
    if (found := _MD_TAG.search(line)) and not re.fullmatch(r"[ \t>]*#+", line):
        return Typed("tag", found[1], offset - len(found[1]))
    return None


def _in_front(source: str, offset: int) -> bool:
    closing = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.M).search(source, 4)
    return closing is None or offset <= closing.start()


def _listed(source: str, offset: int, line: str) -> Typed | None:
    """A key in the list of what a note is about, or of a collection's members."""
    found = _ITEM.match(line)
    fields = list(re.finditer(r"^([\w-]+)[ \t]*:", source[:offset], re.M))
    if not found or not fields or not _LISTS.match(fields[-1].group()):
        return None
    words = found[1].removeprefix("@")
    return Typed("cite", words, offset - len(words), braced=True)


def _in_code(source: str, offset: int) -> bool:
    """Whether a fence is open before the cursor."""
    opened = ""
    for found in _FENCE.finditer(source, 0, offset):
        mark = found[1]
        if not opened:
            opened = mark
        elif mark[0] == opened[0] and len(mark) >= len(opened):
            opened = ""
    return bool(opened)


def _last(found: re.Match[str] | None, offset: int, between: str = ",") -> Typed | None:
    """The last key of a list that is being typed."""
    if not found:
        return None
    words = found[1]
    for sign in between:
        words = words.rpartition(sign)[2]
    words = words.lstrip()
    return Typed("cite", words, offset - len(words), braced=True)


def _first(found: list[Typed | None]) -> Typed | None:
    return next((each for each in found if each), None)
