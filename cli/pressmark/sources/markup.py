"""A provider's XML in; the root of a tree that was parsed with care, or the named failure, out."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from pressmark import text
from pressmark.errors import SourceDown
from pressmark.http import failure
from pressmark.sources.answers import broken

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def xml_root(
    name: str, body: bytes, status: int, roots: frozenset[str], *, deepest: int = 100
) -> Element:
    """The root element, which must be one of `roots`: web pages are well-formed XML too.

    Entities that the document itself declares, external things and absurd depth are refused;
    a DOCTYPE alone is not, for many providers write one.
    """
    if not 200 <= status < 300:
        raise failure(name, status, body)
    if not body.strip():
        raise SourceDown(f"{name} sent an empty answer.")
    root = parsed(name, body, deepest=deepest)
    if local(root) not in roots:
        what = "is a web page and no data" if local(root).lower() == "html" else None
        raise broken(name, body, what) if what else broken(name, body)
    return root


def parsed(name: str, body: bytes, *, deepest: int, dtd: bool = True) -> Element:
    """Parse without entities, external things or absurd depth."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    depth = 0
    root: Element | None = None
    events = ("start", "end")
    try:
        for event, element in iterparse(BytesIO(body), events, forbid_dtd=not dtd):
            depth += 1 if event == "start" else -1
            if depth > deepest:
                raise broken(name, body, "is nested too deeply")
            root = element if root is None else root
    except (ParseError, DefusedXmlException, ValueError, LookupError, RecursionError) as problem:
        raise broken(name, body, "is damaged") from problem
    if root is None:
        raise broken(name, body, "is damaged")
    return root


def local(element: Element) -> str:
    """A tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def said(element: Element, path: str) -> str:
    """The text of the first element on a path, all that is inside it, as one clean line."""
    found = element.find(path)
    return text.clean("".join(found.itertext())) if found is not None else ""


def inner(element: Element | None) -> str:
    """What stands inside an element, its own markup kept."""
    if element is None:
        return ""
    from xml.etree.ElementTree import tostring

    return escape(element.text or "") + "".join(tostring(each, "unicode") for each in element)
