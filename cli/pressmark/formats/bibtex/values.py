"""A value as it stands in a .bib file in; its TeX with strings resolved, and its text, out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from pressmark.formats.bibtex.symbols import SYMBOLS
from pressmark.text import clean, from_tex

MONTHS = {
    name: str(number)
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
"""The macros that every style defines; files that define their own mean the same."""
_LONG = {
    name: str(number)
    for number, name in enumerate(
        ("january", "february", "march", "april", "may", "june", "july", "august", "september",
         "october", "november", "december"), 1)
}  # fmt: skip
"""Names that some providers write without quotes, as if they were macros."""
MACROS: Mapping[str, str] = {**_LONG, **MONTHS, "sept": "9"}

LONE = {written[1:-1]: sign for sign, written in SYMBOLS.items() if written.startswith("{$")}
"""Mathematics of one sign, `$\\alpha$`, and the sign."""

_UNKNOWN = re.compile(r"\\([A-Za-z]{2,})\s*")
_MATHS = re.compile(r"(\$(?:[^$\\]|\\.)+\$)")


def resolved(value: str, strings: Mapping[str, str], missing: set[str]) -> str:
    """The value without its delimiters, `#` joined, names replaced; names unknown to `missing`."""
    value = value.strip()
    if not value:
        return ""
    if "#" not in value:
        return _piece(value, strings, missing)
    return "".join(_piece(piece, strings, missing) for piece in _pieces(value))


def _pieces(value: str) -> list[str]:
    """The parts between `#` signs that stand outside of braces and quotes."""
    pieces, depth, quoted, start = [], 0, False, 0
    for at, sign in enumerate(value):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == '"' and not depth:
            quoted = not quoted
        elif sign == "#" and not depth and not quoted:
            pieces.append(value[start:at])
            start = at + 1
    return [*pieces, value[start:]]


def _piece(piece: str, strings: Mapping[str, str], missing: set[str]) -> str:
    piece = piece.strip()
    if len(piece) > 1 and (piece[0], piece[-1]) in _DELIMITERS:
        return piece[1:-1].strip("\n\r")
    if not piece or piece[0].isdigit():
        return piece
    name = piece.lower()
    if name in strings:
        return strings[name]
    if name in MACROS:
        return name
    missing.add(piece)
    return piece


_DELIMITERS = frozenset({("{", "}"), ('"', '"')})


def text(value: str, *, lines: bool = False) -> str:
    """TeX as safe Unicode text; with `lines` its paragraphs stay apart."""
    if lines and "\n" in value:
        value = "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", value))
    return clean(untexed(value), newlines=lines)


def untexed(value: str) -> str:
    """TeX as Unicode; what `from_tex` does not know is looked up in pylatexenc's tables."""
    value = from_tex(value)
    if "\\" not in value and "$" not in value:
        return value
    parts = _MATHS.split(value)
    return "".join(
        LONE.get(part, part) if at % 2 else _UNKNOWN.sub(_known, part)
        for at, part in enumerate(parts)
    )


def _known(macro: re.Match[str]) -> str:
    return _symbol(macro[1]) or macro[0]


@cache
def _symbol(name: str) -> str:
    """The character of a macro without arguments, as pylatexenc has it; else nothing."""
    from pylatexenc.latex2text import get_default_latex_context_db

    spec = get_default_latex_context_db().get_macro_spec(name)
    replacement = getattr(spec, "simplify_repl", None)
    plain = isinstance(replacement, str) and not re.search(r"[%<]", replacement)
    return str(replacement) if plain else ""


def wrapped(value: str) -> bool:
    """Whether one pair of braces holds the whole value."""
    if not (value.startswith("{") and value.endswith("}")):
        return False
    depth = 0
    for at, sign in enumerate(value):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return at == len(value) - 1
    return False
