"""Dates as bibliographies write them: as much of each as makes sense."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark.formats import dates


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2017", "2017"),
        ("2017-06", "2017-06"),
        ("2017-6-2", "2017-06-02"),
        ("2017/06/12", "2017-06-12"),
        ("2017-06-12T00:00:00Z", "2017-06-12"),
        ("20170612", "2017-06-12"),
        ("2017-02-30", "2017-02"),
        ("2016-02-29", "2016-02-29"),
        ("1900-02-29", "1900-02"),
        ("2017-13", "2017"),
        ("2017-00-00", "2017"),
        ("June 12, 2017", "2017-06-12"),
        ("12 juin 2017", "2017-06-12"),
        ("2017 Jun 12", "2017-06-12"),
        ("2017 Jan-Feb", "2017-01"),
        ("12-15 June 2017", "2017-06"),
        ("Fall 2017", "2017"),
        ("Dezember 1999", "1999-12"),
        ("août 2001", "2001-08"),
        ("c. 1850", "1850"),
        ("12/06/2017", "2017"),
        ("2017-2018", "2017"),
        ("forthcoming", None),
        ("", None),
        ("0000", None),
        ("12", None),
    ],
)
def test_from_text(written: str, expected: str | None) -> None:
    assert dates.from_text(written) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((2017, 6, 12), "2017-06-12"),
        (("2017", "06", ""), "2017-06"),
        ((987,), "0987"),
        ((2017, 21), "2017"),
        ((2017, None, 3), "2017"),
        ((2017.0, 6.0), "2017-06"),
        ((None,), None),
        ((True,), None),
        ((-44, 3, 15), None),
        (("MMXVII",), None),
        ((20170,), None),
        (([2017],), None),
    ],
)
def test_from_parts(parts: tuple[object, ...], expected: str | None) -> None:
    assert dates.from_parts(*parts) == expected


@given(st.text(max_size=30))
def test_whatever_is_written_gives_a_date_or_none(written: str) -> None:
    found = dates.from_text(written)
    assert found is None or re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", found)
    assert found is None or dates.from_text(found) == found
