"""What each parser makes of the shapes the providers are known for; invented works throughout."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pressmark.errors import NotFound, RateLimited, SourceBroken
from pressmark.record import Paper
from pressmark.sources import OpenCopy, arxiv, crossref, openalex
from pressmark.sources.openalex import unscrambled
from story import BY_NUMBER, atom, crossref_item, openalex_item

TODAY = "2026-11-30"


def work(**more: Any) -> Paper:
    item = {"DOI": "10.5555/x.1", "title": ["A Title"], "type": "journal-article", **more}
    body = json.dumps({"status": "ok", "message-type": "work", "message": item}).encode()
    return crossref.parse_lookup(body, 200, "application/json", today=TODAY).papers[0]


def openalex_work(**more: Any) -> Paper:
    item = {**openalex_item(BY_NUMBER[7]), **more}
    found = openalex.parse_lookup(json.dumps(item).encode(), 200, "application/json", today=TODAY)
    return found.papers[0]


def entry(**swaps: str) -> Paper:
    text = atom([BY_NUMBER[1]], 1).decode()
    for old, new in swaps.items():
        marks = {
            "title": "Graph Transformers for Tidal Networks", "comment": "9 pages, invented",
            "name": "Tomasz Bryl",
        }  # fmt: skip
        text = text.replace(marks[old], new)
    return arxiv.parse_search(text.encode(), 200, "", today=TODAY).papers[0]


# Crossref


def test_a_whole_work_of_crossref() -> None:
    item = crossref_item(BY_NUMBER[2])
    assert work(**item) == Paper(
        title="Message Passing on Estuaries",
        authors=("Bryl, Tomasz", "Aldermoor, Ines"),
        published="2019-07-02",
        type="article-journal",
        venue="Journal of Invented Hydrology",
        publisher="Imaginary Press",
        volume="12",
        pages="101-119",
        doi="10.5555/jih.2019.0042",
        issn=("5555-0001",),
        url="https://doi.org/10.5555/jih.2019.0042",
        language="en",
        license="CC BY 4.0",
        cites=("doi:10.5555/ams.2008.3",),
        abstract=BY_NUMBER[2].abstract,
        sources=(f"crossref:10.5555/jih.2019.0042 {TODAY}",),
    )


def test_every_field_but_the_doi_is_optional() -> None:
    bare = work(title=None, type=None)
    assert bare == Paper(
        doi="10.5555/x.1", url="https://doi.org/10.5555/x.1",
        sources=(f"crossref:10.5555/x.1 {TODAY}",),
    )  # fmt: skip
    assert work(author=None, issued=None, reference=None, license=None, ISSN=None).authors == ()


@pytest.mark.parametrize(
    ("parts", "published"),
    [
        ([[2018, 10, 19]], "2018-10-19"), ([[1964, 9]], "1964-09"), ([[1999]], "1999"),
        ([[None]], None), ([[]], None), ([], None), (None, None), ([["2020", "5"]], "2020-05"),
        ([[2020, 0, 0]], "2020"),
    ],
)  # fmt: skip
def test_dates_with_any_number_of_parts(parts: object, published: str | None) -> None:
    assert work(issued={"date-parts": parts}).published == published


def test_a_date_is_looked_for_where_issued_is_null() -> None:
    online = {"published-online": {"date-parts": [[2020, 4]]}}
    assert work(issued={"date-parts": [[None]]}, **online).published == "2020-04"


@pytest.mark.parametrize(
    ("kind", "notice"),
    [
        ("retraction", "retracted"), ("withdrawal", "withdrawn"), ("removal", "withdrawn"),
        ("correction", "corrected"), ("erratum", "corrected"), ("corrigendum", "corrected"),
        ("expression_of_concern", "expression-of-concern"), ("Expression-of Concern",
        "expression-of-concern"), ("new_version", None), ("addendum", None),
    ],
)  # fmt: skip
def test_a_notice_about_a_work_marks_it(kind: str, notice: str | None) -> None:
    update = {"DOI": "10.5555/N", "type": kind, "updated": {"date-parts": [[2018, 1, 20]]}}
    paper = work(**{"updated-by": [update]})
    assert paper.notice == notice
    assert paper.notice_note == ("doi:10.5555/n 2018-01-20" if notice else None)


def test_the_gravest_of_several_notices_counts() -> None:
    updates = [
        {"DOI": f"10.5555/{at}", "type": t} for at, t in enumerate(("erratum", "retraction"))
    ]
    paper = work(**{"updated-by": updates})
    assert (paper.notice, paper.notice_note) == ("retracted", "doi:10.5555/1")


@pytest.mark.parametrize(
    ("title", "notice"),
    [
        ("RETRACTED: Tidal Memory", "retracted"), ("Retracted Article: Tidal Memory", "retracted"),
        ("WITHDRAWN: Tidal Memory", "withdrawn"), ("[Retracted] Tides", "retracted"),
        ("Retracted papers: a survey", None), ("Withdrawn children in schools", None),
    ],
)  # fmt: skip
def test_a_renamed_work_is_marked(title: str, notice: str | None) -> None:
    assert work(title=[title]).notice == notice


def test_a_notice_itself_is_related_to_what_it_is_about() -> None:
    paper = work(**{"update-to": [{"DOI": "10.5555/OLD", "type": "retraction"}]})
    assert paper.notice is None and paper.related == ("doi:10.5555/old",)


def test_preprints_and_versions_are_related() -> None:
    paper = work(
        relation={
            "has-preprint": [{"id-type": "doi", "id": "10.1101/171108"}],
            "is-version-of": [{"id-type": "doi", "id": "10.48550/arXiv.9801.00011"}],
            "cites": [{"id-type": "doi", "id": "10.5555/nope"}],
            "is-preprint-of": [{"id-type": "uri", "id": "nonsense"}, None, []],
        }
    )
    assert paper.related == ("arxiv:9801.00011", "doi:10.1101/171108")


def test_references_become_identity_strings_in_their_order() -> None:
    paper = work(
        reference=[
            {"key": "1", "DOI": "10.5555/B "},
            {"key": "2", "unstructured": "Bryl: Tides. arXiv:9801.00011v2 (2021)"},
            {"key": "3", "article-title": "On Tides", "author": "T Bryl", "year": "2002a"},
            {"key": "4", "volume-title": "A Book of <i>Rivers</i>", "year": "1999"},
            {"key": "5", "unstructured": "Personal communication"},
            {"key": "6", "DOI": "10.5555/b"},
            None,
        ]
    )
    assert paper.cites == (
        "doi:10.5555/b",
        "arxiv:9801.00011",
        "title:on tides:2002:bryl",
        "title:a book of rivers:1999:",
    )


def test_groups_titles_series_and_article_numbers() -> None:
    paper = work(
        type="book-chapter",
        title=["Tides &amp; <i>Rivers</i>"],
        subtitle=["A Field Study"],
        author=[{"given": "Ann", "family": "Lee", "suffix": "Jr."}, {"name": "Tide Consortium"}, {}],
        editor=[{"given": "Jan", "family": "Der Aa"}],
        **{"container-title": ["Lecture Notes in Tides", "Proceedings of Ebb"],
           "article-number": "e77", "edition-number": "3", "publisher-location": "Atlantis",
           "event": {"name": "Ebb 2020"}, "ISBN": ["978-3-16-148410-0", "junk"]},
    )  # fmt: skip
    assert paper.title == "Tides & Rivers: A Field Study"
    assert paper.authors == ("Lee, Ann, Jr.", "{Tide Consortium}")
    assert paper.editors == ("Der Aa, Jan",)
    assert (paper.venue, paper.series) == ("Proceedings of Ebb", "Lecture Notes in Tides")
    assert (paper.pages, paper.edition, paper.place, paper.event) == (
        "e77",
        "3",
        "Atlantis",
        "Ebb 2020",
    )
    assert paper.isbn == ("9783161484100",) and paper.type == "chapter"


@pytest.mark.parametrize(
    ("licences", "licence"),
    [
        ([("tdm", "https://www.springer.com/tdm")], None),
        ([("vor", "https://www.springer.com/tdm")], "https://www.springer.com/tdm"),
        ([("tdm", "https://p.test/tdm"), ("vor", "https://creativecommons.org/licenses/by/4.0")],
         "CC BY 4.0"),
        ([("am", "http://creativecommons.org/licenses/by-nc-nd/4.0/")], "CC BY-NC-ND 4.0"),
        ([], None),
    ],
)  # fmt: skip
def test_a_text_mining_licence_is_not_the_works(licences: list[tuple[str, str]], licence) -> None:
    given = [{"content-version": version, "URL": url} for version, url in licences]
    assert work(license=given).license == licence


def test_an_open_copy_is_only_what_the_licence_opens() -> None:
    link = [
        {"URL": "https://p.test/x.pdf", "content-type": "application/pdf", "content-version": "vor"}
    ]
    by = [{"URL": "https://creativecommons.org/licenses/by/4.0/", "content-version": "vor"}]
    assert work(link=link).locations == ()
    assert work(link=link, license=by).locations == (
        OpenCopy(
            url="https://p.test/x.pdf", kind="pdf", source="crossref", version="published",
            license="CC BY 4.0",
            host_type="publisher",
        ),
    )  # fmt: skip


def test_an_isbn_is_the_books_and_not_its_chapters() -> None:
    items = [
        {"DOI": "10.5555/c1", "title": ["Chapter"], "type": "book-chapter"},
        {"DOI": "10.5555/b", "title": ["The Book"], "type": "monograph"},
    ]
    message = {"total-results": 2, "items": items, "items-per-page": 20}
    body = json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode()
    found = crossref.parse_lookup(body, 200, "", today=TODAY)
    assert [paper.title for paper in found.papers] == ["The Book"]


def test_one_damaged_record_does_not_cost_the_others() -> None:
    message = {"total-results": 3, "items": [{"DOI": "10.5555/a"}, "junk", {"title": ["no doi"]}]}
    body = json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode()
    found = crossref.parse_search(body, 200, "", today=TODAY)
    assert (len(found.papers), found.damaged, found.total) == (1, 2, 3)


# OpenAlex


def test_a_whole_work_of_openalex() -> None:
    paper = openalex_work()
    assert paper.title == "Graph Transformers Predict Eel Migration"
    assert paper.authors == ("El-Sayed, Amina", "Bryl, Tomasz")
    assert (paper.doi, paper.openalex, paper.pmid, paper.pmcid) == (
        "10.5555/iel.2024.99", "W9900000007", "990000007", "PMC99000007",
    )  # fmt: skip
    assert (paper.published, paper.type, paper.venue) == (
        "2024-02-14", "article-journal", "Imaginary Ecology Letters",
    )  # fmt: skip
    assert (paper.volume, paper.pages, paper.oa, paper.license) == ("7", "99-108", "gold", "CC BY")
    assert paper.cites == ("openalex:W9900000001", "openalex:W9900000006")
    assert paper.abstract == (
        "Tagged eels follow the branching of a river. Graph transformers trained on 312 tags "
        "predict the branch an eel takes. Anguilla ficta is the species studied."
    )
    assert paper.sources == (f"openalex:W9900000007 {TODAY}",)


def test_an_abstract_is_put_back_in_order() -> None:
    assert unscrambled({"world": [1], "Hello": [0], "again": [2, 4], "and": [3]}) == (
        "Hello world again and again"
    )
    assert unscrambled({"Abstract": [0], "We": [1], "measure": [2]}) == "We measure"
    assert unscrambled({"a": [-1, 10**9, "2", None, True], "b": "x", "c": [3]}) == "c"
    assert unscrambled(None) is None and unscrambled({}) is None and unscrambled([1]) is None


@pytest.mark.parametrize(
    ("shown", "printed", "author"),
    [
        ("Eleftherios Makris", "Eleftherios A. Makris", "Makris, Eleftherios A."),
        ("Andres M Bran", "Bran, Andres M", "Bran, Andres M"),
        ("Ann Lee", "Ann Miller", "Lee, Ann"),
        ("Ann Lee", "A. Lee", "Lee, Ann"),
        ("", "Ann Lee", "Lee, Ann"),
        ("", "", None),
    ],
)
def test_a_name_is_the_printed_one_where_it_is_the_same_person(shown, printed, author) -> None:
    paper = openalex_work(
        authorships=[{"author": {"display_name": shown}, "raw_author_name": printed}]
    )
    assert paper.authors == ((author,) if author else ())


def test_a_retracted_work_and_a_preprint_and_a_journal_article_on_arxiv() -> None:
    assert openalex_work(is_retracted=True).notice == "retracted"
    assert openalex_work(is_retracted="yes").notice is None
    item = openalex_item(BY_NUMBER[1])
    paper = openalex_work(**item)
    assert (paper.type, paper.venue, paper.arxiv) == ("article", None, "9801.00011")
    both = openalex_work(**openalex_item(BY_NUMBER[3]))
    assert (both.doi, both.arxiv) == ("10.5555/icg.2022.17", "9802.00123")
    assert both.type == "paper-conference"


def test_openalex_locations_are_open_ones_the_best_first() -> None:
    paper = openalex_work(**openalex_item(BY_NUMBER[3]))
    assert [(at.kind, at.version) for at in paper.locations] == [
        ("pdf", "submitted"), ("landing", "submitted"),
    ]  # fmt: skip


def test_a_work_with_neither_id_nor_doi_is_broken() -> None:
    with pytest.raises(SourceBroken):
        openalex.parse_lookup(b'{"results": []}', 200, "", today=TODAY)


def test_the_mailto_of_an_error_is_not_repeated() -> None:
    body = b'{"error": "Invalid mailto: ada@reader.test api_key=k3y"}'
    with pytest.raises(SourceBroken) as caught:
        openalex.parse_search(body, 400, "application/json", today=TODAY)
    assert "ada" not in caught.value.head and "k3y" not in caught.value.head


# arXiv


def test_a_whole_entry_of_arxiv() -> None:
    assert entry() == Paper(
        title="Graph Transformers for Tidal Networks",
        authors=("Aldermoor, Ines", "Bryl, Tomasz", "de Vos, Quentin"),
        published="2021-03-15",
        type="article",
        doi="10.48550/arxiv.9801.00011",
        arxiv="9801.00011",
        arxiv_class="cs.LG",
        url="https://arxiv.org/abs/9801.00011",
        abstract=BY_NUMBER[1].abstract,
        sources=(f"arxiv:9801.00011v3 {TODAY}",),
        locations=arxiv.locations("9801.00011", "v3"),
    )
    assert [at.url for at in entry().locations] == [
        "https://arxiv.org/html/9801.00011v3",
        "https://arxiv.org/pdf/9801.00011v3",
    ]


def test_titles_groups_and_colons() -> None:
    assert (
        entry(title="On the\n   $\\alpha$-tide\n  problem").title == "On the $\\alpha$-tide problem"
    )
    assert entry(title="0").title == "0"
    assert entry(name="ATLAS Collaboration").authors[1] == "{ATLAS Collaboration}"
    assert entry(name=":").authors == ("Aldermoor, Ines", "de Vos, Quentin")
    assert entry(name="G\\&quot;odel".replace("&quot;", '"')).authors[1] == "Gödel"


@pytest.mark.parametrize(
    ("comment", "notice"),
    [
        ("This paper has been withdrawn by the author due to an error", "withdrawn"),
        ("Withdrawn: see 9802.00123", "withdrawn"),
        ("The paper is withdrawn", "withdrawn"),
        ("12 pages; how savings were withdrawn in Lisbon", None),
        ("9 pages", None),
    ],
)
def test_a_withdrawn_entry_says_so(comment: str, notice: str | None) -> None:
    paper = entry(comment=comment)
    assert (paper.notice, paper.notice_note) == (notice, comment if notice else None)


def test_the_journals_doi_stands_before_arxivs_own() -> None:
    feed = atom([BY_NUMBER[3]], 1)
    paper = arxiv.parse_search(feed, 200, "", today=TODAY).papers[0]
    assert (paper.doi, paper.arxiv) == ("10.5555/icg.2022.17", "9802.00123")


def test_an_error_is_an_error_whatever_its_status_and_scheme() -> None:
    feed = atom([BY_NUMBER[1]], 1).decode()
    feed = feed.replace("http://arxiv.org/abs/9801.00011v3", "http://arxiv.org/api/errors#x")
    for status in (200, 400):
        with pytest.raises(SourceBroken, match="is an error"):
            arxiv.parse_search(feed.encode(), status, "", today=TODAY)
    bad_id = feed.replace("We study", "incorrect id format for abc; We study")
    with pytest.raises(NotFound):
        arxiv.parse_search(bad_id.encode(), 200, "", today=TODAY)


def test_rate_exceeded_is_a_limit_even_with_status_200() -> None:
    with pytest.raises(RateLimited):
        arxiv.parse_search(b"Rate exceeded.", 200, "text/html", today=TODAY)


def test_text_that_was_encoded_twice_is_read_once() -> None:
    feed = atom([BY_NUMBER[3]], 1).decode()
    twice = feed.encode().decode("latin-1").encode()
    for body in (feed.encode(), twice):
        paper = arxiv.parse_search(body, 200, "", today=TODAY).papers[0]
        assert paper.authors[0] == "Østergaard, Maren"


def test_old_ids_keep_their_archive() -> None:
    feed = atom([BY_NUMBER[1]], 1).decode().replace("9801.00011v3", "hep-th/9901001v2")
    paper = arxiv.parse_search(feed.encode(), 200, "", today=TODAY).papers[0]
    assert paper.arxiv == "hep-th/9901001" and paper.doi == "10.48550/arxiv.hep-th/9901001"
    assert paper.sources == (f"arxiv:hep-th/9901001v2 {TODAY}",)
