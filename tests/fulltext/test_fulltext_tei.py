"""TEI as GROBID writes it: sections by number, citations to entries, tables, notes, hostile XML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pressmark.fulltext import accept, tei
from pressmark.fulltext.citing import citing_sentences

BODY = b"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title level="a" type="main">Salt Marsh Drainage</title></titleStmt>
<publicationStmt><availability><licence target="https://creativecommons.org/licenses/by/4.0/"/>
</availability></publicationStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename type="first">Ines</forename>
<surname>Aldermoor</surname></persName></author></analytic>
<idno type="DOI">10.5555/marsh.2024.7</idno></biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract><p>Marshes drain slowly.</p></abstract></profileDesc></teiHeader>
<text><body>
<div><head n="1">Introduction</head><p>Old channels drain first <ref type="bibr" target="#b0">[1]</ref>,
as <ref type="bibr">Penhallow (2008)</ref> says. See <ref type="figure" target="#fig_0">1</ref>.</p></div>
<div><head n="1.1">Gauges</head><p>A <hi rend="italic">gauge</hi> &lt;b&gt; stood there.</p>
<formula xml:id="f0">Q = v A<label>(1)</label></formula></div>
<figure type="table" xml:id="tab_0"><head>Table 1:</head><label>1</label><figDesc>Levels.</figDesc>
<table><row><cell>gauge</cell><cell>level</cell></row><row><cell>a|b</cell><cell>2</cell></row></table>
</figure><note place="foot" n="4">Made of brass.</note></body>
<back><div type="acknowledgement"><div><p>Thanks to all.</p></div></div>
<div type="references"><listBibl>
<biblStruct xml:id="b0"><analytic><title level="a">Message passing on estuaries</title>
<author><persName><forename>T</forename><surname>Bryl</surname></persName></author>
<idno type="DOI">10.5555/jih.2019.0042</idno></analytic>
<monogr><title level="j">J Inv Hydrol</title><imprint><biblScope unit="volume">12</biblScope>
<biblScope unit="issue">3</biblScope><biblScope unit="page" from="101" to="119"/>
<date type="published" when="2019-02"/></imprint></monogr></biblStruct>
<biblStruct xml:id="b1"><monogr><title level="m">x</title></monogr>
<note type="raw_reference">R. Penhallow. A short history of tide ta- bles. Brass Press, 2008.</note>
</biblStruct></listBibl></div></back></text></TEI>
"""


def test_a_document_from_its_title_to_its_references() -> None:
    found = tei.to_markdown(BODY)
    assert (found.state, found.format, found.title) == ("ok", "tei", "Salt Marsh Drainage")
    assert (found.license, found.identifiers) == ("CC BY 4.0", ("doi:10.5555/marsh.2024.7",))
    assert found.references == (
        "Bryl T (2019). Message passing on estuaries. J Inv Hydrol. 12(3): 101–119."
        " doi:10.5555/jih.2019.0042",
        "R. Penhallow. A short history of tide tables. Brass Press, 2008.",
    )
    assert found.body.split("\n\n")[:13] == [
        "# Salt Marsh Drainage", "## Abstract", "Marshes drain slowly.", "## 1 Introduction",
        "Old channels drain first [[1](#ref-1)], as Penhallow ([2008](#ref-2)) says. See 1.",
        "### 1.1 Gauges", "A *gauge* &lt;b> stood there.", "Q = v A (1)", "**Table 1.** Levels.",
        "| gauge | level |\n| --- | --- |\n| a\\|b | 2 |", "## Notes", "4 Made of brass.",
        "## Acknowledgements",
    ]  # fmt: skip


def test_its_citations_have_their_sentences() -> None:
    body = tei.to_markdown(BODY).body
    assert [one.number for one in citing_sentences(body)] == [1, 2]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"<TEI", "not well-formed"),
        (b"<html/>", "<html>, not TEI"),
        (b'<!DOCTYPE TEI [<!ENTITY a "b">]><TEI>&a;</TEI>', "declares entities"),
        (b"<TEI>" + b"<div>" * 300 + b"</div>" * 300 + b"</TEI>", "nested more than"),
    ],
)
def test_what_is_no_document(data: bytes, why: str) -> None:
    found = tei.to_markdown(data)
    assert (found.state, found.body) == ("damaged", "")
    assert why in found.warnings[0]
    assert tei.to_markdown(b"<TEI/>").state == "empty"


def test_it_is_known_by_its_root() -> None:
    assert accept.sniff(BODY) == "tei"
    assert accept.sniff(b'<?xml version="1.0"?><!-- x --><tei:TEI xmlns:tei="t"/>') == "tei"
    assert accept.sniff(b'<?xml version="1.0"?><article/>') == "jats"


COUNTS = {"N18-3011": (12, 27), "grobid-sample2": (66, 47), "specter-2020.acl-main.207": (18, 57)}


@pytest.mark.parametrize("name", COUNTS)
def test_real_documents_keep_their_heads_and_references(corpus: Path, name: str) -> None:
    data = (corpus / "tei" / f"{name}.tei.xml").read_bytes()
    heads, references = COUNTS[name]
    found = accept.extract(data, "tei")
    assert (found.state, len(found.references)) == ("ok", references)
    stated = [
        " ".join(one.split()) for one in re.findall(r"<head[^>]*>([^<]+)</head>", data.decode())
    ]
    titles = re.findall(r"^#+ (.*)$", found.body, re.M)
    kept = [one for one in stated if any(title.endswith(one) for title in titles)]
    assert len([one for one in kept if not re.match(r"(?:Table|Figure)\b", one)]) >= heads
    linked = len(re.findall(r'type="bibr"[^>]*target="#b', data.decode()))
    assert found.body.count("](#ref-") >= linked
