"""What a file means: every value as it is written, and a sentence with a line when it means none."""

from __future__ import annotations

import pytest

from pressmark import page
from pressmark.errors import NotSpliceable, Unreadable
from pressmark.record import Note, Reference, Search, Topic


def read(front: str, body: str = "") -> Reference:
    return page.read(Reference, f"---\n{front}\n---\n{body}".encode(), "library/2017/key.md")


def fault(front: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read(front)
    assert caught.value.path == "library/2017/key.md"
    return caught.value


@pytest.mark.parametrize(
    "written", ["2101.00010", "no", "0123", "1e3", "~", "null", "2017-06-12", "0x1F", "12:30:45", ".inf", "=", "<<"]
)  # fmt: skip
def test_a_bare_value_is_the_string_that_is_written(written: str) -> None:
    reference = read(f"title: {written}\nlanguage: {written}\ntags:\n- {written}\nmine: {written}")
    assert reference.title == reference.language == reference.tags[0] == written
    assert reference.extra == {"mine": written}


def test_identifiers_dates_and_norwegian_survive_without_quotes() -> None:
    reference = read("title: x\npublished: 2017-06-12\narxiv: 2101.00010\npmid: 0123\nlanguage: no")
    assert (reference.published, reference.arxiv) == ("2017-06-12", "2101.00010")
    assert (reference.pmid, reference.language) == ("0123", "no")


@pytest.mark.parametrize("absent", ["", " ", " # nothing yet", " ''", ' ""', " []"])
def test_an_empty_value_is_an_absent_one(absent: str) -> None:
    if absent == " []":
        assert read(f"title: x\ntags:{absent}").tags == ()
    else:
        assert read(f"title: x\ndoi:{absent}").doi is None


def test_every_style_of_scalar_is_read() -> None:
    reference = read(
        "title: 'it''s'\nvenue: \"a\\tb\"\npublisher: >-\n  one\n  two\nplace: |\n  one\n  two\n"
        "event: plain\n  goes on\nseries:\n  below"
    )
    assert reference.title == "it's"
    assert reference.venue == "a\tb"
    assert reference.publisher == "one two"
    assert reference.place == "one\ntwo"  # the newline that ends a block is layout
    assert reference.event == "plain goes on"
    assert reference.series == "below"


@pytest.mark.parametrize(
    "tags",
    ["tags:\n- a\n- b", "tags:\n  - a # one\n  # two\n  - b", "tags: [a, b]", "tags: [a,\n  b,\n]",
     "tags:\n- a\n-\n- b\n-", "tags:\n- |\n  a\n- >\n  b\n", "'tags': ['a', \"b\"]"],
)  # fmt: skip
def test_every_style_of_list_is_read(tags: str) -> None:
    assert read(f"title: x\n{tags}").tags == ("a", "b")


def test_one_value_where_a_list_belongs_is_a_list_of_one() -> None:
    assert read("title: x\ntags: a, b\nauthors: Ada Lovelace").tags == ("a, b",)
    assert read("title: x\nauthors: Lovelace, Ada").authors == ("Lovelace, Ada",)


def test_unknown_fields_are_kept_with_all_they_hold() -> None:
    reference = read(
        "cssclasses: [wide]\ntitle: x\nmine:\n  rating: 5\n  seen:\n  - {on: 2020-01-01}\n  - []\nempty:"
    )
    assert reference.extra == {
        "cssclasses": ["wide"],
        "mine": {"rating": "5", "seen": [{"on": "2020-01-01"}, []]},
        "empty": "",
    }


def test_the_key_is_the_stem_and_a_notes_slug_its_path() -> None:
    assert read("title: x").key == "key"
    assert (
        page.read(Topic, b"---\ntitle: x\n---\n", "topics/deep-learning.md").slug == "deep-learning"
    )
    assert page.read(Note, b"x", "notes/ideas/one.md").slug == "ideas/one"
    assert page.read(Note, b"x", "one.md").slug == "one"


@pytest.mark.parametrize(
    "body", ["", "x", "\n", "\n\n  x\n\n", "---\n", "\n---\nx: y\n---\n", "\ufeff", "a\r\nb\rc"]
)
def test_the_body_is_everything_behind_the_closing_line(body: str) -> None:
    assert read("title: x", body).body == body


def test_windows_newlines_and_a_byte_order_mark_are_layout() -> None:
    data = "\ufeff---\r\ntitle: x\r\ntags:\r\n- a\r\n---\r\n\r\nbody\r\n".encode()
    reference = page.read(Reference, data, "x.md")
    assert (reference.title, reference.tags, reference.body) == ("x", ("a",), "\nbody\n")
    found = page.parse(data)
    assert (found.newline, found.bom, found.fronted) == ("\r\n", True, True)
    assert found.lines == {"title": 2, "tags": 3}


def test_a_file_may_end_with_its_front_matter() -> None:
    assert page.read(Reference, b"---\ntitle: x\n---", "x.md").title == "x"
    assert page.read(Reference, b"---\ntitle: x\n...\nbody", "x.md").body == "body"  # pandoc's way


def test_a_search_holds_a_mapping_for_each_provider() -> None:
    data = b"---\nquery: q\ndate: 2026-11-30\nproviders:\n- platform: arxiv\n  sent: all:q\n  limits:\n---\n"
    search = page.read(Search, data, "topics/searches/q.md")
    assert search.date == "2026-11-30"
    assert search.providers == ({"platform": "arxiv", "sent": "all:q", "limits": ""},)


def test_a_note_needs_no_front_matter() -> None:
    for text in (
        "# Title\n\ntext",
        "",
        "---\n\nprose after a thematic break\n",
        "text\n---\ntitle: x\n---\n",
    ):
        note = page.read(Note, text.encode(), "notes/x.md")
        assert (note.title, note.body) == ("", text)
        assert not page.parse(text.encode()).fronted
    assert page.read(Note, b"---\n---\nbody", "notes/x.md").body == "body"


def test_a_reference_without_front_matter_cannot_be_read() -> None:
    with pytest.raises(Unreadable, match="no front matter") as caught:
        page.read(Reference, b"# A title\n", "library/2017/key.md")
    assert caught.value.line == 1


def test_front_matter_that_is_never_closed_is_reported_not_taken_for_prose() -> None:
    with pytest.raises(Unreadable, match="never closed"):
        page.read(Note, b"---\ntitle: x\n\ntext\n", "notes/x.md")


@pytest.mark.parametrize(
    ("front", "line", "field", "says", "advice"),
    [
        ("title: Attention: all you need", 2, "title", "holds a colon", "title: 'Attention: all you need'"),
        ("authors:\n- Lee: Ada\n- B\ntitle: x: y", 5, "title", "holds a colon", "title: 'x: y'"),
        ("title: [Retracted] Foo", 2, "title", "behind the closing `]`", "quotes"),
        ("title: 'It's'", 2, "title", "quotes (') of the value do not match", "twice"),
        ('title: "Foo" bar', 2, "title", 'behind the closing `"`', "quotes"),
        ("title: x\nvenue: 'y", 3, "venue", "never closed", "close the quote"),
        ("doi: x\ntitle:Foo", 3, "doi", "no space behind the colon", None),
        ("title: x\nauthors:\n-Lee", 4, "authors", "no space behind the dash", None),
        ("title: x\nauthors:\n  - a\n - b", 5, "authors", "indented differently", None),
        ("title: x\n  doi: y", 3, "title", "is indented", None),
        ("title: x\n\tdoi: y", 3, "title", "tab", "spaces"),
        ("title: x\ntags:\n-\ta", 4, "tags", "a tab follows the dash", "spaces"),
        ("title: @home", 2, "title", "cannot begin", "title: '@home'"),
        ("title: |foo", 2, "title", "cannot begin", "title: '|foo'"),
        ('title: "\\q"', 2, "title", "unknown `\\`", "single quotes"),
        ("title: #foo", 2, "title", "missing or empty", "quotes"),
        ("doi: x", 1, "title", "missing or empty", None),
        ("title: x\ndoi: y\ndoi: z", 4, "doi", "twice", "keep one"),
        ("title: x\nmine:\n  a: 1\n  a: 2", 5, "a", "twice", "keep one"),
        ("title: x\nmine: &a b", 3, "mine", "anchor", "remove it"),
        ("title: x\nmine: *a", 3, "mine", "alias", "quotes"),
        ("title: !!str x", 2, "title", "tag", "remove it"),
        ("title: x\n? [a]\n: b", 3, "title", "name is a list", None),
        ("title: x\n--- b", 3, "title", "more than one document", None),
        ("- a\n- b", 2, None, "not made of `field: value`", "space behind its colon"),
        ("just text", 2, None, "not made of `field: value`", "space behind its colon"),
        ("title: [a, b]", 2, "title", "one text, not a list", None),
        ("title: x\ndoi: {a: b}", 3, "doi", "one text, not a mapping", None),
        ("title: x\ntags:\n- a\n- b: c", 5, "tags", "an item of `tags` is not a text", None),
        ("title: x\ntags: {a: b}", 3, "tags", "a list of texts", None),
        ("title: x\npublished: 2017-02-30", 3, "published", "'2017-02-30'", "own date"),
        ("title: x\npublished: 2017-13", 3, "published", "YYYY-MM-DD", "own date"),
        ("title: x\npublished: June 2017", 3, "published", "YYYY-MM-DD", "own date"),
        ("title: x\npublished: 0000", 3, "published", "YYYY-MM-DD", "own date"),
        ("title: x\npublished: ２０１７", 3, "published", "YYYY-MM-DD", "own date"),
        ("title: x\nnotice: Retracted", 3, "notice", "one of retracted, withdrawn", None),
        ("title: x\nstage: kept", 3, "stage", "`candidate` or absent", "remove the field"),
        ("title: x\n<<<<<<< HEAD\ndoi: a\n=======\ndoi: b\n>>>>>>> other", 3, None, "unfinished merge", "git"),
        ("title: a\u2028b", 2, "title", "invisible character U+2028", "escape"),
        ("title: a\x07b", 2, "title", "invisible character U+0007", "escape"),
    ],
)  # fmt: skip
def test_an_error_names_file_line_and_field(
    front: str, line: int, field: str | None, says: str, advice: str | None
) -> None:
    error = fault(front)
    assert says in error.message
    assert error.line == line
    if field:
        assert error.field == field
    if advice:
        assert error.next and advice in error.next
    assert "\n" not in error.message


def test_text_that_is_not_utf_8_is_reported_with_its_line() -> None:
    with pytest.raises(Unreadable, match="byte 0xe9") as caught:
        page.read(Reference, "---\ntitle: caf\u00e9\n---\n".encode("latin-1"), "x.md")
    assert (caught.value.line, caught.value.next) == (2, "save the file as UTF-8")
    with pytest.raises(Unreadable, match="not UTF-8"):
        page.read(Note, "# x\n".encode("utf-16"), "notes/x.md")


def test_lines_are_counted_as_editors_count_them() -> None:
    data = 'title: "a\u2028b"\rdoi: x\nvenue: y\npublished: z'
    assert fault(data).line == 4


def test_forms_that_are_never_rewritten_can_still_be_read() -> None:
    assert read("{title: x, tags: [a, b]}").tags == ("a", "b")
    assert read("? title\n: x").title == "x"
    data = b"---\n{title: x}\n---\n"
    reference = page.read(Reference, data, "x.md")
    assert page.update(data, reference, "x.md") == data
    with pytest.raises(NotSpliceable, match="flow mapping"):
        page.update(data, Reference(key="x", title="y"), "x.md")
    assert not page.is_canonical(data, Reference, "x.md")
