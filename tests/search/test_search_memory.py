"""Searches on record: alike by concept, repeated within their limits, reported as PRISMA-S asks."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from double import Double
from pressmark.errors import BadInput, NotFound
from pressmark.http import Client
from pressmark.library import Library
from pressmark.record import Search
from pressmark.search import file, preview, similar
from pressmark.search.logs import hits_of, parsed_limits, repeatable
from pressmark.search.memory import concept, get, jaccard, recall
from pressmark.search.reporting import Counts, counts, on_file, prisma_s
from pressmark.search.vocabulary import get as vocabulary
from pressmark.sources import Query, query
from shell import IDENTITY
from story import story_routes

TODAY = "2026-11-30"
ALL = ("openalex", "crossref", "arxiv")


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as started:
        yield started


@pytest.fixture
def library(double: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/pressmark.toml").write_text("format = 1\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    subprocess.run(["git", "init", "--quiet", "-b", "main"], cwd=tmp_path / "lib", check=True)
    return Library(tmp_path / "lib", double.config(tmp_path, tmp_path / "lib", ALL))


def searched(library: Library, words: str, **more: object) -> str:
    """Search, file, and give the new record's slug."""
    before = {each.slug for each in library.searches()}
    collection = more.pop("collection", None)
    named = more.pop("vocabulary", None)
    result = preview(
        library, Client(library.config), query(words, today=TODAY, **more), ALL,  # type: ignore[arg-type]
        today=TODAY, vocabulary=named,  # type: ignore[arg-type]
    )  # fmt: skip
    file(library, result, collection=collection)  # type: ignore[arg-type]
    library.refresh()
    (new,) = {each.slug for each in library.searches()} - before
    return new


@pytest.mark.parametrize(
    ("words", "concepts"),
    [
        ("the graph transformers of rivers", {"graph", "transformer", "river"}),
        ('ti:"graph transformer" AND river -eels', {"graph", "transformer", "river"}),
        ("Studies on Transformer-based Graphs", {"transformer", "graph"}),
        ("naïve rivers' boss", {"naive", "river", "boss"}),
        ("of the", set()),
    ],
)
def test_a_concept_is_its_content_words(words: str, concepts: set[str]) -> None:
    assert concept(words) == concepts


def test_a_terms_names_are_one_word_of_a_concept() -> None:
    terms = [vocabulary("endocrinology", None)]
    assert concept("BMD in astronauts", terms) == concept("bone mineral density astronauts", terms)
    assert jaccard(concept("BMD in astronauts"), concept("bone density astronauts")) == 0.25


def test_a_search_names_up_to_three_earlier_ones_on_its_concept(library: Library) -> None:
    for words in ("graph transformers", "graph transformers rivers", "transformers of graphs",
                  "graph transformers tides", "salinity"):  # fmt: skip
        searched(library, words)
    found = similar(library, "graph transformer")
    assert len(found) == 3
    assert [each.similarity for each in found] == [1.0, 1.0, 0.67]
    assert {each.query for each in found[:2]} == {"graph transformers", "transformers of graphs"}
    result = preview(
        library, Client(library.config), query("graph transformer", today=TODAY), ALL, today=TODAY
    )
    assert [each.slug for each in result.earlier] == [each.slug for each in found]
    assert any(hit.seen for hit in result.hits)
    assert similar(library, "eels") == [] and similar(library, "the of") == []


def test_recall_by_vocabulary_collection_and_paper(library: Library) -> None:
    plain = searched(library, "graph transformers")
    listed = searched(library, "salinity", collection="Thesis")
    termed = searched(library, "tidal", vocabulary="oncology")
    assert {each.slug for each in recall(library)} == {plain, listed, termed}
    assert [each.slug for each in recall(library, collection="thesis")] == [listed]
    assert [each.slug for each in recall(library, vocabulary="Oncology")] == [termed]
    key = next(iter(hits_of(get(library, listed)).values()))
    assert listed in [each.slug for each in recall(library, key=key)]
    assert recall(library, key="nobody2020") == []


def test_a_search_is_found_by_the_beginning_of_its_name(library: Library) -> None:
    slug = searched(library, "graph transformers")
    assert get(library, slug[:14]).slug == slug
    searched(library, "graph tides")
    with pytest.raises(NotFound, match="begins the names of 2 searches"):
        get(library, TODAY)
    with pytest.raises(NotFound, match="no search 'x'"):
        get(library, "x")


LIMITED = Query(
    words="tides", since="2020-01-01", until="2021-12-31", journal="Tides; and rivers",
    categories=("cs.LG", "math.*"), not_categories=("cs.CV",), open_access=True, semantic=True,
    sort="date", limit=25, page=3,
)  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [
        LIMITED,
        Query(words="x"),
        Query(words="x", since="2020-01-01"),
        Query(words="x", until="2021-01-01", journal="A"),
        Query(words="x", journal="A; B; C", open_access=True),
        Query(words="x", sort="cited"),
    ],
)
def test_the_limits_of_a_record_are_read_back(asked: Query) -> None:
    assert replace(Query(words=asked.words), **parsed_limits(asked.limits)) == asked


def test_a_search_is_repeated_of_the_same_sources_within_the_same_limits(library: Library) -> None:
    slug = searched(library, "ti:graph -eels year:2019..2024", limit=7, sort="date")
    again = repeatable(get(library, slug), TODAY)
    assert again.query == query(
        "ti:graph -eels", today=TODAY, since="2019", until="2024", limit=7, sort="date", fresh=True
    )
    assert set(again.sources) == set(ALL) and again.elsewhere == ()


def test_a_query_of_a_sources_own_is_logged_and_repeated_word_for_word(library: Library) -> None:
    own = 'all:"graph"\n AND cat:cs.LG'
    slug = searched(library, "", verbatim={"arxiv": own})
    record = get(library, slug)
    rows = {row["platform"]: row for row in record.providers}
    assert rows["arXiv"]["query"] == own and rows["arXiv"]["status"] == "ok"
    assert rows["Crossref"]["status"] == "skipped: no query was given for it"
    again = repeatable(record, TODAY)
    assert (again.query.words, again.sources, again.query.verbatim) == (
        "",
        ("arxiv",),
        {"arxiv": own},
    )


def test_a_search_made_elsewhere_is_not_repeated() -> None:
    embase = Search(slug="s", query="tides", date=TODAY, providers=({"platform": "Embase (Ovid)"},))
    with pytest.raises(BadInput, match=r"was made elsewhere \(Embase \(Ovid\)\)"):
        repeatable(embase, TODAY)
    both = replace(embase, providers=(*embase.providers, {"platform": "arXiv", "status": "ok"}))
    assert repeatable(both, TODAY).elsewhere == ("Embase (Ovid)",)
    assert repeatable(both, TODAY).sources == ("arxiv",)


def test_the_report_has_the_sixteen_items_and_every_string_word_for_word(library: Library) -> None:
    searched(library, "graph transformers", since="2020")
    searched(library, "salinity")
    searches = library.searches()
    report = prisma_s(searches)
    for number in range(1, 17):
        assert f"\n{number}. " in report
    for search in searches:
        for row in search.providers:
            assert f"    {row['sent']}\n" in report
    assert "1. Database names: Crossref, OpenAlex, arXiv." in report
    assert "published 2020\\-01\\-01.." in report or "published 2020-01-01.." in report
    assert f"13. Dates of searches: {TODAY}." in report
    found = counts(searches)
    assert found.filed == len(list(library.all())) == found.works
    assert found.retrieved == sum(int(r["retrieved"]) for s in searches for r in s.providers)
    assert found.duplicates == found.retrieved - found.works > 0


def log(slug: str, *lines: str, retrieved: int, dropped: tuple[str, ...] = ()) -> Search:
    body = "\n## Hits\n\n" + "".join(f"- {line}\n" for line in lines)
    row = {"platform": "arXiv", "status": "ok", "retrieved": str(retrieved)}
    return Search(
        slug=slug, query=slug, date=TODAY, providers=(row,), dropped=dropped, body=body
    )  # fmt: skip


def test_the_numbers_of_a_review_add_up_when_works_were_dropped_renamed_and_merged(
    library: Library,
) -> None:
    searched(library, "graph transformers")
    every = library.searches()
    before = counts(every, on_file(library))
    assert (before.works, before.dropped, before.filed, before.unfiled) == (5, 0, 5, 0)
    one = min(ref.key for ref in library.all())
    library.rename(one, "another2021name")
    library.refresh()
    assert recall(library, key="another2021name") == every
    assert counts(library.searches(), on_file(library)) == before
    library.drop(["another2021name"], reason="wrong population")
    library.refresh()
    (kept,) = library.searches()
    assert kept.dropped, "a renamed reference is remembered by the search that found it"
    after = counts([kept], on_file(library))
    assert after == replace(before, dropped=1, filed=4)
    result = preview(
        library, Client(library.config, refresh=True), query("graph transformers", today=TODAY),
        ALL, today="2026-12-01",
    )  # fmt: skip
    file(library, result)
    library.refresh()
    twice = counts(library.searches(), on_file(library))
    assert twice == Counts(2 * before.retrieved, works=5, dropped=1, filed=4)
    assert "5 works remained, 1 of them dropped, 4 on file." in prisma_s(
        library.searches(), on_file(library)
    )


def test_a_work_is_one_however_many_searches_and_spellings_say_it_was_dropped() -> None:
    first = log("first", "arxiv:1v1 → one2020", "arxiv:2v1 → two2020", retrieved=2)
    again = log(
        "again", "arxiv:1v2 → dropped (no)", "openalex:W1 → dropped (no)",
        "arxiv:2v1 → dropped (no)", "openalex:W3 → not filed (no title)",
        retrieved=4, dropped=("arxiv:1 no", "doi:10.5555/one no", "arxiv:2 no"),
    )  # fmt: skip
    assert counts([first, again], lambda _: None) == Counts(6, works=3, dropped=2, filed=0)
    assert counts([first, again]).unfiled == 1
    apart = log("apart", "arxiv:1v1 → dropped", "arxiv:2v1 → dropped", retrieved=2)
    assert counts([apart]) == Counts(2, works=2, dropped=2, filed=0)


def test_titles_that_begin_alike_are_two_works_and_say_so_in_the_log() -> None:
    rows = ("ris:title:the salt wedge:2020:reader → reader2020salt",
            "ris:title:the tide:2021:writer → writer2021tide")  # fmt: skip
    made = log("embase", *rows, retrieved=2)
    assert list(hits_of(made).values()) == ["reader2020salt", "writer2021tide"]
    assert counts([made]) == Counts(2, works=2, dropped=0, filed=2)
    old = log("old", "ris:title:the → reader2020salt", "ris:title:the → writer2021tide",
              retrieved=2)  # fmt: skip
    assert counts([old]) == Counts(2, works=2, dropped=0, filed=2)
