"""XML bytes in; the `article` element with local names only, or the sentence why there is none."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError

DEPTH = 200
"""Real articles nest less than 40 deep; our walk is recursive."""


class NotAnArticle(Exception):
    """The bytes are no JATS article; the message says why."""


def parse(data: bytes) -> Element:
    """The first article of a document, whatever it is wrapped in (`pmc-articleset`, OAI-PMH)."""
    root = parse_root(data)
    article = next(root.iter("article"), None)
    if article is None:
        raise NotAnArticle(f"its root element is <{str(root.tag)[:40]}>, not an article")
    return article


def parse_root(data: bytes) -> Element:
    """The root element of a document, all names in it local.

    defusedxml refuses entity declarations, the door of both the expansion and the file attack;
    a DOCTYPE alone, which every PMC file has, is accepted and never fetched.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(data)
    except DefusedXmlException as error:
        raise NotAnArticle(
            f"it declares entities, which are not expanded ({error!r:.60})"
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise NotAnArticle(f"it is not well-formed XML: {str(error)[:120]}") from None
    _check_depth(root)
    for element in root.iter():
        _localise(element)
    return root


def _check_depth(root: Element) -> None:
    level, depth = [root], 0
    while level:
        depth += 1
        if depth > DEPTH:
            raise NotAnArticle(f"its elements are nested more than {DEPTH} deep")
        level = [child for element in level for child in element]


def _localise(element: Element) -> None:
    """Names without their namespace: prefixes differ from publisher to publisher."""
    if isinstance(element.tag, str):
        element.tag = element.tag.rpartition("}")[2]
    for name in [name for name in element.attrib if "}" in name]:
        element.attrib.setdefault(name.rpartition("}")[2], element.attrib.pop(name))


def text(element: Element | None) -> str:
    """All words of an element as one line; empty without one."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""
