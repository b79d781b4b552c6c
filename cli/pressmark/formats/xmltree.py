"""The bytes of an XML file in; its tree, with nothing outside of it read, and texts of it, out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from pressmark.errors import BadInput

Element: TypeAlias = Any
"""An element of xml.etree, which defusedxml gives without types."""


def tree(data: bytes, what: str) -> Element:
    """The root; BadInput for what is no XML, or defines entities of its own."""
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(data)
    except Exception as problem:
        said = " ".join(str(problem).split())[:120] or type(problem).__name__
        raise BadInput(
            f"The file cannot be read as {what}: {said}.", next=f"export it as {what} again"
        ) from None


def name(element: Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def words(element: Element | None) -> str:
    """All text in an element, whatever stands inside it, in one line."""
    return "" if element is None else re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def inner(element: Element | None) -> str:
    """The element's content with its markup."""
    if element is None:
        return ""
    from xml.etree.ElementTree import tostring

    parts = [element.text or ""]
    parts += [tostring(child, encoding="unicode") for child in element]
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def below(element: Element | None, *path: str) -> Element | None:
    """The first descendant by a path of names, whatever their namespaces."""
    for step in path:
        if element is None:
            return None
        element = next((child for child in element if name(child) == step), None)
    return element


def each(element: Element | None, *path: str) -> Iterator[Element]:
    """Every child of that name under the path."""
    *folder, last = path
    held = below(element, *folder)
    if held is not None:
        yield from (child for child in held if name(child) == last)


def all_words(element: Element | None, *path: str) -> list[str]:
    """The texts of `each`."""
    return [words(child) for child in each(element, *path)]
