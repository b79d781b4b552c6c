"""Which references a query finds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pressmark.catalogue import Catalogue, filters
from pressmark.errors import BadInput

from .conftest import Write, opened


@pytest.fixture
def held(root: Path, write: Write) -> Catalogue:
    """Four references that differ in everything a filter can ask for."""
    write(
        "simic2018graphs", folder="2018", title="Graph networks: a survey",
        authors=("Šimić, Marko", "Müller, Jürgen"), published="2018-05", type="article-journal",
        venue="Nature Methods", doi="10.1000/graphs", tags=("Graph-Networks", "survey"),
        sources=("crossref:10.1000/graphs 2026-01-01",), keywords=("Maschinelles Lernen",),
        body="\n## Abstract\n\nAll about graphs.\n",
    )  # fmt: skip
    write(
        "Li2020", title="Oliver twist of attention", authors=("Li, Wei",), published="2020",
        type="paper-conference", venue="Proceedings of ACL", arxiv="2001.00001",
        tags=("survey",), topics=("sequence-models",), stage="candidate",
        sources=("arxiv:2001.00001 2026-01-01", "feed:acl/1 2026-01-01"),
    )  # fmt: skip
    write(
        "anon-nd", folder="nd", title="注意力机制 综述", authors=("{World Health Organization}",),
        notice="retracted", url="https://www.Example.org/Report/",
    )  # fmt: skip
    write(
        "vaswani2017attention", folder="2017", title="Attention Is All You Need",
        authors=("Vaswani, Ashish", "Oliveira, Ana"), published="2017-06-12", venue="Nature",
        aliases=("old2017key",), cite_as="vaswani:2017", doi="10.48550/arxiv.1706.03762",
        arxiv="1706.03762", cites=("doi:10.1000/graphs", "arxiv:1409.0473"),
        sources=("arxiv:1706.03762v7 2026-11-30",),
    )  # fmt: skip
    (root / "library/2017/vaswani2017attention.fulltext.md").write_text(
        "---\nreference: vaswani2017attention\n---\n\n# Text\n"
    )
    (root / "topics/collections").mkdir()
    (root / "topics/collections/thesis.md").write_text(
        "---\ntitle: Thesis\nmembers:\n- old2017key\n- Li2020\n- gone2000x\n---\n"
    )
    return opened(root)


GRAPHS, LI, ANON, ATTENTION = "simic2018graphs", "Li2020", "anon-nd", "vaswani2017attention"


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("", [ANON, LI, GRAPHS, ATTENTION]),
        ("author:simic", [GRAPHS]),
        ("author:ŠIMIĆ", [GRAPHS]),
        ("author:muller", [GRAPHS]),
        ('author:"marko šimić"', [GRAPHS]),
        ('author:"Šimić, Marko"', [GRAPHS]),
        ("author:li", [LI]),  # not Oliveira, not Oliver
        ("author:oliv", [ATTENTION]),
        ("author:simic,vaswani", [GRAPHS, ATTENTION]),
        ('author:"world health"', [ANON]),
        ("title:attention", [LI, ATTENTION]),
        ("title:tention", []),
        ("title:力机", [ANON]),
        ("year:2018", [GRAPHS]),
        ("year:2017..2018", [GRAPHS, ATTENTION]),
        ("year:2018..", [LI, GRAPHS]),
        ("year:..2017", [ATTENTION]),
        ("year:2017,2020", [LI, ATTENTION]),
        ("year:nd", [ANON]),
        ("-year:nd", [LI, GRAPHS, ATTENTION]),
        ('venue:"nature methods"', [GRAPHS]),
        ("venue:nature", [GRAPHS, ATTENTION]),
        ("tag:survey", [LI, GRAPHS]),
        ("tag:graph-networks", [GRAPHS]),
        ('tag:"Graph Networks"', [GRAPHS]),
        ("tag:graph", []),
        ("tag:survey -tag:graph-networks", [LI]),
        ("topic:sequence-models", [LI]),
        ("collection:thesis", [LI, ATTENTION]),
        ("collection:THESIS", [LI, ATTENTION]),
        ("source:arxiv", [LI, ATTENTION]),
        ("source:arx", []),
        ("source:feed", [LI]),
        ("type:article-journal", [GRAPHS]),
        ("notice:retracted", [ANON]),
        ("notice:any", [ANON]),
        ("-notice:any", [LI, GRAPHS, ATTENTION]),
        ("stage:candidate", [LI]),
        ("stage:kept", [ANON, GRAPHS, ATTENTION]),
        ("stage:any", [ANON, LI, GRAPHS, ATTENTION]),
        ("has:fulltext", [ATTENTION]),
        ("missing:fulltext", [ANON, LI, GRAPHS]),
        ("has:abstract", [GRAPHS]),
        ("has:doi,arxiv", [LI, GRAPHS, ATTENTION]),
        ("has:doi has:arxiv", [ATTENTION]),
        ("missing:doi", [ANON, LI]),
        ("missing:year", [ANON]),
        ("key:vaswani", [ATTENTION]),
        ("key:LI", [LI]),
        ("attention", [LI, ATTENTION]),
        ("attention vaswani", [ATTENTION]),
        ('"all you need"', [ATTENTION]),
        ("-attention", [ANON, GRAPHS]),
        ("maschinelles", [GRAPHS]),
        ("acl", [LI]),
        ("vaswani2017", [ATTENTION]),
        ("graphs", []),  # only in an abstract: that is what `find` is for
        ("100%", []),
        ("_", None),
        ("cited:thesis/", [GRAPHS]),
    ],
)
def test_what_words_find(held: Catalogue, words: str, keys: list[str] | None) -> None:
    if keys is None:
        with pytest.raises(BadInput):
            filters.parse(filters.split(words))
        return
    query = filters.parse(filters.split(words))
    asked = {"thesis/": ["SIMIC2018graphs", "unknown"]}
    found = held.select(query, cited=lambda path: asked[path])
    assert [each.key for each in found] == keys
    assert held.select_keys(query, cited=lambda path: asked[path]) == keys


def test_cited_needs_somebody_who_reads_prose(held: Catalogue) -> None:
    with pytest.raises(BadInput, match="cited:thesis/"):
        held.select(filters.parse(["cited:thesis/"]))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("LI2020", [LI]),
        ("old2017key", [ATTENTION]),
        ("Vaswani:2017", [ATTENTION]),
        ("10.1000/GRAPHS", [GRAPHS]),
        ("https://doi.org/10.1000/graphs", [GRAPHS]),
        ("arXiv:1706.03762v3", [ATTENTION]),
        ("https://arxiv.org/pdf/1706.03762", [ATTENTION]),
        ("10.48550/arXiv.1706.03762", [ATTENTION]),
        ("http://example.org/Report", [ANON]),
        ("https://example.org/other", []),
        ("vaswani2017", []),
        ("2020", []),
        ("", []),
    ],
)
def test_what_a_text_names(held: Catalogue, text: str, keys: list[str]) -> None:
    assert held.resolve(text) == keys


def test_what_else_it_knows(held: Catalogue) -> None:
    assert held.count() == 4
    assert held.path("LI2020") == "library/2020/Li2020.md"
    assert held.paths()[ANON] == "library/nd/anon-nd.md"
    assert held.starting_with("VAS") == [ATTENTION]
    assert held.starting_with("%") == []
    assert held.citing("doi:10.1000/graphs") == [ATTENTION]
    assert held.tags() == {"graph networks": 1, "survey": 2}
    assert held.identities()["doi:10.1000/graphs"] == GRAPHS
    assert held.names()["vaswani:2017"] == ATTENTION
    assert held.holders(["arxiv:2001.00001", "doi:10.1000/graphs"]) == [LI, GRAPHS]
    assert held.twins() == {} and held.namesakes() == {}
    assert held.get(ATTENTION).cites == ("doi:10.1000/graphs", "arxiv:1409.0473")


def test_twins_and_namesakes_are_seen(root: Path, write: Write, held: Catalogue) -> None:
    write("li2020", folder="moved", title="Namesake")
    write("twin2018x", folder="2018", title="Twin", doi="10.1000/graphs")
    held.refresh()
    assert held.twins() == {
        "doi:10.1000/graphs": ["library/2018/simic2018graphs.md", "library/2018/twin2018x.md"]
    }
    files = {"li2020": ["library/2020/Li2020.md", "library/moved/li2020.md"]}
    assert held.namesakes() == files and held.doubles() == files
    assert held.resolve("li2020") == ["Li2020", "li2020"]


def test_a_key_is_found_in_either_spelling_of_an_accent(root: Path, write: Write) -> None:
    """macOS hands out file names with the accent as a character of its own."""
    path = root / "library" / "mu\u0308ller2020x.md"
    path.write_text("---\ntitle: Decomposed\n---\n")
    held = opened(root)
    assert held.get("M\u00fcller2020x").title == "Decomposed"
    assert held.resolve("m\u00fcller2020x") == held.resolve("mu\u0308ller2020x") != []
    assert held.is_taken("m\u00fcller2020x")


def test_threads_may_share_it(held: Catalogue, write: Write) -> None:
    def ask(number: int) -> int:
        if number % 5 == 0:
            write(f"thread2020x{number}")
        held.refresh()
        return len(list(held.all())) - held.count()

    with ThreadPoolExecutor(8) as pool:
        differences = list(pool.map(ask, range(40)))
    assert len(differences) == 40
    assert held.count() == 4 + 8
