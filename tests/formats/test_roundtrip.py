"""Export, then import: the same records, as far as each format can say them."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark import formats
from pressmark.record import Paper, Reference, Work, reference

WORD = st.sampled_from([
    "salt", "soup", "Müller's", "DNA", "Šimić", "α", "5", "μm", "naïve", "{x}", "a_b", "100%", "&",
    "#", "~", "<5", "“quoted”", "–", "dash", "Paris", "Łódź",
])  # fmt: skip
TITLE = (
    st.lists(WORD, min_size=1, max_size=6)
    .map(" ".join)
    .filter(lambda t: any(c.isalpha() for c in t))
)
PLAIN = st.lists(
    st.sampled_from(["Journal", "of", "Soup", "Letters", "Zürich", "&", "B"]),
    min_size=1,
    max_size=4,
).map(" ".join)
FAMILY = st.sampled_from(
    ["García", "van der Berg", "O'Brien", "Łukasiewicz", "Smith-Jones", "Groß", "Li"]
)
GIVEN = st.sampled_from(["Ann", "J. Q.", "Søren", "Jean-Luc", "Zoë"])
PERSON = st.builds("{}, {}".format, FAMILY, GIVEN)
SUFFIXED = st.builds("{}, {}, Jr.".format, FAMILY, GIVEN)
GROUP = st.sampled_from(["{World Health Organization}", "{Barnes and Noble, Inc.}"])
NAMES = st.lists(st.one_of(PERSON, SUFFIXED, GROUP), min_size=1, max_size=4).map(tuple)
DATE = st.sampled_from(["2018", "2018-07", "1999-12"])
NUMBER = st.integers(1, 400).map(str)
PAGES = st.sampled_from(["1-9", "120-135", "e1234", "S12-S20"])


@st.composite
def references(draw: st.DrawFn, kinds: tuple[str, ...]) -> Reference:
    kind = draw(st.sampled_from(kinds))
    article = kind == "article-journal"
    return Reference(
        key="key2018", title=draw(TITLE), authors=draw(NAMES), published=draw(DATE), type=kind,
        venue=draw(PLAIN) if kind in ("article-journal", "paper-conference", "chapter") else None,
        publisher=draw(PLAIN) if not article else None,
        editors=draw(NAMES) if kind == "chapter" else (),
        volume=draw(NUMBER) if article else None, issue=draw(NUMBER) if article else None,
        pages=draw(PAGES) if kind in ("article-journal", "chapter") else None,
        doi="10.1000/a_b.c", url="https://example.org/a_b%20c?d=1&e=~f",
    )  # fmt: skip


COMMON = ("article-journal", "paper-conference", "chapter", "book", "thesis", "report")


def again(form: str, made: Reference) -> Paper:
    text = formats.write([made], form)
    read = formats.read(text.encode("utf-8"), f"x{formats.WRITERS[form]}")
    assert [str(p) for p in read.problems if p.lost] == []
    (paper,) = read.papers
    return paper


def differing(made: Reference, paper: Paper) -> dict[str, tuple[object, object]]:
    back = reference(paper, "key2018")
    return {
        each.name: (getattr(made, each.name), getattr(back, each.name))
        for each in fields(Work)
        if getattr(made, each.name) != getattr(back, each.name)
    }


@pytest.mark.parametrize("form", ["csl-json", "csl-yaml"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_csl_says_everything(form: str, data: st.DataObject) -> None:
    made = data.draw(references(COMMON))
    assert differing(made, again(form, made)) == {}


@pytest.mark.parametrize("form", ["bibtex", "biblatex"])
@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_bibtex_and_biblatex(form: str, data: st.DataObject) -> None:
    made = data.draw(references(COMMON))
    said = differing(made, again(form, made))
    said.pop("language", None)
    assert said == {}


@given(made=references(COMMON))
@settings(max_examples=80, deadline=None)
def test_ris(made: Reference) -> None:
    groups = tuple("{World Health Organization}" if n.startswith("{") else n for n in made.authors)
    editors = tuple("{World Health Organization}" if n.startswith("{") else n for n in made.editors)
    made = replace(made, authors=groups, editors=editors)  # a comma in a group's name is lost
    assert differing(made, again("ris", made)) == {}


@pytest.mark.parametrize("form", ["bibtex", "biblatex", "csl-json", "csl-yaml", "ris"])
def test_the_key_that_documents_cite_comes_back(form: str) -> None:
    made = Reference(key="lee2018salt", cite_as="Lee:2018+x", title="Salt", published="2018")
    assert again(form, made).key_hint == "Lee:2018+x"
