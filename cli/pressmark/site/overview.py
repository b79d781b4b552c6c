"""A library in; its page of counts, years and most cited papers, and its search page, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pressmark.site.dialect import Draft
from pressmark.site.lists import count
from pressmark.site.model import SitePage
from pressmark.site.references import kind_name

if TYPE_CHECKING:
    from pressmark.site.collect import Site

CITED = 25
"""Papers on the list of the most cited."""

WIDTH, HEIGHT = 720, 130
YEARS = 60
"""Years that the drawing shows, the newest; the list beside it has all."""


def page(site: Site) -> SitePage:
    """The library in numbers."""
    write = site.write
    draft = Draft(write)
    draft.add(write.heading(1, "Overview"))
    draft.section("By year", timeline(site), *_years(site))
    cited = [
        f"{write.mark('cited', f'{n}×', f'cited by {n} of this library')}{site.row(ref)}"
        if write.rich
        else f"{site.row(ref)} (cited {n}×)"
        for ref, n in site.most_cited(CITED)
    ]  # fmt: skip
    draft.section("Most cited in this library", write.items(cited, "rows") if cited else "")
    for folder, title in (("types", "Types"), ("venues", "Venues"), ("tags", "Tags")):
        most = [(-site.held(folder, name), name) for name in site.facets[folder]]
        values = sorted(most)[:CITED]
        items = (
            f"{site.facet_link(folder, name, write.text(_called(folder, name)))} "
            f"{count(site, -held)}"
            for held, name in values
        )
        draft.section(title, write.items(items, kind="values") if values else "")
    return SitePage(
        uri="overview.md", title="Overview", content=draft.content, kind="overview",
        sections=tuple(draft.sections),
    )  # fmt: skip


def _called(folder: str, name: str) -> str:
    return kind_name(name) if folder == "types" else name


def _years(site: Site) -> list[str]:
    write = site.write
    held = sorted(site.facets["years"].items(), reverse=True)
    items = [
        f"{site.facet_link('years', year, write.text(year))} {count(site, len(refs))}"
        for year, refs in held
    ]
    return [write.items(items, kind="years")] if items else []


def timeline(site: Site) -> str:
    """A bar a year, each a link to its list; drawn at build."""
    counts = {int(y): len(refs) for y, refs in site.facets["years"].items() if y.isdigit()}
    if not site.write.rich or not counts:
        return ""
    last = max(counts)
    first = max(min(counts), last - YEARS + 1)
    most = max(counts.values())
    step = WIDTH / (last - first + 1)
    bars = []
    for n, year in enumerate(range(first, last + 1)):
        number = counts.get(year, 0)
        if not number:
            continue
        tall = max(2.0, number / most * (HEIGHT - 40))
        bars.append(
            f'<a href="{site.href_of(site.facet_uri("years", str(year)))}">'
            f"<title>{year}: {number}</title>"
            f'<rect class="pm-bar" x="{n * step + 1:.4g}" y="{HEIGHT - 24 - tall:.4g}" '
            f'width="{max(1, step - 2):.4g}" height="{tall:.4g}" rx="2"/></a>'
        )
    ends = f'<text class="pm-side" x="0" y="11">at most {most} a year</text>' + "".join(
        f'<text class="pm-side pm-year-name" x="{x:.4g}" y="{HEIGHT - 6}" '
        f'text-anchor="{anchor}">{year}</text>'
        for year, x, anchor in _ticks(first, last, step)
    )
    return (
        '<figure class="pm-timeline" role="group" aria-label="References by year">'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(bars)}{ends}</svg></figure>"
    )


def _ticks(first: int, last: int, step: float) -> list[tuple[int, float, str]]:
    """The years that are named below the bars: both ends, and what is round between them."""
    span = last - first
    every = next(e for e in (1, 2, 5, 10, 20) if span / e <= 6)
    near = max(1, every * 2 // 3)
    between = [
        (year, (year - first + 0.5) * step, "middle")
        for year in range(first + near, last - near + 1)
        if year % every == 0
    ]
    ends = [(first, 0.0, "start")] + ([(last, float(WIDTH), "end")] if last > first else [])
    return [*ends, *between]


def search(site: Site) -> SitePage:
    """The page of the search: a form that works with a keyboard, and where answers appear."""
    texts = " data-pm-texts" if site.searches_texts else ""
    content = (
        f'<h1>Search</h1><div class="pm-search" data-pm-search{texts}>'
        '<noscript><p>The search needs a script of this site; the <a href="'
        f'{site.href_of("references.md")}">list of all references</a> does not.</p></noscript>'
        "</div>"
    )
    return SitePage(uri="search.md", title="Search", content=content, kind="searching")
