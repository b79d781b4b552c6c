"""What a reader's eye, thumb and keyboard meet in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from devtools import CHROMIUM, Browser, opened

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH"),
    pytest.mark.xdist_group("charts"),
]

MAPS = "/_site/library/2019/ng2019maps/"
TEXT = "/_site/library/2019/ng2019maps.fulltext/"
SCHEME = "document.body.dataset.mdColorScheme"
BUTTON = "document.querySelector('label.md-header__button[for^=__palette]:not([hidden])')"
FOCUS = """(e => {
  const box = e.getBoundingClientRect(), shown = e.matches('.md-option') ? e.nextElementSibling : e;
  const style = getComputedStyle(shown);
  return {name: e.getAttribute('aria-label') || e.textContent.trim(), x: box.x, right: box.right,
          ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1};
})(document.activeElement)"""


@pytest.fixture(scope="module")
def browser(charts: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(charts, tmp_path_factory.mktemp("profile")) as found:
        yield found


def press(browser: Browser, key: str, code: int) -> None:
    """A key that stands for no letter."""
    for kind in ("rawKeyDown", "keyUp"):
        browser.tell(
            "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
        )


def walk(browser: Browser, steps: int) -> list[dict[str, Any]]:
    found = []
    for _ in range(steps):
        press(browser, "Tab", 9)
        found.append(browser.run(FOCUS))
    return found


def test_the_systems_colours_win_until_somebody_chooses(charts: Path, tmp_path: Path) -> None:
    with opened(charts, tmp_path) as browser:
        browser.screen(390, 800)
        browser.go("/_site/")
        browser.until(f"{SCHEME} === 'default' && localStorage.length > 0")
        browser.screen(390, 800, dark=True)  # in the evening, on the same page
        browser.until(f"{SCHEME} === 'slate'")
        browser.go(MAPS)
        assert browser.run(SCHEME) == "slate"
        browser.until(f"{BUTTON} !== null")
        browser.run(f"{BUTTON}.click()")
        browser.until(f"{SCHEME} === 'default'")
        browser.go("/_site/references/")
        browser.until(f"{BUTTON} !== null")
        assert browser.run(SCHEME) == "default"  # chosen
        browser.run(f"{BUTTON}.click()")
        browser.until(f"{SCHEME} === 'slate'")
        browser.screen(390, 800)
        browser.go("/_site/")
        browser.until(f"{BUTTON} !== null")
        assert browser.run(SCHEME) == "default"  # the system's again
        assert browser.said() == []


def test_the_first_paint_is_in_the_systems_colours(charts: Path, tmp_path: Path) -> None:
    with opened(charts, tmp_path) as browser:
        browser.screen(390, 800, dark=True)
        browser.tell("Network.setBlockedURLs", urls=["*.js"])
        browser.go("/_site/")
        assert browser.run(SCHEME) == "slate"


def test_on_a_phone_the_drawing_stands_in_the_page(browser: Browser) -> None:
    for width in (390, 1280):
        browser.screen(width, 800)
        browser.go(MAPS)
        figure = "document.querySelector('.pm-graph')"
        assert browser.run(f"{figure}.scrollWidth <= {figure}.clientWidth"), width
        size = browser.run(f"parseFloat(getComputedStyle({figure}.querySelector('a')).fontSize)")
        assert size >= 12, width
        lines = browser.run(f"{figure}.querySelector('svg').getBoundingClientRect().height")
        assert (lines == 0) == (width == 390)


def test_no_step_of_the_keyboard_is_out_of_sight(browser: Browser) -> None:
    for width in (390, 1280):
        browser.screen(width, 800)
        browser.go(MAPS)
        browser.until("document.querySelector('.pm-copies')")
        steps = walk(browser, 30)
        assert steps[0]["name"] == "Skip to content"
        assert [s for s in steps[1:] if s["x"] < 0 or s["right"] > width] == [], width
        assert [s["name"] for s in steps[1:] if not s["ring"]] == [], width


def test_the_menu_of_a_phone_opens_and_closes_with_the_keyboard(browser: Browser) -> None:
    browser.screen(390, 800)
    browser.go("/_site/references/")
    browser.until("document.querySelector('[aria-label=Menu]')")
    browser.run("document.querySelector('[aria-label=Menu]').focus()")
    expanded = "document.querySelector('[aria-label=Menu]').getAttribute('aria-expanded')"
    assert browser.run(expanded) == "false"
    browser.key("Enter", "\r")
    browser.until("document.activeElement.matches('.md-sidebar--primary a')")
    assert browser.run(expanded) == "true"
    assert browser.run("document.activeElement.textContent.trim()") == "Home"
    press(browser, "Escape", 27)
    browser.until("document.activeElement.getAttribute('aria-label') === 'Menu'")
    assert browser.run(expanded) == "false"


def test_a_finger_hits_what_acts(charts: Path, browser: Browser) -> None:
    browser.tell("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.tell("Emulation.setEmulatedMedia", features=[{"name": "pointer", "value": "coarse"}])
    browser.tell(
        "Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1,
        mobile=True,
    )  # fmt: skip
    browser.go(MAPS)
    browser.until("document.querySelector('.pm-copies')")
    sizes = browser.run(
        "[...document.querySelectorAll('.pm-actions :is(a, button), .pm-copies button, summary')]"
        ".map(e => Math.round(e.getBoundingClientRect().height))"
    )
    browser.tell("Emulation.setTouchEmulationEnabled", enabled=False)
    assert len(sizes) >= 10 and min(sizes) >= 36, sizes


def test_a_passage_is_copied_as_a_note_quotes_it(browser: Browser) -> None:
    browser.screen(1280, 800)
    browser.go(TEXT)
    browser.until("document.readyState === 'complete'")
    browser.run(
        "window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text) }"
    )
    browser.run(
        "getSelection().selectAllChildren([...document.querySelectorAll('.pm-fulltext p')]"
        ".find(p => p.textContent.includes('rhumblines')))"
    )
    browser.until("document.querySelector('.pm-passage')")
    browser.run("document.querySelector('.pm-passage').click()")
    browser.until("copied.length")
    assert browser.run("copied") == [
        "> We measured rhumblines with patience [1]. [@ng2019maps, p. 3]"
    ]
    browser.run("getSelection().removeAllRanges()")
    browser.until("!document.querySelector('.pm-passage')")


def test_a_mark_of_a_text_shows_its_entry_and_leads_there_and_back(browser: Browser) -> None:
    browser.screen(1280, 800)
    browser.go(TEXT)
    browser.run("document.querySelector('.pm-mark').focus()")
    browser.until("document.querySelector('.pm-card')")
    assert browser.run("document.querySelector('.pm-card').textContent.trim()") == (
        "Old, B. An older atlas. 1990."
    )
    browser.run("document.querySelector('.pm-mark').click()")
    browser.until("location.hash === '#ref-1'")
    lit = "getComputedStyle(document.querySelector('li:has(> #ref-1)')).backgroundColor"
    assert browser.run(lit) != "rgba(0, 0, 0, 0)"
    browser.run("document.querySelector('.pm-back a').click()")
    browser.until("location.hash === '#cite-1-1'")
    top = browser.run("document.querySelector('#cite-1-1').getBoundingClientRect().top")
    assert top > 48  # below the header


def test_wide_tables_scroll_in_their_box_and_with_the_keyboard(browser: Browser) -> None:
    for width in (390, 1280):
        browser.screen(width, 800)
        browser.go(TEXT)
        box = "document.querySelector('.pm-table')"
        browser.until(f"{box}.tabIndex === 0")
        assert browser.run(f"{box}.scrollWidth > {box}.clientWidth"), width
        assert browser.run("document.scrollingElement.scrollWidth") <= width


def test_an_address_that_leads_nowhere_says_what_to_do(browser: Browser) -> None:
    browser.screen(1280, 800)
    browser.go("/_site/404.html")
    assert browser.run("document.querySelector('h1').textContent") == "This page is not here"
    links = browser.run("[...document.querySelectorAll('.pm-home p a')].map(a => a.pathname)")
    assert links == ["/_site/", "/_site/references/", "/_site/notes/"]
    browser.run("document.querySelector('.pm-box input').value = 'atlas'")
    browser.run("document.querySelector('.pm-box').requestSubmit()")
    browser.until("location.pathname === '/_site/search/' && location.search === '?q=atlas'")


def test_on_a_wide_screen_the_year_of_a_row_stands_aside(browser: Browser) -> None:
    at = "document.querySelector('.pm-rows .pm-year').getBoundingClientRect()"
    title = "document.querySelector('.pm-rows .pm-title').getBoundingClientRect()"
    browser.screen(1280, 800)
    browser.go("/_site/references/")
    assert browser.run(f"{at}.right < {title}.left && Math.abs({at}.top - {title}.top) < 8")
    browser.screen(390, 800)
    assert browser.run(f"{at}.top >= {title}.bottom - 4 && {at}.left === {title}.left")


def test_a_printed_page_has_the_neighbours_and_not_three_hundred_authors(
    browser: Browser,
) -> None:
    browser.screen(1280, 800)
    browser.go(MAPS)
    browser.until("document.querySelector('.pm-copies')")
    browser.run(
        "document.querySelector('.pm-page').insertAdjacentHTML('beforeend',"
        "'<details class=pm-rest></details><details class=pm-more></details>')"
    )
    browser.screen(1280, 800, media="print")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    browser.until("document.querySelector('.pm-format').open")  # the theme opens what is folded
    folds = "[...document.querySelectorAll('.pm-rest, .pm-more')]"
    assert browser.run(f"{folds}.map(e => getComputedStyle(e).display === 'none')") == [False, True]
    browser.screen(1280, 800)
