"""CSL-JSON as exporters really write it, read whole; and references written so as to come back."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark.errors import BadInput
from pressmark.formats import csljson
from pressmark.record import Paper, Reference, Work, reference


def read(*entries: Any) -> tuple[list[Paper], list[str]]:
    return csljson.read(json.dumps(list(entries)).encode())


def one(**entry: Any) -> Paper:
    """The one paper of an entry that gives no trouble."""
    (paper,), problems = read({"id": "lee2017", "title": "Salt", **entry})
    assert problems == []
    return paper


def test_an_article_as_zotero_exports_it() -> None:
    paper = one(
        id="http://zotero.org/users/1/items/ABCD",
        **{"citation-key": "leeSalt2017", "container-title": "Journal of Soup", "page": "1-9"},
        type="article-journal",
        title="Salt: <i>the</i> taste &amp; the sea",
        author=[
            {"family": "Berg", "given": "Jan", "non-dropping-particle": "van der", "suffix": "Jr."},
            {"family": "La Fontaine", "given": "Jean", "dropping-particle": "de"},
            {"literal": "Barnes and Noble, Inc."},
            {"family": "Plato"},
            {"given": "Madonna"},
        ],
        editor=[{"family": "Salz", "given": "Ö."}],
        issued={"date-parts": [["2017", 6, "12"]]},
        volume=12,
        issue="3",
        DOI="https://doi.org/10.1000/ABC",
        PMID=26551875,
        PMCID="5519140",
        ISSN="1234-5678, 8765432x",
        URL="https://example.org/salt",
        language="en-GB",
        keyword="salt, sea, salt",
        abstract="<jats:title>Abstract</jats:title><jats:p>On <jats:italic>salt</jats:italic>.</jats:p>",
    )
    assert paper == Paper(
        title="Salt: the taste & the sea",
        authors=("van der Berg, Jan, Jr.", "La Fontaine, Jean de", "{Barnes and Noble, Inc.}",
                 "Plato", "Madonna"),
        editors=("Salz, Ö.",),
        published="2017-06-12",
        type="article-journal",
        venue="Journal of Soup",
        volume="12",
        issue="3",
        pages="1-9",
        doi="10.1000/abc",
        pmid="26551875",
        pmcid="PMC5519140",
        issn=("1234-5678", "8765-432X"),
        url="https://example.org/salt",
        language="en-GB",
        keywords=("salt", "sea"),
        abstract="On *salt*.",
        sources=("csl-json:http://zotero.org/users/1/items/ABCD",),
        key_hint="leeSalt2017",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        (b'[{"id":"a","title":"A"},{"id":"b","title":"B"}]', 2),
        (b'{"items":[{"id":"a","title":"A"}]}', 1),
        (b'{"references":[{"id":"a","title":"A"}]}', 1),
        (b'{"id":"a","title":"A","type":"book"}', 1),
        (b'\xef\xbb\xbf[{"id":"a","title":"A"}]', 1),
        ('[{"id":"a","title":"Ä"}]'.encode("utf-16"), 1),
        (b"[]", 0),
    ],
)
def test_every_outer_shape(shape: bytes, count: int) -> None:
    papers, problems = csljson.read(shape)
    assert (len(papers), problems) == (count, [])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"@article{x}", "line 1 column 1"),
        (b"", "line 1 column 1"),
        (b"3", "neither a list of entries nor an entry"),
        (b'["\xff"]', "byte 2 is not UTF-8"),
        (b"[" * 100_000, "lists too deep"),
        (b"[" + b"9" * 5000 + b"]", "a number too long"),
    ],
)
def test_what_is_no_csl_json_is_one_sentence(data: bytes, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        csljson.read(data)
    assert caught.value.next


def test_no_entry_is_dropped_in_silence() -> None:
    papers, problems = read(
        {"id": "a", "title": "A", "type": "scroll", "DOI": "nonsense", "ISBN": "978-0-306-40615-8"},
        "b",
        {"id": 7, "type": "book"},
        {"title": " ", "title-short": ""},
        {"id": "e", "title-short": "Short", "issued": {"literal": "in the old days"}},
        None,
    )
    assert [paper.title for paper in papers] == ["A", "Short"]
    assert problems == [
        "Entry 1 (a): the type “scroll” is none of CSL's; it became “document”.",
        "Entry 1 (a): “nonsense” is no DOI; it is kept as it is.",
        "Entry 1 (a): “978-0-306-40615-8” is no ISBN; it is kept as it is.",
        "Entry 2 is not an object and was left out.",
        "Entry 3 (7) has no title and was left out.",
        "Entry 4 has no title and was left out.",
        "Entry 5 (e): the date has no year that can be read; it is kept as it is.",
        "Entry 6 is not an object and was left out.",
    ]
    assert papers[0].extra == {"DOI": "nonsense", "ISBN": "978-0-306-40615-8"}
    assert papers[0].type == "document" and papers[0].doi is None
    assert papers[1].extra == {"issued": {"literal": "in the old days"}, "title-short": "Short"}


@pytest.mark.parametrize(
    ("issued", "published", "kept"),
    [
        ({"date-parts": [[2017, 6, 12]]}, "2017-06-12", None),
        ({"date-parts": [["2017", "06"]]}, "2017-06", None),
        ({"date-parts": [[2017, 6], [2018, 1]]}, "2017-06", {"date-parts": [["2017", "6"], ["2018", "1"]]}),
        ({"date-parts": [[2017]], "season": 3}, "2017", {"date-parts": [["2017"]], "season": "3"}),
        ({"date-parts": [[1850]], "circa": True}, "1850", {"date-parts": [["1850"]], "circa": "true"}),
        ({"raw": "2017-06-12"}, "2017-06-12", None),
        ({"raw": "June 2017"}, "2017-06", {"raw": "June 2017"}),
        ({"literal": "Spring 2017"}, "2017", {"literal": "Spring 2017"}),
        ({"date-parts": [[None]]}, None, None),
        ({"date-parts": []}, None, None),
        ({}, None, None),
        (2017, "2017", None),
        ("2017-06", "2017-06", None),
        ([2017], None, ["2017"]),
    ],
)  # fmt: skip
def test_dates(issued: Any, published: str | None, kept: Any) -> None:
    (paper,), _ = read({"id": "a", "title": "A", "issued": issued})
    assert paper.published == published
    assert paper.extra.get("issued") == kept


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("ISBN", "978-0-306-40615-7", ("9780306406157",)),
        ("ISBN", "978 0 306 40615 7", ("9780306406157",)),
        ("ISBN", "0-306-40615-2 9780804429573", ("9780306406157", "9780804429573")),
        ("ISBN", ["9780306406157"], ("9780306406157",)),
        ("ISSN", "12345678", ("1234-5678",)),
        ("ISSN", ["1234-5678", "0000-000X"], ("1234-5678", "0000-000X")),
        ("keyword", "a; b, c; a", ("a", "b, c")),
        ("keyword", ["a", "b"], ("a", "b")),
    ],
)
def test_fields_that_hold_several(field: str, value: Any, expected: tuple[str, ...]) -> None:
    name = {"keyword": "keywords"}.get(field, field.lower())
    assert getattr(one(**{field: value}), name) == expected


@pytest.mark.parametrize(
    "entry",
    [
        {"archive": "arXiv", "archive_location": "1706.03762"},
        {"archive": "arXiv.org", "archive-location": "1706.03762v2"},
        {"number": "arXiv:1706.03762"},
        {"note": "arXiv:1706.03762 [cs]"},
        {"URL": "http://arxiv.org/abs/1706.03762v7"},
        {"DOI": "10.48550/arXiv.1706.03762"},
        {"custom": {"arxiv": "1706.03762"}},
    ],
)
def test_an_arxiv_id_is_found_where_exporters_put_it(entry: dict[str, Any]) -> None:
    assert one(**entry).arxiv == "1706.03762"


def test_fields_that_are_not_ours_are_kept_whole_under_their_own_names() -> None:
    paper = one(
        genre="PhD thesis", accessed={"date-parts": [[2020, 1, 5]]}, note="line\none",
        translator=[{"family": "Ü", "given": None}], status=True, empty=[], tags="mine", version=2,
        custom={"mood": "salty", "stage": "x"},
    )  # fmt: skip
    assert paper.extra == {
        "genre": "PhD thesis", "accessed": "2020-01-05", "note": "line\none",
        "translator": [{"family": "Ü", "given": ""}], "status": "true", "csl-tags": "mine",
        "version": "2", "mood": "salty", "csl-stage": "x",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("entry_id", "hint", "source"),
    [
        ("lee2017", "lee2017", "csl-json:lee2017"),
        ("lee 2017", "lee 2017", "csl-json:lee%202017"),
        (17, None, "csl-json:17"),
        ("zotero.org/items/A", None, "csl-json:zotero.org/items/A"),
        (None, None, "csl-json:title:salt:-:"),
        ("", None, "csl-json:title:salt:-:"),
    ],
)
def test_the_id_is_a_key_where_it_can_be_one(entry_id: Any, hint: str | None, source: str) -> None:
    paper = one(id=entry_id)
    assert (paper.key_hint, paper.sources) == (hint, (source,))


def test_text_is_cleaned_at_the_door() -> None:
    paper = one(
        title="Sa\u202elt\u0000 \n and",
        author=[{"family": "L\u200bee", "given": "A\nB"}],
        publisher="\x1b[31mRed\x1b[0m",
        abstract="<p>x<script>alert(1)</script> y\u2028</p>",
        other={"a\u202e": ["b\u0007"]},
    )
    assert paper.title == "Salt and"
    assert paper.authors == ("Lee, A B",)
    assert paper.publisher == "Red"
    assert paper.abstract == "x y"
    assert paper.extra == {"other": {"a": ["b"]}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
NAMES = st.sampled_from(
    ["id", "title", "type", "author", "editor", "issued", "accessed", "DOI", "PMID", "ISBN", "ISSN",
     "keyword", "abstract", "custom", "container-title", "archive", "note", "foo", "tags"]
)  # fmt: skip


@given(st.lists(JSON | st.dictionaries(NAMES, JSON), max_size=3))
def test_any_json_gives_papers_or_sentences(entries: list[Any]) -> None:
    papers, problems = csljson.read(json.dumps(entries).encode())
    left_out = [problem for problem in problems if problem.endswith("left out.")]
    assert len(papers) + len(left_out) == len(entries)
    for paper in papers:
        assert paper.title and paper.sources


LINE = st.text("abÉß-'& <>*_:1", min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)  # fmt: skip
NAME = st.sampled_from(["Lee, Ann", "van der Berg, Jan, Jr.", "{W. H. O.}", "Plato", "Šimić, Ä."])
DATE = st.sampled_from(["2017", "2017-06", "2017-06-12", "0987"])
REFERENCES = st.builds(
    Reference,
    key=st.from_regex(r"[a-z]{1,6}[0-9]{4}[a-z]{0,6}", fullmatch=True),
    title=st.sampled_from(["Salt", "Salt & water: A <b survey", "E. coli in 10⁻³", "日本語の研究"]),
    authors=st.lists(NAME, max_size=3).map(tuple),
    editors=st.lists(NAME, max_size=2).map(tuple),
    published=st.none() | DATE,
    type=st.none() | st.sampled_from(["article-journal", "book", "chapter", "dataset"]),
    venue=st.none() | st.sampled_from(["Soup", "Salt & Pepper"]),
    publisher=st.none() | st.just("P"),
    place=st.none() | st.just("Bern"),
    event=st.none() | st.just("ICS 2017"),
    volume=st.none() | st.just("12"),
    issue=st.none() | st.just("3a"),
    number=st.none() | st.just("7"),
    pages=st.none() | st.just("1–9"),
    edition=st.none() | st.just("2"),
    series=st.none() | st.just("LNCS"),
    doi=st.none() | st.just("10.1000/a(b)<c>"),
    arxiv=st.none() | st.just("hep-th/9901001"),
    arxiv_class=st.none() | st.just("hep-th"),
    pmid=st.none() | st.just("1"),
    pmcid=st.none() | st.just("PMC1"),
    openalex=st.none() | st.just("W1"),
    s2=st.none() | st.just("CorpusID:1"),
    isbn=st.sampled_from([(), ("9780306406157",), ("9780306406157", "9780804429573")]),
    issn=st.sampled_from([(), ("1234-5678", "8765-432X")]),
    url=st.none() | st.just("https://example.org/a?b=c&d"),
    language=st.none() | st.just("de"),
    keywords=st.sampled_from([(), ("a",), ("a, b",), ("a", "b, c"), ("a; b", "c, d")]),
    license=st.none() | st.just("cc-by-4.0"),
    oa=st.none() | st.just("gold"),
    notice=st.none() | st.just("retracted"),
    notice_note=st.none() | st.just("doi:10.1000/r"),
    related=st.sampled_from([(), ("doi:10.1000/p",)]),
    cites=st.sampled_from([(), ("doi:10.1000/q", "arxiv:1706.03762")]),
    tags=st.sampled_from([(), ("x", "y")]),
    extra=st.sampled_from([{}, {"note": "n", "mood": ["a", {"b": "c"}], "accessed": "2020-01"}]),
    body=st.sampled_from(["", "\n## Abstract\n\n**Aims**. On *salt* \\* < 3.\n\nTwo.\n"]),
)


@given(st.lists(REFERENCES, max_size=3, unique_by=lambda each: each.key))
def test_what_is_written_comes_back_equal(references: list[Reference]) -> None:
    papers, problems = csljson.read(csljson.write(references))
    assert problems == []
    back = {paper.key_hint or "": reference(paper, paper.key_hint or "") for paper in papers}
    for each in references:
        found = back[each.key]
        for field in (*(field.name for field in fields(Work)), "tags", "abstract"):
            assert getattr(found, field) == getattr(each, field), field
        assert found.extra == each.extra


@given(st.lists(REFERENCES, max_size=4, unique_by=lambda each: each.key))
def test_writing_does_not_depend_on_the_order(references: list[Reference]) -> None:
    assert csljson.write(references) == csljson.write(reversed(references))


def test_the_very_bytes() -> None:
    ref = Reference(
        key="lee2017salt", cite_as="Lee:17", title="Salt", authors=("Lee, Ä.", "{WHO}"),
        published="2017-06", type="book", arxiv="1706.03762", extra={"genre": "g", "mood": "m"},
    )  # fmt: skip
    assert csljson.write([ref]).decode() == (
        '[\n  {\n    "id": "Lee:17",\n    "type": "book",\n    "title": "Salt",\n'
        '    "author": [\n      {\n        "family": "Lee",\n        "given": "Ä."\n      },\n'
        '      {\n        "literal": "WHO"\n      }\n    ],\n'
        '    "issued": {\n      "date-parts": [\n        [\n          2017,\n          6\n'
        '        ]\n      ]\n    },\n'
        '    "genre": "g",\n    "custom": {\n      "arxiv": "1706.03762",\n      "mood": "m"\n    }\n'
        "  }\n]\n"
    )  # fmt: skip
    assert csljson.write([]) == b"[]\n"


def test_crossref_works_read_as_the_csl_json_they_claim_to_be(corpus: Path) -> None:
    entries = []
    for path in sorted((corpus / "providers" / "crossref").glob("*.json")):
        try:
            message = json.loads(path.read_bytes())["message"]
        except (ValueError, KeyError, TypeError):
            continue
        found = message.get("items", [message]) if isinstance(message, dict) else []
        entries += [work for work in found if isinstance(work, dict) and "DOI" in work]
    papers, problems = read(*entries)
    assert len(papers) > 100
    assert len(papers) + sum(problem.endswith("left out.") for problem in problems) == len(entries)
    assert all(paper.doi for paper in papers)
    ours = [replace(paper, sources=()) for paper in papers if paper.authors and paper.published]
    assert len(ours) > 60


def test_an_object_where_text_belongs_is_kept_beside_our_field_of_the_name() -> None:
    """Crossref gives `event` an object; `event` is a field of ours too."""
    papers, problems = read({"id": "a", "title": "T", "event": {"name": "ICS", "acronym": ["X"]}})
    assert problems == []
    assert papers[0].event is None
    assert papers[0].extra == {"csl-event": {"name": "ICS", "acronym": ["X"]}}
