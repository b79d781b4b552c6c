"""`add --cited`: a thesis cites keys that nobody holds; one commit brings exactly those in."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from double import Double
from exchange.zoterodb import filled
from shell import Inside
from story import BY_NUMBER

BIB = """\
@string{jih = "Journal of Invented Hydrology"}
@article{osei2011weir, title={Weirs}, author={Osei, Ama}, journal=jih, year=2011,
  doi={10.5555/weir}}
@book{Lee:2018, title={Salt}, author={Lee, Bo}, publisher={Pan}, year=2018}
@article{bryl2019, title={Message Passing on Estuaries}, author={Bryl, Tomasz},
  journal=jih, year=2019, doi={10.5555/jih.2019.0042}}
@book{uncited1999, title={Nobody Cites This}, author={Pan, Peter}, year=1999}
@incollection{ray2004sluice, title={Sluices}, author={Ray, Bo}, crossref={volume2004}}
@book{volume2004, title={All of Water}, editor={Pan, Peter}, publisher={Pan}, year=2004}
"""
PANDOC = """\
---
title: A Thesis
header-includes: |
  \\usepackage{x}
bibliography: refs.bib
---

Weirs [@osei2011weir, p. 3; see @Lee:2018] and [@bryl2019], thrice [@ray2004sluice].
Held is [@aldermoor2021graph]; thanks to @ada, @fig:map, and `[@code2001]`.
"""


def write(shell: Inside, files: dict[str, str]) -> None:
    for path, text in files.items():
        (shell.root / path).parent.mkdir(parents=True, exist_ok=True)
        (shell.root / path).write_text(text)


def rows(data: dict[str, Any]) -> list[tuple[object, ...]]:
    return [(r["cited"], r["source"], r["outcome"], r["key"]) for r in data["cited"]]


def unknown(data: dict[str, Any]) -> list[tuple[object, ...]]:
    return [(u["cited"], u["path"], u["line"], u["sure"], u["reason"]) for u in data["unknown"]]


def test_a_thesis_in_pandoc(offline: Inside) -> None:
    write(offline, {"thesis/thesis.md": PANDOC, "thesis/refs.bib": BIB})
    prose = (offline.root / "thesis/thesis.md").read_bytes()
    offline.git("add", ".")
    offline.git("commit", "-qm", "thesis")
    before = offline.head()
    done = offline("add", "--cited", "thesis", "--tag", "thesis")
    assert done.lines == [
        "added     osei2011weir  Weirs  (thesis/refs.bib)",
        "added     Lee:2018 as lee2018salt  Salt  (thesis/refs.bib)",
        "enriched  bryl2019 as bryl2019message  Message Passing on Estuaries  (thesis/refs.bib)",
        "added     ray2004sluice  Sluices  (thesis/refs.bib)",
        "unknown   ada  thesis/thesis.md:9",
        "3 new, 1 enriched.",
    ]
    assert done.err == ""
    assert offline.git("rev-parse", "HEAD^") == before
    assert offline.subjects()[0] == "add: 4 cited references (thesis/refs.bib)"
    assert offline.changed() == [
        "A library/2004/ray2004sluice.md", "A library/2011/osei2011weir.md",
        "A library/2018/lee2018salt.md", "M library/2019/bryl2019message.md",
    ]  # fmt: skip
    assert (offline.root / "thesis/thesis.md").read_bytes() == prose
    weir = offline("show", "osei2011weir", "--json").data
    assert (weir["venue"], weir["tags"], weir["sources"], weir["stage"]) == (
        "Journal of Invented Hydrology", ["thesis"], ["bibtex:osei2011weir"], None,
    )  # fmt: skip
    assert offline("show", "Lee:2018", "--json").data["cite-as"] == "Lee:2018"
    assert offline("show", "bryl2019", "--json").data["aliases"] == ["bryl2019"]
    assert offline("show", "ray2004sluice", "--json").data["venue"] == "All of Water"
    assert offline("check", "thesis/thesis.md").status == 0
    again = offline("add", "--cited", "thesis", "--json").data
    assert (rows(again), [u["cited"] for u in again["unknown"]]) == ([], ["ada"])
    offline.tidy()


def test_a_thesis_in_latex(offline: Inside) -> None:
    write(offline, {
        "thesis/main.tex": "\\documentclass{book}\n% \\bibliography{old}\n\\include{ch/one}\n"
        "\\bibliography{refs,lost}\n",
        "thesis/ch/one.tex": "% !TeX root = ../main.tex\nAs \\citep[p.~3]{osei2011weir,Lee:2018} and\n"
        "\\textcite{nobody2020} say. \\nocite{*}% \\cite{hidden1999}\n",
        "thesis/refs.bib": BIB,
    })  # fmt: skip
    done = offline("add", "--cited", "thesis/ch/one.tex", "--json", status=1)
    assert rows(done.data) == [
        ("osei2011weir", "thesis/refs.bib", "added", "osei2011weir"),
        ("Lee:2018", "thesis/refs.bib", "added", "lee2018salt"),
    ]
    assert unknown(done.data) == [("nobody2020", "thesis/ch/one.tex", 3, True, None)]
    assert done.data["asked"] == ["thesis/refs.bib"]
    assert done.data["problems"] == ["thesis/main.tex:4: there is no bibliography file lost.bib."]
    assert done.answer["error"] == "1 cited key is not in any source that was asked."
    assert done.answer["next"] == "pressmark add --cited --from FILE, or pressmark search"
    assert offline("check", "thesis/ch/one.tex", status=3).out.count("UNCITED") == 1


def test_without_words_the_librarys_own_prose_is_looked_through(offline: Inside) -> None:
    write(offline, {
        "pressmark.toml": 'format = 1\n\n[prose]\npaths = ["thesis/*.typ", "thesis/*.md"]\n',
        "thesis/main.typ": '#bibliography("refs.bib")\nWeirs @osei2011weir.\n',
        "thesis/_quarto.yml": "project:\n  type: book\nbibliography: more.json\n",
        "thesis/one.md": "Reeds [@reed2001].\n",
        "thesis/refs.bib": BIB,
        "thesis/more.json": '[{"id": "reed2001", "type": "book", "title": "Reeds"}]',
        "notes/more.md": "Sluices [@ray2004sluice].\n",
    })  # fmt: skip
    assert rows(offline("add", "--cited", "--json").data) == [
        ("ray2004sluice", "thesis/refs.bib", "added", "ray2004sluice"),
        ("osei2011weir", "thesis/refs.bib", "added", "osei2011weir"),
        ("reed2001", "thesis/more.json", "added", "reed2001"),
    ]
    assert offline("add", "--cited").lines == ["Every key that is cited is held."]


def test_what_is_given_goes_before_what_is_named_and_a_zotero_comes_last(offline: Inside) -> None:
    filled(offline.home / "Zotero")
    database = offline.home / "Zotero" / "zotero.sqlite"
    digest = hashlib.sha256(database.read_bytes()).hexdigest()
    write(offline, {
        "t.md": "---\nbibliography: b.bib\n---\n[@one2001; @two2002; @leeSalt2018; @BBBB2222]\n",
        "a.bib": "@book{one2001, title={The One}, year=2001}\n",
        "b.bib": "@book{one2001, title={Another One}, year=2001}\n@book{two2002, title={Two}}\n"
        "@article{leeSalt2018, title={Salt in soup}, year=2018}\n",
    })  # fmt: skip
    done = offline("add", "--cited", "t.md", "--from", "a.bib", "--zotero", "--json").data
    found = [(r["cited"], r["source"], r["also"], r["title"]) for r in done["cited"]]
    assert found == [
        ("one2001", "a.bib", ["b.bib"], "The One"), ("two2002", "b.bib", [], "Two"),
        ("leeSalt2018", "b.bib", ["zotero"], "Salt in soup"), ("BBBB2222", "zotero", [], "Pepper"),
    ]  # fmt: skip
    assert done["problems"] == ["one2001: taken from a.bib; it is another work in b.bib."]
    assert done["asked"] == ["a.bib", "b.bib", "zotero"]
    pepper = offline("show", "BBBB2222", "--json").data
    assert (pepper["notice"], pepper["sources"]) == ("retracted", ["zotero:BBBB2222"])
    assert hashlib.sha256(database.read_bytes()).hexdigest() == digest
    assert sorted(p.name for p in database.parent.iterdir()) == ["storage", "zotero.sqlite"]


def test_a_zoteros_folder_can_be_named_and_a_missing_one_is_said(offline: Inside) -> None:
    write(offline, {"t.md": "[@leeSalt2018]\n"})
    assert offline("add", "--cited", "t.md", "--zotero", status=1).err.startswith(
        "There is no Zotero database zotero.sqlite in "
    )
    filled(offline.home / "elsewhere")
    done = offline("add", "--cited", "t.md", "--from", str(offline.home / "elsewhere"), "--json")
    assert rows(done.data) == [("leeSalt2018", "zotero", "added", "leeSalt2018")]


def test_letter_case(offline: Inside) -> None:
    write(offline, {
        "t.md": "[@ONE2001; @one2001], [@Two2002; @two2002], [@THREE2003], @Aldermoor2021Graph\n",
        "r.bib": "@book{One2001, title={One}}\n@book{Two2002, title={Two}}\n"
        "@book{two2002, title={Twice Two}}\n@book{Three2003, title={Three}}\n"
        "@book{three2003, title={Third}}\n",
    })  # fmt: skip
    done = offline("add", "--cited", "t.md", "--from", "r.bib", "--json", status=1)
    assert rows(done.data) == [
        ("ONE2001", "r.bib", "added", "ONE2001"), ("one2001", "r.bib", "added", "ONE2001"),
        ("Two2002", "r.bib", "added", "Two2002"), ("two2002", "r.bib", "added", "anonndtwice"),
    ]  # fmt: skip
    assert unknown(done.data) == [("THREE2003", "t.md", 1, True,
        "a source has Three2003 or three2003, and which is meant cannot be told")]  # fmt: skip
    assert done.answer["warnings"] == [
        "r.bib: line 3: two2002: the key stands at line 2 already.",
        "r.bib: line 5: three2003: the key stands at line 4 already.",
        "two2002 means another reference here; cite “Twice Two” as anonndtwice.",
    ]


def test_hostile_bibliographies(offline: Inside) -> None:
    write(offline, {
        "t.md": "---\nbibliography: [bad.bib, binary.bib, folder, https://x.invalid/r.bib]\n---\n"
        "[@good2001; @open2002; @evil2003; @loop2004]\n",
        "bad.bib": "@book{good2001, title={Good \x1b[31m \u202eRed}, year=2001}\n"
        "@book{other, title={{{{, year=1}\n"
        "@book{evil2003, title={<script>alert(1)</script> and \\input{/etc/passwd}}}\n"
        "@book{loop2004, title={Loop}, crossref={loop2004}}\n@book{open2002, title={Never {closed\n",
        "folder/x": "",
    })  # fmt: skip
    (offline.root / "binary.bib").write_bytes(b"SQLite format 3\0" + bytes(99))
    done = offline("add", "--cited", "t.md", "--json", status=1)
    assert [r["cited"] for r in done.data["cited"]] == ["good2001", "evil2003", "loop2004"]
    assert done.data["cited"][0]["title"] == "Good Red"
    assert unknown(done.data) == [("open2002", "t.md", 4, True, None)]
    told = "\n".join(done.data["problems"])
    for part in (
        "t.md:2: there is no bibliography file folder.",
        "t.md:2: the bibliography https://x.invalid/r.bib is on the web and was not read",
        "binary.bib: binary.bib is a database, whatever its name says.",
        "bad.bib: line 4: loop2004: its crossref leads back to itself",
        "bad.bib: line 5: ",
    ):
        assert part in told, told
    assert "other" not in told
    offline.tidy()


@pytest.mark.parametrize("sign", ["doi:{}", "https://doi.org/{}"])
def test_identifiers_are_asked_for_only_where_the_user_said_so(
    online: Inside, double: Double, sign: str
) -> None:
    work = BY_NUMBER[6]
    key = sign.format(work.doi)
    write(online, {"t.md": f"As [@{key}] says, [@doi:10.5555/none.1] too, [@nobody1999].\n"})
    done = online("add", "--cited", "t.md", "--json", status=1)
    assert unknown(done.data) == [
        (key, "t.md", 1, True, "network.resolve is off"),
        ("doi:10.5555/none.1", "t.md", 1, True, "network.resolve is off"),
        ("nobody1999", "t.md", 1, True, None),
    ]
    assert (double.requests, done.data["asked"]) == ([], [])
    config = online.home / "config.toml"
    config.write_text(config.read_text() + "\n[network]\nresolve = true\n")
    shut = online("--offline", "add", "--cited", "t.md", "--json", status=1)
    assert [u["reason"] for u in shut.data["unknown"]] == ["offline", "offline", None]
    assert double.requests == []
    done = online("add", "--cited", "t.md", "--json", status=1)
    assert rows(done.data) == [(key, "web", "added", "devos2020salinity")]
    assert done.data["asked"] == ["web"]
    assert [u["cited"] for u in done.data["unknown"]] == ["doi:10.5555/none.1", "nobody1999"]
    assert "none.1" in done.data["unknown"][0]["reason"]
    held = online("show", "devos2020salinity", "--json").data
    assert (held["cite-as"], held["doi"]) == (key, work.doi)
    assert any(line.startswith(f"crossref:{work.doi} 20") for line in held["sources"])
    assert not any("nobody1999" in each.target for each in double.requests)
    assert f"@article{{{key}," in online("export", "--cited-in", "t.md").out


def test_an_identifier_is_found_in_a_bibliography_and_nobody_is_asked(offline: Inside) -> None:
    write(offline, {"t.md": "[@doi:10.5555/weir]\n", "r.bib": BIB})
    assert rows(offline("add", "--cited", "t.md", "--from", "r.bib", "--json").data) == [
        ("doi:10.5555/weir", "r.bib", "added", "osei2011weirs")
    ]
    held = offline("show", "osei2011weir", "--json").data
    assert (held["cite-as"], held["aliases"]) == ("doi:10.5555/weir", ["osei2011weir"])


def test_dry_run_and_branch(offline: Inside) -> None:
    write(offline, {"t.md": "[@osei2011weir]\n", "r.bib": BIB})
    before, head = offline.files(), offline.head()
    words = ("add", "--cited", "t.md", "--from", "r.bib")
    dry = offline(*words, "--dry-run", "--json").data
    assert [(c["path"], c["kind"]) for c in dry["changes"]] == [
        ("library/2011/osei2011weir.md", "new")
    ]
    assert (offline.files(), offline.head()) == (before, head)
    shown = offline(*words, "--dry-run")
    assert shown.lines[0] == "--- new library/2011/osei2011weir.md"
    assert shown.err == "Nothing was written: --dry-run.\n"
    offline(*words, "--branch", "cited")
    assert (offline.files(), offline.head()) == (before, head)
    assert offline.changed("cited") == ["A library/2011/osei2011weir.md"]
    assert offline.git("show", "cited:library/2011/osei2011weir.md") == (
        dry["changes"][0]["content"].rstrip("\n")
    )


def test_prose_outside_the_library(offline: Inside) -> None:
    thesis = offline.home / "thesis"
    thesis.mkdir()
    (thesis / "t.md").write_text(PANDOC)
    (thesis / "refs.bib").write_text(BIB)
    done = offline("add", "--cited", str(thesis / "t.md"), "--json").data
    assert [r["source"] for r in done["cited"]] == ["refs.bib"] * 4
    assert offline("add", "--cited", str(thesis)).lines[0].startswith("unknown   ada  t.md:9")
    assert [(r["path"], r["line"]) for r in done["cited"]] == [("t.md", 8)] * 4


WRONG = [
    (("add",), 2, "There is nothing to add."),
    (("add", "--zotero"), 2, "A bibliography is looked through for what is cited."),
    (("add", "x", "--from", "r.bib"), 2, "A bibliography is looked through for what is cited."),
    (("add", "--cited", "none.md"), 1, "There is no file or folder none.md."),
    (("add", "--cited", "t.md"), 1, "1 cited key not held, and no bibliography to look in."),
    (("add", "--cited", "site/empty"), 1, "site/empty has no prose."),
    (("add", "--cited", ""), 1, "There is no file or folder ."),
    (("add", "--cited", "--from", "none.bib"), 1, "There is no file none.bib."),
    (("add", "--cited", "--from", "notes"), 2, "notes is a folder, and no Zotero's."),
]


@pytest.mark.parametrize(("words", "status", "said"), WRONG)
def test_what_cannot_be_done(
    offline: Inside, words: tuple[str, ...], status: int, said: str
) -> None:
    write(offline, {"t.md": "[@zeta1901]\n", "site/empty/a.css": ""})
    done = offline(*words, status=status)
    assert done.err.startswith(f"pressmark: {said}"), done.err
    assert done.out == ("unknown   zeta1901  t.md:1\n" if "t.md" in words else "")


def test_check_names_the_next_step(offline: Inside) -> None:
    write(offline, {
        "t.md": "---\nbibliography: refs.bib\n---\n[@zeta1901]\n[@bryl2019massage]\n"
        "[@{doi:10.5555/a(b)}]\n@ada\n",
        "u.tex": "\\cite{zeta1901}\n",
    })  # fmt: skip
    found = offline("check", "t.md", "u.tex", "--json", status=3).data
    assert [(f["path"], f["line"], f["next"]) for f in found["findings"]] == [
        ("t.md", 4, "pressmark add --cited t.md (looks in refs.bib)"),
        ("t.md", 5, "write @bryl2019message, or pressmark add --cited t.md (looks in refs.bib)"),
        ("t.md", 6, "pressmark add 'doi:10.5555/a(b)'"),
        (
            "t.md",
            7,
            "pressmark add --cited t.md (looks in refs.bib), or write \\@ if it cites nothing",
        ),
        ("u.tex", 1, "pressmark add --cited u.tex"),
    ]


def test_a_pipe_that_prose_names_is_not_waited_for(offline: Inside) -> None:
    import os

    write(offline, {"t.md": "---\nbibliography: pipe.bib\n---\n[@zeta1901]\n"})
    os.mkfifo(offline.root / "pipe.bib")
    done = offline("add", "--cited", "t.md", status=1)
    assert done.err.startswith("t.md:2: there is no bibliography file pipe.bib.\n")
    Path(offline.root / "pipe.bib").unlink()


def test_a_library_that_is_reached_through_a_link(offline: Inside) -> None:
    link = offline.home / "link"
    link.symlink_to(offline.root)
    write(offline, {"thesis/ch/t.md": "[@osei2011weir]\n", "thesis/refs.bib": BIB,
                    "thesis/_quarto.yml": "bibliography: refs.bib\n"})  # fmt: skip
    done = offline("-C", str(link), "add", "--cited", "thesis/ch/t.md", "--json").data
    found = [(r["path"], r["source"]) for r in done["cited"]]
    assert found == [("thesis/ch/t.md", "thesis/refs.bib")]


@pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
def test_pandoc_sets_every_citation_from_the_export(offline: Inside) -> None:
    write(offline, {
        "t.md": "[@osei2011weir], [@Lee:2018], [@doi:10.5555/jih.2019.0099].\n",
        "r.bib": BIB + "@misc{odd, title={By DOI}, author={Odd, An}, year=2019,"
        " doi={10.5555/jih.2019.0099}}\n",
    })  # fmt: skip
    offline("add", "--cited", "t.md", "--from", "r.bib")
    offline("export", "--cited-in", "t.md", "-o", "out.bib")
    done = subprocess.run(
        ["pandoc", "--citeproc", "--bibliography=out.bib", "-t", "plain", "t.md"],
        cwd=offline.root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.startswith("(Osei 2011), (Lee 2018), (Odd 2019).\n")
