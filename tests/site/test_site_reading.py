"""What a reader does in a real browser: search, hover, copy, follow, print, at night, on a phone."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from devtools import CHROMIUM, Browser, opened
from pypdf import PdfReader

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH"),
    pytest.mark.xdist_group("charts"),
]

MAPS = "/_site/library/2019/ng2019maps/"
STATUS = "document.querySelector('.pm-status').textContent"
TITLES = "[...document.querySelectorAll('.pm-results a')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def browser(charts: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The site below a path of its host, as project pages are."""
    with opened(charts, tmp_path_factory.mktemp("profile")) as found:
        found.screen(1300, 900)
        yield found


def search(browser: Browser, query: str) -> list[str]:
    browser.go(f"/_site/search/{query}")
    browser.until(f"/result/.test({STATUS})")
    browser.until(f"{TITLES}.length > 0 || {STATUS}.startsWith('0')")
    return browser.run(TITLES)  # type: ignore[no-any-return]


def test_the_search_finds_words_of_abstracts_authors_and_notes(browser: Browser) -> None:
    assert sorted(search(browser, "?q=territory")) == [
        "An older atlas", "Cartography", "Maps & territories: what x² leaves out",
    ]  # fmt: skip
    assert search(browser, "?q=D%C3%ADaz") == ["Tiles all the way down"]
    assert search(browser, "?q=leave+things+out") == ["First thoughts"]
    assert browser.run("document.querySelector('.pm-results a').pathname") == "/_site/notes/first/"


def test_the_search_filters_by_kind_type_year_tag_topic_and_venue(browser: Browser) -> None:
    wanted = {
        "?q=territory&kind=topic": ["Cartography"],
        "?q=territory&type=paper-conference": ["An older atlas"],
        "?q=territory&year=2019": ["Maps & territories: what x² leaves out"],
        "?tag=tiles": ["Tiles all the way down"],
        "?q=territory&topic=Cartography&year=1990": ["An older atlas"],
        "?q=territory&venue=Journal+of+Maps": ["Maps & territories: what x² leaves out"],
    }
    assert {query: search(browser, query) for query in wanted} == wanted


def test_the_filters_offer_what_there_is_with_counts(browser: Browser) -> None:
    search(browser, "?q=territory")
    browser.run("document.querySelector('.pm-filters').open = true")
    options = "[...document.querySelector('select[name=tag]').options].map(o => o.textContent)"
    browser.until(f"{options}.length > 2")
    assert browser.run(options) == ["any", "maps (2)", "theory (1)"]
    browser.run(
        "(s => { s.value = 'theory'; s.dispatchEvent(new Event('change', {bubbles: true})) })"
        "(document.querySelector('select[name=tag]'))"
    )
    browser.until(f"{STATUS} === '1 result'")
    assert browser.run("location.search") == "?q=territory&tag=theory"


def test_full_texts_are_a_second_index_for_who_asks(browser: Browser) -> None:
    hits = "[...document.querySelectorAll('.pm-results a')].map(each => each.pathname)"
    text = "/_site/library/2019/ng2019maps.fulltext/"
    browser.go("/_site/search/?q=rhumblines")
    browser.until(f"/result/.test({STATUS})")
    assert text not in browser.run(hits)
    assert not [each for each in browser.asked() if "pagefind-texts" in each]
    browser.run("document.querySelector('.pm-filters').open = true")
    browser.run("document.querySelector('input[name=texts]').click()")
    browser.until(f"{hits}.includes('{text}')")
    assert [each for each in browser.asked() if "pagefind-texts" in each]


def test_the_search_works_with_the_keyboard_alone(browser: Browser) -> None:
    browser.go(MAPS)
    browser.key("/", "/")
    browser.until("document.querySelector('dialog[open] input') === document.activeElement")
    browser.type("atlas")
    browser.until("document.querySelectorAll('dialog .pm-results a').length > 0")
    browser.key("ArrowDown")
    assert browser.run("document.activeElement.textContent") == "An older atlas"
    browser.key("ArrowUp")
    assert browser.run("document.activeElement.type") == "search"
    browser.tell(
        "Input.dispatchKeyEvent", type="rawKeyDown", key="Escape", code="Escape",
        windowsVirtualKeyCode=27,
    )  # fmt: skip
    browser.until("!document.querySelector('dialog').open")


def test_a_citation_shows_its_reference(browser: Browser) -> None:
    browser.go("/_site/notes/first/")
    cited = "document.querySelector('a.pm-cite')"
    browser.run(f"{cited}.focus()")
    browser.until("document.querySelector('.pm-card')")
    card = browser.run("document.querySelector('.pm-card').textContent")
    assert "Maps & territories" in card and "Journal of Maps" in card
    assert browser.run(f"{cited}.getAttribute('aria-describedby')") == "pm-card"
    browser.key("Escape")
    browser.until("!document.querySelector('.pm-card')")
    x, y = browser.run(
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])({cited}.getBoundingClientRect())"
    )
    browser.tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    browser.until("document.querySelector('.pm-card')")


def test_each_form_of_the_citation_is_copied(browser: Browser) -> None:
    browser.go(MAPS)
    browser.run(
        "window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text) }"
    )
    names = browser.run(
        "[...document.querySelectorAll('.pm-copies button')].map(b => b.textContent)"
    )
    assert names == ["Citation", "BibTeX", "biblatex", "RIS", "CSL-JSON"]
    browser.run("document.querySelectorAll('.pm-copies button').forEach(b => b.click())")
    browser.until("copied.length === 5")
    starts = [text.lstrip()[:20] for text in browser.run("copied")]
    assert starts[0].startswith("Ng") and starts[1] == "@article{ng2019maps,"
    assert starts[2].startswith("@article{") and starts[3].startswith("TY  - JOUR")
    assert starts[4].startswith("[")
    assert browser.run("document.querySelector('.pm-copies button').textContent") == "Copied"


def test_the_drawing_leads_to_the_papers_around(browser: Browser) -> None:
    browser.go(MAPS)
    links = "[...document.querySelectorAll('.pm-graph a')].map(a => a.getAttribute('href'))"
    assert browser.run(links) == [
        f"../../../library/{each}/"
        for each in ("1990/old1990older", "2015/kim2015globe", "2018/lee2018contour",
                     "2016/roe2016legend")
    ]  # fmt: skip
    sections = browser.run("[...document.querySelectorAll('h2')].map(h => h.textContent)")
    assert [s for s in sections if "library" in s or "Often" in s] == [
        "In this library", "Cites, in this library", "Cited by, in this library",
        "Often cited together with it",
    ]  # fmt: skip


def test_a_phone_a_night_and_a_printer_get_their_own_page(
    charts: Path, browser: Browser, tmp_path: Path
) -> None:
    browser.screen(390, 800)
    for path in (
        "", "notes/first/", "references/", "library/2019/ng2019maps/", "overview/", "inbox/",
        "library/2019/ng2019maps.fulltext/", "topics/searches/2026-01-02-maps/", "tags/maps/",
        "authors/anna-maria-van-der-berg/", "venues/filler-reports/",
        "topics/collections/chapter-two/",
    ):  # fmt: skip
        browser.go(f"/_site/{path}")
        assert browser.run("document.scrollingElement.scrollWidth") <= 390, path
    browser.screen(1300, 900, media="print")
    browser.go(MAPS)
    hidden = "getComputedStyle(document.querySelector('{}')).display"
    for part in (".pm-open", ".pm-copies", ".pm-format", ".md-header"):
        assert browser.run(hidden.format(part)) == "none", part
    assert browser.run(hidden.format(".pm-formatted")) == "block"
    browser.screen(1300, 900)
    with opened(charts, tmp_path) as night:
        night.screen(1300, 900, dark=True)
        night.go(MAPS)
        assert night.run("document.body.dataset.mdColorScheme") == "slate"
        ground = night.run("getComputedStyle(document.body).backgroundColor")
        assert max(int(n) for n in ground.strip("rgb()").split(",")) < 60


def test_a_short_page_prints_on_one_sheet(browser: Browser) -> None:
    browser.screen(1300, 900)
    for path in ("library/2019/ng2019maps.fulltext/", "topics/searches/2026-01-02-maps/", "inbox/"):
        browser.go(f"/_site/{path}")
        printed = base64.b64decode(browser.tell("Page.printToPDF")["data"])
        assert len(PdfReader(BytesIO(printed)).pages) == 1, path


def test_from_a_folder_on_disk_pages_read_and_titles_are_found(
    charts: Path, tmp_path: Path
) -> None:
    with opened(charts, tmp_path) as browser:
        browser.go(f"file://{charts}/_site/search/index.html?q=atlas")
        browser.until(f"/result/.test({STATUS})")
        assert browser.run(STATUS) == "1 result, among titles and authors"
        assert browser.run("getComputedStyle(document.querySelector('h1')).fontWeight") == "600"


def test_nothing_is_asked_of_another_host(browser: Browser) -> None:
    """The last of this file: it looks at every request of all the tests before."""
    pages = ("", "overview/", "tags/maps/", "topics/cartography/", "years/", "inbox/", "404.html")
    for path in pages:
        browser.go(f"/_site/{path}")
    asked = [url for url in browser.asked() if not url.startswith("data:")]
    assert len(asked) > 100
    assert {url for url in asked if not url.startswith(f"{browser.address}/_site/")} == set()
    assert browser.said() == []
    assert browser.tell("Network.getCookies")["cookies"] == []


AXE = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"


def test_axe_finds_nothing_serious(charts: Path, tmp_path: Path) -> None:
    from importlib.util import find_spec

    found = find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed")
    script = (Path(found.origin).parent / "axe.min.js").read_text("utf-8")
    pages = (
        "", "library/2019/ng2019maps/", "library/1990/old1990older/", "notes/first/", "references/",
        "topics/cartography/", "topics/searches/2026-01-02-maps/", "authors/", "overview/",
        "search/?q=maps", "library/2019/ng2019maps.fulltext/", "inbox/",
    )  # fmt: skip
    serious: dict[str, list[str]] = {}
    few = pages if os.environ.get("PRESSMARK_FULL") else pages[:6:2] + pages[9:11]
    for dark in (False, True):
        with opened(charts, tmp_path / str(dark)) as browser:
            browser.screen(1300, 900, dark=dark)
            for path in few[:2] if dark and few != pages else few:
                browser.go(f"/_site/{path}")
                browser.tell("Runtime.evaluate", expression=script)
                told = browser.run(f"{AXE}.then(r => JSON.stringify(r.violations))")
                for rule in json.loads(told):
                    if rule["impact"] in ("serious", "critical"):
                        where = [node["html"][:90] for node in rule["nodes"][:2]]
                        serious.setdefault(rule["id"], []).append(f"{path} {where} dark={dark}")
    assert serious == {}
