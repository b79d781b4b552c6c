"""What the lists count, where edit links lead, and how a citation is set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made import KINDS, MKDOCS, charted, library_at, put

from pressmark import site
from pressmark.errors import BadInput
from pressmark.formats import csl
from pressmark.record import Note, Reference
from pressmark.site.collect import Site
from pressmark.site.dialect import Markdown
from pressmark.site.model import SitePage
from pressmark.site.references import citing
from pressmark.site.urls import as_sources


@pytest.fixture
def root(tmp_path: Path) -> Path:
    charted(tmp_path, more=0)
    return tmp_path


def staged(root: Path) -> dict[str, SitePage]:
    return {page.uri: page for page in Site(library_at(root), write=Markdown()).pages()}


def text(found: dict[str, SitePage], uri: str) -> str:
    return as_sources(found[uri].content, uri)


def section(page: str, title: str) -> list[str]:
    """The first line of each item below a heading."""
    part = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [line for line in part.splitlines() if line.startswith("- ")]


def test_the_most_cited_are_counted_within_the_library(root: Path) -> None:
    made = Site(library_at(root), write=Markdown())
    assert [(ref.key, number) for ref, number in made.most_cited(25)] == [
        ("old1990older", 4), ("kim2015globe", 2), ("ng2019maps", 2),
    ]  # fmt: skip
    assert [(ref.key, number) for ref, number in made.most_cited(1)] == [("old1990older", 4)]
    overview = text(staged(root), "overview.md")
    shown = overview.partition("## Most cited in this library\n")[2].partition("\n## ")[0]
    found = re.findall(r"- \[([^\]]+)\].*?\(cited (\d+)×\)", shown, re.S)
    assert [(title[:12], number) for title, number in found] == [
        ("An older atl", "4"), ("The globe as", "2"), ("Maps & terri", "2"),
    ]  # fmt: skip


def test_what_cites_itself_or_what_is_not_held_counts_for_nothing(root: Path) -> None:
    put(root, "library/2020/own2020self.md", Reference(
        key="own2020self", title="Self", published="2020", doi="10.5555/self",
        cites=("doi:10.5555/self", "doi:10.5555/nowhere"),
    ))  # fmt: skip
    made = Site(library_at(root), write=Markdown())
    assert sum(number for _, number in made.most_cited(25)) == 8


def test_a_tag_that_only_notes_carry_has_its_page(root: Path) -> None:
    put(root, "notes/third.md", Note(
        slug="third", title="Third", tags=("lonely",), body="\nOf #Maps and #tiles, #inline.\n",
    ))  # fmt: skip
    found = staged(root)
    assert text(found, "tags/lonely.md") == (
        "# lonely\n\n## Notes\n\n- [Third](../notes/third.md)  \n  Of #Maps and #tiles, #inline.\n"
    )
    maps = text(found, "tags/maps.md")
    assert maps.startswith("# maps\n\n2 references\n\n- [Maps & territories")
    assert [line.partition("]")[0] for line in section(maps, "Notes")] == [
        "- [First thoughts", "- [Third",
    ]  # fmt: skip
    assert "tags/maps-2.md" not in found  # #Maps in a note is the references' maps
    assert text(found, "tags/index.md").splitlines()[2:] == [
        "- [inline](inline.md) 1", "- [lonely](lonely.md) 1", "- [maps](maps.md) 4",
        "- [theory](theory.md) 2", "- [tiles](tiles.md) 2",
    ]  # fmt: skip
    assert section(text(found, "overview.md"), "Tags") == [
        "- [maps](tags/maps.md) 4", "- [theory](tags/theory.md) 2", "- [tiles](tags/tiles.md) 2",
        "- [inline](tags/inline.md) 1", "- [lonely](tags/lonely.md) 1",
    ]  # fmt: skip
    note = text(found, "notes/third.md")
    assert "](../tags/maps.md)" in note and "](../tags/lonely.md)" in note


def test_a_tag_of_notes_has_no_feed_of_papers(root: Path) -> None:
    put(root, "notes/third.md", Note(slug="third", title="Third", tags=("lonely",)))
    assert site.build(library_at(root), strict=True).problems == ()
    assert (root / "_site/tags/maps.xml").is_file()
    assert not (root / "_site/tags/lonely.xml").exists()
    page = (root / "_site/tags/lonely/index.html").read_text("utf-8")
    assert "lonely.xml" not in page and 'href="../../notes/third/">Third</a>' in page


def test_an_edit_link_leads_to_the_file_behind_a_page(root: Path) -> None:
    edit = "https://forge.example.org/org/repo/edit/main/"
    (root / "mkdocs.yml").write_text(f"edit_uri: {edit}\n{MKDOCS}")
    site.build(library_at(root), strict=True)
    for page, file in (
        ("library/2019/ng2019maps", "library/2019/ng2019maps.md"),
        ("library/2019/ng2019maps.fulltext", "library/2019/ng2019maps.fulltext.md"),
        ("notes/first", "notes/first.md"),
        ("topics/cartography", "topics/cartography.md"),
        ("topics/searches/2026-01-02-maps", "topics/searches/2026-01-02-maps.md"),
        ("topics/collections/chapter-two", "topics/collections/chapter-two.md"),
        (".", "site/index.md"),
        ("authors/ada-ng", None), ("references", None), ("tags/maps", None),
    ):  # fmt: skip
        html = (root / "_site" / page / "index.html").read_text("utf-8")
        found = re.findall(r'<a href="([^"]*)"[^>]*rel="edit"', html)
        assert found == ([edit + file] if file else []), page
        assert file is None or (root / file).is_file()


def test_without_an_editor_there_is_no_edit_link(charts: Path) -> None:
    html = (charts / "_site/notes/first/index.html").read_text("utf-8")
    assert 'rel="edit"' not in html


def formatted(root: Path, key: str = "ng2019maps") -> str:
    page = next(p for p in Site(library_at(root)).pages() if p.uri.endswith(f"{key}.md"))
    (found,) = re.findall(r'<p class="pm-formatted">(.*?)</p>', page.content, re.S)
    return found


def test_a_citation_is_set_in_apa(root: Path) -> None:
    assert formatted(root) == (
        "Ng, A., van der Berg, A. M., &amp; World Map Office. (2019). Maps &amp; territories: what "
        "x² leaves out. <i>Journal of Maps</i>, <i>4</i>(2), 1–9. "
        "https://doi.org/10.5555/maps"
    )  # fmt: skip
    page = text(staged(root), "library/2019/ng2019maps.md")
    assert "*Journal of Maps*, *4*(2), 1–9" in page.partition("## Cite\n")[2]


def test_a_large_library_has_a_line_of_our_own(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(citing, "FORMATTED", len(KINDS))  # there is a candidate as well
    assert formatted(root).startswith("Ng et al. 2019 — Maps &amp; territories")
    monkeypatch.setattr(citing, "FORMATTED", len(KINDS) + 1)
    assert formatted(root).startswith("Ng, A., van der Berg, A. M.")


def test_what_citeproc_refuses_has_a_line_of_our_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BadInput("citeproc cannot render apa.")

    monkeypatch.setattr(csl, "cite", refuse)
    assert formatted(root).startswith("Ng et al. 2019 — Maps &amp; territories")


def test_the_source_of_a_full_text_is_a_link_if_it_is_of_the_web(root: Path) -> None:
    path = root / "library/2019/ng2019maps.fulltext.md"
    uri = "library/2019/ng2019maps.fulltext.md"
    assert "Source: [https" in staged(root)[uri].content
    path.write_text(path.read_text("utf-8").replace("https://example.org/maps", "javascript:x"))
    assert "Source: javascript:x." in staged(root)[uri].content
