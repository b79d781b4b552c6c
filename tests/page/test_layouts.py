"""Hand-made layouts: nothing changes without a change, and a change touches its own lines only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark import page
from pressmark.page import schema
from pressmark.record import Reference

from .layouts import LISTS, TEXTS, Layout, layouts, words
from .records import texts

PATH = "library/2017/stem.md"
quick = settings(deadline=None, database=None)

changes = st.dictionaries(st.sampled_from(TEXTS), st.none() | words | texts, max_size=2)
list_changes = st.dictionaries(
    st.sampled_from(LISTS), st.lists(words | texts, max_size=4).map(tuple), max_size=2
)


@settings(quick, max_examples=500)
@given(layouts())
def test_a_record_that_did_not_change_keeps_its_bytes(layout: Layout) -> None:
    record = page.read(Reference, layout.data, PATH)
    assert page.update(layout.data, record, PATH) == layout.data
    assert record.body == layout.body


def wanted(layout: Layout, new: dict[str, Any]) -> Reference:
    record = page.read(Reference, layout.data, PATH)
    if not new.get("title", record.title):
        new.pop("title")
    return replace(record, **new)


def check(layout: Layout, record: Reference, changed: set[str]) -> bytes:
    """The update means the record, and every line of an unchanged field stands where it stood."""
    before = page.read(Reference, layout.data, PATH)
    result = page.update(layout.data, record, PATH)
    again = page.read(Reference, result, PATH)
    assert schema.differing(again, record) == []
    assert again.body == record.body
    front = result.decode("utf-8-sig")
    if record.body:
        front = front.removesuffix(record.body.replace("\n", layout.newline))
    lines = iter(line.removesuffix("\r") for line in front.split("\n"))
    really = {name for name in changed if name in schema.differing(before, record)}
    for kept in layout.others(really):
        assert kept in lines, (kept, result.decode())
    assert (b"\r\n" in result) == (layout.newline == "\r\n")
    assert result.startswith(b"\xef\xbb\xbf") == layout.bom
    assert page.update(result, again, PATH) == result
    return result


@settings(quick, max_examples=1200)
@given(layouts(), changes, list_changes)
def test_a_change_touches_its_own_lines_only(
    layout: Layout, new_texts: dict[str, Any], new_lists: dict[str, Any]
) -> None:
    record = wanted(layout, new_texts | new_lists)
    check(layout, record, {*new_texts, *new_lists})


@settings(quick, max_examples=200)
@given(layouts(), st.sampled_from(["", "new\n", "\n## Abstract\n\ntext\nmore", "\n---\n\nx\n"]))
def test_a_new_body_leaves_the_front_matter_alone(layout: Layout, body: str) -> None:
    record = wanted(layout, {"body": body})
    result = check(layout, record, set())
    front = layout.data.removesuffix(layout.body.replace("\n", layout.newline).encode())
    assert result.startswith(front)


@settings(quick, max_examples=400)
@given(layouts(), st.sampled_from(["tags", "isbn", "authors", "cites"]), st.data())
def test_items_that_stay_keep_their_lines(layout: Layout, name: str, data: st.DataObject) -> None:
    before = page.read(Reference, layout.data, PATH)
    held = list(getattr(before, name))
    kept = (
        data.draw(st.lists(st.sampled_from(range(len(held))), unique=True).map(sorted))
        if held
        else []
    )
    items = [held[place] for place in kept]
    items.insert(data.draw(st.integers(0, len(items))), "added")
    record = wanted(layout, {name: tuple(items)})
    result = check(layout, record, {name})
    own = [line for owner, line in layout.lines if owner == name]
    simple = len(own) == len(held) + 1 and all(line.lstrip().startswith("- ") for line in own[1:])
    if simple and not any(">-" in line for line in own) and len(set(held)) == len(held):
        lines = [line.removesuffix("\r") for line in result.decode().split("\n")]
        for place in kept:
            assert own[1 + place] in lines


@settings(quick, max_examples=500)
@given(layouts())
def test_the_canonical_layout_means_the_same_and_keeps_comments(layout: Layout) -> None:
    before = page.read(Reference, layout.data, PATH)
    result = page.canonical(layout.data, Reference, PATH)
    again = page.read(Reference, result, PATH)
    assert schema.differing(before, again) == []
    assert page.canonical(result, Reference, PATH) == result
    assert page.is_canonical(result, Reference, PATH)
    for comment in ("# note", "#tight", "# beside", "# tab", "# 'quote", "# none", "# in"):
        assert result.decode().count(comment) == layout.data.decode().count(comment)
