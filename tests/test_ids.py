"""Pasted identifiers in every spelling, identities of works, cite keys: what `ids` makes of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark import ids
from pressmark.record import Paper, Reference, Work

SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"
HEX = "204e3073870fae3d05bcbc2f6a8e263d9b72e776"


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        # DOI
        ("10.1038/nature12373", "doi:10.1038/nature12373"),
        ("10.1016/S0140-6736(97)11096-0", "doi:10.1016/s0140-6736(97)11096-0"),
        ("(10.1016/S0140-6736(97)11096-0).", "doi:10.1016/s0140-6736(97)11096-0"),
        ("doi:10.1000/XYZ.", "doi:10.1000/xyz"),
        ("DOI: 10.1000/xyz,", "doi:10.1000/xyz"),
        ("doi 10.1000/xyz", "doi:10.1000/xyz"),
        ("https://doi.org/10.1000/xyz", "doi:10.1000/xyz"),
        ("http://dx.doi.org/10.1000/xyz/", "doi:10.1000/xyz"),
        ("dx.doi.org/10.1000/xyz", "doi:10.1000/xyz"),
        ("doi: https://doi.org/10.1000/xyz", "doi:10.1000/xyz"),
        ("info:doi/10.1000/xyz", "doi:10.1000/xyz"),
        ("urn:doi:10.1000/xyz", "doi:10.1000/xyz"),
        ("https://doi.org/10.1000%2Fxyz", "doi:10.1000/xyz"),
        ("10.1016%2FS0140-6736%2897%2911096-0", "doi:10.1016/s0140-6736(97)11096-0"),
        ("https://doi.org/10.1000/456%23789", "doi:10.1000/456#789"),
        ("https://doi.org/10.1000/xyz?utm_source=x#part", "doi:10.1000/xyz"),
        (SICI.upper(), f"doi:{SICI}"),
        (f"https://doi.org/{SICI}", f"doi:{SICI}"),
        ("https://doi.org/" + SICI.replace("<", "%3C").replace(">", "%3E"), f"doi:{SICI}"),
        (SICI.replace("<", "&lt;").replace(">", "&gt;"), f"doi:{SICI}"),
        ("<https://doi.org/10.1000/xyz>", "doi:10.1000/xyz"),
        ("“10.1000/xyz”", "doi:10.1000/xyz"),
        ("10.1000/xyz[1]", "doi:10.1000/xyz[1]"),
        ("10.1000/a;b", "doi:10.1000/a;b"),
        ("10.1000.10/123", "doi:10.1000.10/123"),
        ("10.1000/\u200bxyz\u00a0", "doi:10.1000/xyz"),
        ("[10.1000/xyz](https://doi.org/10.1000/xyz)", "doi:10.1000/xyz"),
        (
            "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf",
            "doi:10.1101/2020.01.01.123456",
        ),
        (
            "https://www.frontiersin.org/articles/10.3389/fpsyg.2020.00001/full",
            "doi:10.3389/fpsyg.2020.00001",
        ),
        (
            "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0097541&type=printable",
            "doi:10.1371/journal.pone.0097541",
        ),
        ("https://onlinelibrary.wiley.com/doi/abs/10.1002/sim.968", "doi:10.1002/sim.968"),
        ("https://link.springer.com/content/pdf/10.1007/s11192-1.pdf", "doi:10.1007/s11192-1"),
        ("doi-10.1214%2F12-aoas565supp", "doi:10.1214/12-aoas565supp"),
        # arXiv
        ("1706.03762", "arxiv:1706.03762"),
        ("arXiv:1706.03762v7", "arxiv:1706.03762"),
        ("arXiv:1706.03762v7 [cs.CL] 2 Aug 2023", "arxiv:1706.03762"),
        ("arXiv 0704.0001", "arxiv:0704.0001"),
        ("arXiv preprint arXiv:1706.03762", "arxiv:1706.03762"),
        ("https://arxiv.org/abs/1706.03762v2", "arxiv:1706.03762"),
        ("http://www.arxiv.org/pdf/1706.03762v2.pdf", "arxiv:1706.03762"),
        ("https://arxiv.org/html/2305.03393v1#S2", "arxiv:2305.03393"),
        ("https://export.arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
        ("https://ar5iv.labs.arxiv.org/html/1706.03762", "arxiv:1706.03762"),
        ("https://huggingface.co/papers/1706.03762", "arxiv:1706.03762"),
        ("hep-th/9901001v3", "arxiv:hep-th/9901001"),
        ("math.GT/0309136", "arxiv:math/0309136"),
        ("arXiv:astro-ph/0601001", "arxiv:astro-ph/0601001"),
        ("oai:arXiv.org:1706.03762", "arxiv:1706.03762"),
        ("10.48550/arXiv.1706.03762", "arxiv:1706.03762"),
        ("https://doi.org/10.48550/arXiv.hep-th/9901001", "arxiv:hep-th/9901001"),
        ("arxiv-1706.03762", "arxiv:1706.03762"),
        ("arxiv-hep-th%2F9901001", "arxiv:hep-th/9901001"),
        # PubMed and Europe PMC
        ("PMID: 26551875", "pmid:26551875"),
        ("pmid:026551875", "pmid:26551875"),
        ("PMID 26551875.", "pmid:26551875"),
        ("https://pubmed.ncbi.nlm.nih.gov/26551875/", "pmid:26551875"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/26551875?dopt=Abstract", "pmid:26551875"),
        ("https://europepmc.org/article/MED/26551875", "pmid:26551875"),
        ("MED:26551875", "pmid:26551875"),
        ("pmid-26551875", "pmid:26551875"),
        ("PMC5519140", "pmcid:PMC5519140"),
        ("pmcid: pmc5519140", "pmcid:PMC5519140"),
        ("PMCID:5519140", "pmcid:PMC5519140"),
        ("PMC:PMC5519140", "pmcid:PMC5519140"),
        ("PMC5519140.1", "pmcid:PMC5519140"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5519140/", "pmcid:PMC5519140"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/5519140", "pmcid:PMC5519140"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC5519140/pdf/x.pdf", "pmcid:PMC5519140"),
        ("https://europepmc.org/article/PMC/PMC5519140", "pmcid:PMC5519140"),
        ("https://europepmc.org/articles/PMC5519140?pdf=render", "pmcid:PMC5519140"),
        ("pmcid-PMC5519140", "pmcid:PMC5519140"),
        # OpenAlex
        ("W2963403868", "openalex:W2963403868"),
        ("w2963403868", "openalex:W2963403868"),
        ("openalex:W2963403868", "openalex:W2963403868"),
        ("https://openalex.org/W2963403868", "openalex:W2963403868"),
        ("https://api.openalex.org/works/w2963403868", "openalex:W2963403868"),
        # Semantic Scholar
        (f"s2:{HEX.upper()}", f"s2:{HEX}"),
        (f"https://www.semanticscholar.org/paper/Attention-is/{HEX}", f"s2:{HEX}"),
        ("CorpusID:13756489", "s2:CorpusID:13756489"),
        ("https://api.semanticscholar.org/CorpusID:13756489", "s2:CorpusID:13756489"),
        ("s2:CorpusID:13756489", "s2:CorpusID:13756489"),
        # ISBN
        ("ISBN 0-306-40615-2", "isbn:9780306406157"),
        ("978-0-306-40615-7", "isbn:9780306406157"),
        ("9780306406157", "isbn:9780306406157"),
        ("ISBN-13: 978 0 306 40615 7", "isbn:9780306406157"),
        ("0-8044-2957-X", "isbn:9780804429573"),
        ("urn:isbn:9780306406157", "isbn:9780306406157"),
    ],
)
def test_parse_reads_every_spelling(pasted: str, expected: str) -> None:
    assert str(ids.parse(pasted)) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        "", " ", "26551875", "2019", "0306406152", "9780306406158", "0-306-40615-3", "10.1000",
        "10.1/short", "2020.1234", "1713.03762", "1706.0376", "Attention is all you need",
        "see 10.1000/xyz for more", "PMC", "W1", "W3C standards", HEX, "doi:", "arXiv", "pubmed 2020",
        "A survey of PMC8 inverters", "https://example.org/paper.pdf", "1999-2000", "٣٤٥", "pmid:0",
    ],
)  # fmt: skip
def test_parse_refuses_what_is_no_identifier(pasted: str) -> None:
    assert ids.parse(pasted) is None


IDENTIFIERS = st.one_of(
    st.from_regex(r"10\.[1-9][0-9]{3,5}/[a-z0-9._/()-]{0,12}[a-z0-9]", fullmatch=True).map(
        lambda doi: ids.Identifier("doi", doi)
    ),
    st.from_regex(r"(0[7-9]|1[0-4])(0[1-9]|1[0-2])\.[0-9]{4}", fullmatch=True).map(
        lambda arxiv: ids.Identifier("arxiv", arxiv)
    ),
    st.from_regex(r"[1-9][0-9]{0,8}", fullmatch=True).map(lambda n: ids.Identifier("pmid", n)),
    st.from_regex(r"PMC[1-9][0-9]{0,8}", fullmatch=True).map(lambda n: ids.Identifier("pmcid", n)),
    st.from_regex(r"W[1-9][0-9]{0,11}", fullmatch=True).map(
        lambda n: ids.Identifier("openalex", n)
    ),
    st.from_regex(r"[0-9a-f]{40}", fullmatch=True).map(lambda n: ids.Identifier("s2", n)),
)


@given(IDENTIFIERS)
def test_what_an_identifier_prints_it_is_read_from(identifier: ids.Identifier) -> None:
    balanced = identifier.value.count("(") == identifier.value.count(")")
    if balanced and "10.48550/arxiv" not in identifier.value:
        assert ids.parse(str(identifier)) == identifier
        assert ids.find_all(f"See ({identifier}), and more.") == [identifier]


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_parse_and_find_all_never_raise(value: str) -> None:
    found = ids.parse(value)
    assert found is None or ids.parse(str(found)) == found
    assert isinstance(ids.find_all(value), list)


def test_find_all_in_a_sentence() -> None:
    sentence = (
        "As shown (doi:10.1016/S0140-6736(97)11096-0), see also [this](https://doi.org/10.1000/Abc), "
        "PMID: 26551875; arXiv:1706.03762v2, PMC5519140, 10.1234/a,10.1234/b and "
        '<a href="https://doi.org/10.5555/zz">10.5555/zz</a>. In 2019, 1208.12 grew.'
    )
    assert [str(each) for each in ids.find_all(sentence)] == [
        "doi:10.1016/s0140-6736(97)11096-0", "doi:10.1000/abc", "pmid:26551875", "arxiv:1706.03762",
        "pmcid:PMC5519140", "doi:10.1234/a", "doi:10.1234/b", "doi:10.5555/zz",
    ]  # fmt: skip


def test_find_all_in_bibtex_and_in_other_scripts() -> None:
    assert [str(each) for each in ids.find_all("doi = {10.1000/xyz},\n pmid={123}")] == [
        "doi:10.1000/xyz"
    ]
    assert [str(each) for each in ids.find_all("见10.1000/xyz。和arXiv:1706.03762。")] == [
        "doi:10.1000/xyz",
        "arxiv:1706.03762",
    ]


def test_a_long_text_is_searched_in_reasonable_time() -> None:
    text = "a 10.1000/x " * 20_000 + "(" * 20_000 + "doi" * 20_000
    assert ids.find_all(text) == [ids.Identifier("doi", "10.1000/x")]


def test_normalise_where_the_field_is_known() -> None:
    assert ids.normalise_doi("https://doi.org/10.1000/ABC") == "10.1000/abc"
    assert ids.normalise_doi("10.48550/arXiv.1706.03762v5") == "10.48550/arxiv.1706.03762v5"
    assert ids.normalise_doi("not a doi") is None
    assert ids.normalise_doi("10.1000/a b") is None
    assert ids.normalise_arxiv("10.48550/arXiv.1706.03762v5") == "1706.03762"
    assert ids.normalise_arxiv("http://arxiv.org/abs/math.GT/0309136v1") == "math/0309136"
    assert ids.normalise_arxiv("17") is None
    assert ids.normalise_pmid("26551875") == "26551875"
    assert ids.normalise_pmid("https://pubmed.ncbi.nlm.nih.gov/26551875") == "26551875"
    assert ids.normalise_pmid("0") is None
    assert ids.normalise_pmcid("5519140") == "PMC5519140"
    assert ids.normalise_pmcid("PMC5519140") == "PMC5519140"
    assert ids.normalise_openalex("https://openalex.org/W12") == "W12"
    assert ids.normalise_openalex("12") is None
    assert ids.normalise_s2(HEX.upper()) == HEX
    assert ids.normalise_s2("CorpusID:12") == "CorpusID:12"
    assert ids.normalise_isbn("0306406152") == "9780306406157"
    assert ids.normalise_isbn("ISBN-10 0-8044-2957-x") == "9780804429573"
    assert ids.normalise_isbn("978-0-306-40615-8") is None


def test_the_version_of_an_arxiv_id() -> None:
    assert ids.arxiv_version("arXiv:1706.03762v7") == "v7"
    assert ids.arxiv_version("http://arxiv.org/abs/hep-th/9901001V2") == "v2"
    assert ids.arxiv_version("1706.03762") is None
    assert ids.arxiv_version("nonsense") is None


def test_every_doi_of_the_crossref_corpus_is_its_own_normal_form(corpus: Path) -> None:
    found = set()
    for path in (corpus / "providers" / "crossref").glob("*.json"):
        text = path.read_text("utf-8").replace("\\/", "/")
        found |= set(re.findall(r'"DOI"\s*:\s*"([^"\\]+)"', text))
    assert len(found) > 900
    odd = {doi: ids.normalise_doi(doi) for doi in found if ids.normalise_doi(doi) != doi.lower()}
    assert {doi: None for doi in odd if " " in doi} == odd


def test_every_arxiv_entry_of_the_corpus_has_an_id(corpus: Path) -> None:
    found = set()
    for path in (corpus / "providers" / "arxiv").glob("*"):
        text = path.read_text("utf-8", "replace")
        found |= set(re.findall(r"<id>(https?://arxiv\.org/abs/[^<]+)</id>", text))
    assert len(found) > 100
    assert [each for each in found if ids.normalise_arxiv(each) is None] == []
    assert [each for each in found if ids.arxiv_version(each) is None] == []


# Identity


def test_identities_stand_in_the_order_of_their_proof() -> None:
    work = Work(
        title="Attention Is All You Need",
        authors=("Vaswani, Ashish", "Shazeer, Noam"),
        published="2017-06-12",
        doi="10.48550/arXiv.1706.03762",
        pmid="123",
        pmcid="5519140",
        arxiv="1706.03762v7",
        openalex="https://openalex.org/W2963403868",
        s2=HEX,
    )
    assert ids.identities(work) == (
        "doi:10.48550/arxiv.1706.03762",
        "pmcid:PMC5519140",
        "pmid:123",
        "arxiv:1706.03762",
        "openalex:W2963403868",
        f"s2:{HEX}",
        "title:attention is all you need:2017:vaswani",
    )
    assert ids.identity(work) == "doi:10.48550/arxiv.1706.03762"


def test_the_doi_that_arxiv_registers_is_the_arxiv_id_too() -> None:
    assert "arxiv:1706.03762" in ids.identities(Work(doi="10.48550/arXiv.1706.03762v2"))
    assert ids.identities(Work(arxiv="1706.03762")) == ("arxiv:1706.03762",)


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (Work(title="Šimić’s  Théorème: A–B?"), "title:simic s theoreme a b:-:"),
        (Work(title="T", published="2018", authors=("O’Neil, C",)), "title:t:2018:o neil"),
        (Work(title="T", authors=("{World Health Organization}",)), "title:t:-:world health organization"),
        (Work(title="???"), "title:???:-:"),
        (Work(title="日本語の研究", published="1999"), "title:日本語の研究:1999:"),
        (Work(title="Ａｂｃ²"), "title:abc2:-:"),
        (Work(), ""),
        (Work(title="T", doi="nonsense"), "title:t:-:"),
    ],
)  # fmt: skip
def test_identity_without_an_identifier(work: Work, expected: str) -> None:
    assert ids.identity(work) == expected


def test_identifiers_in_any_spelling_have_one_normal_form() -> None:
    spelt = Work(title="T", doi="https://doi.org/10.1000/ABC", arxiv="arXiv:1706.03762v2", pmid="x")
    assert ids.canonical(spelt) == Work(title="T", doi="10.1000/abc", arxiv="1706.03762", pmid="x")
    assert ids.canonical(ids.canonical(spelt)) == ids.canonical(spelt)


def test_an_isbn_identifies_a_book_but_not_its_chapters() -> None:
    isbn = ("0-306-40615-2",)
    assert "isbn:9780306406157" in ids.identities(Work(title="T", type="book", isbn=isbn))
    assert ids.identities(Work(title="T", type="chapter", isbn=isbn)) == ("title:t:-:",)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Attention Is All You Need", "Attention is all you need."),
        ("Nutritional ecology and<i>Functional Ecology</i>", "Nutritional ecology and Functional Ecology"),
        ("The effect of β-blockers", "The effect of $\\beta$-blockers"),
        ("Salt & pepper", "Salt and pepper"),
        ("Das Schöne an Äpfeln", "Das Schone an Apfeln"),
        ("Learning to walk again: a randomised trial", "Learning to walk again"),
        ("Schr{\\\"o}dinger's cat", "Schrödinger’s cat"),
        ("…", " … "),
        ("🧬🧬", "🧬🧬"),
    ],
)  # fmt: skip
def test_same_title(a: str, b: str) -> None:
    assert ids.same_title(a, b) and ids.same_title(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Part I of the study of salt", "Part II of the study of salt"),
        ("Introduction", "Introduction: what is salt?"),
        ("Deep learning", "Deep learning: a review"),
        ("Salt", ""),
        ("🧬", "🧪"),
        ("", ""),
        ("The role of salt in soup", "The role of salt in soup and stew"),
    ],
)
def test_other_titles(a: str, b: str) -> None:
    assert not ids.same_title(a, b) and not ids.same_title(b, a)


# Keys


@pytest.mark.parametrize(
    ("author", "published", "title", "expected"),
    [
        ("Vaswani, Ashish", "2017-06-12", "Attention Is All You Need", "vaswani2017attention"),
        ("van der Berg, Jan", "2020", "The X-ray of things", "vanderberg2020xray"),
        ("O'Neil, Cathy", "2016", "Weapons of Math Destruction", "oneil2016weapons"),
        ("O’Neil, Cathy", "2016", "On t-SNE", "oneil2016tsne"),
        ("Łukasz, Jan", "2001", "Żółw", "lukasz2001zolw"),
        ("山田, 太郎", "1999", "研究", "shantian1999yanjiu"),
        ("{World Health Organization}", "2020", "Über die Welt", "worldhealthorganization2020welt"),
        ("{The ATLAS Collaboration of Very Many Institutes and People}", "2012", "Observation",
         "atlascollaborationverymany2012observation"),
        ("Orwell, George", "1949", "1984", "orwell1949"),
        ("{Group 2000}", "2018", "A study", "group2018study"),
        ("Smith, J", None, "A of the", "smithnda"),
        ("Smith, J", "forthcoming", "Salt", "smithndsalt"),
        ("García Márquez, G", "1967", "Cien años de soledad", "garciamarquez1967cien"),
        ("Müller", "1999", "Die Entdeckung der Langsamkeit", "muller1999entdeckung"),
        ("Curie, Marie", "1904", "Recherches sur les substances", "curie1904recherches"),
        ("G{\\\"o}del, Kurt", "1931", "{\\\"U}ber formal unentscheidbare", "godel1931formal"),
        ("", "2000", "", "anon2000"),
        ("", None, "", "anonnd"),
        ("💥, !", "2000", "!!!", "boom2000"),
    ],
)  # fmt: skip
def test_make_key(author: str, published: str | None, title: str, expected: str) -> None:
    work = Work(title=title, authors=(author,) if author else (), published=published)
    assert ids.make_key(work, set()) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("", "muller2018soup"),
        ("{family}{year}{word}", "muller2018soup"),
        ("{family:3}_{year}", "mul_2018"),
        ("{families}{yy}", "mullerlee18"),
        ("{words}-{year}", "soupsaltfr-2018"),
        ("{venue:7}{year}x", "journal2018x"),
        ("ref-{word:2}", "ref-so"),
    ],
)
def test_a_formula_says_what_a_key_is_made_of(formula: str, expected: str) -> None:
    work = Work(
        title="Of Soup and Salt — Fr.", authors=("Müller, Jörg", "Lee, Ann"), published="2018-02",
        venue="Journal of Soup",
    )  # fmt: skip
    assert ids.make_key(work, set(), (), formula) == expected
    assert ids.make_key(work, {expected}, (), formula) == f"{expected}a"
    held = Paper(title="Salt", key_hint="Lee_2001")
    assert ids.choose_key(held, set(), (), formula) == ("Lee_2001", None)


def test_editors_stand_in_for_absent_authors() -> None:
    work = Work(title="Handbook of Salt", editors=("Salz, A",), published="2001")
    assert ids.make_key(work, set()) == "salz2001handbook"


def test_collisions_take_letters_in_order() -> None:
    work = Work(title="Salt", authors=("Lee, A",), published="2001")
    taken: set[str] = set()
    for _ in range(29):
        taken.add(ids.make_key(work, taken))
    assert {
        "lee2001salt",
        "lee2001salta",
        "lee2001saltz",
        "lee2001saltaa",
        "lee2001saltab",
    } <= taken
    assert "lee2001saltac" not in taken


def test_a_key_that_came_with_the_paper_is_kept_or_becomes_cite_as() -> None:
    paper = Paper(title="Salt", authors=("Lee, A",), published="2001", key_hint="Lee_2001")
    assert ids.choose_key(paper, set()) == ("Lee_2001", None)
    assert ids.choose_key(paper, {"lee_2001"}) == ("lee2001salt", "Lee_2001")
    strange = Paper(title="Salt", published="2001", key_hint="lee:2001/x")
    assert ids.choose_key(strange, set()) == ("anon2001salt", "lee:2001/x")
    assert ids.choose_key(Paper(title="Salt"), set()) == ("anonndsalt", None)


WORKS = st.builds(
    Work,
    title=st.text(max_size=40),
    authors=st.lists(st.text(max_size=30), max_size=2).map(tuple),
    published=st.none() | st.text(max_size=10) | st.from_regex(r"[0-9]{4}", fullmatch=True),
)


@given(WORKS, st.integers(0, 60))
def test_any_work_gets_a_valid_new_key_that_is_free(work: Work, filed: int) -> None:
    taken: set[str] = set()
    for _ in range(filed):
        taken.add(ids.make_key(work, taken))
    key = ids.make_key(work, taken)
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]*", key)
    assert ids.valid_key(key) and key.casefold() not in taken
    assert len(taken) == filed
    if work.year and re.fullmatch(r"[12][0-9]{3}", work.year):
        assert ids.folder(key) == work.year
    else:
        assert ids.folder(key) == "nd"


@pytest.mark.parametrize("key", ["a", "Smith2020", "x_y-z", "2020", "a" * 100, "console", "com10"])
def test_valid_keys(key: str) -> None:
    assert ids.valid_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "-a",
        "_a",
        "a.b",
        "a b",
        "é",
        "a/b",
        "a\n",
        "a" * 101,
        "con",
        "NUL",
        "Com1",
        "lpt0",
        "aux",
    ],
)
def test_invalid_keys(key: str) -> None:
    assert not ids.valid_key(key)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("vaswani2017attention", "2017"),
        ("smith1999a2005", "1999"),
        ("smith2020a", "2020"),
        ("x0999y", "nd"),
        ("x3000y", "nd"),
        ("x20170612y", "nd"),
        ("anonnd", "nd"),
        ("Lee_2001-b", "2001"),
    ],
)
def test_the_folder_is_the_year_in_the_key(key: str, expected: str) -> None:
    assert ids.folder(key) == ids.key_year(key) == expected


@pytest.mark.parametrize(
    ("title", "taken", "expected"),
    [
        ("Equivariant Force Fields!", (), "equivariant-force-fields"),
        ("Equivariant", {"equivariant"}, "equivariant-2"),
        ("Equivariant", {"equivariant", "equivariant-2"}, "equivariant-3"),
        ("Žluťoučký kůň", (), "zlutoucky-kun"),
        ("", (), "untitled"),
        ("Con", (), "con-2"),
        ("word " * 40, (), "-".join(["word"] * 16)),
        ("x" * 200, (), "x" * 80),
    ],
)
def test_slug(title: str, taken: set[str], expected: str) -> None:
    assert ids.slug(title, taken) == expected


@given(st.text(max_size=300), st.sets(st.just("untitled")))
def test_any_title_has_a_slug(title: str, taken: set[str]) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,79}", ids.slug(title, taken))
    assert ids.slug(title, taken) not in taken


def test_keys_of_the_field_corpus_are_distinct_and_typed_by_hand(corpus: Path) -> None:
    path = corpus / "field" / "works.jsonl"
    taken: set[str] = set()
    lines = path.read_text("utf-8").splitlines()
    for line in lines:
        entry = json.loads(line)
        taken.add(ids.make_key(Work(title=str(entry.get("title") or "")), taken))
    assert len(taken) == len(lines)
    assert isinstance(Reference(key=max(taken, key=len)).key, str)
    assert max(map(len, taken)) <= 60
