"""Vocabularies: four that ship with checked ids, the user's own, variants, matching titles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pressmark import page
from pressmark.errors import BadInput, NotFound
from pressmark.record import Vocabulary
from pressmark.search.vocabulary import SHIPPED, Terms, every, get, natural, terms

BONES = terms(
    Vocabulary(
        slug="bones",
        title="Bones",
        terms=("Bone Density (D015519)", "Fractures, Bone (D050723)", "Frailty"),
        synonyms=("BMD → Bone Density", "bone mineral density → Bone Density",
                  "broken bones -> Fractures, Bone"),
        measures=("T-score",),
    )
)  # fmt: skip


def test_four_ship_and_are_in_the_canonical_layout() -> None:
    found = every(None)
    assert [each.slug for each in found] == [
        "endocrinology",
        "genetics",
        "oncology",
        "public-health",
    ]
    for each in found:
        assert each.shipped and each.guidance and len(each.mesh) >= 9 and len(each.measures) >= 4
        data = (SHIPPED / f"{each.slug}.md").read_bytes()
        assert page.write(page.read(Vocabulary, data, f"{each.slug}.md")) == data


def test_every_mesh_id_that_ships_is_one_that_pubmed_sent(corpus: Path) -> None:
    """The ids and headings were read out of PubMed's own records."""
    sent: dict[str, str] = {}
    for path in (corpus / "providers" / "pubmed").iterdir():
        text = path.read_text("utf-8", "replace")
        found = re.findall(r'<DescriptorName[^>]*\bUI="(D\d+)"[^>]*>([^<]+)<', text)
        sent |= dict(found)
    for each in every(None):
        assert {name: ui for name, ui in each.mesh.items() if sent.get(ui) != name} == {}


def test_a_synonym_is_swapped_for_its_term_and_never_the_reverse() -> None:
    assert BONES.variants("BMD in astronauts") == ['"Bone Density" in astronauts']
    assert BONES.variants("bone density in astronauts") == []
    assert BONES.variants('"Bone Density" BMD') == []
    assert BONES.variants("astronauts") == []


def test_at_most_two_variants_the_longest_synonyms_first() -> None:
    assert BONES.variants("broken bones, BMD, bone mineral density") == [
        'broken bones, BMD, "Bone Density"', '"Bone Fractures", BMD, bone mineral density',
    ]  # fmt: skip


def test_a_synonym_is_swapped_quotes_fields_and_all() -> None:
    assert BONES.variants('ti:"bone mineral density" OR ti:tides') == [
        'ti:"Bone Density" OR ti:tides'
    ]
    assert BONES.variants("ti:bmd (a OR b) -c") == ['ti:"Bone Density" (a OR b) -c']


def test_what_is_a_part_of_a_phrase_or_of_a_word_or_excluded_is_left() -> None:
    for words in ('"the BMD of eels"', "BMDs", "pre-BMD", "eels -BMD"):
        assert BONES.variants(words) == []


def test_inverted_headings_are_said_in_the_order_of_speech() -> None:
    assert natural("Fractures, Bone") == "Bone Fractures"
    assert natural("Bone Density") == "Bone Density"
    assert natural("A, B, C") == "A, B, C"


def test_a_title_names_a_term_by_any_of_its_names() -> None:
    assert BONES.named_in("BMD and the T-score of broken bones") == [
        "Bone Density", "Fractures, Bone", "T-score",
    ]  # fmt: skip
    assert BONES.named_in("Bone fractures in frailty") == ["Fractures, Bone", "Frailty"]
    assert BONES.named_in("Tides") == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"terms": ("Bone Density (D15)",)}, "'D15' is no MeSH id"),
        ({"terms": ("Bone Density (X015519)",)}, "is no MeSH id"),
        ({"terms": ("A",), "synonyms": ("b → C",)}, "names no term of this vocabulary"),
        ({"terms": ("A",), "synonyms": ("b",)}, "names no term of this vocabulary"),
    ],
)
def test_a_wrong_vocabulary_is_a_sentence_that_names_its_file(
    wrong: dict[str, object], says: str
) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        terms(Vocabulary(slug="mine", title="Mine", **wrong))  # type: ignore[arg-type]
    assert str(caught.value).startswith("topics/vocabularies/mine.md: ")


class Held:
    """As much of a library as a vocabulary needs."""

    def vocabularies(self) -> list[Vocabulary]:
        return [Vocabulary(slug="Oncology", title="Mine", terms=("Tumours",))]


def test_the_librarys_own_stands_in_the_place_of_the_one_that_ships() -> None:
    held = Held()
    assert get("oncology", held).title == "Mine"  # type: ignore[arg-type]
    assert [each.shipped for each in every(held)] == [True, True, False, True]  # type: ignore[arg-type]
    with pytest.raises(NotFound, match=r"no vocabulary 'x' .*endocrinology, genetics"):
        get("x", None)


def test_a_vocabulary_without_synonyms_has_no_variants() -> None:
    assert Terms("a", "A", {}, {}).variants("tides") == []
