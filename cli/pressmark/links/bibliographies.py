"""A text of prose comes in; the bibliography files that it names go out, each with its line.

Pandoc's, Quarto's and R Markdown's `bibliography:` (https://pandoc.org/MANUAL.html#citations),
LaTeX's `\\bibliography` and biblatex's `\\addbibresource`, Typst's `#bibliography(…)`, Org's
`#+bibliography:` and sphinxcontrib-bibtex's `.. bibliography::`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pressmark.errors import BadInput
from pressmark.formats import plainyaml
from pressmark.links import foreign, latex, typst

SETTINGS = ("_quarto.yml", "_quarto.yaml", "_metadata.yml", "_metadata.yaml", "_bookdown.yml")
"""Files beside prose whose `bibliography:` counts for it, in its folder and those below."""

MOST = 100
"""Files that one text can name; nobody writes more, and each is looked for."""


@dataclass(frozen=True, slots=True)
class Named:
    """A bibliography file as the prose writes it, and the line where it does."""

    name: str
    line: int


def named(text: str, path: str) -> list[Named]:
    """The bibliography files that a text names, in its order, in the grammar of its file's name."""
    if "bib" not in text:
        return []
    ending = path.rpartition(".")[2].casefold()
    reader = _READERS.get(ending, _markdown)
    found: dict[str, int] = {}
    for name, at in islice(reader(text), MOST):
        if name.strip():
            found.setdefault(name.strip(), text.count("\n", 0, at) + 1)
    return [Named(name, line) for name, line in found.items()]


def root(text: str, path: str) -> str | None:
    """The main file of a LaTeX chapter, as its magic comment or its class option names it."""
    if not path.casefold().endswith((".tex", ".ltx")):
        return None
    found = _ROOT.search(text) or _SUBFILE.search(text)
    return found[1].strip() if found else None


_ROOT = re.compile(r"^%[ \t]*!T[eE]X[ \t]+root[ \t]*=[ \t]*(\S[^\n]*)", re.M | re.I)
_SUBFILE = re.compile(r"\\documentclass\[([^\[\]\n]+)\]\{subfiles\}")

_BLOCK = re.compile(r"(?:\A\ufeff?|\n[ \t]*\r?\n)---[ \t]*\r?\n(?=\S)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.M)
_FIELD = re.compile(
    r"^(?P<quote>[\"']?)bibliography(?P=quote)[ \t]*:(?:[^\n]*\n?)(?:(?:[ \t]+|-)[^\n]*\n?|\r?\n)*",
    re.M,
)


def _markdown(text: str) -> Iterator[tuple[str, int]]:
    """The field in each metadata block, which pandoc reads wherever it stands."""
    at = 0
    for _ in range(MOST):
        opening = _BLOCK.search(text, at)
        if opening is None:
            return
        closing = _CLOSING.search(text, opening.end())
        if closing is None:
            return
        yield from _yaml(text, opening.end(), closing.start())
        at = closing.end()


def _settings(text: str) -> Iterator[tuple[str, int]]:
    return _yaml(text, 0, len(text))


def _yaml(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """The field alone is read: what else the block holds may be no YAML that we would take."""
    found = _FIELD.search(text, start, end)
    if found is None:
        return
    try:
        held = plainyaml.load(found[0], "YAML")
    except BadInput:
        return
    at = found.start()
    for name in _strings(held):
        place = text.find(name, at, found.end())
        at = place if place >= 0 else at
        yield name, at


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


_LATEX = re.compile(
    r"\\(?:(bibliography|nobibliography)|add(?:bibresource|globalbib|sectionbib))(?![A-Za-z*])"
    r"[ \t]*(?:\[([^\[\]]*)\])?[ \t]*\{([^{}]*)\}"
)


def _latex(text: str) -> Iterator[tuple[str, int]]:
    for found in _LATEX.finditer(foreign.blanked(text, latex.UNREAD)):
        if re.search(r"location\s*=\s*remote", found[2] or ""):
            continue
        for start, end in foreign.keys(text, *found.span(3)):
            name = text[start:end].strip('"')
            if "#" not in name:
                yield (name if not found[1] or name.endswith(".bib") else f"{name}.bib"), start


_TYPST = re.compile(r"\bbibliography\(\s*(?:\(([^()]*)\)|(\"[^\"\n]*\"))")


def _typst(text: str) -> Iterator[tuple[str, int]]:
    shown = foreign.blanked(text, typst.UNREAD)
    for found in _TYPST.finditer(text):
        if shown.startswith("bibliography", found.start()):
            group = 1 if found[1] is not None else 2
            for name in re.finditer(r"\"([^\"\n]*)\"", found[group]):
                yield name[1], found.start(group) + name.start()


_ORG = re.compile(r"^[ \t]*#\+bibliography:[ \t]*(\S[^\n]*)", re.M | re.I)
_ORG_REF = re.compile(r"(?<![\w/])(?:no)?bibliography:([^\s\[\]()<>]+)")


def _org(text: str) -> Iterator[tuple[str, int]]:
    yield from ((found[1].strip(' "\r'), found.start(1)) for found in _ORG.finditer(text))
    for found in _ORG_REF.finditer(text):
        if not text.startswith("#+", found.start() - 2):
            for start, end in foreign.keys(text, *found.span(1)):
                name = text[start:end]
                yield (name if "." in name else f"{name}.bib"), start
    yield from _latex(text)


_RST = re.compile(r"^[ \t]*\.\.[ \t]+bibliography::[ \t]*(\S[^\n]*)", re.M)


def _rst(text: str) -> Iterator[tuple[str, int]]:
    for found in _RST.finditer(text):
        for start, end in foreign.keys(text, *found.span(1), between=" "):
            yield text[start:end], start


_READERS: dict[str, Callable[[str], Iterator[tuple[str, int]]]] = {
    "tex": _latex, "ltx": _latex, "typ": _typst, "org": _org, "rst": _rst,
    "yml": _settings, "yaml": _settings,
}  # fmt: skip
