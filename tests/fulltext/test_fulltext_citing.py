"""Citing sentences: each citation leads to its entry, and each entry to the sentences citing it."""

from __future__ import annotations

import pytest

from pressmark.fulltext import citing
from pressmark.record import Reference

BODY = """
# Marsh Drainage

<!-- page 1 -->

## 1 Introduction

Marshes drain slowly [[1](#ref-1)]. Dr. Bryl et al. disagree, e.g. in winter [[2](#ref-2), \
[3](#ref-3)], and $x = 1. A$ holds. Nobody measured it.

Older channels carry more.[[1](#ref-1)–[3](#ref-3)] "Younger ones fill first."

<!-- page 2 -->

## 2 Methods

We follow Penhallow ([2008](#ref-2)). Gauges stood there (see [Wen et al., 2020](#ref-4)).

**Figure 1.** Levels after [[4](#ref-4)].

## References

1. <a id="ref-1"></a>Bryl T. Message passing on estuaries. J Inv Hydrol 2019. doi:10.5555/jih.2019.0042
2. <a id="ref-2"></a>Penhallow R. A short history of tide tables. Brass Press, 2008.
3. <a id="ref-3"></a>Aldermoor I. Marshes. 2011.
4. <a id="ref-4"></a>Wen L, Xu Y. Sparse attention. arXiv:2001.01234, 2020.
"""


def found(cited: Reference | None = None) -> list[tuple[int, str]]:
    return [(one.number, one.text) for one in citing.citing_sentences(BODY, cited)]


def test_every_sentence_once_for_each_entry_it_cites() -> None:
    winter = "Dr. Bryl et al. disagree, e.g. in winter [2, 3], and $x = 1. A$ holds."
    older = "Older channels carry more.[1–3]"
    assert found() == [
        (1, "Marshes drain slowly [1]."), (2, winter), (3, winter),
        (1, older), (2, older), (3, older),  # the one between the ends of a range too
        (2, "We follow Penhallow (2008)."), (4, "Gauges stood there (see Wen et al., 2020)."),
        (4, "Levels after [4]."),
    ]  # fmt: skip


def test_a_sentence_says_where_it_is() -> None:
    held = citing.citing_sentences(BODY)
    assert [(one.section, one.page) for one in held[:1] + held[-1:]] == [
        ("1 Introduction", 1), ("2 Methods", 2),
    ]  # fmt: skip
    assert BODY[held[0].start : held[0].end] == "Marshes drain slowly [[1](#ref-1)]."
    front = "---\nreference: x\n---\n"
    moved = citing.citing_sentences(front + BODY, begin=len(front))
    assert [one.start - len(front) for one in moved] == [one.start for one in held]


@pytest.mark.parametrize(
    ("work", "number"),
    [
        (Reference(title="Other words", doi="10.5555/JIH.2019.0042"), 1),
        (Reference(title="Other words", arxiv="2001.01234"), 4),
        (Reference(title="A Short History of Tide Tables", authors=("Penhallow, Ruth",)), 2),
        (Reference(title="A short history of tide-tables", published="2008"), 2),
    ],
)
def test_a_work_is_known_by_its_identifier_or_its_title(work: Reference, number: int) -> None:
    assert {one for one, _ in found(work)} == {number}


@pytest.mark.parametrize(
    "work",
    [
        Reference(title="Marshes", authors=("Aldermoor, Ines",), published="2011"),  # one word
        Reference(title="A short history of tide tables", authors=("Moss, A",), published="1999"),
        Reference(title="Sparse attention for very long marshes", published="2020"),
    ],
)
def test_a_word_or_two_in_common_is_no_citation(work: Reference) -> None:
    assert found(work) == []


def test_the_list_is_read_back() -> None:
    held = citing.entries(BODY)
    assert [one.number for one in held] == [1, 2, 3, 4]
    assert held[0].identities == ("doi:10.5555/jih.2019.0042",)
    assert held[3].identities == ("arxiv:2001.01234",)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("One. Two! Three? Four", 4),
        ("See Fig. 3 and Eq. 4. Then.", 2),
        ("By A. B. Moss in 1999. Done.", 2),
        ("これは文です。次の文です。", 2),
        ("It ends.[[3](#ref-3)] Next one.", 2),
        ("A value of 3.5 m. Not 4.", 2),
        ("", 0),
    ],
)
def test_where_sentences_end(line: str, count: int) -> None:
    spans = citing.sentences(line)
    assert len(spans) == count
    assert all(line[start:end].strip() == line[start:end] for start, end in spans)
