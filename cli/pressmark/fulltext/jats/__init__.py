"""JATS XML (PMC, Europe PMC, publishers) in, Markdown out; our own converter.

Pandoc loses whole reference lists and the labels of figures and tables, and other tools return
the XML; so each element has one function here, and the walk keeps document order.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import hidden
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.jats import front
from pressmark.fulltext.jats.blocks import block, blocks, notes
from pressmark.fulltext.jats.inline import Article
from pressmark.fulltext.jats.references import entries, refs
from pressmark.fulltext.jats.tree import NotAnArticle, parse, text
from pressmark.fulltext.linking import link

EXTRACTOR = "pressmark-jats 2"
LIMIT = 50 * 1024 * 1024
_NOT_OWN = frozenset(["sub-article", "response", "front", "front-stub", "table-wrap-foot"])


def to_markdown(data: bytes) -> Extracted:
    """Read one article; never raises for what the bytes hold."""
    if len(data) > LIMIT:
        return Extracted(format="jats", state="too_large", extractor=EXTRACTOR)
    try:
        root = parse(data)
    except NotAnArticle as error:
        return Extracted(
            format="jats", state="damaged", extractor=EXTRACTOR, warnings=(str(error),)
        )
    return _convert(root)


def _convert(root: Element) -> Extracted:
    article = Article(
        numbers={ref.get("id") or "-": number for number, ref in enumerate(refs(root), 1)},
        notes={note.get("id") or "": note for note in _own(root, "fn") if note.get("id")},
    )
    body = root.find("body")
    if body is None:
        body = root.find("article-body")
    title = md.clean(front.title(root)).strip()
    out = [md.heading(1, md.escape(title))]
    for heading, element in front.abstracts(root):
        out += [md.heading(2, md.escape(md.clean(heading))), *blocks(element, article, 3)]
    written = blocks(body, article, 2) if body is not None else []
    out += written
    out += _back(root, article)
    cited = entries(root, article)
    plain = tuple(md.plain(entry) for _, entry in cited)
    out = [*link(out, plain), *md.references(cited)]
    return Extracted(
        format="jats",
        state="ok" if any(part.strip() for part in written) else "empty",
        title=title,
        body=md.document(out),
        license=front.license(root),
        hidden=hidden("".join(root.itertext())),
        version=front.version(root),
        references=plain,
        identifiers=front.identifiers(root),
        opening=front.opening(root),
        notice=root.get("article-type") in front.NOTICES,
        notices=front.notices(root),
        extractor=EXTRACTOR,
        warnings=(*front.warnings(root), *article.warnings, *_left_out(root)),
    )


def _back(root: Element, article: Article) -> list[str]:
    """Acknowledgements, appendices and notes in their order; floats; the reference list is last."""
    out: list[str] = []
    groups: list[Element] = []
    for back in root.findall("back"):
        for child in back:
            if child.tag == "fn-group":
                groups.append(child)
            elif child.tag != "ref-list":
                out += block(child, article, 2)
    for child in root.findall("floats-group"):
        out += block(child, article, 2)
    groups += [group for group in _own(root, "fn-group") if group not in groups]
    for group in groups:
        out += notes(group, article, 2)
    return out


def _own(root: Element, tag: str) -> Iterator[Element]:
    """Elements of the body and back: not of sub-articles, the front, or the feet of tables."""
    for child in root:
        if child.tag in _NOT_OWN:
            continue
        if child.tag == tag:
            yield child
        yield from _own(child, tag)


def _left_out(root: Element) -> list[str]:
    """Decision letters, reviews and translations are other texts."""
    kinds = [
        child.get("article-type")
        or child.get("response-type")
        or text(child.find(".//article-title"))
        for child in root
        if child.tag in ("sub-article", "response")
    ]
    return [f"left out: {', '.join(kinds)[:200]}"] if kinds else []
