"""Sections, pages and windows: offsets are exact."""

from __future__ import annotations

import pytest

from pressmark.errors import Ambiguous, BadInput, NotFound
from pressmark.fulltext import reading

BODY = """
# A Title with $x$

<!-- page 1 -->

## 1 Introduction

First *part*.

```
# no heading
```

### 1.1 Détails

Second.

<!-- page 2 -->

## 2 Methods

Third.

## References

1. <a id="ref-1"></a>A. 2020.
"""


def test_sections_end_where_one_of_their_level_begins() -> None:
    found = [(one.level, one.title) for one in reading.sections(BODY)]
    assert found == [
        (1, "A Title with $x$"), (2, "1 Introduction"), (3, "1.1 Détails"), (2, "2 Methods"),
        (2, "References"),
    ]  # fmt: skip
    intro = reading.sections(BODY)[1]
    text = BODY[intro.start : intro.end]
    assert text.startswith("## 1 Introduction")
    assert text.endswith("<!-- page 2 -->\n\n")


@pytest.mark.parametrize("title", ["Methods", "methods", "2 Methods", "METH", "2. methods"])
def test_a_section_by_its_name(title: str) -> None:
    assert reading.section(BODY, title).text == "## 2 Methods\n\nThird.\n\n"


def test_a_section_without_accents() -> None:
    assert reading.section(BODY, "details").text.startswith("### 1.1 Détails\n\nSecond.")


def test_a_section_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(NotFound) as caught:
        reading.section(BODY, "Results")
    assert caught.value.next == "one of: 1 Introduction; 1.1 Détails; 2 Methods; References"
    with pytest.raises(NotFound):
        reading.section(BODY, " ")
    with pytest.raises(Ambiguous):
        reading.section(BODY, "e")


def test_pages() -> None:
    assert reading.page(BODY, 2).text.startswith("\n## 2 Methods")
    assert "Second." in reading.page(BODY, 1).text
    with pytest.raises(NotFound, match="pages 1 to 2"):
        reading.page(BODY, 3)
    with pytest.raises(BadInput, match="no pages"):
        reading.page("# T\n", 1)


def test_windows_cover_the_body_without_gap_or_overlap() -> None:
    body = "\n\n".join(f"## Part {n}\n\n" + f"Wörd{n} 𝛼 " * 90 for n in range(12))
    offset: int | None = 0
    parts = []
    while offset is not None:
        found = reading.window(body, offset, 1000)
        assert found.text == body[offset : offset + len(found.text)]
        assert 0 < len(found.text) <= 1000
        assert found.total == len(body)
        parts.append(found.text)
        offset = found.next_offset
    assert "".join(parts) == body


def test_a_window_says_where_it_is() -> None:
    place = BODY.index("Third")
    found = reading.window(BODY, place)
    assert (found.section, found.page, found.next_offset) == ("2 Methods", 2, None)


def test_a_long_section_is_read_on_by_offset() -> None:
    body = "# T\n\n## A\n\n" + "word " * 3000 + "\n\n## B\n\nend\n"
    first = reading.select(body, section="A", chars=4000)
    assert first["next_offset"] is not None
    second = reading.select(body, section="A", chars=40_000, offset=int(str(first["next_offset"])))
    assert str(first["text"]) + str(second["text"]) == body[5 : body.index("## B")]
    assert second["next_offset"] is None


def test_bad_windows() -> None:
    for offset in (-1, len(BODY) + 1):
        with pytest.raises(BadInput, match="outside the text"):
            reading.window(BODY, offset)
    assert reading.window(BODY, len(BODY)).text == ""
    with pytest.raises(BadInput, match="not for both"):
        reading.select(BODY, section="x", page=1)
    assert len(reading.window("x" * 100_000, 0, 10**9).text) == reading.MOST
