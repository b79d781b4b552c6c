"""The front matter of an article in; title, identifiers, licence, version and abstracts out."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from pressmark import ids
from pressmark.fulltext.jats.tree import text
from pressmark.fulltext.licenses import normalise

NOTICES = frozenset({
    "retraction", "correction", "expression-of-concern", "corrected-article", "addendum",
    "partial-retraction", "removal", "retracted-article", "withdrawal",
})  # fmt: skip
"""Article types that are about another article."""


def meta(article: Element) -> Element:
    """`front/article-meta`, or `front-stub`, or nothing in it."""
    for path in ("front/article-meta", "front-stub", "front"):
        found = article.find(path)
        if found is not None:
            return found
    return Element("article-meta")


def title(article: Element) -> str:
    """The article's title and subtitle as plain text, footnote marks left out."""
    found = meta(article).find("title-group")
    if found is None:
        return ""
    parts = [found.find("article-title"), found.find("subtitle")]
    return ": ".join(_untagged(part) for part in parts if part is not None and _untagged(part))


def _untagged(element: Element) -> str:
    """The words of a title without the notes that hang on it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag not in ("xref", "fn", "tex-math"):
            parts.append(" " if child.tag == "break" else _untagged_inner(child))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split())


def _untagged_inner(child: Element) -> str:
    return "".join(child.itertext()) if child.find(".//tex-math") is None else _untagged(child)


def identifiers(article: Element) -> tuple[str, ...]:
    """`doi:…`, `pmid:…`, `pmcid:…` as the article states them about itself."""
    readers = {
        "doi": ("doi", ids.normalise_doi),
        "pmid": ("pmid", ids.normalise_pmid),
        "pmc": ("pmcid", _pmcid),
        "pmcid": ("pmcid", _pmcid),
        "arxiv": ("arxiv", ids.normalise_arxiv),
    }
    found = []
    for element in meta(article).findall("article-id"):
        kind, reader = readers.get(element.get("pub-id-type") or "", ("", None))
        value = reader(text(element)) if reader else None
        if value and f"{kind}:{value}" not in found:
            found.append(f"{kind}:{value}")
    return tuple(found)


def _pmcid(value: str) -> str | None:
    return ids.normalise_pmcid(value if value.upper().startswith("PMC") else f"PMC{value}")


def license(article: Element) -> str | None:
    """The licence that `permissions` states: its address first, else its words."""
    permissions = meta(article).find("permissions")
    if permissions is None:
        return None
    for element in permissions.iter("license"):
        stated = [element.get("href") or ""]
        stated += [text(ref) for ref in element.iter("license_ref")]
        stated += [text(ref) for ref in element.iter("license-ref")]
        stated += [link.get("href") or "" for link in element.iter("ext-link")]
        stated += [element.get("license-type") or "", text(element)]
        for value in stated:
            if known := normalise(value, strict=True):
                return known
        if text(element):
            return normalise(text(element))
    return None


def version(article: Element) -> str:
    """Which of the three versions this is; PMC marks the manuscripts of authors."""
    if article.get("article-type") == "preprint":
        return "submitted"
    kinds = {element.get("pub-id-type") for element in meta(article).findall("article-id")}
    return "accepted" if "manuscript" in kinds else "published"


def warnings(article: Element) -> list[str]:
    """What a reader of the record must know: the article is about another one."""
    kind = article.get("article-type") or ""
    if kind not in NOTICES:
        return []
    about = [
        element.get("href") or ""
        for element in meta(article).findall("related-article")
        if element.get("href")
    ]
    return [f"the article is a {kind}" + (f" of {about[0][:200]}" if about else "")]


_KINDS = {
    "retract": "retracted", "withdraw": "withdrawn", "removal": "withdrawn",
    "concern": "expression-of-concern", "correct": "corrected", "addendum": "corrected",
}  # fmt: skip


def notices(article: Element) -> tuple[tuple[str, str, str], ...]:
    """`(whose, notice, note)`: what a notice says of the article it is about, or an article of
    the notice that came after it (`related-article-type="retraction-forward"`)."""
    own = next((one for one in identifiers(article) if one.startswith("doi:")), "")
    found = []
    for element in meta(article).findall("related-article"):
        kind = (element.get("related-article-type") or "").lower()
        notice = next((name for part, name in _KINDS.items() if part in kind), "")
        about = ids.normalise_doi((element.get("href") or "").removeprefix("info:doi/"))
        if not notice or not about:
            continue
        if kind.endswith("-forward"):
            found.append(("", notice, f"doi:{about}"))
        elif article.get("article-type") in NOTICES:
            found.append((f"doi:{about}", notice, own))
    return tuple(dict.fromkeys(found))


def abstracts(article: Element) -> list[tuple[str, Element]]:
    """`(heading, element)`: the main abstract first, then summaries and translations."""
    found = []
    for element in meta(article):
        if element.tag == "abstract" and element.get("abstract-type") not in ("graphical", "toc"):
            kind = element.get("abstract-type") or ""
            found.append((text(element.find("title")) or _named(kind) or "Abstract", element))
        elif element.tag == "trans-abstract":
            language = re.sub(r"[^A-Za-z-]", "", element.get("lang") or "")
            name = text(element.find("title")) or "Abstract"
            found.append((f"{name} ({language})" if language else name, element))
    return sorted(found, key=lambda pair: (pair[1].tag, bool(pair[1].get("abstract-type"))))


def _named(kind: str) -> str:
    return kind.replace("-", " ").capitalize()


def opening(article: Element) -> str:
    """Title, names and abstract in one string, for comparing with a record."""
    front = meta(article)
    names = " ".join(text(name) for name in front.iter("surname"))
    return " ".join([title(article), names, *(text(part) for part in front.iter("abstract"))])[
        :6000
    ]
