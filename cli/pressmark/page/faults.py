"""Why a front matter cannot be read: libyaml's complaint in, one sentence with a line out."""

from __future__ import annotations

import re
from typing import Any

from pressmark.page.dump import scalar
from pressmark.page.fault import Fault

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |\r?$)", re.M)
_NAME = re.compile(r"([^\s#:'\"-][^:\r\n]*?)['\"]?[ \t]*:(?:[ \t]|$)")
_VALUE = re.compile(r"([ \t]*(?:- +|[^\s#:][^:]*:[ \t]+))(\S.*)")
_TIGHT_COLON = re.compile(r"[A-Za-z][\w-]*:[^\s/]")
_TIGHT_DASH = re.compile(r"[ \t]*-[^\s-]")
_TAB = re.compile(r" *(?:- *)*\t")
_INDENTED = re.compile(r"[ \t]+[A-Za-z][\w-]*:(?:[ \t]|$)")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ODD_BREAK = re.compile("[\x85\u2028\u2029]|\r(?!\n)")
_CLOSERS = {"'": "'", '"': '"', "[": "]", "{": "}"}
_QUOTE = "put the whole value in single quotes"
_SENTENCES = (
    ("mapping values are not allowed", "the value holds a colon and is not in quotes", _QUOTE),
    ("could not find expected ':'", "the line is no `field: value` and no list item", None),
    ("did not find expected key", "the line is indented differently from its neighbours", None),
    ("<document start>", "the line is indented differently from its neighbours", None),
    ("expected <block end>", "the line is indented differently from its neighbours", None),
    ("'-' indicator", "the line is no list item, but the lines above are", None),
    ("end of stream", "a quoted value is never closed", "close the quote"),
    ("document separator", "a quoted value is never closed", "close the quote"),
    ("document indicator", "a quoted value is never closed", "close the quote"),
    ("',' or ']'", "the list is never closed by `]`", "close it, or put the value in quotes"),
    ("',' or '}'", "the mapping is never closed by `}`", "close it, or put the value in quotes"),
    ("cannot start any token", "a value cannot begin with this character", _QUOTE),
    ("comment or line break", "a value cannot begin with `|` or `>`", _QUOTE),
    ("alphabetic or numeric character", "a value cannot begin with `*` or `&`", _QUOTE),
    ("mapping keys are not allowed", "a value cannot begin with `? `", _QUOTE),
    ("equence entries are not allowed", "a list item cannot stand on this line", _QUOTE),
    ("block entries are not allowed", "a list item cannot stand on this line", _QUOTE),
    ("escape", "the double-quoted value holds an unknown `\\`", "use single quotes"),
    ("hexdecimal", "the double-quoted value holds an unknown `\\`", "use single quotes"),
    ("hexadecimal", "the double-quoted value holds an unknown `\\`", "use single quotes"),
    ("tab character", "a tab indents the line", "use spaces"),
    ("'\\t'", "a tab indents the line", "use spaces"),
    ("nesting depth", "the front matter is nested too deep", None),
)


def from_yaml(error: Any, text: str) -> Fault:
    """Say the parser's complaint in our words, with the line and the field it is about."""
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start())
        return Fault(
            "the file holds the marks of an unfinished merge", line, next="resolve it with git"
        )
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        return _unseen(text, forbidden)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", error))
    mark = getattr(error, "problem_mark", None)
    lines = text.split("\n")
    line = text.count("\n", 0, mark.index) if mark else 0
    context = getattr(error, "context_mark", None)
    if context and ("expected ':'" in problem or "never closed" in _sentence(problem)[0]):
        line = text.count("\n", 0, context.index)
    odd = _ODD_BREAK.search(text)
    if odd and text.count("\n", 0, odd.start()) == line:
        return _unseen(text, odd)
    return _guessed(lines, line, problem) or _plain(lines, line, problem)


def _sentence(problem: str) -> tuple[str, str | None]:
    for words, message, advice in _SENTENCES:
        if words in problem:
            return message, advice
    return f"the front matter is not YAML: {problem}", None


def _plain(lines: list[str], line: int, problem: str) -> Fault:
    message, advice = _sentence(problem)
    value = _VALUE.fullmatch(lines[line].rstrip("\r"))
    tab = _TAB.match(lines[line]) if message.startswith("a value cannot") else None
    if tab:
        where = "follows the dash" if "-" in tab[0] else "indents the line"
        message, advice = f"a tab {where}", "use spaces"
    elif advice == _QUOTE and value and len(value[2]) <= 150:
        advice = f"write  {value[1].strip()} {scalar(value[2].rstrip(), style=chr(39))}"
    return Fault(message, line, field_at(lines, line), next=advice)


def _guessed(lines: list[str], line: int, problem: str) -> Fault | None:
    """The slips of a hand that YAML's own complaint does not name."""
    for place in (line, line - 1):
        if place >= 0 and _TIGHT_COLON.match(lines[place]):
            return _slip(lines, place, "there is no space behind the colon")
        if place >= 0 and _TIGHT_DASH.match(lines[place]):
            return _slip(lines, place, "there is no space behind the dash")
    value = _VALUE.fullmatch(lines[line].rstrip("\r"))
    opener = value[2][0] if value else ""
    if "mapping values" in problem and _INDENTED.match(lines[line]):
        return _slip(lines, line, "the line is indented, or the value above holds a colon")
    if "expected key" not in problem and "<block end>" not in problem:
        return None
    if value and opener in ("'", '"') and value[2].count(opener) % 2:
        message = f"the quotes ({opener}) of the value do not match"
        advice = "write a ' inside of single quotes twice" if opener == "'" else None
        return Fault(message, line, field_at(lines, line), next=advice)
    if value and opener in _CLOSERS:
        message = f"there is text behind the closing `{_CLOSERS[opener]}` of the value"
        return Fault(message, line, field_at(lines, line), next=_QUOTE)
    return None


def _slip(lines: list[str], line: int, message: str) -> Fault:
    return Fault(message, line, field_at(lines, line))


def _unseen(text: str, found: re.Match[str]) -> Fault:
    line = text.count("\n", 0, found.start())
    return Fault(
        f"there is an invisible character U+{ord(found[0]):04X}",
        line,
        field_at(text.split("\n"), line),
        next="remove it, or write it as an escape in double quotes",
    )


def field_at(lines: list[str], line: int) -> str | None:
    """The field that a line belongs to."""
    for each in reversed(lines[: line + 1]):
        found = _NAME.match(each) or re.match(r"['\"]([^'\"]+)['\"][ \t]*:", each)
        if found:
            return found[1]
    return None
