"""What helps to read: formulas as words, lists as they were meant, texts with ways to and fro."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made import charted, library_at, put

from pressmark.record import FullText, Note, Reference, Search
from pressmark.site import maths, reading
from pressmark.site.collect import Site
from pressmark.site.lists import tally
from pressmark.site.markup import Markup
from pressmark.site.nesting import nested


@pytest.fixture
def root(tmp_path: Path) -> Path:
    charted(tmp_path, more=0)
    return tmp_path


def html(root: Path, uri: str) -> str:
    """A page as the site has it, without the theme around it."""
    made = Site(library_at(root))
    return next(made.urls.finished(p.content, p.uri) for p in made.pages() if p.uri == uri)


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("what $x^2$ leaves out", "what x² leaves out"),
        ("H$_2$O and $^{18}$F-FDG", "H₂O and ¹⁸F-FDG"),
        (r"at $\sqrt{s} = 13$ TeV", "at √(s) = 13 TeV"),
        (r"$\alpha$-decay, $K_{\mathrm{S}}^0$", "α-decay, K_S⁰"),
        (r"$e^{-\lambda t}$ and $e^{ab}$", "e^(-λt) and e^(ab)"),
        ("costs $5 and $6", "costs $5 and $6"),
        (r"$\begin{x}$", r"$\begin{x}$"),
        ("no formula", "no formula"),
    ],
)
def test_a_formula_of_a_title_is_read_as_words(title: str, words: str) -> None:
    assert maths.readable(title) == words


def test_an_index_that_touches_letters_is_drawn() -> None:
    assert "<msub>" in maths.draw(maths.protect("H$_2$O"))
    assert maths.protect("from $5 to $6") == "from $5 to $6"


def test_what_a_page_is_called_has_no_tex(root: Path) -> None:
    made = Site(library_at(root))
    page = next(p for p in made.pages() if p.uri == "library/2019/ng2019maps.md")
    assert page.title == "Maps & territories: what x² leaves out"
    assert page.found and page.found.title == page.title
    assert "<msup>" in page.content.partition("</h1>")[0]
    assert page.meta["citation_title"] == ("Maps & territories: what $x^2$ leaves out",)


def test_lists_nest_as_an_editor_shows_them() -> None:
    def shown(text: str) -> str:
        return Markup().convert(nested(text))[0].replace("\n", "")

    assert shown("1. A\n2. B\n   - C\n     - D\n3. E") == (
        "<ol><li>A</li><li>B<ul><li>C<ul><li>D</li></ul></li></ul></li><li>E</li></ol>"
    )
    assert shown("- A\n  - B\n- C") == "<ul><li>A<ul><li>B</li></ul></li><li>C</li></ul>"
    assert shown("- A\n\n  More of A.\n\nOut.") == (
        "<ul><li><p>A</p><p>More of A.</p></li></ul><p>Out.</p>"
    )
    four = "- A\n    - B\n        - C\n"
    assert nested(four) == four
    code = "```\n- A\n  - B\n```\n\nText\n\n    - code"
    assert nested(code) == code


def test_tasks_marks_and_strikes_are_what_they_say() -> None:
    made = Markup().convert("- [x] done\n- [ ] to do\n\n==kept== ~~gone~~ about ~5 a == b")[0]
    assert made.count('<input type="checkbox"') + made.count('type="checkbox"') >= 2
    assert made.count("checked") == 1 and "disabled" in made
    assert "<mark>kept</mark> <del>gone</del> about ~5 a == b" in made


TEXT = """
# Maps

## 1 Methods

As in [[1](#ref-1), [2](#ref-2)] and [[1](#ref-1)].

<!-- page 7 -->

**Figure 1.** The rhumblines.

| a | b |
|---|--:|
| 1 | 2 |

## References

1. <a id="ref-1"></a>Old, B. An atlas.
2. <a id="ref-2"></a>Kim, S. A globe.
3. <a id="ref-3"></a>Nobody, N. Uncited.
"""


def test_a_full_text_leads_to_its_entries_and_back(root: Path) -> None:
    put(root, "library/2019/ng2019maps.fulltext.md", FullText(
        slug="ng2019maps.fulltext", reference="ng2019maps", license="CC-BY-4.0", body=TEXT,
    ))  # fmt: skip
    page = html(root, "library/2019/ng2019maps.fulltext.md")
    assert re.findall(r'<a class="pm-mark" id="([^"]+)" href="([^"]+)">', page) == [
        ("cite-1-1", "#ref-1"), ("cite-2-1", "#ref-2"), ("cite-1-2", "#ref-1"),
    ]  # fmt: skip
    entries = re.findall(r'<a id="ref-(\d)"></a>(.*?)</li>', page, re.S)
    back = {
        number: re.findall(r'href="#([^"]+)"[^>]*>([^<]+)<', words) for number, words in entries
    }
    assert back == {
        "1": [("cite-1-1", "1↑"), ("cite-1-2", "2↑")], "2": [("cite-2-1", "↑")], "3": [],
    }  # fmt: skip
    assert '<div class="pm-leaf" id="page-7"><a href="#page-7"' in page
    assert '<p class="pm-caption"><strong>Figure 1.</strong> The rhumblines.</p>' in page
    assert '<div class="pm-table"><table class="pm-grid">' in page
    assert '<th class="pm-right">b</th>' in page and '<td class="pm-right">2</td>' in page
    methods = '<a class="pm-self" href="#1-methods" aria-label="Link to: 1 Methods"></a></h2>'
    assert methods in page
    assert 'Full text of <a href="../../../library/2019/ng2019maps/">Ng et al. 2019</a>' in page
    assert 'class="pm-source" data-key="ng2019maps"' in page
    assert page.count("<h1") == 1


def test_a_full_text_without_a_title_gets_one(root: Path) -> None:
    put(root, "library/2019/ng2019maps.fulltext.md", FullText(
        slug="ng2019maps.fulltext", reference="ng2019maps", license="CC-BY-4.0",
        body="\nWords alone.\n",
    ))  # fmt: skip
    assert "<h1>Maps &amp; territories: what <math" in html(
        root, "library/2019/ng2019maps.fulltext.md"
    )


def test_only_marks_that_something_cites_lead_back() -> None:
    plain = '<li><a id="ref-1"></a>Old.</li>'
    assert reading.both_ways(plain) == plain


def test_what_waits_is_counted_as_candidates(root: Path) -> None:
    inbox = html(root, "inbox.md")
    assert '<p class="pm-counted">1 candidate</p>' in inbox
    assert "<code>pressmark keep KEY</code>" in inbox
    kept, waiting = Reference(key="a"), Reference(key="b", stage="candidate")
    assert tally([kept]) == "1 reference"
    assert tally([waiting, waiting]) == "2 candidates"
    assert tally([kept, kept, waiting]) == "2 references and 1 candidate"
    assert tally([]) == "0 references"
    assert "2 references and 1 candidate" in html(root, "topics/cartography.md")


def test_a_row_leads_with_its_year_and_names_up_to_four(root: Path) -> None:
    names = ("A, A", "B, B", "C, C", "D, D", "E, E")
    for n in (2, 3, 4, 5):
        put(root, f"library/2001/n{n}.md", Reference(
            key=f"n{n}", title=f"T{n}", authors=names[:n], published="2001",
        ))  # fmt: skip
    page = html(root, "years/2001.md")
    rows = re.findall(r'<span class="pm-by">(.*?)</span><span class="Z3988"', page)
    year = '<span class="pm-year">2001<span> · </span></span>'
    assert sorted(rows) == [
        f"{year}A &amp; B", f"{year}A, B &amp; C", f"{year}A, B, C &amp; D", f"{year}A, B, C et al.",
    ]  # fmt: skip


def test_many_neighbours_are_a_click_away(root: Path) -> None:
    for n in range(14):
        put(root, f"library/2001/n{n}.md", Reference(
            key=f"n{n}", title=f"T{n}", published="2001", cites=("doi:10.5555/book",),
        ))  # fmt: skip
    page = html(root, "library/2015/kim2015globe.md")
    cited = page.partition("Cited by, in this library</h2>")[2].partition("<h2")[0]
    open_, fold, rest = cited.partition("<summary>Show the other 8</summary>")
    assert fold and open_.count("<li>") == 8 and rest.count("<li>") == 8
    graph = page.partition('<figure class="pm-graph"')[2].partition("</figure>")[0]
    assert "cited by 16, 10 shown" in graph and graph.count("<li><a ") == 11


def test_a_long_list_of_names_has_letters(root: Path) -> None:
    for n in range(61):
        put(root, f"library/2001/n{n}.md", Reference(
            key=f"n{n}", title=f"T{n}", authors=(f"{'ŠZß'[n % 3]}a{n}, X", f"東{n}, Y"),
        ))  # fmt: skip
    page = html(root, "authors/index.md")
    jumps = page.partition("</nav>")[0]
    assert '<a href="#pm-s">S</a>' in jumps and '<a href="#pm-z">Z</a>' in jumps
    assert page.count('<h2 id="pm-s">S</h2>') == 1
    assert len(set(re.findall(r'<h2 id="([^"]+)"', page))) == page.count("<h2 ")


def test_a_search_log_fits_a_phone(root: Path) -> None:
    put(root, "topics/searches/2026-01-02-maps.md", Search(
        slug="2026-01-02-maps", query="maps", date="2026-01-02",
        providers=({"platform": "Crossref", "status": "ok", "reported": "12345",
                    "retrieved": "50", "limits": "50 records"},),
    ))  # fmt: skip
    page = html(root, "topics/searches/2026-01-02-maps.md")
    assert re.findall("<th[^>]*>([^<]+)", page) == ["Platform", "Status", "Reported", "Retrieved"]
    assert '<td>Crossref<span class="pm-by">50 records</span></td><td>ok</td>' in page
    assert '<td class="pm-right">12,345</td><td class="pm-right">50</td>' in page


def test_headings_of_a_note_can_be_linked_to(root: Path) -> None:
    put(
        root,
        "notes/third.md",
        Note(slug="third", title="Third", body="\n## One *part*\n\nWords.\n"),
    )
    page = html(root, "notes/third.md")
    assert (
        '<h2 id="one-part">One <em>part</em>'
        '<a class="pm-self" href="#one-part" aria-label="Link to: One part"></a></h2>'
    ) in page
