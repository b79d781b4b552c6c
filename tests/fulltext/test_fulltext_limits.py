"""Limits of the reading process: 21 hostile PDFs, hostile HTML and XML, and pages read again."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import hostile
import pytest
from articles import jats, latexml, prose
from printed import BOLD, Text, column, pdf

from pressmark.fulltext import convert, limits
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.pdf import process, second

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = """
import json, resource, sys
from pressmark.fulltext import convert
found = convert.to_markdown(sys.stdin.buffer.read(), sys.argv[1])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([found.state, found.sentence, len(found.body), list(found.warnings),
                  used.ru_maxrss, used.ru_utime + used.ru_stime]))
"""
WORDS = "A page of words that anybody can read and that says a thing."


def measured(data: bytes, kind: str = "pdf") -> tuple[str, str, int, list[str], int, float]:
    """State, sentence, length, warnings, peak KiB and CPU seconds of the reading processes."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, kind], input=data, capture_output=True, check=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT / "cli")}, timeout=300,
    )  # fmt: skip
    return tuple(json.loads(done.stdout))  # type: ignore[return-value]


@pytest.mark.parametrize("build", hostile.ALL, ids=lambda build: build.__name__)
def test_a_hostile_file_ends_within_its_limits(build: Callable[[], bytes]) -> None:
    state, sentence, length, _, peak, cpu = measured(build())
    assert state in ("ok", "damaged", "too_large", "garbled", "no_text_layer")
    assert sentence
    assert length <= 300_000
    assert peak < 1 << 20  # KiB: one GiB
    assert cpu < 120


def test_what_is_only_odd_is_read_all_the_same() -> None:
    for build in (hostile.form_that_draws_itself, hostile.table_of_references_in_a_ring):
        found = convert.to_markdown(build(), "pdf")
        assert (found.state, WORDS in found.body) == ("ok", True)


def test_nothing_a_file_asks_for_is_opened() -> None:
    found = convert.to_markdown(hostile.asks_for_a_file(), "pdf")
    assert (found.state, found.body) == ("no_text_layer", "")


@pytest.mark.parametrize(
    ("data", "kind", "states"),
    [
        (b"<html><body>" + b"<div>" * 20_000, "html", {"damaged"}),
        (b"<html><body>" + b"<p>a" * 40_000 + b"</html>", "html", {"damaged"}),
        (b"<html><body><h1>T</h1><table>" + b"<tr><td colspan=999 rowspan=999>a</td></tr>" * 200
         + b"</table></body></html>", "html", {"ok"}),
        (b"<html><body><h1>T</h1><table>" + b"<tr><td colspan=999 rowspan=999>a" * 2000, "html",
         {"damaged"}),
        (b"<article><body>" + b"<sec>" * 500 + b"</sec>" * 500 + b"</body></article>", "jats",
         {"damaged"}),
        (b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
         b"<article>&b;</article>", "jats", {"damaged"}),
        (b"<article><body><p>" + b"<italic>a</italic> " * 20_000 + b"</p></body></article>", "jats",
         {"ok"}),
        (b"\x00" * 1000, "jats", {"damaged"}),
        (b"", "html", {"damaged", "empty"}),
    ],
)  # fmt: skip
def test_other_forms_end_within_their_limits(data: bytes, kind: str, states: set[str]) -> None:
    state, sentence, _, _, peak, cpu = measured(data, kind)
    assert state in states
    assert sentence
    assert peak < 1 << 20
    assert cpu < 60


def test_a_file_of_two_hundred_megabytes_is_not_looked_at() -> None:
    began = time.process_time()
    found = convert.to_markdown(b"%PDF-1.7\n" + b"\x00" * (200 << 20), "pdf")
    assert (found.state, found.warnings) == ("too_large", ("it is over 50 MB",))
    assert time.process_time() - began < 5


def test_a_reader_that_hangs_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "left"
    script = tmp_path / "hangs.py"
    script.write_text(
        "import subprocess, sys, time\n"
        "code = 'import time; time.sleep(3); open(%r, \"w\")' % sys.argv[1]\n"
        "subprocess.Popen([sys.executable, '-c', code])\n"
        "time.sleep(60)\n"
    )
    began = time.monotonic()
    ran = limits.run(
        limits.python(str(script), str(left)), b"", wall=1, env=limits.environment(), session=True
    )
    assert ran.stopped
    assert time.monotonic() - began < 10
    time.sleep(3)
    assert not left.exists()


def test_a_process_takes_no_more_than_it_may() -> None:
    script = "import sys; sys.path[:] = sys.argv[1:]; from pressmark.fulltext import limits;"
    script += "limits.cap(200 << 20, 1); a = b'x' * (300 << 20)"
    done = subprocess.run([sys.executable, "-c", script, *sys.path], capture_output=True)
    assert b"MemoryError" in done.stderr
    script = script.rpartition(" a =")[0] + "\nwhile True: pass"
    done = subprocess.run(
        [sys.executable, "-c", script, *sys.path], capture_output=True, timeout=60
    )
    assert done.returncode < 0
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY  # not our own


def test_a_defect_of_ours_costs_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = limits.Ran(b'{"fault": "RecursionError"}', False)
    monkeypatch.setattr(limits, "run", lambda *_, **__: ran)
    with pytest.raises(convert.ReaderFault, match="RecursionError"):
        convert.to_markdown(jats(), "jats")
    monkeypatch.setattr(limits, "run", lambda *_, **__: limits.Ran(b'{"sta', True))
    found = convert.to_markdown(jats(), "jats")
    assert found.state == "too_large"
    assert found.warnings == ("reading it was stopped at a limit of time or memory",)


@pytest.mark.parametrize(("data", "kind"), [(jats(), "jats"), (latexml(), "html")])
def test_the_process_gives_what_the_converter_gives(data: bytes, kind: str) -> None:
    from pressmark.fulltext import html
    from pressmark.fulltext import jats as converter

    made = (html if kind == "html" else converter).to_markdown(data)
    assert convert.to_markdown(data, kind) == made
    assert isinstance(made, Extracted)


# Pages read again


def paper(pages: int = 3) -> bytes:
    lines = [one for part in prose(4) for one in part.split(". ")]
    first = [Text(72, 740, "On Marshes and Tides", 17, BOLD)]
    return pdf([[*(first if not at else []), *column(lines, y=700)] for at in range(pages)])


def backend(page: dict[str, object]) -> second.Backend:
    def read(data: bytes, password: str, wanted: object) -> tuple[str, dict[int, second.Page]]:
        asked.append(list(wanted))  # type: ignore[call-overload]
        return "9.9", {number: {**page, "page": number} for number in asked[-1]}

    asked: list[list[int]] = []
    read.asked = asked  # type: ignore[attr-defined]
    return read


GOOD = {"lines": [[[WORDS, 72.0, 700.0, 10.0, 0, 0, ""]]], "fonts": [""]}


def test_a_page_that_pypdf_loses_is_read_by_another_and_that_is_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = backend(GOOD)
    monkeypatch.setattr(second, "_BACKENDS", {"pypdfium2": other})
    answer = process.pages(paper(5))
    assert (answer.extractor.split(", ")[1].split()[0], other.asked) == ("pypdf", [])  # type: ignore[attr-defined]
    lost = tuple(
        {**page, "lines": []} if page["page"] in (2, 4, 5) else page for page in answer.pages
    )
    mended = process._mended(process.replace(answer, pages=lost), b"", "")
    assert other.asked == [[2, 4, 5]]  # type: ignore[attr-defined]
    assert mended.extractor == f"{answer.extractor}; pypdfium2 9.9 (pages 2, 4-5)"
    assert [second.words_of(page) for page in mended.pages][1] == WORDS


def test_a_page_whose_text_is_hidden_is_not_fetched_again() -> None:
    hidden = {"page": 2, "lines": [[[WORDS, 72.0, 700.0, 10.0, 0, 0, "white"]]], "fonts": [""]}
    first = {"page": 1, "lines": [[[WORDS * 9, 72.0, 700.0, 10.0, 0, 0, ""]]], "fonts": [""]}
    assert second._weak({1: first, 2: hidden}, 2, None) == []
    assert second._weak({1: first, 2: {**hidden, "lines": []}}, 3, None) == [2, 3]


def test_a_page_without_known_words_is_read_again_and_kept_only_if_better() -> None:
    known = frozenset(WORDS.casefold().replace(".", "").split())
    poor = {"page": 1, "lines": [[["xq zzk " * 60 + WORDS, 0, 0, 10.0, 0, 0, ""]]], "fonts": [""]}
    good = {**poor, "lines": [[[WORDS * 12, 0, 0, 10.0, 0, 0, ""]]]}
    assert second._weak({1: poor}, 1, known) == [1]
    assert second._is_better(good, poor, known)
    assert not second._is_better(poor, good, known)


def test_a_file_that_pypdf_cannot_open_is_left_to_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def whole(data: bytes, password: str, wanted: object) -> tuple[str, dict[int, second.Page]]:
        return "9.9", {1: {**GOOD, "page": 1}}

    monkeypatch.setattr(second, "_BACKENDS", {"pypdfium2": whole})
    answer = process.pages(b"%PDF-1.4\nnothing of use\n%%EOF")
    assert (answer.state, answer.count) == ("ok", 1)
    assert answer.extractor == f"{process.EXTRACTOR}, pypdfium2 9.9 (pages 1)"


@pytest.mark.parametrize("name", ["pypdfium2", "pdftotext"])
def test_the_other_programs_read_a_page(name: str) -> None:
    if name == "pypdfium2":
        pytest.importorskip("pypdfium2")
    elif second.shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    _, pages = second._BACKENDS[name](paper(), "", [2, 3])
    assert sorted(pages) == [2, 3]
    first = prose(1)[0].split(". ")[0]
    assert first in second.words_of(pages[2])
    assert all(len(span) == 7 for line in pages[2]["lines"] for span in line)


def test_pdfium_marks_what_nobody_sees() -> None:
    pytest.importorskip("pypdfium2")
    lines = [
        Text(72, 700, "Seen by all."), Text(72, 650, "White words.", before="1 1 1 rg"),
        Text(72, 600, "Mode three.", before="3 Tr"), Text(72, 550, "Tiny words.", 1),
        Text(72, 3000, "Off the page."),
    ]  # fmt: skip
    _, pages = second._BACKENDS["pypdfium2"](pdf([lines]), "", [1])
    seen = {"".join(span[0] for span in line).strip(): line[0][6] for line in pages[1]["lines"]}
    assert seen["Seen by all."] == ""
    assert seen["White words."] == "white"
    assert seen["Mode three."] == "mode"
    assert seen["Tiny words."] == "tiny"
    assert seen.get("Off the page.", "outside") == "outside"
