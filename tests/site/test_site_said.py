"""Small promises of the guide, by value: drawings, formulas, footnotes, lists, one run of git."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made import KINDS, charted, library_at

from pressmark import site
from pressmark.errors import Integrity
from pressmark.history import reading

pytestmark = pytest.mark.xdist_group("charts")


def words(charts: Path, path: str) -> str:
    return (charts / "_site" / path / "index.html").read_text("utf-8")


def test_the_timeline_has_a_bar_a_year_that_leads_to_its_list(charts: Path) -> None:
    years = sorted({(ref.published or "")[:4] for ref in KINDS.values()} | {"2001"})
    for path, root in (("overview", "../"), ("", "./")):
        drawn = (
            words(charts, path)
            .partition('<figure class="pm-timeline"')[2]
            .partition("</figure>")[0]
        )
        bars = re.findall(r'<a href="([^"]+)"[^>]*><title>(\d+): (\d+)</title><rect', drawn)
        assert [year for _, year, _ in bars] == years
        assert [int(n) for _, year, n in bars] == [40 if y == "2001" else 1 for y in years]
        assert {href for href, _, _ in bars} == {f"{root}years/{year}/" for year in years}


def test_licences_and_full_texts_have_their_lists(charts: Path) -> None:
    for path in ("licences/cc-by-4-0", "texts/with-full-text"):
        listed = words(charts, path)
        assert re.findall(r'<a class="pm-title" href="([^"]+)"', listed) == [
            "../../library/2019/ng2019maps/"
        ], path


def test_a_note_keeps_footnotes_and_a_mermaid_block_is_code(charts: Path) -> None:
    note = words(charts, "notes/first")
    assert '<a class="footnote-ref" href="#fn:1"' in note and '<li id="fn:1">' in note
    code = re.findall(r"<pre[^>]*>.*?</pre>", note, re.S)
    assert [re.sub(r"<[^>]+>", "", each).strip() for each in code] == ["graph TD; A--&gt;B"]
    assert "mermaid.min.js" not in note and "unpkg" not in note


def test_a_formula_that_cannot_be_read_stays_as_code_and_is_named(tmp_path: Path) -> None:
    charted(tmp_path, more=0)
    (tmp_path / "notes/sums.md").write_text("# Sums\n\nRead $a^2$ and $\\frac{1}{$ and no more.\n")
    built = site.build(library_at(tmp_path))
    assert built.problems == (
        "a formula cannot be drawn and stays as code: \\frac{1}{",
    )  # fmt: skip
    page = (tmp_path / "_site/notes/sums/index.html").read_text("utf-8")
    assert '<code class="pm-formula">\\frac{1}{</code>' in page and "<msup>" in page
    with pytest.raises(Integrity, match="a formula cannot be drawn"):
        site.build(library_at(tmp_path), strict=True)


def test_all_days_come_from_one_run_of_git_and_progress_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    charted(tmp_path, more=20)
    ran: list[str] = []
    read = reading.run.read

    def counted(top: Path, *command: str, **more: object) -> object:
        ran.append(command[0])
        return read(top, *command, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(reading.run, "read", counted)
    told: list[str] = []
    site.build(library_at(tmp_path), progress=told.append)
    assert ran.count("log") == 1
    assert told[0] == "reading the library" and told[-1] == "done" and "page 0" in told
