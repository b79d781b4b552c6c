"""Passages, citations, skims, what is wanted, a draft's evidence: the calls beside `find`."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.shelf import FIELD, reference, shelf
from pressmark import find
from pressmark.errors import BadInput, NotFound
from pressmark.library import Library
from pressmark.record import Collection, FullText, Note, Reference

HERON = "The heron stands in the shallows and waits for what the river brings to it. "
METHOD = "We count every heron at dawn along the river, twice a week, from a boat. "
TEXT = FullText(
    slug="devlin2019bert.fulltext", reference="devlin2019bert", source="arxiv", format="html",
    body=(
        "\n# BERT\n\n"
        f"## 1 Introduction\n\n<!-- page 2 -->\n\nMuch builds on the Transformer [[1](#ref-1)]. {HERON * 60}\n\n"
        f"## 2 Related Work\n\nMemory cells were gated early [[2](#ref-2), [3](#ref-3)]. They are slow.\n\n"
        f"## 3 Method\n\n<!-- page 3 -->\n\n{METHOD * 90}\n\n"
        f"## 4 Results\n\nWe beat the Transformer [[1](#ref-1)] by far.\n\n"
        f"## 5 Conclusion\n\nHerons are patient.\n\n"
        "## References\n\n"
        '1. <a id="ref-1"></a>A. Vaswani. Attention Is All You Need. arXiv:1706.03762\n'
        '2. <a id="ref-2"></a>S. Hochreiter. Long Short-Term Memory. doi:10.1162/neco.1997.9.8.1735\n'
        '3. <a id="ref-3"></a>Z. Nobody. On nothing held. doi:10.5555/nothing.1\n'
    ),
)  # fmt: skip
NOTE = Note(slug="ideas", title="Ideas", body="\nHerons wait in the shallows of my mind.\n")
LIST = Collection(slug="chapter", title="Chapter", members=("vaswani2017attention",))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root = tmp_path_factory.mktemp("calls") / "lib"
    bert = reference(
        "devlin2019bert", "BERT: Pre-training of Deep Bidirectional Transformers",
        "We introduce a language representation model pre-trained on unlabeled text.",
        authors=("Devlin, Jacob",), published="2019", doi="10.5555/bert",
        cites=("arxiv:1706.03762", "doi:10.1162/neco.1997.9.8.1735", "doi:10.5555/nothing.1"),
    )  # fmt: skip
    also = reference(
        "peters2018elmo", "Deep Contextualized Word Representations", "Words in context.",
        published="2018", cites=("doi:10.5555/nothing.1", "doi:10.5555/nothing.2"),
    )  # fmt: skip
    library = shelf(
        root, [*(each for each in FIELD if each.key != bert.key), bert, also, TEXT, NOTE]
    )
    folder = root / "topics" / "collections"
    folder.mkdir(parents=True)
    (folder / "chapter.md").write_text(
        "---\ntitle: Chapter\n\nmembers:\n- vaswani2017attention\n---\n", "utf-8"
    )
    return library


class TestPassages:
    def test_several_questions_are_fused(self, library: Library) -> None:
        found = find.passages(library, ["transduction models", "count at dawn"], k=6).passages
        assert {each.key for each in found} >= {"vaswani2017attention", "devlin2019bert"}
        assert any(name.endswith(" 2") for each in found for name in each.ranks)

    def test_a_passage_knows_its_place_route_and_format(self, library: Library) -> None:
        hit = find.passages(library, "count heron dawn boat").passages[0]
        assert (hit.key, hit.passage.section, hit.passage.page) == (
            "devlin2019bert", "3 Method", "3",
        )  # fmt: skip
        assert (hit.route, hit.format) == ("arxiv", "html")
        text = library.fulltext("devlin2019bert")
        assert text is not None
        assert text.body[hit.passage.offset :].startswith(hit.passage.text)

    def test_within_a_reference_and_a_collection(self, library: Library) -> None:
        found = find.passages(library, "herons wait", within=["doi:10.5555/bert"]).passages
        assert {each.key for each in found} == {"devlin2019bert"}
        found = find.passages(library, "recurrence", collection="chapter").passages
        assert {each.key for each in found} == {"vaswani2017attention"}
        with pytest.raises(NotFound):
            find.passages(library, "x", within=["nobody1900"])

    def test_notes_are_asked_unless_references_are_named(self, library: Library) -> None:
        found = find.passages(library, "shallows of my mind").passages
        assert (found[0].key, found[0].reference) == ("ideas", None)
        found = find.passages(library, "shallows of my mind", ["year:2019"]).passages
        assert {each.key for each in found} == {"devlin2019bert"}

    def test_at_most_so_many_of_each(self, library: Library) -> None:
        found = find.passages(library, "heron river", per_reference=1).passages
        assert sorted(each.key for each in found) == ["devlin2019bert", "ideas"]

    def test_pages_follow_one_another(self, library: Library) -> None:
        whole = [each.passage.id for each in find.passages(library, "heron river", k=7).passages]
        first = find.passages(library, "heron river", k=2)
        assert first.next_offset == 2
        rest = find.passages(library, "heron river", k=5, offset=2)
        pages = [each.passage.id for each in (*first.passages, *rest.passages)]
        assert pages == whole

    @pytest.mark.parametrize("k", [0, 201])
    def test_a_count_out_of_range_is_refused(self, library: Library, k: int) -> None:
        with pytest.raises(BadInput):
            find.passages(library, "heron", k=k)

    def test_no_question_or_too_many(self, library: Library) -> None:
        with pytest.raises(BadInput):
            find.passages(library, [])
        with pytest.raises(BadInput):
            find.passages(library, ["x"] * 21)


class TestCites:
    def test_what_it_cites_in_its_own_order_with_its_sentences(self, library: Library) -> None:
        found = find.cites(library, "devlin2019bert")
        assert [each.key for each in found.items] == [
            "vaswani2017attention", "hochreiter1997long", None,
        ]  # fmt: skip
        assert (found.total, found.held, found.next_offset) == (3, 2, None)
        first = found.items[0]
        assert [each.text for each in first.sentences] == [
            "Much builds on the Transformer [1].", "We beat the Transformer [1] by far.",
        ]  # fmt: skip
        assert first.sentences[0].section == "1 Introduction"
        assert first.sentences[0].page == 2
        unheld = found.items[2]
        assert unheld.identity == "doi:10.5555/nothing.1"
        assert "On nothing held" in unheld.entry
        assert [s.text for s in unheld.sentences] == ["Memory cells were gated early [2, 3]."]

    def test_sentences_stand_where_they_say(self, library: Library) -> None:
        text = library.fulltext("devlin2019bert")
        assert text is not None
        for each in find.cites(library, "devlin2019bert").items:
            for sentence in each.sentences:
                assert text.body[sentence.offset :].startswith(sentence.text[:12])

    def test_what_cites_it(self, library: Library) -> None:
        found = find.cites(library, "arXiv:1706.03762", "cited-by")
        assert [each.key for each in found.items] == ["devlin2019bert"]
        assert found.items[0].sentences[0].text.startswith("Much builds")

    def test_pages(self, library: Library) -> None:
        found = find.cites(library, "devlin2019bert", k=1, offset=1)
        assert [each.key for each in found.items] == ["hochreiter1997long"]
        assert found.next_offset == 2

    def test_without_a_text_there_are_no_sentences(self, library: Library) -> None:
        found = find.cites(library, "peters2018elmo")
        assert [(e.identity, e.entry, e.sentences) for e in found.items] == [
            ("doi:10.5555/nothing.1", "", ()), ("doi:10.5555/nothing.2", "", ()),
        ]  # fmt: skip

    def test_another_direction_or_nobody(self, library: Library) -> None:
        with pytest.raises(BadInput):
            find.cites(library, "devlin2019bert", "sideways")
        with pytest.raises(NotFound):
            find.cites(library, "nobody1900")

    def test_a_text_whose_reference_has_no_citations_says_them_itself(self, tmp_path: Path) -> None:
        library = shelf(tmp_path / "lib", [reference("a2000", "A", "A."), FIELD[0], FullText(
            slug="a2000.fulltext", reference="a2000", body="\n# A\n\nAs shown [[9](#ref-1)].\n\n"
            '## References\n\n1. <a id="ref-1"></a>Attention Is All You Need. arXiv:1706.03762\n',
        )])  # fmt: skip
        (item,) = find.cites(library, "a2000").items
        assert (item.key, item.identity) == ("vaswani2017attention", "arxiv:1706.03762")
        assert item.sentences[0].text == "As shown [9]."


def test_wanted_counts_who_cites_what_is_not_held(library: Library) -> None:
    found = find.wanted(library)
    assert [(e.identity, e.count, e.citing) for e in found.items] == [
        ("doi:10.5555/nothing.1", 2, ("devlin2019bert", "peters2018elmo")),
        ("doi:10.5555/nothing.2", 1, ("peters2018elmo",)),
    ]  # fmt: skip
    assert "On nothing held" in found.items[0].entry
    only = find.wanted(library, ["year:2019"])
    assert [e.identity for e in only.items] == ["doi:10.5555/nothing.1"]
    assert find.wanted(library, k=1).next_offset == 1


class TestSkim:
    def test_the_first_page_shows_something_of_everything(self, library: Library) -> None:
        found = find.skim(library, "devlin2019bert")
        assert [part.role for part in found.parts][:4] == [
            "abstract", "introduction", "method", "conclusion",
        ]  # fmt: skip
        assert sum(len(part.text) for part in found.parts) <= 14_000
        assert "Herons are patient." in found.parts[3].text
        assert found.missing == ()
        text = library.fulltext("devlin2019bert")
        assert text is not None
        for part in found.parts[1:]:
            assert text.body[part.offset :].startswith(part.text)

    def test_pages_together_are_the_whole(self, library: Library) -> None:
        whole = find.skim(library, "devlin2019bert", chars=40_000)
        offset: int | None = 0
        read = ""
        while offset is not None:
            page = find.skim(library, "devlin2019bert", offset=offset, chars=1000)
            assert page.offset == offset
            read += "".join(part.text for part in page.parts)
            offset = page.next_offset
        assert read == "".join(part.text for part in whole.parts)
        assert len(read) == whole.total

    def test_without_a_text_the_abstract_alone(self, library: Library) -> None:
        found = find.skim(library, "peters2018elmo")
        assert [part.text for part in found.parts] == ["Words in context."]
        assert found.missing == ("introduction", "method", "conclusion")
        assert found.next == "pressmark fetch peters2018elmo"
        assert find.skim(library, "simic2003nd").parts == ()

    def test_a_summary_stands_in_for_an_abstract(self, tmp_path: Path) -> None:
        page = Reference(key="heron2001", title="Herons", body="\n## Summary\n\nThey wade.\n")
        (part,) = find.skim(shelf(tmp_path / "lib", [page]), "heron2001").parts
        assert (part.role, part.section, part.text) == ("abstract", "Summary", "They wade.")

    def test_an_offset_outside(self, library: Library) -> None:
        with pytest.raises(BadInput):
            find.skim(library, "devlin2019bert", offset=10**6)

    def test_sections_with_names_of_their_own(self, tmp_path: Path) -> None:
        body = f"\n# A\n\n## Of birds\n\n{HERON * 3}\n\n## Of boats\n\n{METHOD}\n"
        text = FullText(slug="a2000.fulltext", reference="a2000", body=body)
        library = shelf(tmp_path / "lib", [reference("a2000", "A"), text])
        (part,) = find.skim(library, "a2000").parts
        assert (part.role, part.section) == ("opening", "Of birds")
        assert part.text.startswith("## Of birds") and METHOD.strip() in part.text


DRAFT = """# Draft

They count herons at dawn from a boat [@devlin2019bert, p. 3].
Attention replaces recurrence entirely [@vaswani2017attention; @simic2003nd].
Nobody said this [@nobody1900]. [[page1999pagerank]] measures links.
Nothing is cited here, but [[ideas]] is linked.
"""


LANGUAGES = {
    "a.tex": """\\section{On herons}
\\label{sec:h}
They count herons at dawn from a boat \\parencite[p.~3]{devlin2019bert}.
\\item At dawn from a boat \\autocites{devlin2019bert}{page1999pagerank}.
\\end{document}
""",
    "a.org": """* On herons

They count herons at dawn from a boat [cite/t:see @devlin2019bert p. 3].
- At dawn from a boat [cite:@devlin2019bert;@page1999pagerank].
""",
    "a.typ": """= On herons

They count herons at dawn from a boat #cite(<devlin2019bert>).
- At dawn from a boat @devlin2019bert @page1999pagerank.
""",
    "a.rst": """On herons
=========
They count herons at dawn from a boat :cite:p:`devlin2019bert`.
- At dawn from a boat :cite:`devlin2019bert,page1999pagerank`.
""",
    "a.md": """# On herons

They count herons at dawn from a boat [@devlin2019bert, p. 3].
- At dawn from a boat [@devlin2019bert; @page1999pagerank].
""",
}
SENTENCES = {
    path: [
        line.removeprefix("- ").removeprefix("\\item ") for line in text.splitlines()[2:4]
    ] for path, text in LANGUAGES.items()
}  # fmt: skip


class TestEvidence:
    def test_each_cited_sentence_has_the_best_passage(self, library: Library) -> None:
        found = find.evidence(library, DRAFT)
        named = [(each.line, each.cited, each.key) for each in found.claims]
        assert named == [
            (3, "devlin2019bert", "devlin2019bert"),
            (4, "vaswani2017attention", "vaswani2017attention"),
            (4, "simic2003nd", "simic2003nd"),
            (5, "nobody1900", None),
            (5, "page1999pagerank", "page1999pagerank"),
        ]
        first = found.claims[0]
        assert first.passage is not None and first.passage.section == "3 Method"
        assert first.words == 1.0 and first.meaning is None
        second = found.claims[1]
        assert second.passage is not None and second.passage.key == "vaswani2017attention"
        assert 0.5 < (second.words or 0) <= 1.0

    def test_those_with_none_say_why(self, library: Library) -> None:
        found = find.evidence(library, DRAFT)
        assert [(e.cited, e.why) for e in found.claims if e.passage is None] == [
            ("simic2003nd", "no text"), ("nobody1900", "unknown"),
        ]  # fmt: skip
        assert found.without == 2

    @pytest.mark.parametrize("path", LANGUAGES)
    def test_a_draft_in_another_language(self, library: Library, path: str) -> None:
        found = find.evidence(library, LANGUAGES[path], path)
        assert [(each.line, each.key, each.sentence, each.words) for each in found.claims] == [
            (3, "devlin2019bert", SENTENCES[path][0], 1.0),
            (4, "devlin2019bert", SENTENCES[path][1], 1.0),
            (4, "page1999pagerank", SENTENCES[path][1], found.claims[2].words),
        ]  # fmt: skip
        assert found.claims[0].passage is not None
        assert found.claims[0].passage.section == "3 Method"

    def test_a_text_without_a_word_of_the_sentence_is_no_missing_text(
        self, library: Library
    ) -> None:
        (claim,) = find.evidence(library, "Zebras yodel [@devlin2019bert].").claims
        assert (claim.passage, claim.why) == (None, "no word in common")

    def test_words_of_other_citations_and_comments_do_not_count(self, library: Library) -> None:
        told = "They count herons at dawn from a \\emph{boat} % a zebra \\cite{simic2003nd}\n"
        found = find.evidence(library, told + "\\citep[see][p.~3]{devlin2019bert}.", "a.tex")
        assert [(each.key, each.words) for each in found.claims] == [("devlin2019bert", 1.0)]

    def test_a_long_draft_is_read_once(self, library: Library) -> None:
        line = "They count herons at dawn from a boat [@devlin2019bert, p. 3].\n\n"
        assert len(find.evidence(library, line * 300).claims) == 300

    def test_a_draft_without_citations(self, library: Library) -> None:
        assert find.evidence(library, "Nothing.").claims == ()
        assert find.evidence(library, "").claims == ()


class TestRelevance:
    def test_by_words_between_nothing_and_the_same(self, library: Library) -> None:
        found = find.relevance(
            library, ["herons in rivers", "attention models"],
            ["attention models", "a heron by the river", "tax law", ""],
        )  # fmt: skip
        assert [(each.score, each.target) for each in found[:2]] == [(1.0, 1), (1.0, 0)]
        assert [each.score for each in found[2:]] == [0.0, 0.0]
        assert {each.by for each in found} == {"words"}

    def test_nothing_to_compare_with(self, library: Library) -> None:
        assert find.relevance(library, [], ["a"]) == find.relevance(library, ["a"], []) == []


def test_relations_are_taken_and_said(library: Library) -> None:
    plain = [hit.key for hit in find.find(library, "heron").hits]
    for relation in find.RELATIONS[1:]:
        found = find.find(library, "heron", relation=relation)
        assert [hit.key for hit in found.hits] == plain
        assert found.warnings == (f"The relation {relation} is ranked as any.",)
    assert find.find(library, "heron", relation="any").warnings == ()
    with pytest.raises(BadInput):
        find.find(library, "heron", relation="cousin")


def test_the_persons_own_words_choose_the_passage(tmp_path: Path) -> None:
    abstract = f"{HERON * 16}Voles are eaten in winter."
    library = shelf(tmp_path / "lib", [reference("heron2001", "Herons", abstract)])
    found = find.find(library, "heron", original_query="what of voles in winter?").hits[0]
    assert found.passage is not None and "Voles" in found.passage.text


def test_narrowing_by_venue_year_and_collection() -> None:
    words = find.narrowed(
        ("tag:x",), venues=["Nature Methods", 'Bad "quoted"'], year_min=2018, collection="c"
    )
    assert words == ("tag:x", 'venue:"Nature Methods","Bad  quoted"', "year:2018..", "collection:c")
    assert find.narrowed(year_min=2018, year_max=2020) == ("year:2018..2020",)


def test_pages_of_find_follow_one_another(library: Library) -> None:
    question = "heron attention words web memory"
    whole = [hit.key for hit in find.find(library, question).hits]
    first = find.find(library, question, k=2)
    rest = find.find(library, question, offset=2)
    assert [hit.key for hit in (*first.hits, *rest.hits)] == whole
    assert (first.next_offset, rest.next_offset) == (2, None)


def test_a_channel_that_was_not_asked_is_no_empty_one(library: Library) -> None:
    found = find.find(library, "zebra")
    assert found.channels["meaning"] is None
    assert found.channels["words"] == 0
    assert found.notes == ()
    assert find.find(library, "zebra", ["year:2019"]).notes is None
