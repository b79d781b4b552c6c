"""A template's name and a note's fields in, the note that the template makes out.

A template is a note in `notes/templates/`, with `{{field}}` wherever a value goes. Values are put
into its parsed fields and its body, never into YAML, so that no title can break a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk, page, render
from pressmark.errors import BadInput, NotFound
from pressmark.record import Extra, Note, Reference, attribute
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.library import Library

FOLDER = "notes/templates"

BUILT_IN: Mapping[str, str] = {
    "daily": "---\ntags:\n- daily\n---\n\n# {{title}}\n\n{{quotes}}\n",
    "literature": (
        "---\ntags:\n- literature\n---\n\n# {{title}}\n\n{{citation}}\n{{cite}}\n\n"
        "## What it says\n\n{{quotes}}\n\n## What I make of it\n\n"
    ),
}
"""What there is without a file; a file of the same name takes its place."""

DAILY = "daily"
"""The template whose notes are named by their day."""

OWN = ("title", "date", "time", "slug", "tags", "quotes", "cite")
"""Fields of the note itself."""

OF_REFERENCE = ("key", "paper", "citation", "label", "people", "year", "abstract")
"""Fields of the first reference it is about, beside those of its file (`{{doi}}`, `{{venue}}`)."""

_FIELD = re.compile(r"\{\{[ \t]*([A-Za-z][\w-]*)[ \t]*\}\}")
_MARK = "\ue000{}\ue001"
_MARKED = re.compile("\ue000([A-Za-z][\\w-]*)\ue001")


def names(library: Library) -> list[str]:
    """Every template there is, sorted."""
    files = disk.walk(library.root, FOLDER, suffix=".md")
    own = {each.relative.removeprefix(f"{FOLDER}/").removesuffix(".md") for each in files}
    return sorted({*BUILT_IN, *own})


def source(library: Library, name: str) -> tuple[bytes, str]:
    """A template's bytes and where it stands; NotFound names those there are."""
    stem = name.removesuffix(".md")
    path = f"{FOLDER}/{stem}.md"
    if not stem or stem.startswith(("/", ".")) or ".." in stem.split("/"):
        raise BadInput(f"{name!r} cannot be a template's name.")
    if disk.exists(library.root, path):
        return library.read_page(path), path
    if stem in BUILT_IN:
        return BUILT_IN[stem].encode(), stem
    raise NotFound(
        f"There is no template {name}.",
        next=f"write {path}, or take one of {', '.join(names(library))}",
    )


def filled(
    data: bytes, path: str, values: Mapping[str, str], reference: Reference | None
) -> tuple[Note, list[str]]:
    """The note that a template makes, and a sentence for each field nobody knows."""
    text = data.decode("utf-8-sig", "replace")
    marked = _FIELD.sub(lambda found: _MARK.format(found[1]), text)
    held = page.read(Note, marked.encode(), path)
    unknown: dict[str, None] = {}

    def value(found: re.Match[str]) -> str:
        known = _value(found[1], values, reference)
        if known is None:
            unknown[found[1]] = None
            return f"{{{{{found[1]}}}}}"
        return known

    def text_of(item: Extra) -> Extra:
        if isinstance(item, str):
            return _MARKED.sub(value, item)
        if isinstance(item, Mapping):
            return {str(text_of(name)): text_of(each) for name, each in item.items()}
        return [text_of(each) for each in item]

    def texts(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for item in items if (each := str(text_of(item)).strip()))

    note = replace(
        held, title=str(text_of(held.title)), about=texts(held.about), tags=texts(held.tags),
        aliases=texts(held.aliases), author=_or_none(str(text_of(held.author or ""))),
        created=_or_none(str(text_of(held.created or ""))),
        anchors=tuple(text_of(each) for each in held.anchors),
        extra={name: text_of(each) for name, each in held.extra.items()},
        body=_tidy(_MARKED.sub(value, held.body)),
    )  # fmt: skip
    return note, [f"The template's {{{{{name}}}}} is no field and stays." for name in unknown]


def _or_none(text: str) -> str | None:
    return text or None


def _tidy(body: str) -> str:
    """No gap where a field was empty."""
    return re.sub(r"\n{3,}", "\n\n", body)


def _value(name: str, values: Mapping[str, str], reference: Reference | None) -> str | None:
    if name in values:
        return values[name]
    if name not in OF_REFERENCE and name not in Reference.FIELDS:
        return None
    if reference is None:
        return ""
    special: dict[str, Callable[[Reference], str]] = {
        "key": lambda ref: ref.key,
        "paper": lambda ref: ref.title,
        "citation": render.citation,
        "label": render.label,
        "people": render.people,
        "year": lambda ref: ref.year or "",
        "abstract": lambda ref: ref.abstract or "",
    }
    if name in special:
        return clean(special[name](reference))
    held = getattr(reference, attribute(name))
    return clean("; ".join(held) if isinstance(held, tuple) else held or "")
