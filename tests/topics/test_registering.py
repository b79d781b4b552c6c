"""Following something: no request, the default titles, the one-line form, many from a file."""

from __future__ import annotations

import subprocess

import pytest

from double import Double
from pressmark import page
from pressmark.errors import BadInput, NotFound
from pressmark.library import Library, Write
from pressmark.record import Topic
from pressmark.topics import add_topic, get, remove_topic, seed
from pressmark.topics.listing import listed

from .conftest import subjects


def test_nothing_is_asked_when_a_topic_is_added(library: Library, double: Double) -> None:
    add_topic(library, "research:arxiv?q=force+fields")
    add_topic(library, "https://marsh.invalid/feed.xml")
    add_topic(library, "tidal graphs", providers=["crossref"], journal="Nature Methods")
    assert double.requests == []


@pytest.mark.parametrize(
    ("what", "title"),
    [
        ("research:arxiv,openalex?q=force+fields", "arxiv, openalex: force fields"),
        ("research:crossref?q=x&journal=Nature", "crossref: x in Nature"),
        ("research:arxiv?cat=cs.CL,cs.LG&not=cs.CV", "arxiv: cs.CL AND cs.LG -cs.CV"),
        ("force fields", "force fields"),
        ("https://marsh.invalid/feed.xml", "marsh.invalid/feed.xml"),
    ],
)
def test_the_default_title_says_what_is_asked(library: Library, what: str, title: str) -> None:
    done = add_topic(library, what)
    assert get(library, done.slugs[0]).title == title
    assert subjects(library)[0] == f"topic: follow {title}"


def test_the_one_line_form_stands_in_the_file(library: Library) -> None:
    done = add_topic(
        library, "research:arxiv?cat=cs.CL&not=cs.CV", title="Language", added_by="Ada", why="Ch. 2"
    )
    path = library.root / f"topics/{done.slugs[0]}.md"
    assert path.read_text() == (
        "---\ntitle: Language\n\nfeed: research:arxiv?cat=cs.CL&not=cs.CV\n\nadded-by: Ada\n---\n"
        "\nCh. 2\n"
    )
    held = page.read(Topic, path.read_bytes(), path.name)
    assert held.added_by == "Ada"


def test_words_providers_journal_and_categories_stand_in_fields(library: Library) -> None:
    add_topic(library, "tidal graphs", providers=["arxiv"], categories=["cs.LG", "-cs.CV"])
    topic = get(library, "arxiv-tidal-graphs-cs-cv")
    assert (topic.query, topic.providers) == ("tidal graphs", ("arxiv",))
    assert topic.categories == ("cs.LG", "-cs.CV") and topic.feed is None


def test_categories_alone_are_arxivs(library: Library) -> None:
    add_topic(library, "", categories=["cs.LG"])
    assert get(library, "arxiv-cs-lg").providers == ("arxiv",)


@pytest.mark.parametrize(
    ("what", "more", "said"),
    [
        ("", {}, "asks for nothing"),
        ("x", {"providers": ["gopher"]}, "no search client 'gopher'"),
        ("x", {"providers": ["arxiv"], "journal": "Nature"}, "cannot be searched by journal"),
        ("x", {"providers": ["crossref"], "categories": ["cs.CL"]}, "no arXiv categories"),
        ("research:arxiv?q=x", {"providers": ["arxiv"]}, "says by itself"),
        ("ftp://marsh.invalid/x", {}, "no address of a feed"),
        ("graph transformers", {"providers": ["openalex", "arxiv"]}, None),
    ],
)
def test_what_is_off_is_said_and_nothing_is_written(
    library: Library, what: str, more: dict[str, object], said: str | None
) -> None:
    before = subjects(library)
    if said is None:
        add_topic(library, what, **more)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="asks that already"):
            add_topic(library, what, **more)  # type: ignore[arg-type]
        return
    with pytest.raises(BadInput, match=said):
        add_topic(library, what, **more)  # type: ignore[arg-type]
    assert subjects(library) == before


def test_a_file_of_topics_is_followed_in_one_commit_and_the_bad_ones_are_named(
    library: Library,
) -> None:
    data = b"""
[[topic]]
url = "research:arxiv?q=force+fields"
by = "Ada"

[[topic]]
query = "tidal graphs"
providers = ["crossref"]
journal = "Nature"
title = "Tides"
why = "Chapter two"

[[topic]]
url = "research:gopher?q=x"

[[topic]]
quary = "x"
"""
    done = seed(library, data, "topics.toml")
    assert done.slugs == ("arxiv-force-fields", "tides") and len(done.refused) == 2
    assert done.refused[0].startswith("topics.toml: topic 3: There is no search client 'gopher'")
    assert "no setting 'quary'" in done.refused[1]
    assert subjects(library)[0] == "topic: follow 2 of topics.toml"
    again = seed(library, data, "topics.toml")
    assert (again.slugs, again.held) == ((), ("arxiv-force-fields", "tides"))
    assert again.outcome.commit is None


@pytest.mark.parametrize("data", [b"[[topic", b"\xff\xfe", b"topic = 3", b"", b"topic = [1]"])
def test_a_file_that_holds_no_topics_is_a_sentence(library: Library, data: bytes) -> None:
    with pytest.raises(BadInput, match="topics\\.toml"):
        seed(library, data, "topics.toml")


def test_removing_a_topic_keeps_what_it_found(library: Library) -> None:
    from pressmark.record import Paper

    library.add([Paper(title="On weirs", doi="10.5555/w.1", sources=("file:1",))], topic="rivers")
    remove_topic(library, "rivers")
    (held,) = library.all()
    assert held.topics == ("rivers",)
    assert not (library.root / "topics/rivers.md").exists()
    with pytest.raises(NotFound, match="no topic rivers"):
        remove_topic(library, "rivers")


def test_the_list_says_what_each_asks_found_and_dropped(library: Library) -> None:
    from pressmark.record import Paper

    add_topic(library, "https://marsh.invalid/feed.xml", title="Marsh", added_by="Ada")
    paper = Paper(title="On weirs", doi="10.5555/w.1", sources=("crossref:10.5555/w.1 2026-01-01",))
    library.add([paper], topic="rivers", stage="candidate")
    marsh, prose, rivers = listed(library)
    assert (marsh.kind, rivers.kind) == ("rss", "research")
    assert (rivers.providers, rivers.asks) == (("arxiv", "openalex"), "graph transformers")
    assert (rivers.found, rivers.new, rivers.dropped) == (1, 1, 0)
    assert prose.asks == "" and rivers.last_run == "2023-01-05"
    assert [each.slug for each in listed(library, "ada")] == ["marsh"]
    assert [each.slug for each in listed(library, "Bo")] == []
    library.drop(["10.5555/w.1"], reason="no")
    assert listed(library)[2].dropped == 1


def test_a_topic_can_be_added_on_a_branch_and_as_a_dry_run(library: Library) -> None:
    add_topic(library, "weirs", write=Write(dry_run=True))
    add_topic(library, "weirs", write=Write(branch="new/weirs"))
    assert [each.slug for each in library.topics()] == ["prose", "rivers"]
    shown = ["git", "show", "--stat", "--format=%s", "new/weirs"]
    said = subprocess.run(shown, cwd=library.root, check=True, capture_output=True, text=True)
    assert "topics/weirs.md" in said.stdout


def test_a_topic_asks_for_the_synonyms_of_its_vocabulary(library: Library, double: Double) -> None:
    from pressmark.errors import NotFound
    from pressmark.http import open_client
    from pressmark.topics import run_topic

    (library.root / "topics/vocabularies").mkdir()
    (library.root / "topics/vocabularies/eels.md").write_text(
        "---\ntitle: Eels\n\nterms:\n- eel\n\nsynonyms:\n- anguilla → eel\n---\n"
    )
    library.refresh()
    with pytest.raises(NotFound, match="vocabulary"):
        add_topic(library, "eel", providers=["openalex"], vocabulary="none")
    done = add_topic(library, "anguilla", providers=["openalex"], vocabulary="eels", title="Eels")
    assert get(library, done.slugs[0]).vocabulary == "eels"
    run_topic(library, open_client(library.config), "eels", today="2026-03-04")
    asked = [seen.query.get("search", "") for seen in double.requests]
    assert any("anguilla" in words for words in asked) and any("eel" in words for words in asked)
