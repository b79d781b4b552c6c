"""Files in, references filed or rows that say why not: keys, encodings, second imports, searches."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from pressmark.errors import BadInput, TooLarge
from pressmark.exchange.exporting import Asked, export
from pressmark.formats import bibtex
from pressmark.formats.bibtex import blocks
from pressmark.library import Library, Write, create
from pressmark.search.importing import Elsewhere, Imported, import_files, report

BIB = r"""
@string{js = "Journal of Soup"}
@comment{jabref-meta: x}
@article{Lee:2018, author = {Lee, Ann and {World Soup Council}}, title = {On {S}alt}, journal = js,
  year = 2018, month = jul, volume = 3, mood = {salty}, doi = {10.1000/soup.1}}
@inproceedings{kumāra, author = {Müller, J.}, title = {Deep Soup}, crossref = {proc}}
@proceedings{proc, title = {Proceedings of Soup}, year = {2019}, editor = {Pan, P.}}
@book{no title at all
@misc{plain2020, title = {Plain}, year = {2020}}
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    root = tmp_path / "lib"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], check=True)
    create(root)
    return Library.open(root)


def put(folder: Path, text: str | bytes, name: str = "refs.bib") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def imported(library: Library, path: Path, **more: object) -> Imported:
    return import_files(library, [path], **more)  # type: ignore[arg-type]


def test_every_entry_is_filed_or_named_with_its_line(library: Library, tmp_path: Path) -> None:
    done = imported(library, put(tmp_path, BIB))
    assert [(r.line, r.outcome, r.key) for r in done.rows if r.outcome == "added"] == [
        (4, "added", "lee2018salt"), (6, "added", "muller2019deep"), (7, "added", "proc"),
        (9, "added", "plain2020"),
    ]  # fmt: skip
    (lost,) = done.lost
    assert (lost.file, lost.line, lost.outcome) == ("refs.bib", 8, "lost")
    lee = library.get("Lee:2018")
    assert lee.authors == ("Lee, Ann", "{World Soup Council}")
    assert (lee.venue, lee.published, lee.cite_as) == ("Journal of Soup", "2018-07", "Lee:2018")
    assert lee.extra == {"mood": "salty", "keep-case": ["Salt"]}
    assert lee.sources == ("bibtex:Lee:2018",)
    deep = library.get("kumāra")
    assert (deep.venue, deep.published, deep.editors) == (
        "Proceedings of Soup",
        "2019",
        ("Pan, P.",),
    )


def test_every_key_that_came_can_be_cited_from_the_export(library: Library, tmp_path: Path) -> None:
    keys = [
        "Lee:2018",
        "a+b_c",
        "DBLP:conf/x/Y",
        "smith2020",
        "Smith2020",
        "x.y-z",
        "müller99",
        "2020",
    ]
    text = "\n".join(f"@misc{{{k}, title = {{T{n}}}, year = {{2020}}}}" for n, k in enumerate(keys))
    done = imported(library, put(tmp_path, text))
    written = bibtex.write(library.all())
    cited = {line[6:-1] for line in written.splitlines() if line.startswith("@misc{")}
    assert set(keys) - cited == {"Smith2020"}  # BibTeX itself knows one of the two only
    assert any("Smith2020" in warning for warning in done.added.warnings)


def test_a_second_import_changes_nothing(library: Library, tmp_path: Path) -> None:
    path = put(tmp_path, BIB)
    imported(library, path)
    head = library.repository.head()  # type: ignore[union-attr]
    again = imported(library, path)
    assert (again.added.unchanged, again.added.commit) == (4, None)
    assert library.repository.head() == head  # type: ignore[union-attr]


def test_a_second_import_follows_what_nobody_touched_and_reports_the_rest(
    library: Library, tmp_path: Path
) -> None:
    path = put(tmp_path, BIB)
    imported(library, path)
    library.edit(["lee2018salt"], set={"volume": "33"})
    path.write_text(
        BIB.replace("volume = 3", "volume = 4").replace("Journal of Soup", "Soup Letters")
        .replace("{salty}", "{sweet}")
    )  # fmt: skip
    again = imported(library, path)
    lee = library.get("lee2018salt")
    assert (lee.venue, lee.extra["mood"]) == ("Soup Letters", "sweet")
    assert lee.volume == "33"
    assert lee.conflicts == ("volume: 4 (bibtex)",)
    assert again.added.conflicts == ("lee2018salt: volume: 4 (bibtex)",)


def test_other_peoples_keys_become_aliases(library: Library, tmp_path: Path) -> None:
    imported(library, put(tmp_path, BIB))
    again = BIB.replace("Lee:2018", "lee18")
    imported(library, put(tmp_path, again, "other.bib"))
    assert library.get("lee18").key == "lee2018salt"
    assert library.get("lee18").aliases == ("lee18",)


def test_two_dois_are_never_one_work(library: Library, tmp_path: Path) -> None:
    one = (
        "@article{a, author={Lee, A}, title={Soup and Salt: Part I}, year={2018}, doi={10.1000/1}}"
    )
    two = one.replace("{a,", "{b,").replace("10.1000/1", "10.1000/2")
    done = imported(library, put(tmp_path, f"{one}\n{two}\n"))
    assert done.added.added == 2


def test_a_search_made_elsewhere_is_logged(library: Library, tmp_path: Path) -> None:
    ris = "TY  - JOUR\nTI  - Salt\nAU  - Lee, A\nPY  - 2018\nDO  - 10.1000/soup.1\nER  - \n"
    where = Elsewhere("Embase (Ovid)", "2026-11-02", "1. exp salt/\n2. soup*.ti,ab.\n3. 1 and 2\n")
    done = imported(library, put(tmp_path, ris, "embase.ris"), elsewhere=where)
    (search,) = library.searches()
    assert (search.date, search.query) == ("2026-11-02", "1. exp salt/ 2. soup*.ti,ab. 3. 1 and 2")
    assert dict(search.providers[0]) == {
        "platform": "Embase (Ovid)", "sent": "1. exp salt/\n2. soup*.ti,ab.\n3. 1 and 2",
        "status": "ok", "retrieved": "1",
    }  # fmt: skip
    assert "- ris:doi:10.1000/soup.1 → lee2018salt" in search.body
    assert len(done.added.changes) == 2
    assert imported(library, tmp_path / "embase.ris", elsewhere=where).added.commit is None


def test_the_report_is_csv_or_json(library: Library, tmp_path: Path) -> None:
    rows = imported(library, put(tmp_path, BIB)).rows
    lines = report(rows, "x.csv").decode().splitlines()
    assert lines[0] == "file,line,entry,outcome,key,title,reason"
    assert lines[1] == "refs.bib,4,Lee:2018,added,lee2018salt,On Salt,"
    assert json.loads(report(rows, "x.JSON"))[0]["key"] == "lee2018salt"


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"%PDF-1.7\n...", "refs.bib", "is a PDF"),
        (b"PK\x03\x04zip", "refs.ris", "is a ZIP archive"),
        (b"SQLite format 3\0", "zotero.bib", "is a database"),
        (b"<html><body>no</body></html>", "refs.xml", "XML of a kind that is not read"),
        (b"nothing of the kind", "refs.dat", "of no kind that can be read"),
        (b'{"a": 1', "refs.json", "cannot be read as CSL-JSON"),
        (b"<PubmedArticleSet>", "p.xml", "cannot be read as PubMed XML"),
        (
            b'<!DOCTYPE a [<!ENTITY x "y">]><xml><records>&x;</records></xml>',
            "e.xml",
            "EndNote XML",
        ),
        (b"cff-version: [", "CITATION.cff", "cannot be read as a CITATION.cff"),
        (b"references:\n- &a {id: *a}\n", "r.yaml", "has aliases"),
    ],
)
def test_what_is_no_bibliography(
    library: Library, tmp_path: Path, data: bytes, name: str, said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        imported(library, put(tmp_path, data, name))


@pytest.mark.parametrize("data", [b"", b"\n\n% only a comment\n", b"@comment{x}"])
def test_a_file_without_entries_says_so(library: Library, tmp_path: Path, data: bytes) -> None:
    done = imported(library, put(tmp_path, data))
    assert done.problems == ["refs.bib: the file holds no entry"]


def test_an_unclosed_brace_far_down_costs_its_own_entry(library: Library, tmp_path: Path) -> None:
    good = [f"@misc{{k{n}, title = {{T{n}}}, year = {{2020}},\n note = {{x}}}}" for n in range(400)]
    text = "\n".join([*good[:300], "@misc{broken, title = {never closed,", *good[300:]])
    done = imported(library, put(tmp_path, text), write=Write(commit=False))
    assert done.added.added == 400
    (lost,) = done.lost
    assert (lost.line, lost.outcome) == (601, "lost")


def test_an_unclosed_brace_at_line_forty_thousand(library: Library, tmp_path: Path) -> None:
    """Twenty lines an entry, the abstract the most of them."""
    lines = "\n".join(f"  line {n} of it" for n in range(14))
    good = [
        f"@misc{{k{n},\n title = {{Tide number {n}}},\n year = {{2020}},\n url = {{}},\n"
        f" abstract = {{\n{lines}}}\n}}\n"
        for n in range(2100)
    ]
    text = "".join([*good[:2000], "@misc{broken,\n title = {never closed,\n", *good[2000:]])
    assert text.split("\n")[40_000] == "@misc{broken,"
    done = imported(library, put(tmp_path, text), write=Write(commit=False))
    assert (done.added.added, done.entries) == (2100, 2100)
    assert [(row.key, row.line) for row in (done.rows[0], done.rows[1999], done.rows[2000])] == [
        ("k0", 1), ("k1999", 39_981), ("k2000", 40_003),
    ]  # fmt: skip
    (lost,) = done.lost
    assert (lost.line, lost.outcome) == (40_001, "lost")
    assert done.problems[0].startswith("refs.bib: line 40001: ")
    assert "broken" in done.problems[0]


def test_ids_of_biblatex_are_further_keys(library: Library, tmp_path: Path) -> None:
    text = (
        "@article{salt2018, ids = {Lee18, lee:old ,salt2018,Pan19,Salt2018}, title = {Salt},"
        " year = 2018}\n"
        "@article{Pan19, ids = {LEE18}, title = {Pans}, year = 2019}\n"
    )
    path = put(tmp_path, text)
    done = imported(library, path)
    salt = library.get("lee18")
    assert (salt.key, salt.aliases, salt.cite_as) == ("salt2018", ("Lee18",), None)
    assert library.get("Pan19").title == "Pans"  # an entry's own key goes before
    assert done.added.warnings == (
        "lee:old cannot be a key here; cite “Salt” as salt2018.",
        "LEE18 means another reference here, salt2018; cite “Pans” as Pan19.",
    )
    assert salt.extra["ids"] == "Lee18, lee:old ,salt2018,Pan19,Salt2018"
    (library.root / "thesis.tex").write_text("See \\cite{Lee18}.")
    exported = export(library, Asked(cited_in=("thesis.tex",)))
    assert (exported.warnings, [each.key for each in exported.references]) == ([], ["salt2018"])
    before = (library.root / "library/2018/salt2018.md").read_bytes()
    again = imported(library, path)
    assert [item.outcome for item in again.added.items] == ["unchanged", "unchanged"]
    assert (library.root / "library/2018/salt2018.md").read_bytes() == before


def test_a_second_import_brings_further_keys(library: Library, tmp_path: Path) -> None:
    entry = "@article{salt2018, title = {Salt}, year = 2018, doi = {10.5555/s.1}%s}"
    imported(library, put(tmp_path, entry % ""))
    done = imported(library, put(tmp_path, entry % ", ids = {Lee18}"))
    assert [item.outcome for item in done.added.items] == ["enriched"]
    assert library.get("Lee18").aliases == ("Lee18",)


def test_keys_are_made_by_the_librarys_formula(library: Library, tmp_path: Path) -> None:
    settings = library.root / "pressmark.toml"
    settings.write_text('format = 1\n[import]\nkey = "{families:9}_{yy}-{words:12}"\n')
    made = Library.open(library.root)
    text = (
        "@article{Kept:1, author = {Müller, J. and Lee, Ann}, title = {On the Salt of Soup},"
        " year = {2018}}\n"
        "@article{Kept:2, author = {Müller, J. and Lee, Ann}, title = {On the Salt of Soup II},"
        " year = {2018}}\n"
        "@article{Own_2, author = {Pan, P.}, title = {Pepper}, year = {2019}}\n"
    )
    done = imported(made, put(tmp_path, text))
    assert [item.key for item in done.added.items] == [
        "mullerlee_18-saltsoup", "mullerlee_18-saltsoupii", "Own_2",
    ]  # fmt: skip
    assert made.get("Kept:1").cite_as == "Kept:1"


def test_a_file_of_too_many_entries_is_refused_whole(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST", 3)
    four = "".join(f"@misc{{k{n}, title = {{T{n}}}}}\n" for n in range(4))
    with pytest.raises(TooLarge) as caught:
        imported(library, put(tmp_path, four))
    assert str(caught.value) == "The file holds more than 3 entries."
    assert caught.value.next == "split it, and import the parts one after another"
    assert list(library.all()) == []
    assert imported(library, put(tmp_path, four.partition("@misc{k3")[0])).added.added == 3


def test_a_lone_missing_brace_at_the_end_is_mended(library: Library, tmp_path: Path) -> None:
    done = imported(library, put(tmp_path, "@misc{k, title = {T}, year = {2020}\n"))
    assert library.get("k").title == "T"
    assert done.problems[0].startswith("refs.bib: line 1: k: its closing brace is missing")
