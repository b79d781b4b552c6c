"""Where links lead, who mentions whom, and what a draft cites."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark import links
from pressmark.errors import NotFound
from pressmark.library import Library
from pressmark.links import prose

PAPER = "library/2017/vaswani2017attention.md"
LSTM = "library/1997/hochreiter1997long.md"
NOTE = "notes/attention-vs-recurrence.md"
SECOND = "notes/Ideas/Second Thoughts.md"


def lead(library: Library, text: str, source: str = NOTE) -> list[str | None]:
    """The paths that the links of a text lead to."""
    resolver = links.Resolver(library)
    found = [resolver.resolve(link, source) for link in links.parse(text)]
    return [target and target.path for target in found]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[@vaswani2017attention]", PAPER),
        ("[@VASWANI2017Attention]", PAPER),
        ("@transformer-paper", PAPER),
        ("[@arxiv:1706.03762v7]", PAPER),
        ("[@lstm:97]", LSTM),
        ("[@lstm]", None),
        ("[[vaswani2017attention]]", PAPER),
        ("[[Vaswani2017Attention.md]]", PAPER),
        ("[[2017/vaswani2017attention]]", PAPER),
        ("[[library/2017/vaswani2017attention]]", PAPER),
        ("[[1997/vaswani2017attention]]", None),
        ("[[@vaswani2017attention]]", PAPER),
        ("[[transformer-paper]]", PAPER),
        ("[[attention is all you NEED]]", PAPER),
        ("[[vaswani2017attention.fulltext]]", "library/2017/vaswani2017attention.fulltext.md"),
        ("[[vaswani2017attention.pdf]]", "library/2017/vaswani2017attention.pdf"),
        ("[[second thoughts]]", SECOND),
        ("[[Ideas/Second Thoughts]]", SECOND),
        ("[[as/Second Thoughts]]", None),
        ("[[a better idea]]", SECOND),
        ("[[attention or recurrence]]", NOTE),
        ("[[#The question]]", NOTE),
        ("[[todo]]", None),
        ("[[another-todo]]", "notes/another-todo.md"),
        ("[[topics/sequence-models]]", "topics/sequence-models.md"),
        ("[[Sequence Models]]", "topics/sequence-models.md"),
        ("[[chapter-2]]", "topics/collections/chapter-2.md"),
        ("[[intro]]", "thesis/ch1/intro.md"),
        ("![[figure.png]]", "notes/figure.png"),
        ("[[./another-todo]]", "notes/another-todo.md"),
        ("[x](another-todo.md)", "notes/another-todo.md"),
        ("[x](another-todo)", "notes/another-todo.md"),
        ("[x](Ideas/Second%20Thoughts.md)", SECOND),
        ("[x](/notes/another-todo.md)", "notes/another-todo.md"),
        ("[x](../library/2017/vaswani2017attention.pdf)", "library/2017/vaswani2017attention.pdf"),
        ("[x](../library/2017/)", "library/2017"),
        ("[x](todo.md)", None),
        ("[x](#the-question)", NOTE),
        ("[x](../../outside.md)", "../outside.md"),
        ("[x](https://x.org)", "https://x.org"),
    ],
)
def test_where_a_link_leads(library: Library, text: str, path: str | None) -> None:
    assert lead(library, text) == [path]


def test_headings_and_blocks_are_matched_leniently(library: Library) -> None:
    resolver = links.Resolver(library)
    second, note = resolver.at(SECOND), resolver.at(NOTE)
    assert resolver.has(second, "A Plan") and resolver.has(second, "a-plan-1")
    assert not resolver.has(second, "Another plan")
    assert resolver.has(note, "^claim") and not resolver.has(note, "^other")
    assert resolver.has(resolver.wiki("figure.png", NOTE) or note, "anything")


def test_the_nearest_name(library: Library) -> None:
    resolver = links.Resolver(library)
    assert resolver.nearest("vaswani2107attention") == "vaswani2017attention"
    assert resolver.nearest("another-todos", "file") == "another-todo"
    assert resolver.nearest("zzz") is None


def test_an_unreadable_reference_is_still_there(library: Library, root: Path) -> None:
    (root / "library/2020").mkdir()
    (root / "library/2020/bad2020file.md").write_text("---\ntitle: [\n---\n")
    assert lead(library, "[@bad2020file] [[bad2020file]]") == ["library/2020/bad2020file.md"] * 2


def test_who_mentions_a_reference_and_in_which_sentence(library: Library) -> None:
    backlinks = links.index(library)
    found = [
        (m.path, m.line, m.column, m.link.kind, m.sentence)
        for m in backlinks.of("transformer-paper")
    ]
    assert found == [
        (
            SECOND,
            8,
            1,
            "link",
            "[The paper](../../library/2017/vaswani2017attention.md#abstract) by @Vaswani2017Attention [p. 3].",
        ),
        (
            SECOND,
            8,
            69,
            "cite",
            "[The paper](../../library/2017/vaswani2017attention.md#abstract) by @Vaswani2017Attention [p. 3].",
        ),
        (NOTE, 10, 39, "cite", "Attention is not [@vaswani2017attention, p. 5]."),
        (
            "thesis/ch1/intro.md",
            1,
            7,
            "cite",
            "Cites @transformer-paper and [@doi:10.48550/arXiv.1706.03762].",
        ),
        (
            "thesis/ch1/intro.md",
            1,
            31,
            "cite",
            "Cites @transformer-paper and [@doi:10.48550/arXiv.1706.03762].",
        ),
    ]
    assert [(m.path, m.kind) for m in backlinks.of("hochreiter1997long")] == [
        (PAPER, "reference"), (NOTE, "note"), ("topics/sequence-models.md", "topic"),
    ]  # fmt: skip
    assert [m.path for m in backlinks.to(SECOND)] == [NOTE]
    assert [(m.path, m.link.target) for m in backlinks.unresolved] == [
        (SECOND, "nowhere"), (SECOND, "../missing.md"),
    ]  # fmt: skip
    assert backlinks.of("nobody") == []
    assert links.mentioning(library, "transformer-paper") == backlinks.of("transformer-paper")
    assert links.mentioning(library, "hochreiter1997long") == backlinks.of("hochreiter1997long")
    assert [m.path for m in links.mentioning(library, "lstm:97", kinds=["note"])] == [NOTE]
    assert {m.kind for m in links.index(library, kinds=["prose"]).mentions} == {"prose"}


def test_what_a_file_or_folder_cites(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert links.cited_keys(library, "thesis/") == {"vaswani2017attention"}
    assert links.cited_keys(library, NOTE) == {"vaswani2017attention", "hochreiter1997long"}
    assert links.cited_keys(library, ".") == {"vaswani2017attention", "hochreiter1997long"}
    monkeypatch.chdir(library.root / "thesis")
    assert links.cited_keys(library, "ch1/intro.md") == {"vaswani2017attention"}
    with pytest.raises(NotFound):
        links.cited_keys(library, "nowhere/")
    with pytest.raises(NotFound):
        links.cited_keys(library, "../../")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("thesis/**/*.md", "thesis/a.md", True),
        ("thesis/**/*.md", "thesis/b/c/a.md", True),
        ("thesis/**/*.md", "thesis/a.txt", False),
        ("thesis/*.md", "thesis/b/a.md", False),
        ("**/*.md", "a.md", True),
        ("thesis/**", "thesis/b/a.qmd", True),
        ("ch?[0-9]/[!a]*.md", "ch-7/b.md", True),
        ("ch?[0-9]/[!a]*.md", "ch-7/a.md", False),
        ("a+b/c.md", "a+b/c.md", True),
    ],
)
def test_patterns_of_prose_paths(
    library: Library, root: Path, pattern: str, path: str, matches: bool
) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text("x")
    assert (path in list(prose.matching(library, pattern))) is matches


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("One. Two [@k] here. Three.", "@k", "Two [@k] here."),
        ("As Smith et al. say [@k]. Then.", "@k", "As Smith et al. say [@k]."),
        ("See p. 5 of e.g. J. Smith [@k]!  Next", "@k", "See p. 5 of e.g. J. Smith [@k]!"),
        ("It works. [@k] Then more.", "@k", "It works. [@k] Then more."),
        ("It works. @k says so. More.", "@k", "@k says so."),
        ("para one\n\n> quoted line\n> with @k\n\nnext", "@k", "quoted line with @k"),
        ("- one @j\n- two @k\n- three", "@k", "two @k"),
        ("# About @k\nText", "@k", "About @k"),
        ("首先。然后 @k 说。最后。", "@k", "然后 @k 说。"),
        ("no end @k", "@k", "no end @k"),
        ("“Yes.” “No @k.” So.", "@k", "“No @k.”"),
    ],
)
def test_the_sentence_around_a_place(text: str, place: str, expected: str) -> None:
    start = text.index(place)
    assert links.sentence(text, start, start + len(place)) == expected
