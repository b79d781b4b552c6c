"""The round-trip law: what is written reads back equal, and is written the same again."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark import page
from pressmark.page.dump import lay_out, scalar
from pressmark.record import Reference

from .records import CLASSES, records, texts, thrown

quick = settings(deadline=None, database=None)


def obeys(record: Any) -> bytes:
    path = "notes/stem.md"
    data = page.write(record)
    again = page.read(type(record), data, path)
    assert again == record
    assert page.write(again) == data
    assert page.update(data, again, path) == data
    return data


@settings(quick, max_examples=8_500)
@given(st.integers(0, 2**64))
def test_thousands_of_references_full_of_traps_obey_the_law(seed: int) -> None:
    obeys(thrown(Reference, seed))


@settings(quick, max_examples=1_500)
@given(records(Reference))
def test_references_of_any_unicode_obey_the_law(reference: Reference) -> None:
    obeys(reference)


@pytest.mark.parametrize("cls", CLASSES[1:], ids=lambda cls: cls.__name__)
def test_every_other_kind_of_file_obeys_the_law(cls: type[Any]) -> None:
    @settings(quick, max_examples=150)
    @given(records(cls))
    def law(record: Any) -> None:
        obeys(record)

    law()


def test_a_reference_with_three_hundred_authors_obeys_the_law() -> None:
    authors = tuple(f"Family {n}, Given: {n}" for n in range(300))
    data = obeys(Reference(key="stem", title="x", authors=authors))
    assert data.count(b"\n- 'Family") == 300


@settings(quick, max_examples=2_000)
@given(st.lists(texts, min_size=1, max_size=6))
def test_plain_safe_yaml_reads_every_value_as_the_same_string(values: list[str]) -> None:
    front = lay_out({"list": values, "map": dict.fromkeys(values, values[0])})
    loaded = yaml.load(front, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    assert loaded == {"list": values, "map": dict.fromkeys(values, values[0])}


CORE = re.compile(
    r"null|Null|NULL|~||true|True|TRUE|false|False|FALSE"
    r"|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
    r"|[-+]?\.(inf|Inf|INF)|\.nan|\.NaN|\.NAN"
)
"""What the core schema of YAML 1.2 takes for something else than a string."""


@settings(quick, max_examples=1_000)
@given(texts | st.from_regex(CORE, fullmatch=True).filter(bool))
def test_a_bare_value_is_a_string_for_yaml_1_2_too(value: str) -> None:
    assert scalar(value) != value or not CORE.fullmatch(value)


def test_lone_surrogates_which_no_file_can_hold_become_replacement_characters() -> None:
    held = Reference(key="k", title="a\ud800b", tags=("\udfff",), body="\ud801")
    again = page.read(Reference, page.write(held), "k.md")
    assert (again.title, again.tags, again.body) == ("a\ufffdb", ("\ufffd",), "\ufffd")
    assert page.update(page.write(held), held, "k.md") == page.write(held)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_canonical_file_changed_is_the_file_written_anew(cls: type[Any]) -> None:
    @settings(quick, max_examples=150)
    @given(st.integers(0, 2**64), st.integers(0, 2**64))
    def law(one: int, other: int) -> None:
        before, after = replace(thrown(cls, one), extra={}), replace(thrown(cls, other), extra={})
        result = page.update(page.write(before), after, "notes/stem.md")
        assert page.read(cls, result, "notes/stem.md") == after
        body = after.body.encode()  # an emptied front matter stays, a note without one too
        assert result in (page.write(after), body, b"---\n---\n" + body)

    law()


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_canonical_file_stays_canonical_with_any_fields_of_the_users(cls: type[Any]) -> None:
    @settings(quick, max_examples=100)
    @given(st.integers(0, 2**64), st.integers(0, 2**64))
    def law(one: int, other: int) -> None:
        data = page.write(thrown(cls, one))
        assert page.is_canonical(data, cls, "notes/stem.md")
        after = thrown(cls, other)
        result = page.update(data, after, "notes/stem.md")
        assert page.read(cls, result, "notes/stem.md") == after
        assert page.is_canonical(result, cls, "notes/stem.md")

    law()
