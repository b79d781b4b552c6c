"""Every way prose can cite or link, and every look-alike that is none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark.links import Link, headings, parse

CITATIONS = [
    ("[@key]", ["key"]),
    ("As @key shows", ["key"]),
    ("[-@key]", ["key"]),
    ("-@key says", ["key"]),
    ("[@a; @b;@c]", ["a", "b", "c"]),
    ("[see @a, pp. 33-35; also @b]", ["a", "b"]),
    ("@key [p. 5]", ["key"]),
    ("@key [p. 5; also @other]", ["key", "other"]),
    ("@{key with.odd}", ["key with.odd"]),
    (
        "[@{https://x.org/bib?name=foobar&date=2000}, p. 33]",
        ["https://x.org/bib?name=foobar&date=2000"],
    ),
    ("@Foo_bar.baz.", ["Foo_bar.baz"]),
    ("@{Foo_bar.baz.}", ["Foo_bar.baz."]),
    ("@Foo_bar--baz", ["Foo_bar"]),
    ("[@doi:10.1162/neco.1997.9.8.1735]", ["doi:10.1162/neco.1997.9.8.1735"]),
    ("@https://x.org/a, so", ["https://x.org/a"]),
    ("@a:b#c$d%e&f-g+h?i<j>k~l/m", ["a:b#c$d%e&f-g+h?i<j>k~l/m"]),
    ("@2020key and @_key", ["2020key", "_key"]),
    ("@Müller2020 [@šimić2019]", ["Müller2020", "šimić2019"]),
    ("(@key) “@key2” '@key3' —@key4", ["key", "key2", "key3", "key4"]),
    ("*@key* **@key2** _@key3_", ["key", "key2", "key3"]),
    ("@key's view, @key2: yes; @key3?", ["key", "key2", "key3"]),
    ("> quoted [@key]", ["key"]),
    ("- item [@key]\n\n      code [@no]\n\n  more [@b]", ["key", "b"]),
    ("# Heading [@key]", ["key"]),
    ("| a | [@key] |\n|---|---|\n| @b | c |", ["key", "b"]),
    ("Text[^1].\n\n[^1]: A note [@key].\n\n    Its second paragraph [@b].", ["key", "b"]),
    ("Inline note^[see @key].", ["key"]),
    ("Term\n\n:   Definition @key.\n\n    More @b.", ["key", "b"]),
    ("!!! note\n\n    Admonished @key.", ["key"]),
    ("[text @key](https://x.org)", ["key"]),
    ("---\ntitle: about @no\n---\nBody @key", ["key"]),
    ("\ufeff---\r\nabout: '@no'\r\n---\r\nBody @key\r\n", ["key"]),
    ("no `code` @key", ["key"]),
    ("a lone ` tick @key", ["key"]),
    ("costs $5 and @key has $6", ["key"]),
    ("$ 5 @key $", ["key"]),
    ("<!-- page 3 --> @key", ["key"]),
    ("a < b @key > c", ["key"]),
    ("line\n    lazy @key", ["key"]),
    ("well-@key", ["key"]),
    ("~~~\n@no\n~~~\n@key", ["key"]),
    ("> ```\n> @no\n@key", ["key"]),
    ("````\n```\n@no\n````\n@key", ["key"]),
    ("- a\n- ```\n  @no\n  ```\n- @key", ["key"]),
]

NO_CITATIONS = [
    "a@b.org", "<a@b.org>", "mailto:a.c+d@b-e.org", "write to first.last@uni.ac.uk, please",
    "\\@key", "`@key`", "`` ` @key ``", "``` @key ```", "`a\n@key`",
    "```\n@key\n```", "```python\n@pytest.fixture\n```", "~~~ {.r}\n@key\n~~~", "```\n@key", "   ```\n@key\n  ```",
    "    @key", "\t@key", "text\n\n    @key\n\n    @key2", "- a\n\n      @key", "> ```\n> @key\n> ```",
    "<!-- @key -->", "<!--\n@key\n\n@key2\n-->", "text <!-- @key --> text",
    "$@key$", "$a_@key + b$", "$$\n@key\n$$", "$$@key$$",
    "https://x.org/@key", "see https://mastodon.social/@key.", "<https://x.org/@key>", "www.x.org/@key", "x.org/@key",
    "[text](https://x.org/@key)", "[text](<@key>)", "[text](a.md \"@key\")", "![x](@key.png)",
    "<a href=\"@key\">text</a>", "<pre>\n@key\n</pre>", "<code>@key</code>", "<script>@key</script>",
    "@", "@ key", "@@key", "@*", "@{}", "@{ key }", "@-key", "a.@key", "[text]\n\n[text]: @key", "x+@key", "p=@key",
]  # fmt: skip


@pytest.mark.parametrize(("text", "keys"), CITATIONS)
def test_citations(text: str, keys: list[str]) -> None:
    assert [link.target for link in parse(text) if link.kind == "cite"] == keys


@pytest.mark.parametrize("text", NO_CITATIONS)
def test_not_citations(text: str) -> None:
    assert [link.target for link in parse(text) if link.kind == "cite"] == []


OTHERS = [
    ("[[key]]", [("wikilink", "key", "", "")]),
    ("[[note#Heading]]", [("wikilink", "note", "Heading", "")]),
    ("[[note#One#Two]]", [("wikilink", "note", "One#Two", "")]),
    ("[[note#^block]]", [("wikilink", "note", "^block", "")]),
    ("[[note^block]]", [("wikilink", "note", "^block", "")]),
    ("[[note|text]]", [("wikilink", "note", "", "text")]),
    ("[[note#H|text]]", [("wikilink", "note", "H", "text")]),
    ("| [[note\\|text]] |", [("wikilink", "note", "", "text")]),
    ("[[#Heading]]", [("wikilink", "", "Heading", "")]),
    ("[[ note ]]", [("wikilink", "note", "", "")]),
    ("[[@key]]", [("wikilink", "@key", "", "")]),
    ("[[topics/slug]]", [("wikilink", "topics/slug", "", "")]),
    ("![[embed]]", [("embed", "embed", "", "")]),
    ("![[fig.png|300]]", [("embed", "fig.png", "", "300")]),
    ("[[a]][[b]]", [("wikilink", "a", "", ""), ("wikilink", "b", "", "")]),
    ("[[a [[b]]", [("wikilink", "b", "", "")]),
    ("[[]] [[ ]] [[a\nb]]", []),
    ("`[[a]]` \\[[a]]", []),
    ("[[1]](x.md)", [("link", "x.md", "", "[1]")]),
    ("[t](a.md)", [("link", "a.md", "", "t")]),
    ("[t](a.md#sec)", [("link", "a.md", "sec", "t")]),
    ("[t](#sec)", [("link", "", "sec", "t")]),
    ("[t](a.md \"title\")", [("link", "a.md", "", "t")]),
    ("[t](a.md 'it (is)')", [("link", "a.md", "", "t")]),
    ("[t](a.md (title))", [("link", "a.md", "", "t")]),
    ("[t](<a b.md>)", [("link", "a b.md", "", "t")]),
    ("[t](a%20b.md)", [("link", "a b.md", "", "t")]),
    ("[t](a(1).md)", [("link", "a(1).md", "", "t")]),
    ("[t](a\\(1.md)", [("link", "a(1.md", "", "t")]),
    ("[t](\n  a.md\n)", [("link", "a.md", "", "t")]),
    ("[t]()", [("link", "", "", "t")]),
    ("[t](a b.md)", []),
    ("[t] (a.md)", []),
    ("[a `]` b](c.md)", [("link", "c.md", "", "a `]` b")]),
    ("[a [b] c](d.md)", [("link", "d.md", "", "a [b] c")]),
    ("[a [b](c.md) d](e.md)", [("link", "c.md", "", "b")]),
    ("![i](a.png)", [("image", "a.png", "", "i")]),
    ("[![i](a.png)](b.md)", [("link", "b.md", "", "![i](a.png)"), ("image", "a.png", "", "i")]),
    ("[t](https://x.org/a#b)", [("link", "https://x.org/a#b", "", "t")]),
    ("[t][r]\n\n[r]: a.md", [("link", "a.md", "", "t")]),
    ("[R][]\n\n[r]: <a b.md> 'x'", [("link", "a b.md", "", "R")]),
    ("[r] and [t][r]\n\n[r]: a.md", [("link", "a.md", "", "r"), ("link", "a.md", "", "t")]),
    ("[r]: a.md", [("link", "a.md", "", "r")]),
    ("[t][none]", []),
    ("[^1]\n\n[^1]: note", []),
    ("#tag/sub", [("tag", "tag/sub", "", "")]),
    ("(#tag) and #Über-größe, #a1 #1a.", [("tag", "tag", "", ""), ("tag", "Über-größe", "", ""), ("tag", "a1", "", ""), ("tag", "1a", "", "")]),
    ("#tag/", [("tag", "tag", "", "")]),
    ("# Heading\n## Two #tag", [("tag", "tag", "", "")]),
    ("#123 #2024-11 C# a#b ##x \\#y `#z` https://x.org/#w [t](#v) &#38;", [("link", "", "v", "t")]),
    ("A quotation. ^block-id", [("block", "block-id", "", "")]),
    ("A quotation. ^b1\r\nmore", [("block", "b1", "", "")]),
    ("^alone", [("block", "alone", "", "")]),
    ("x^2 and ^not here, x ^a_b", []),
    ("`code ^a`\n\n    code ^b", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), OTHERS)
def test_links_tags_and_blocks(text: str, expected: list[tuple[str, ...]]) -> None:
    assert [(k.kind, k.target, k.heading, k.label) for k in parse(text)] == expected


def only(text: str) -> Link:
    (link,) = parse(text)
    return link


def test_a_group_gives_each_citation_its_words() -> None:
    text = "So [see @doe99, pp. 33-35 and *passim*; also -@smith04, {chap. 1}; @x y]."
    a, b, c = parse(text)
    assert (a.prefix, a.target, a.locator, a.suppress) == (
        "see", "doe99", "pp. 33-35 and *passim*", False,
    )  # fmt: skip
    assert (b.prefix, b.target, b.locator, b.suppress) == ("also", "smith04", "{chap. 1}", True)
    assert (c.prefix, c.target, c.locator) == ("", "x", "y")
    assert {a.group, b.group, c.group} == {(3, len(text) - 1)}


def test_a_citation_in_the_text_takes_the_brackets_behind_it() -> None:
    a, b = parse("As @a [p. 5; also @b, 3] says")
    assert (a.locator, a.group) == ("p. 5", (3, 24))
    assert (b.prefix, b.locator, b.group) == ("also", "3", (3, 24))


def test_a_citation_before_a_group_stays_alone() -> None:
    a, b = parse("@a [@b]")
    assert (a.locator, a.group) == ("", None)
    assert b.group == (3, 7)


def test_places_are_code_points_lines_and_columns() -> None:
    text = "---\ntitle: x\n---\n\nÄ𝛼 text\r\n> and 𝛽 [-@{kéy}]\n"
    link = only(text)
    assert (link.line, link.column) == (6, 10)
    assert text[link.start : link.end] == "-@{kéy}"
    assert text[link.target_start : link.target_end] == "kéy"
    assert link.suppress


def test_a_used_definition_lends_its_target() -> None:
    text = "[text][r]\n\n[r]: ../library/2017/key.md#sec"
    link = only(text)
    assert text[link.start : link.end] == "[text][r]"
    assert text[link.target_start : link.target_end] == "../library/2017/key.md"
    assert link.heading == "sec"


def test_external_is_what_has_a_scheme() -> None:
    external = [
        parse(f"[t]({url})")[0].external for url in ("https://x.org", "//x.org", "mailto:a@b.org")
    ]
    inside = [
        parse(f"[t]({url})")[0].external for url in ("a.md", "../a.md", "/a.md", "c:d.md", "#x")
    ]
    assert external == [True] * 3
    assert inside == [False] * 5


def test_headings() -> None:
    text = "# One `#` #\n\nTwo\n===\n\n```\n# no\n```\n\n- ### Three {#id}\n\n#four\n\nFive\n---\n"
    assert headings(text) == [(1, "One `#`", 1), (1, "Two", 3), (3, "Three", 10), (2, "Five", 14)]


UNITS = st.sampled_from([
    "[", "]", "[[", "]]", "(", ")", "![", "@", "@{", "}", "@key", "`", "``", "$", "$$", "<", "<!--",
    "-->", ">", "|", "#", "#tag", "^", "\\", ";", "\n", "\n\n", "\r\n", "    ", "\t", "> ", "- ",
    "1. ", "```", "~~~", "a", " ", "é", "𝛼", "https://", "www.", "<a b='", "[r]: ", "<code>", "\0", "\ud800",
])  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(UNITS, max_size=60).map("".join))
def test_offsets_hold_and_nothing_fails(text: str) -> None:
    links = parse(text)
    assert [link.start for link in links] == sorted(link.start for link in links)
    for link in links:
        assert 0 <= link.start < link.end <= len(text)
        assert text.count("\n", 0, link.start) == link.line - 1
        assert link.start - (text.rfind("\n", 0, link.start) + 1) == link.column - 1
        if link.kind in ("cite", "tag", "block", "wikilink", "embed"):
            assert text[link.target_start : link.target_end] == link.target
            assert link.start <= link.target_start <= link.target_end <= link.end


PATHOLOGICAL = [
    "[" * 100_000, "![" * 50_000, "[[" * 50_000, "]" * 100_000, "[@a" * 30_000, "[a](b" * 20_000,
    "[@a " * 20_000 + "]" * 20_000, "[](" * 30_000, "[a](<b" * 20_000, '[a](b "c' * 20_000,
    "`" * 100_000, "`a``b```" * 10_000, "$a " * 40_000, "<!--" * 30_000, "<a b='" * 20_000,
    "<code>" * 20_000, "@{" * 50_000, "@" * 100_000, "@a [ " * 20_000, "#a" * 50_000, "^a " * 40_000,
    "> " * 50_000, "- " * 50_000 + "\n" * 50_000, "[x]" * 30_000 + "\n\n[x]: y", "\\" * 100_001,
    "---\n" + "a\n" * 100_000, "~~~\n" * 50_000, "www." * 30_000, "http://" + ")" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("text", PATHOLOGICAL, ids=lambda text: text[:8])
def test_the_time_is_linear(text: str) -> None:
    began = time.process_time()
    parse(text)
    assert time.process_time() - began < 3  # each takes less than 0.4 s; a quadratic one minutes
