"""PDFs that nobody knows: a reference of their own, noticed again, filled in later; passwords."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest

from double import UNAVAILABLE, Double
from shell import Inside
from story import BY_NUMBER, article_pdf, pdf


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def scan(path: Path, *, mark: str = "") -> Path:
    """Two pages without a letter; `mark` makes another file of it."""
    return written(path, pdf([[], []], mark))


def test_a_scan_without_text_is_held_with_its_document(online: Inside) -> None:
    path = scan(online.home / "Pemberton_tide+tables (1).pdf")
    done = online("add", str(path), "--json")
    assert [i["key"] for i in done.data["items"]] == ["anonndpemberton"]
    assert done.answer["warnings"] == [
        "anonndpemberton is Pemberton_tide+tables (1).pdf itself, as nobody could be asked: the "
        "pages are images without a text layer. Its title is 'Pemberton tide tables'; edit it "
        "with: pressmark edit anonndpemberton --set title=…, or give it its identifier: pressmark "
        "edit anonndpemberton --set doi=…, then: pressmark update anonndpemberton"
    ]
    held = online("show", "anonndpemberton", "--json").data
    assert (held["title"], held["type"]) == ("Pemberton tide tables", "document")
    assert held["sources"] == [f"file:{digest(path)}"]
    assert held["fulltext"].startswith("none (file: the pages are images without a text layer, ")
    assert online.changed() == ["A library/nd/anonndpemberton.md"]
    kept = online.root / "library/nd/anonndpemberton.pdf"
    assert kept.read_bytes() == path.read_bytes()
    assert online("open", "anonndpemberton", "--pdf", "--print").lines == [str(kept)]
    listed = online("texts", "anonndpemberton", "--json").data["entries"]
    assert [(e["artefact"], e["format"]) for e in listed] == [("document", "pdf")]
    assert online("check", "--documents").status == 0
    kept.write_bytes(b"%PDF-1.4 other")
    assert "DOCUMENT" in online("check", "--documents", status=3).out


def test_the_same_file_added_again_is_noticed_whatever_it_is_called(online: Inside) -> None:
    path = scan(online.home / "one.pdf")
    online("add", str(path))
    online("edit", "anonndone", "--set", "title=A Title of My Own")
    head = online.head()
    again = written(online.home / "deep/another name.pdf", path.read_bytes())
    done = online("add", str(again), "--json").data
    assert [(i["outcome"], i["key"]) for i in done["items"]] == [("unchanged", "anonndone")]
    assert online.head() == head
    # Another scan of the same name is another document.
    other = scan(online.home / "deep/one.pdf", mark="other")
    assert [i["key"] for i in online("add", str(other), "--json").data["items"]] == ["anonndonea"]


def test_a_file_that_was_attached_is_noticed_and_costs_no_request(
    online: Inside, double: Double
) -> None:
    path = written(online.home / "x.pdf", article_pdf(BY_NUMBER[2]))
    online("attach", "bryl2019message", str(path), "--rights", "CC BY 4.0")
    double.requests.clear()
    done = online("add", str(path))
    assert done.lines[0] == "held      bryl2019message  Message Passing on Estuaries"
    assert "bryl2019message has its text from this very file already." in done.err
    assert double.requests == []


def test_its_identifier_given_later_fills_it_in(online: Inside) -> None:
    work = BY_NUMBER[6]
    path = scan(online.home / "scan 17.pdf")
    online("add", str(path))
    online("edit", "anonndscan", "--set", f"doi={work.doi}")
    done = online("update", "anonndscan", "--json").data
    assert done["items"][0]["status"] == "changed"
    held = online("show", "anonndscan", "--json").data
    assert (held["title"], held["published"][:4], held["type"]) == (
        work.title, "2020", "article-journal",
    )  # fmt: skip
    assert held["authors"][0].startswith("de Vos")
    assert held["conflicts"] == []
    assert f"file:{digest(path)}" in held["sources"]
    assert any(line.startswith("crossref:") for line in held["sources"])
    # A title that a person gave stands.
    online("add", str(scan(online.home / "mine.pdf", mark="2")))
    online("edit", "anonndmine", "--set", "title=As I Call It", "--set", f"doi={BY_NUMBER[4].doi}")
    online("update", "anonndmine")
    assert online("show", "anonndmine", "--json").data["title"] == "As I Call It"


def test_a_reference_without_an_identifier_is_never_asked_for_nor_marked(
    online: Inside, double: Double
) -> None:
    online("add", str(scan(online.home / "one.pdf")))
    double.requests.clear()
    head = online.head()
    done = online("fetch", "anonndone", status=2)
    assert "anonndone has no identifier by which a text could be asked for." in done.err
    assert "pressmark edit anonndone --set doi=" in done.err
    assert (double.requests, online.head()) == ([], head)
    assert online("update", "anonndone", "--json").data["items"][0]["status"] == "not asked"


def test_offline_it_is_filed_and_says_whom_nobody_could_ask(offline: Inside) -> None:
    lines = ["A Study of Nothing At All", "Nobody", "https://doi.org/10.5555/none"]
    path = written(offline.home / "unknown.pdf", pdf([lines], ""))
    done = offline("add", str(path))
    assert done.lines[0] == "added     anonndunknown  unknown"  # one size of type shows no title
    assert "nobody could be asked: its first page names doi:10.5555/none; the network is off" in (
        done.err
    )
    assert (offline.root / "library/nd/anonndunknown.fulltext.md").is_file()


def test_a_source_that_is_down_may_know_it_tomorrow(online: Inside, double: Double) -> None:
    double.fail("*", UNAVAILABLE)
    head = online.head()
    path = written(online.home / "a.pdf", article_pdf(BY_NUMBER[6]))
    assert online("add", str(path), "--json", status=2).answer["code"] == "provider_unavailable"
    assert online.head() == head


def test_a_folder_of_many_with_some_bad_ones(online: Inside) -> None:
    folder = online.home / "papers"
    written(folder / "a.pdf", article_pdf(BY_NUMBER[4]))
    scan(folder / "b.pdf")
    scan(folder / "c.pdf")  # the same bytes as b.pdf
    written(folder / "d.pdf", b"")
    written(folder / "e.pdf", b"%PDF-1.4\n")
    done = online("add", str(folder), "--json", status=2)
    assert [i["key"] for i in done.data["items"]] == ["penhallow2008short", "anonndb", "anonndb"]
    assert [Path(f["word"]).name for f in done.data["failures"]] == ["d.pdf", "e.pdf"]
    assert done.data["added"] == 2


def encrypted(data: bytes, password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(password, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("words", [("add",), ("attach", "bryl2019message")])
def test_a_password_from_stdin(online: Inside, words: tuple[str, ...]) -> None:
    path = written(online.home / "locked.pdf", encrypted(article_pdf(BY_NUMBER[2]), "open sesame"))
    refused = online(*words, str(path), status=2)
    assert "needs a password" in refused.err
    assert "--password-stdin" in refused.err

    def given(password: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "pressmark", *words, str(path), "--password-stdin"],
            cwd=online.root, env=online.environment(), input=f"{password}\n".encode(),
            capture_output=True,
        )  # fmt: skip

    wrong = given("closed sesame")
    assert wrong.returncode == 2
    assert b"the password is not the file's" in wrong.stderr
    done = given("open sesame")
    assert done.returncode == 0, done.stderr
    assert b"sesame" not in done.stdout + done.stderr
    kept = online.root / "library/2019/bryl2019message.pdf"
    assert kept.read_bytes() == path.read_bytes()
    assert not any(b"sesame" in data for data in online.files().values())
