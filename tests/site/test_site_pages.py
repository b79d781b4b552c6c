"""What the pages of a library say, and how they hang together."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark import page, site
from pressmark.config import load
from pressmark.errors import BadInput, Integrity, NotFound
from pressmark.library import Library
from pressmark.record import FullText, Note, Reference, Search, Topic
from pressmark.site import guard, home
from pressmark.site.collect import Site
from pressmark.site.dialect import Markdown
from pressmark.site.model import SitePage
from pressmark.site.urls import as_sources

MKDOCS = """site_name: Small
docs_dir: site
site_dir: _site
theme:
  name: material
  font: false
plugins: [pressmark]
"""


def put(root: Path, path: str, record: Reference | Note | Topic | Search | FullText) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(page.write(record))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pressmark.toml").write_text("format = 1\n")
    (tmp_path / "mkdocs.yml").write_text(MKDOCS)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.md").write_text(
        "# Home\n\nRead [@ng2019maps] and [[first]].\n\n<!-- pressmark:home -->\n"
    )
    put(tmp_path, "library/2019/ng2019maps.md", Reference(
        key="ng2019maps", title="Maps & territories", authors=("Ng, Ada", "Šimić, Ivo"),
        published="2019-05", type="article-journal", venue="Journal of Maps", volume="4",
        issue="2", pages="1-9", doi="10.5555/maps", tags=("maps",), cites=("doi:10.5555/older",),
        body="\n## Summary\n\nSays it in one line, see [@old1990older].\n",
    ))  # fmt: skip
    put(tmp_path, "library/1990/old1990older.md", Reference(
        key="old1990older", title="Older", authors=("Old, Bo",), published="1990",
        doi="10.5555/older", topics=("cartography",), notice="retracted",
    ))  # fmt: skip
    put(tmp_path, "library/2020/new2020candidate.md", Reference(
        key="new2020candidate", title="Unread", published="2020", stage="candidate",
    ))  # fmt: skip
    put(
        tmp_path,
        "topics/cartography.md",
        Topic(slug="cartography", title="Cartography", query="maps"),
    )
    put(tmp_path, "notes/first.md", Note(slug="first", title="First", body=(
        "\nCited: [see @ng2019maps, p. 3; @old1990older]. In text: @ng2019maps says so, [-@ng2019maps].\n"
        "\nTo [[second]], [[second#A heading]], [[second#^b1|the block]], `[@nobody]` in code.\n"
        "\n> [!warning] Careful\n> with $x^2$\n"
    )))  # fmt: skip
    put(
        tmp_path,
        "notes/second.md",
        Note(slug="second", body="\n# Second note\n\n## A heading\n\nText. ^b1\n"),
    )
    return tmp_path


def opened(root: Path) -> Library:
    return Library.open(root, load(root, os.environ, offline=True))


def pages(root: Path) -> tuple[Site, dict[str, SitePage]]:
    """The site as Markdown, as it is staged: its words and links, without a theme's markup."""
    made = Site(opened(root), write=Markdown())
    found = {each.uri: each for each in made.pages()}
    staged = {
        uri: replace(each, content=as_sources(each.content, uri)) for uri, each in found.items()
    }
    return made, staged


def test_every_record_and_every_list_has_a_page(root: Path) -> None:
    made, found = pages(root)
    assert made.problems == []
    assert set(found) == {
        "library/2019/ng2019maps.md", "library/1990/old1990older.md",
        "library/2020/new2020candidate.md", "notes/first.md", "notes/second.md",
        "topics/cartography.md", "notes/index.md", "topics/index.md", "topics/searches/index.md",
        "topics/collections/index.md", "references.md", "inbox.md",
        "years/index.md", "years/2019.md", "years/1990.md",
        "authors/index.md", "authors/ada-ng.md", "authors/ivo-simic.md", "authors/bo-old.md",
        "venues/index.md", "venues/journal-of-maps.md", "tags/index.md", "tags/maps.md",
        "types/index.md", "types/article-journal.md", "overview.md",
    }  # fmt: skip


def test_a_reference_page_says_all_it_knows(root: Path) -> None:
    _, found = pages(root)
    text = found["library/2019/ng2019maps.md"].content
    assert text.startswith("# Maps & territories\n")
    assert "[Ada Ng](../../authors/ada-ng.md), [Ivo Šimić](../../authors/ivo-simic.md)" in text
    assert "[*Journal of Maps*](../../venues/journal-of-maps.md), 4(2), 1–9" in text
    assert "](<https://doi.org/10.5555/maps>)" in text
    assert "see ([Old 1990](../1990/old1990older.md))" in text
    assert "## Cites, in this library\n\n- [Older](../1990/old1990older.md)" in text
    assert (
        "- [First](../../notes/first.md)  \n  Cited: (Ng & Šimić 2019; Old 1990)."
        in text.replace("&amp;", "&")
    )
    assert "@article{ng2019maps," in text
    cited = found["library/1990/old1990older.md"].content
    assert cited.startswith("# Older\n\n> **Retracted**")
    assert "## Cited by, in this library\n\n- [Maps & territories]" in cited
    assert "[Cartography](../../topics/cartography.md)" in cited


def test_the_head_of_a_reference_is_for_zotero(root: Path) -> None:
    _, found = pages(root)
    made = found["library/2019/ng2019maps.md"]
    assert made.meta == {
        "z:itemType": ("journalArticle",),
        "citation_title": ("Maps & territories",),
        "citation_author": ("Ng, Ada", "Šimić, Ivo"),
        "citation_publication_date": ("2019/05",),
        "citation_journal_title": ("Journal of Maps",),
        "citation_volume": ("4",),
        "citation_issue": ("2",),
        "citation_firstpage": ("1",),
        "citation_lastpage": ("9",),
        "citation_doi": ("10.5555/maps",),
    }
    assert sorted(made.files) == ["ng2019maps.bib", "ng2019maps.json", "ng2019maps.ris"]


def test_a_note_cites_and_links(root: Path) -> None:
    _, found = pages(root)
    text = found["notes/first.md"].content
    assert (
        "Cited: (see [Ng & Šimić 2019](../library/2019/ng2019maps.md), p. 3; "
        "[Old 1990](../library/1990/old1990older.md))."
    ) in text
    assert "In text: [Ng & Šimić](../library/2019/ng2019maps.md) (2019) says so, " in text
    assert "([2019](../library/2019/ng2019maps.md))" in text
    assert "[Second note](second.md), [Second note](second.md#a-heading)" in text
    assert "[the block](second.md#block-b1)" in text
    assert "`[@nobody]` in code" in text
    assert '!!! warning "Careful"\n\n    with pmmathi' in text
    assert 'Text. <span id="block-b1"></span>' in found["notes/second.md"].content
    assert (
        "## Linked from\n\n- [First](first.md)  \n  To Second note"
        in found["notes/second.md"].content
    )


def html(root: Path, uri: str) -> str:
    """A page as the site has it, without the theme around it."""
    made = Site(opened(root))
    return next(made.urls.finished(p.content, p.uri) for p in made.pages() if p.uri == uri)


def test_the_facts_of_a_reference_are_lines_of_one_block(root: Path) -> None:
    facts = html(root, "library/2019/ng2019maps.md").partition('<div class="pm-facts">')[2]
    assert re.findall(r'<div class="pm-(\w+)">', facts) == ["who", "where", "ids", "tags"]
    assert '<a href="../../../authors/ada-ng/">Ada Ng</a>' in facts


def test_authors_after_the_twentieth_are_a_click_away(root: Path) -> None:
    names = tuple(f"Family{n:03}, <b>Given</b>" for n in range(300))
    many = Reference(key="a2016many", title="Many", authors=names, published="2016")
    put(root, "library/2016/a2016many.md", many)
    text = html(root, "library/2016/a2016many.md")
    assert ", and 280 more</div>" in text
    assert "<summary>The other 280 authors</summary><p>&lt;b&gt;Given&lt;/b&gt; Family020," in text
    _, found = pages(root)
    assert len(found["library/2016/a2016many.md"].meta["citation_author"]) == 300


def test_a_title_in_another_language_says_so(root: Path) -> None:
    for key, language in (("a2001fr", "fr"), ("a2001en", "en-GB"), ("a2001bad", 'x" onload="y')):
        put(root, f"library/2001/{key}.md", Reference(key=key, title="Ça", language=language))
    heads = {
        key: re.findall("<h1>.*</h1>", html(root, f"library/2001/{key}.md"))[0]
        for key in ("a2001fr", "a2001en", "a2001bad")
    }
    assert heads == {
        "a2001fr": '<h1><span lang="fr">Ça</span></h1>', "a2001en": "<h1>Ça</h1>",
        "a2001bad": "<h1>Ça</h1>",
    }  # fmt: skip


def test_authors_are_sorted_by_family_name(root: Path) -> None:
    put(root, "library/2001/b2001x.md", Reference(
        key="b2001x", title="X", published="2001",
        authors=("van der Berg, Zoë", "Álvarez, Zed", "{World Health Organization}", "O'Brien, Al"),
    ))  # fmt: skip
    _, found = pages(root)
    listed = [
        line.partition("[")[2].partition("]")[0]
        for line in found["authors/index.md"].content.splitlines()[2:]
    ]
    assert listed == [
        "Álvarez, Zed", "Ng, Ada", "O'Brien, Al", "Old, Bo", "Šimić, Ivo", "van der Berg, Zoë",
        "World Health Organization",
    ]  # fmt: skip


def test_a_formula_in_the_sentence_of_a_mention_is_drawn(root: Path) -> None:
    (root / "notes/third.md").write_text(
        "# Third\n\nOver the *rankings* $r$ it is **good** [@ng2019maps].\n\n"
        f"And {'long ' * 70}$x_{{1}} + x_{{2}}$ [@old1990older].\n"
    )
    site.build(opened(root), strict=True)
    page = (root / "_site/library/2019/ng2019maps/index.html").read_text("utf-8")
    assert "Over the rankings <math" in page and "$r$" not in page and "pmmath" not in page
    cut = (root / "_site/library/1990/old1990older/index.html").read_text("utf-8")
    said = cut.split(">In the notes</h2>")[1].split("</ul>")[0]
    assert "long …</span></li>" in said and "$" not in said


def test_a_search_says_what_was_sent_and_what_came_back(root: Path) -> None:
    sent = "https://api.example.org/works?query=a`b|c&rows=10"
    put(root, "topics/searches/2026-01-02-maps.md", Search(
        slug="2026-01-02-maps", query="maps | territories", date="2026-01-02",
        providers=(
            {"platform": "Crossref", "status": "ok", "reported": "12", "retrieved": "10",
             "limits": "10 records", "sent": sent},
            {"platform": "arXiv", "status": "unavailable"},
        ),
        dropped=("doi:10.5555/gone off topic",),
        body="\n## Hits\n\n- crossref:10.5555/maps → ng2019maps\n- crossref:10.5555/x → dropped (no)\n",
    ))  # fmt: skip
    _, found = pages(root)
    text = found["topics/searches/2026-01-02-maps.md"].content
    assert "| Crossref | ok | 12 | 10 | 10 records |\n| arXiv | unavailable |  |  |  |\n" in text
    assert (
        "## Sent\n\n- Crossref  \n  `https://api.example.org/works?query=a'b|c&rows=10`\n" in text
    )
    assert (
        "## Filed\n\n1 reference\n\n- [Maps & territories](../../library/2019/ng2019maps.md)"
        in text
    )
    assert "## Dropped\n\n- doi:10.5555/gone off topic" in text
    listed = found["topics/searches/index.md"].content
    assert "(2026-01-02-maps.md)  \n  2026-01-02 · 1 of 2 providers answered" in listed


def test_any_file_name_can_be_linked_to(root: Path) -> None:
    (root / "notes/What (50%) is #1, été?.md").write_text(
        "---\ntitle: Odd name\n---\nSee [@ng2019maps].\n"
    )
    (root / "notes/to.md").write_text("# To\n\nSee [[Odd name]].\n")
    assert site.build(opened(root), strict=True).problems == ()
    made = (root / "_site/notes/to/index.html").read_text("utf-8")
    assert 'href="../../notes/What%20%2850%25%29%20is%20%231%2C%20%C3%A9t%C3%A9%3F/"' in made


def test_a_tag_begins_no_heading(root: Path) -> None:
    (root / "notes/tagged.md").write_text("---\ntags: [lonely]\n---\n# Tagged\n\n#lonely thought\n")
    _, found = pages(root)
    assert found["notes/tagged.md"].content.splitlines()[2:] == [
        "[\\#lonely](../tags/lonely.md) thought",
        "",
        "[&#35;lonely](../tags/lonely.md)",
    ]


def test_the_home_page_counts_and_leads_on(root: Path) -> None:
    made = Site(opened(root), write=Markdown())
    text = as_sources(home.block(made), "index.md")
    assert text.startswith(
        "[**2** references](references.md) · [**2** notes](notes/index.md) · "
        "[**1** topic](topics/index.md) · [**1** in the inbox](inbox.md)\n"
    )
    assert "- [Second note](notes/second.md)  \n  Text.\n" in text
    assert "- [Cartography](topics/cartography.md)  \n  maps · 1 reference" in text


def test_an_empty_library_says_what_to_do(root: Path) -> None:
    for folder in ("library", "topics", "notes"):
        shutil.rmtree(root / folder)
    (root / "site/index.md").write_text("# Home\n\n<!-- pressmark:home -->\n")
    assert site.build(opened(root), strict=True).problems == ()
    _, found = pages(root)
    assert "pressmark search asks the providers" in (root / "_site/index.html").read_text("utf-8")
    assert found["inbox.md"].content == "# Inbox\n\nNothing waits to be decided.\n"
    assert found["authors/index.md"].content == "# Authors\n\nNo authors yet.\n"


def test_candidates_wait_in_the_inbox_only(root: Path) -> None:
    _, found = pages(root)
    assert "[Unread](library/2020/new2020candidate.md)" in found["inbox.md"].content
    assert "Unread" not in found["references.md"].content
    assert "years/2020.md" not in found


def test_what_leads_nowhere_is_named_with_file_and_line(root: Path) -> None:
    (root / "notes/bad.md").write_text(
        "---\ntitle: Bad\n---\n\nSee [@nobody2020].\n\nAnd [[nowhere]].\n"
    )
    (root / "site/index.md").write_text("---\ntitle: x\n---\n\n\n# Home\n\nSee [@nobody1].\n")
    made, found = pages(root)
    assert made.problems == [
        "notes/bad.md:5: no reference has the key nobody2020",
        "notes/bad.md:7: nothing is called nowhere",
    ]
    assert '<span class="pm-missing">&#64;nobody2020</span>' in found["notes/bad.md"].content
    with pytest.raises(Integrity, match=r"notes/bad\.md:5: no reference has the key nobody2020"):
        site.build(opened(root), strict=True)
    with pytest.raises(Integrity, match=r"site/index\.md:8: no reference has the key nobody1;"):
        site.build(opened(root), strict=True)


def test_only_open_full_text_is_published(root: Path) -> None:
    put(root, "library/2019/ng2019maps.fulltext.md", FullText(
        slug="ng2019maps.fulltext", reference="ng2019maps", license="CC-BY-4.0",
        body="\n# Maps\n\nThe open words.\n",
    ))  # fmt: skip
    put(root, "library/1990/old1990older.fulltext.md", FullText(
        slug="old1990older.fulltext", reference="old1990older", license="CC-BY-NC-4.0",
        body="\n# Older\n\nThe closed words.\n",
    ))  # fmt: skip
    _, found = pages(root)
    assert "The open words." in found["library/2019/ng2019maps.fulltext.md"].content
    assert "[**Full text**](ng2019maps.fulltext.md)" in found["library/2019/ng2019maps.md"].content
    assert not [uri for uri, made in found.items() if "closed words" in made.content]


def test_a_strict_build_publishes_and_draws(root: Path) -> None:
    built = site.build(opened(root), strict=True)
    assert built.folder == root / "_site"
    assert built.pages == 29  # 26 pages, the search, the home page and 404
    home = (root / "_site/index.html").read_text("utf-8")
    cited = '<a class="pm-cite" data-key="ng2019maps" href="./library/2019/ng2019maps/">'
    assert f"{cited}Ng &amp; Šimić 2019</a>" in home and 'id="ref-ng2019maps"' in home
    assert 'href="./notes/first/">First</a>' in home
    assert '<html lang="en"' in home and 'class="md-skip"' in home
    note = (root / "_site/notes/first/index.html").read_text("utf-8")
    assert "<math" in note and "<msup>" in note and "pmmath" not in note
    assert 'class="admonition warning"' in note
    reference = (root / "_site/library/2019/ng2019maps/index.html").read_text("utf-8")
    assert '<meta name="citation_author" content="Šimić, Ivo">' in reference
    assert (root / "_site/library/2019/ng2019maps.bib").read_text().count(
        "@article{ng2019maps,"
    ) == 1


def test_what_mkdocs_yml_leaves_open_is_settled(root: Path) -> None:
    (root / "mkdocs.yml").write_text(MKDOCS.replace("  font: false\n", ""))
    (root / "site/about").mkdir()
    (root / "site/about/us.md").write_text("# Us\n")
    site.build(opened(root), strict=True)
    home_page = (root / "_site/index.html").read_text("utf-8")
    assert "fonts.g" not in home_page
    assert 'data-md-color-media="(prefers-color-scheme: dark)"' in home_page
    ways = re.findall(r'<a href="([^"#]+)" class="md-nav__link">', home_page)
    assert ways == ["about/us/", "references/", "inbox/", "notes/", "topics/", "overview/"]
    assert 'role="dialog"' not in home_page or 'aria-label="Search"' in home_page


def test_what_mkdocs_yml_says_stays(root: Path) -> None:
    (root / "mkdocs.yml").write_text(
        MKDOCS + "nav: [index.md]\n" + "markdown_extensions:\n- toc:\n    permalink: true\n"
    )
    site.build(opened(root), strict=True)
    home_page = (root / "_site/index.html").read_text("utf-8")
    assert 'class="headerlink"' in home_page
    assert '<a href="references/" class="md-nav__link">' not in home_page


def test_no_page_asks_another_host_for_anything(root: Path) -> None:
    site.build(opened(root))
    loads = re.compile(
        r'<(?:script|img|iframe|link rel="(?:stylesheet|icon|preconnect)")[^>]*(?:src|href)="(?:https?:)?//'
    )
    assert not [p for p in (root / "_site").rglob("*.html") if loads.search(p.read_text("utf-8"))]


@pytest.mark.parametrize(
    "target", ["notes", "library", "topics", "site", ".", "..", "notes/built", ".git"]
)
def test_a_build_never_empties_a_folder_of_sources(root: Path, target: str) -> None:
    (root / "mkdocs.yml").write_text(MKDOCS.replace("site_dir: _site", f"site_dir: {target}"))
    before = {p: p.read_bytes() for p in root.rglob("*.md")}
    with pytest.raises(BadInput, match=r"site"):
        site.build(opened(root))
    assert {p: p.read_bytes() for p in root.rglob("*.md")} == before


def test_a_folder_with_markdown_is_no_target(tmp_path: Path) -> None:
    other = tmp_path / "drafts"
    other.mkdir()
    (other / "thesis.md").write_text("mine")
    reason = guard.refusal(tmp_path, other, tmp_path / "site")
    assert reason == "drafts holds Markdown or is a repository; a build deletes it. Use _site."
    assert guard.refusal(tmp_path, tmp_path / "_site", tmp_path / "site") is None


def test_a_build_empties_only_what_a_build_made(root: Path, tmp_path: Path) -> None:
    """A received mkdocs.yml or a committed link must not name the reader's own folder."""
    mine = tmp_path.parent / f"{tmp_path.name}-mine"
    mine.mkdir()
    (mine / "letter.pdf").write_text("precious")
    (root / "_site").symlink_to(mine)
    with pytest.raises(BadInput, match="symbolic link"):
        site.build(opened(root))
    (root / "_site").unlink()
    (root / "mkdocs.yml").write_text(MKDOCS.replace("site_dir: _site", f"site_dir: {mine}"))
    with pytest.raises(BadInput, match="holds what no build made"):
        site.build(opened(root))
    assert (mine / "letter.pdf").read_text() == "precious"
    (root / "mkdocs.yml").write_text(MKDOCS)
    assert site.build(opened(root)).pages == site.build(opened(root)).pages > 0


def test_a_link_in_the_sites_folder_publishes_nothing(root: Path, tmp_path: Path) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}-secret"
    secret.mkdir()
    (secret / "key.md").write_text("# precious\n")
    (root / "site/linked.md").symlink_to(secret / "key.md")
    (root / "site/folder").symlink_to(secret)
    (root / "site/style.css").symlink_to(secret / "key.md")
    built = site.build(opened(root))
    assert "site/linked.md is a symbolic link and is not published" in "\n".join(built.problems)
    pages = [p for p in built.folder.rglob("*") if p.is_file() and b"precious" in p.read_bytes()]
    assert pages == []


def test_what_a_received_configuration_would_run_is_said() -> None:
    config = b"hooks: [a.py]\nplugins:\n- search\n- pressmark\n- macros\n- gen-files:\n    scripts: [x]\n"
    assert guard.runs(config) == ["hook a.py", "plugin macros", "plugin gen-files"]
    tag = b"a: [{b: !!python/object/apply:os.system [x]}]\n"
    assert guard.runs(tag) == ["tag tag:yaml.org,2002:python/object/apply:os.system"]
    more = b"INHERIT: ../base.yml\ntheme:\n  name: material\n  custom_dir: site/overrides\n"
    assert guard.runs(more) == ["what ../base.yml names", "templates in site/overrides"]


def test_without_a_configuration_there_is_one_sentence(root: Path) -> None:
    (root / "mkdocs.yml").unlink()
    with pytest.raises(NotFound, match=r"no mkdocs\.yml"):
        site.build(opened(root))


def test_long_lists_are_cut_into_pages(root: Path) -> None:
    for n in range(450):
        put(
            root,
            f"library/2001/a2001n{n}.md",
            Reference(key=f"a2001n{n}", title=f"T{n}", published="2001"),
        )
    _, found = pages(root)
    assert [uri for uri in sorted(found) if uri.startswith("years/2001")] == [
        *(f"years/2001-page-{n}.md" for n in range(2, 10)), "years/2001.md",
    ]  # fmt: skip
    assert found["years/2001-page-9.md"].content.count("\n- [T") == 50
    assert "Page [1](2001.md) … [7](2001-page-7.md) [8](2001-page-8.md) **9**" in (
        found["years/2001-page-9.md"].content
    )
