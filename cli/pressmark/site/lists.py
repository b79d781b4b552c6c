"""References in; the pages that lead to them out: by year, author, venue, tag and type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pressmark.record import Author, Reference
from pressmark.site.model import SitePage
from pressmark.site.prose import relative
from pressmark.site.references import row
from pressmark.text import escape_markdown, fold, plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

PER_PAGE = 200
"""References on one list page: about 60 kB of HTML."""

NO_REFERENCES = (
    "No references yet: `pressmark search` asks the providers, `pressmark add` files one."
)
NO_CANDIDATES = "Nothing waits to be decided."


def pages(site: Site) -> Iterator[SitePage]:
    """Every list page of the site."""
    for folder, grouped in site.facets.items():
        yield from _facet(site, folder, folder.capitalize(), grouped, newest=folder == "years")
    yield from paginated(site, "references.md", "References", site.kept, empty=NO_REFERENCES)
    yield from paginated(site, "inbox.md", "Inbox", site.candidates, empty=NO_CANDIDATES)


def facets(kept: Sequence[Reference]) -> dict[str, dict[str, list[Reference]]]:
    """References by year, author, venue, tag and type: a folder of the site to its values."""
    return {
        "years": group(kept, lambda ref: [ref.year or "n.d."]),
        "authors": group(kept, author_names),
        "venues": group(kept, lambda ref: [ref.venue] if ref.venue else []),
        "tags": group(kept, lambda ref: ref.tags),
        "types": group(kept, lambda ref: [ref.type] if ref.type else []),
    }


def author_names(ref: Reference) -> list[str]:
    """The names that a reference is listed under."""
    return [Author.parse(name).readable for name in ref.authors]


def group(
    references: Iterable[Reference], values: Callable[[Reference], Iterable[str]]
) -> dict[str, list[Reference]]:
    """References by a value of theirs."""
    grouped: defaultdict[str, list[Reference]] = defaultdict(list)
    for ref in references:
        for value in dict.fromkeys(values(ref)):
            grouped[value].append(ref)
    return dict(grouped)


def newest_first(references: Iterable[Reference]) -> list[Reference]:
    """References by their date, the newest first."""
    return sorted(references, key=lambda ref: (ref.published or "", ref.key), reverse=True)


def counted(number: int) -> str:
    """`1 reference`, `2 references`."""
    return f"{number} reference{'' if number == 1 else 's'}"


def _facet(
    site: Site,
    folder: str,
    title: str,
    grouped: Mapping[str, list[Reference]],
    newest: bool = False,
) -> Iterator[SitePage]:
    """The page of all values, and a page a value."""
    shown = _by_family(site.kept) if folder == "authors" else {name: name for name in grouped}
    names = sorted(grouped, key=lambda name: (fold(shown[name]), name), reverse=newest)
    uri = f"{folder}/index.md"
    lines = [
        f"- [{escape_markdown(shown[name])}]({relative(site.facet_uri(folder, name), uri)})"
        f' <span class="pm-count">{len(grouped[name])}</span>'
        for name in names
    ]
    body = "\n".join(lines) if lines else f"No {folder} yet."
    yield SitePage(uri=uri, title=title, markdown=f"# {title}\n\n{body}\n", kind="facet")
    for name in names:
        yield from paginated(site, site.facet_uri(folder, name), name, grouped[name])


def _by_family(references: Iterable[Reference]) -> dict[str, str]:
    """Printed names of authors to `Family, Given`, which is how readers look for them."""
    authors = (Author.parse(name) for ref in references for name in ref.authors)
    return {a.readable: a.family if a.group else str(a) for a in authors}


def paginated(
    site: Site, uri: str, title: str, references: Sequence[Reference], empty: str = "None yet."
) -> Iterator[SitePage]:
    """A list of references, the newest first, cut into pages."""
    ordered = newest_first(references)
    count = max(1, -(-len(ordered) // PER_PAGE))
    for number in range(1, count + 1):
        here = page_uri(uri, number)
        rows = [row(site, r, here) for r in ordered[(number - 1) * PER_PAGE : number * PER_PAGE]]
        lines = [f"# {escape_markdown(title)}\n", f"{counted(len(ordered))}\n" if rows else empty]
        lines += rows
        if count > 1:
            lines += ["", _pager(uri, number, count)]
        yield SitePage(uri=here, title=plain(title), markdown="\n".join(lines) + "\n", kind="list")


def page_uri(uri: str, number: int) -> str:
    """The n-th page of a list."""
    return uri if number == 1 else f"{uri.removesuffix('.md')}-page-{number}.md"


def _pager(uri: str, number: int, count: int) -> str:
    here = page_uri(uri, number)
    shown = [
        f"**{n}**" if n == number else f"[{n}]({relative(page_uri(uri, n), here)})"
        for n in range(1, count + 1)
    ]
    return "Page " + " ".join(shown)
