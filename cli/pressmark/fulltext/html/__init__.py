"""HTML in, Markdown out: LaTeXML pages as arXiv serves them, and plain web pages.

A pass over the tree takes away what no reader reads and turns what markdownify cannot know
(formulas, notes, the bibliography) into elements it can; then our converter writes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pressmark import ids
from pressmark.fulltext import markdown as md
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.licenses import normalise
from pressmark.fulltext.linking import link, with_identifiers

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

EXTRACTOR = "pressmark-html 2"
LIMIT = 20 * 1024 * 1024
DEPTH = 150


def to_markdown(data: bytes) -> Extracted:
    """Read one page; never raises for what the bytes hold."""
    if len(data) > LIMIT:
        return _failed("too_large")
    from bs4 import BeautifulSoup

    from pressmark.fulltext.html import site

    # Listings carry their indents in elements of their own.
    kept = {"pre", "textarea", "span", "div"}
    soup = BeautifulSoup(decode(data), "html.parser", preserve_whitespace_tags=kept)
    if too_deep(soup):
        return _failed("damaged", f"its elements are nested more than {DEPTH} deep")
    root = site.find_article(soup)
    if root is None:
        return _failed("damaged", "it is not an HTML page")
    return _convert(soup, root)


def _failed(state: str, reason: str = "") -> Extracted:
    return Extracted(
        format="html", state=state, extractor=EXTRACTOR,  # type: ignore[arg-type]
        warnings=(reason,) if reason else (),
    )  # fmt: skip


def _convert(soup: BeautifulSoup, root: Tag) -> Extracted:
    from pressmark.fulltext.html import maths, prepare
    from pressmark.fulltext.html.writer import Writer

    maths.formulas(soup, root)
    license, stamp = _license(soup), _stamp(soup)
    title = page_title(soup, root)
    opening = md.clean(root.get_text(" ")[:8000]).strip()[:6000]
    prepared = prepare.prepare(root)
    writer = Writer(prepared)
    heading = _heading(root)
    first = md.heading(1, writer.line(heading) if heading is not None else md.escape(title))
    if heading is not None:
        heading.decompose()
    body = writer.blocks(root)
    entries = [
        (f"ref-{n}", with_identifiers(writer.line(item), addresses))
        for n, (item, addresses) in enumerate(
            zip(prepared.entries, prepared.addresses, strict=True), 1
        )
    ]
    plain = tuple(md.plain(entry) for _, entry in entries)
    blocks = [first, *link(body, plain), *md.references(entries)]
    arxiv = re.match(r"arXiv:(\S+)", stamp)
    found = ids.normalise_arxiv(arxiv[1]) if arxiv else None
    return Extracted(
        format="html",
        state="ok" if body else "empty",
        title=title,
        body=md.document(blocks),
        license=license,
        hidden=prepared.hidden,
        version=(re.search(r"v\d+\b", stamp) or [None])[0],
        references=plain,
        identifiers=tuple([f"arxiv:{found}"] if found else _meta_identifiers(soup)),
        opening=f"{title} {opening}",
        extractor=EXTRACTOR,
        warnings=tuple(prepared.warnings),
    )


def decode(data: bytes) -> str:
    """The page's text: by its own word, else UTF-8; a wrong byte costs itself only."""
    found = re.search(rb"charset\s*=\s*[\"']?([\w.:-]+)", data[:4096], re.I)
    name = found[1].decode("ascii", "ignore") if found else "utf-8"
    try:
        return data.decode(name, "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def too_deep(soup: BeautifulSoup) -> bool:
    """Whether the tree would break a recursive walk."""
    level: list[Any] = [soup]
    depth = 0
    while level and depth <= DEPTH:
        depth += 1
        level = [child for tag in level for child in tag.contents if hasattr(child, "contents")]
    return bool(level)


def page_title(soup: BeautifulSoup, root: Tag) -> str:
    """The title as the page prints it, else as its head states it."""
    from pressmark.fulltext.html.prepare import visible_text

    heading = _heading(root)
    if heading is not None and (shown := visible_text(heading)):
        return shown
    meta = soup.find("meta", attrs={"name": "citation_title"})
    if meta is not None and meta.get("content"):
        return md.clean(str(meta["content"])).strip()
    return md.clean(soup.title.get_text()).strip() if soup.title else ""


def _heading(root: Tag) -> Tag | None:
    found = root.find("h1", class_="ltx_title_document") or root.find("h1")
    for mark in found.find_all("sup") if found is not None else ():
        if re.fullmatch(r"[\W\d_]*", mark.get_text()) and mark.find("math") is None:
            mark.decompose()  # of a note on the paper
    return found if found is not None and found.get_text().strip() else None


def _license(soup: BeautifulSoup) -> str | None:
    """What arXiv's page says of its licence, else a rel=license link."""
    stated = soup.select_one("#license-tr")
    if stated is not None:
        value = re.sub(r"^\s*License:\s*", "", stated.get_text(" "))
        link = stated.get("href") or getattr(stated.find("a"), "attrs", {}).get("href")
        return normalise(str(link), strict=True) or normalise(value) if link else normalise(value)
    link = soup.find("a", rel="license")
    return normalise(str(link.get("href") or ""), strict=True) if link is not None else None


def _stamp(soup: BeautifulSoup) -> str:
    """`arXiv:2501.00001v1 [cs.CL] …`, which the page carries in its margin."""
    found = soup.select_one("#watermark-tr")
    return md.clean(found.get_text(" ")).strip() if found is not None else ""


def _meta_identifiers(soup: BeautifulSoup) -> list[str]:
    found = []
    for name, kind, reader in (
        ("citation_doi", "doi", ids.normalise_doi),
        ("citation_arxiv_id", "arxiv", ids.normalise_arxiv),
        ("citation_pmid", "pmid", ids.normalise_pmid),
    ):
        meta = soup.find("meta", attrs={"name": name})
        value = reader(str(meta.get("content") or "")) if meta is not None else None
        if value:
            found.append(f"{kind}:{value}")
    return found
