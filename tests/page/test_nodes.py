"""The tree of a front matter: the same from libyaml and from pure Python, with true places."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark import page
from pressmark.page import nodes
from pressmark.page.dump import lay_out
from pressmark.page.faults import Fault
from pressmark.page.frame import HANDLER
from pressmark.page.nodes import Node, compose

from .layouts import Layout, layouts
from .records import extras, names


def picture(node: Node, text: str) -> Any:
    """A tree as plain data: values, lines and where each ends."""
    return (
        node.kind, node.value, node.style, node.line, node.reach(text), bool(node.flow),
        [picture(key, text) for key in node.keys], [picture(child, text) for child in node.children],
    )  # fmt: skip


def pure(text: str) -> Node:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nodes, "EventParser", nodes.PythonParser)
        return compose(text)


@settings(deadline=None, database=None, max_examples=300)
@given(layouts())
def test_both_parsers_see_the_same_in_layouts_by_hand(layout: Layout) -> None:
    text = HANDLER.split(layout.data.decode("utf-8-sig"))[0]
    if text and "\t" not in text:  # pure Python refuses a tab before a comment
        assert picture(compose(text), text) == picture(pure(text), text)


@settings(deadline=None, database=None, max_examples=200)
@given(st.dictionaries(names, extras, max_size=3))
def test_both_parsers_see_the_same_in_what_we_write(fields: dict[str, Any]) -> None:
    text = lay_out(fields)
    assert compose(text).value == pure(text).value == fields


def test_places_are_counted_in_characters() -> None:
    text = "'ü': 😀 x # c\nlist: [é, {a: b}]\n"
    root = compose(text)
    assert text[root.keys[0].start : root.keys[0].end] == "'ü'"
    assert text[root.children[0].start : root.children[0].end] == "😀 x"
    assert text[root.children[1].start : root.children[1].end] == "[é, {a: b}]"
    assert [key.line for key in root.keys] == [0, 1]


def test_a_line_break_that_only_yaml_sees_is_not_counted() -> None:
    root = compose('a: "x\u2028y\u0085z"\nb: c\n')
    assert [key.line for key in root.keys] == [0, 1]


def test_lines_are_counted_once_however_many_items_there_are() -> None:
    root = compose('a: "x\u2028y"\nb:\n' + "- i\n" * 100_000 + "c: d\n")
    assert [key.line for key in root.keys] == [0, 1, 100_002]
    assert root.children[1].children[-1].line == 100_001


def test_an_invisible_mark_at_the_beginning_would_shift_every_place() -> None:
    with pytest.raises(Fault, match=r"U\+FEFF"):
        compose("\ufefftitle: x")


def test_the_page_of_a_file_whatever_kind_it_is() -> None:
    found = page.parse(b"---\na: 1\n\nb: [x, {c: ''}]\n---\nbody", "any.md")
    assert found == page.Page({"a": "1", "b": ["x", {"c": ""}]}, {"a": 2, "b": 4}, "body", "\n")
