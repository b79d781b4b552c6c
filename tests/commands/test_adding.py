"""`add` of PDFs, folders, files, titles and held papers; `import` of folders; one commit a call."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest

from double import UNAVAILABLE, Double
from shell import Inside
from story import BY_NUMBER, Work, article_pdf, pdf

SALINITY = "devos2020salinity"


def paper(folder: Path, work: Work, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(article_pdf(work))
    return path


def naming(folder: Path, work: Work, identifier: str, name: str = "named.pdf") -> Path:
    """A PDF whose first page names an identifier under the title of a work."""
    lines = [work.title, "Somebody Else", f"https://doi.org/{identifier}", "", "Text. " * 9]
    path = folder / name
    path.write_bytes(pdf([lines], work.title))
    return path


def test_a_pdf_is_the_paper_that_its_first_page_names(online: Inside) -> None:
    work = BY_NUMBER[6]
    path = naming(online.home, work, work.doi)
    done = online("add", str(path))
    assert done.lines == [f"added     {SALINITY}  {work.title}", "1 new."]
    folder = online.root / "library/2020"
    assert (folder / f"{SALINITY}.pdf").read_bytes() == path.read_bytes()
    text = (folder / f"{SALINITY}.fulltext.md").read_text()
    assert text.startswith(f"---\nreference: {SALINITY}\n\nsource: attached\n\nformat: pdf\n")
    assert "\nfilename: named.pdf\n" in text
    # The paper's licence says that its text may be handed on; the PDF stays out of git.
    assert [p for p in online.changed() if "fulltext" not in p] == [f"A library/2020/{SALINITY}.md"]
    assert online.status() == []


def test_a_pdf_without_an_identifier_is_known_by_its_title(online: Inside) -> None:
    path = paper(online.home, BY_NUMBER[4], "scan-17.pdf")
    done = online("add", str(path), "--tag", "harbours", "--json").data
    assert [(i["outcome"], i["key"]) for i in done["items"]] == [("added", "penhallow2008short")]
    assert online("show", "penhallow2008short", "--json").data["tags"] == ["harbours"]
    assert online("show", "penhallow2008short", "--text").out.startswith("\n# A Short History")


def test_an_identifier_of_another_work_is_no_proof(online: Inside, double: Double) -> None:
    path = naming(online.home, BY_NUMBER[4], BY_NUMBER[6].doi)  # its title is the tide tables'
    done = online("add", str(path), "--json").data
    assert [i["key"] for i in done["items"]] == ["penhallow2008short"]
    assert not (online.root / f"library/2020/{SALINITY}.md").exists()


def test_a_pdf_that_no_source_knows_is_filed_by_its_bytes(online: Inside) -> None:
    lines = ["A Study of Nothing At All", "Nobody", "https://doi.org/10.5555/jih.2020.0007",
             "", "Text. " * 9]  # fmt: skip
    path = online.home / "unknown.pdf"
    path.write_bytes(pdf([lines], "A Study of Nothing At All"))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert online("add", str(path), "--json").data["added"] == 1
    held = online("show", "anonndstudy", "--json").data
    assert (held["title"], held["sources"]) == ("A Study of Nothing At All", [f"file:{digest}"])
    assert held["doi"] is None  # the one on its page is another work's
    folder = online.root / "library/nd"
    assert (folder / "anonndstudy.pdf").read_bytes() == path.read_bytes()
    assert (folder / "anonndstudy.fulltext.md").is_file()


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\nnot really", b"plain text"])
def test_a_pdf_that_is_none_is_a_sentence(online: Inside, data: bytes) -> None:
    path = online.home / "bad.pdf"
    path.write_bytes(data)
    done = online("add", str(path), status=2)
    assert done.err.startswith("pressmark: bad.pdf does not say which paper it is: ")


def test_a_folder_is_everything_in_it_and_below(online: Inside) -> None:
    folder = online.home / "papers"
    paper(folder, BY_NUMBER[7], "deep/eels.pdf")
    paper(folder, BY_NUMBER[4], "tides.PDF")
    paper(folder, BY_NUMBER[11], ".hidden/dredging.pdf")
    (folder / "readme.txt").write_text("No paper.\n")
    (folder / "books.json").write_text(
        json.dumps([{"id": "reed2001book", "type": "book", "title": "A Book of Reeds",
                     "author": [{"family": "Reed"}], "issued": {"date-parts": [[2001]]}}])
    )  # fmt: skip
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\n")
    done = online("add", str(folder), "--json", status=2)
    assert [i["key"] for i in done.data["items"]] == [
        "reed2001book", "elsayed2024graph", "penhallow2008short",
    ]  # fmt: skip
    assert [f["word"] for f in done.data["failures"]] == [str(folder / "broken.pdf")]
    assert len([p for p in online.changed() if p.startswith("A ") and "fulltext" not in p]) == 3
    again = online("add", str(folder), "--json", status=2).data
    assert (again["added"], again["unchanged"], again["commit"]) == (0, 3, None)


def test_a_text_that_is_held_is_not_replaced_by_a_pdfs(online: Inside) -> None:
    path = paper(online.home, BY_NUMBER[2], "message.pdf")
    before = online.files()["library/2019/bryl2019message.fulltext.md"]
    done = online("add", str(path))
    assert "bryl2019message has a text already; it stays" in done.err
    assert online.files()["library/2019/bryl2019message.fulltext.md"] == before
    assert (online.root / "library/2019/bryl2019message.pdf").read_bytes() == path.read_bytes()


def test_what_is_held_is_added_again_in_the_same_commit_with_its_tags(online: Inside) -> None:
    done = online(
        "add", "wen2023positional", "10.5555/jih.2019.0042", "10.5555/jih.2020.0007",
        "--tag", "read", "--collection", "thesis",
    )  # fmt: skip
    assert done.lines == [
        "kept      wen2023positional  Positional Encodings for Graph Transformers on Rivers",
        "enriched  bryl2019message  Message Passing on Estuaries",
        f"added     {SALINITY}  Salinity Forecasts with Quantile Forests",
        "1 new, 2 enriched.",
    ]
    assert online.changed() == [
        f"A library/2020/{SALINITY}.md",
        "M library/2019/bryl2019message.md",
        "M library/2023/wen2023positional.md",
        "M topics/collections/thesis.md",
    ]
    assert online("show", "bryl2019message", "--json").data["tags"] == ["read"]


def test_one_word_that_fails_costs_only_itself(online: Inside, double: Double) -> None:
    done = online("add", "10.5555/none", "10.5555/jih.2020.0007", "12345", "--json", status=2)
    assert [f["code"] for f in done.data["failures"]] == ["not_found", "invalid_request"]
    assert [i["key"] for i in done.data["items"]] == [SALINITY]
    assert done.answer["code"] == "invalid_request"


def test_a_title_that_could_be_several_lists_them(online: Inside) -> None:
    done = online("add", "Graph Transformers", "--json", status=2)
    assert done.answer["code"] == "ambiguous"
    assert "arxiv.9801.00011" in done.answer["error"]
    assert done.answer["next"] == "pressmark add one of these identifiers"


def test_offline_what_is_held_and_files_can_be_added(offline: Inside) -> None:
    done = offline("add", "arXiv:9803.00007", "10.5555/jih.2020.0007", "--json", status=2)
    assert done.answer["code"] == "offline"
    assert done.data["kept"] == ["wen2023positional"]
    naming(offline.home, BY_NUMBER[2], BY_NUMBER[2].doi, "held.pdf")
    assert offline("add", "../held.pdf").lines[0].startswith("held      bryl2019message")


def test_a_source_that_is_down_is_no_other_paper(online: Inside, double: Double) -> None:
    work = BY_NUMBER[6]
    double.fail("*", UNAVAILABLE)
    done = online("add", str(naming(online.home, work, work.doi)), "--json", status=2)
    assert done.answer["code"] == "provider_unavailable"


def test_import_takes_a_folder_and_reports_what_it_cannot(offline: Inside) -> None:
    folder = offline.home / "refs"
    folder.mkdir()
    (folder / "a.json").write_text('[{"id": "a2001b", "type": "book", "title": "One"}, {"x": 1}]')
    (folder / "b.json").write_text("{not json")
    done = offline("import", str(folder), "--json", status=2)
    assert done.data["added"] == 1
    assert any("b.json" in problem for problem in done.data["problems"])
    assert offline.subjects()[0].startswith("import: ")
    again = offline("import", str(folder / "a.json"), "--json").data
    assert (again["added"], again["commit"]) == (0, None)


def test_the_report_of_an_import_on_stdout(offline: Inside, tmp_path: Path) -> None:
    file = tmp_path / "two.bib"
    file.write_text("@book{tide2020, title={Tides}, author={Doe, J}, year=2020}\n")
    done = offline("import", str(file), "--report", "-")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["key"], row["outcome"]) for row in rows] == [("tide2020", "added")]
    assert "1 entry: 1 new." in done.err
    assert not (offline.root / "-").exists()
