"""A scored run over the corpus of real bibliography files: every fact of its manifest, and counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pressmark import formats
from pressmark.errors import BadInput
from pressmark.formats.reading import Read
from pressmark.record import Paper

Fact = Callable[[Read], bool]


def first(read: Read) -> Paper:
    return read.papers[0]


def keyed(read: Read, key: str) -> Paper:
    return next(paper for paper in read.papers if paper.key_hint == key)


def entries(read: Read) -> int:
    """Entries that are in the file: taken, or named as lost or as no work."""
    named = {(p.line, p.entry) for p in read.problems if p.lost or "is no work" in p.message}
    return len(read.papers) + len(named)


FACTS: dict[str, tuple[int, dict[str, Fact]]] = {
    "jabref_complex.bib": (20, {
        "first key": lambda r: first(r).key_hint == "deBraga2001",
        "first author": lambda r: first(r).authors[0] == "deBraga, Michael",
        "genre": lambda r: first(r).extra["genre"] == "PhD thesis",
    }),
    "jabref_crossref.bib": (4, {
        "first key": lambda r: first(r).key_hint == "DBLP:conf/wicsa/ZimmermannWKG15",
        "four authors": lambda r: len(first(r).authors) == 4,
        "first author": lambda r: first(r).authors[0] == "Zimmermann, Olaf",
    }),
    "jabref_utf8-bom.bib": (2, {
        "keys": lambda r: [p.key_hint for p in r.papers] == ["Aal2005", "Hsu1993"],
    }),
    "jabref_user-comments.bib": (2, {
        "keys": lambda r: [p.key_hint for p in r.papers] == ["1102917", "1137631"],
    }),
    "jabref_biblatex-software.bib": (9, {
        "first author": lambda r: first(r).authors[0] == "Delebecque, François",
        "type": lambda r: {p.type for p in r.papers} == {"software"},
    }),
    "jabref_authors-real.bib": (212, {
        "first key": lambda r: first(r).key_hint == "GarridoKallstromKummEtAl2016",
        "unknown fields kept": lambda r: first(r).extra["priority"] == "prio1",
    }),
    "jabref_cp1252-header.bib": (1, {
        "encoding": lambda r: r.encoding == "cp1252",
        "the entry without key and title is named": lambda r: r.problems[-1].lost,
    }),
    "jabref_cp1252-declared-utf8.bib": (1, {
        "encoding": lambda r: r.encoding == "cp1252",
        "the lie is told": lambda r: "says that it is UTF-8" in r.problems[0].message,
    }),
    "jabref_utf16le-bom.bib": (1, {
        "key": lambda r: first(r).key_hint == "Verwilghen+vanGalen+Wilke2011",
        "authors": lambda r: first(r).authors == (
            "Verwilghen, D.", "Busoni, V.", "van Galen, G.", "Wilke, M.",
        ),
        "a string is resolved": lambda r: first(r).published == "2011-12",
    }),
    "jabref_endnote-article.xml": (1, {
        "title": lambda r: first(r).title.startswith("Trends in the lifetime risk of developing"),
        "authors": lambda r: len(first(r).authors) == 3,
        "numbers": lambda r: (first(r).volume, first(r).issue, first(r).pages) == (
            "112", "5", "943-947",
        ),
        "doi": lambda r: first(r).doi == "10.1038/bjc.2014.606",
        "date": lambda r: first(r).published == "2015-03-03",
    }),
    "jabref_endnote-multititle.xml": (3, {
        "label is the key": lambda r: r.papers[2].key_hint == "B4",
        "three authors": lambda r: r.papers[2].authors == ("Ainley, D.G.", "Ribic, C.A.", "Wodd, R.C."),
        "venue": lambda r: first(r).venue == "Ecology",
    }),
    "jabref_pubmed.nbib": (1, {
        "pmid": lambda r: first(r).pmid == "27169098",
        "doi": lambda r: first(r).doi == "10.4103/2277-9175.180636",
        "mononym": lambda r: first(r).authors[2] == "Selvamani",
    }),
    "jabref_medline-multi.txt": (5, {"detected": lambda r: r.form == "nbib"}),
    "jabref_scopus.ris": (1, {
        "authors": lambda r: len(first(r).authors) == 3,
        "year": lambda r: first(r).published == "2004",
        "doi": lambda r: first(r).doi == "10.1016/j.jmps.2004.03.010",
        "venue": lambda r: first(r).venue == "Journal of the Mechanics and Physics of Solids",
    }),
    "jabref_empty-er.ris": (1, {
        "authors": lambda r: first(r).authors == ("Shi, Yu", "Beck, Thomas L."),
        "doi": lambda r: first(r).doi == "10.1063/1.4814070",
        "year": lambda r: (first(r).published or "")[:4] == "2013",
    }),
    "jabref_5a.ris": (1, {
        "authors": lambda r: len(first(r).authors) == 6,
        "doi": lambda r: first(r).doi == "10.1016/j.powtec.2012.01.008",
        "year": lambda r: first(r).published == "2012",
    }),
    "jabref_pubmed-italics.xml": (1, {
        "title whole": lambda r: first(r).title == (
            "Genome-wide significant risk factors on chromosome 19 and the APOE locus"
        ),
        "pmid": lambda r: first(r).pmid == "29872490",
        "abstract whole": lambda r: len(first(r).abstract or "") > 1500,
    }),
    "jabref_wos.isi": (2, {"detected": lambda r: r.form == "wos"}),
    "jabref_refer.enw": (13, {"named by line": lambda r: all(p.line for p in r.problems)}),
    "jabref_CITATION.cff": (2, {
        "software": lambda r: (first(r).type, first(r).title) == ("software", "JabRef"),
    }),
    "biber_names.bib": (38, {
        "von": lambda r: keyed(r, "L6").authors == ("van der valt Frome, Francis",),
        "braced family": lambda r: keyed(r, "L9").authors == ("Iliad Ipswich, Ian",),
        "suffix": lambda r: keyed(r, "L10").authors == ("Jolly, James, III",),
        "suffix before a blank": lambda r: keyed(r, "L10a").authors == ("Pimentel, Joseph J., Jr.",),
        "extended form": lambda r: keyed(r, "L1id").authors == ("Adler, Alfred",),
        "accents": lambda r: keyed(r, "L12").authors == (
            "de la Vallée Poussin, Charles Louis Xavier Joseph",
        ),
        "group": lambda r: keyed(r, "L25").authors == (
            "{American Psychological Association, Task Force on the Sexualization of Girls}",
        ),
    }),
    "biber_crossrefs.bib": (46, {
        "inherited": lambda r: keyed(r, "cr1").venue == "Graphs of the Continent",
        "loops end": lambda r: any("leads back to itself" in p.message for p in r.problems),
    }),
    "biber_dateformats.bib": (34, {
        "a year that is a range": lambda r: (
            keyed(r, "L1").published, keyed(r, "L1").extra["year"]
        ) == ("1995", "1995–1996"),
        "nothing is lost": lambda r: not any(p.lost for p in r.problems),
    }),
    "biber_latin9-key.bib": (1, {"key": lambda r: first(r).key_hint == "testŠ"}),
    "biber_latin1.bib": (1, {
        "key": lambda r: first(r).key_hint == "test1",
        "title": lambda r: first(r).title == "Söme title",
        "author": lambda r: first(r).authors == ("Encalcer, Edward",),
    }),
    "biber_translit.bib": (17, {"key": lambda r: first(r).key_hint == "kumāra"}),
    "biber_aliases.bib": (8, {"thesis": lambda r: keyed(r, "alias1").type == "thesis"}),
    "bibtexparser_gbk.bib": (1, {
        "key": lambda r: first(r).key_hint == "凯撒2013",
        "author": lambda r: first(r).authors == ("凯撒",),
        "journal": lambda r: first(r).venue == "测试期刊",
    }),
    "pybtex_xampl.bib": (36, {
        "author": lambda r: keyed(r, "article-minimal").authors == ("Aamport, L[eslie] A.",),
        "concatenation": lambda r: keyed(r, "inproceedings-full").venue == (
            "Proc. Fifteenth Annual ACM Symposium on the Theory of Computing"
        ),
        "a day beside a month": lambda r: keyed(r, "inbook-full").published == "1973-01-10",
    }),
    "pybtex_cyrillic.bib": (5, {
        "author": lambda r: keyed(r, "viktorov-metodoj").authors == ("Викторов, Михаил Маркович",),
        "von and suffix": lambda r: keyed(r, "test-booklet").authors == ("de Last, First Middle, Jr.",),
    }),
    "rispy_wos.ris": (2, {"detected as WoS": lambda r: r.form == "wos"}),
    "rispy_utf.ris": (1, {
        "authors": lambda r: len(first(r).authors) == 5,
        "year": lambda r: first(r).published == "2009",
        "note": lambda r: first(r).extra["note"] == "Ä,Ö,Ü,ä,ö,ü,ß",
    }),
    "rispy_multiline.ris": (3, {}),
    "papis_zotero-library.bib": (5, {
        "author": lambda r: first(r).authors == ("Schaeffer, Nathanaël",),
        "files": lambda r: sum("file" in p.extra for p in r.papers) >= 3,
    }),
    "colrev_eric.nbib": (1, {
        "doi": lambda r: first(r).doi == "10.1000/123456789",
        "year": lambda r: first(r).published == "2000",
    }),
    "bbt_literal-names.bib": (1, {
        "key": lambda r: first(r).key_hint == "sasson_increasing_2013",
        "20 authors, 5 groups": lambda r: (
            len(first(r).authors) == 20
            and sum(name.startswith("{") for name in first(r).authors) == 5
        ),
    }),
    "bbt_round-parens-concat.bib": (1, {
        "key": lambda r: first(r).key_hint == "McDermott:72",
        "authors": lambda r: first(r).authors == ("McDermott, Drew V.", "Sussman, Gerald J."),
        "month macro": lambda r: first(r).published == "1972-05",
    }),
    "bbt_ring-above.bib": (1, {
        "key": lambda r: first(r).key_hint == "rehurek_lrec",
        "author": lambda r: first(r).authors[0] == "Řehůřek, Radim",
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(FACTS))
def test_every_entry_is_taken_or_named_and_every_fact_holds(corpus: Path, name: str) -> None:
    read = formats.read((corpus / "bib" / name).read_bytes(), name)
    count, facts = FACTS[name]
    assert [fact for fact, holds in facts.items() if not holds(read)] == []
    assert entries(read) == count


def test_the_manifest_has_no_file_without_facts(corpus: Path) -> None:
    rows = (corpus / "bib" / "MANIFEST.tsv").read_text("utf-8").splitlines()[1:]
    named = {row.split("\t")[0] for row in rows}
    elsewhere = {"bibdedupe_test_cases.json", "papis_zotero.sqlite"}
    assert named - set(FACTS) == elsewhere


def test_a_database_is_no_bibliography_file(corpus: Path) -> None:
    with pytest.raises(BadInput, match="is a database"):
        formats.read((corpus / "bib" / "papis_zotero.sqlite").read_bytes(), "zotero.bib")
