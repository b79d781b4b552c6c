"""Display names, licences, dates and abstracts as the file writes them."""

from __future__ import annotations

import pytest

from pressmark.sources import licences, names
from pressmark.sources.values import abstract, date_of, iso_date, words


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        ("Ashish Vaswani", "Vaswani, Ashish"),
        ("Kees A. Schouhamer Immink", "Immink, Kees A. Schouhamer"),
        ("Peter H. N. de With", "de With, Peter H. N."),
        ("Ludwig van der Rohe", "van der Rohe, Ludwig"),
        ("Leonardo da Vinci", "da Vinci, Leonardo"),
        ("José Ortega y Gasset", "Ortega y Gasset, José"),
        ("de Gaulle", "de Gaulle"),
        ("Martin Luther King Jr.", "King, Martin Luther, Jr."),
        ("Henry Ford II", "Ford, Henry, II"),
        ("Plato", "Plato"),
        ("Bran, Andres M", "Bran, Andres M"),
        ("山田 太郎", "山田, 太郎"),
        ("ATLAS Collaboration", "{ATLAS Collaboration}"),
        ("The LIGO Scientific Collaboration", "{LIGO Scientific Collaboration}"),
        ("for the ALICE Collaboration", "{ALICE Collaboration}"),
        ("World Health Organization", "{World Health Organization}"),
        ("R Core Team", "{R Core Team}"),
        ("J. Smith (for the X Collaboration)", "Smith, J."),
        ("Ann  \u202eLee*", "Lee, Ann"),
        (":", None),
        ("", None),
        ("123", None),
    ],
)
def test_a_display_name(shown: str, written: str | None) -> None:
    assert names.author(shown) == written


@pytest.mark.parametrize(
    ("given", "family", "suffix", "written"),
    [
        ("Jan", "A Light", "", "A Light, Jan"),
        ("Bas", "Der Aa", "", "Der Aa, Bas"),
        ("Martin", "King", "Jr.", "King, Martin, Jr."),
        ("", "Benchmark Consortium", "", "{Benchmark Consortium}"),
        ("", "Plato", "", "Plato"),
        ("Ann", "Lee, Jr", "", "Lee Jr, Ann"),
        ("Ann Lee", "", "", "Lee, Ann"),
    ],
)
def test_a_name_in_parts_is_never_split_again(
    given: str, family: str, suffix: str, written: str
) -> None:
    assert names.given_family(given, family, suffix) == written


@pytest.mark.parametrize(
    ("said", "name", "is_open"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0", True),
        ("http://creativecommons.org/licenses/by-nc-nd/3.0/legalcode", "CC BY-NC-ND 3.0", False),
        ("https://creativecommons.org/licenses/by-sa/4.0", "CC BY-SA 4.0", True),
        ("cc-by", "CC BY", True),
        ("cc by-nc-nd", "CC BY-NC-ND", False),
        ("CC BY 4.0", "CC BY 4.0", True),
        ("cc0", "CC0", True),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0", True),
        ("public-domain", "public domain", True),
        ("https://www.elsevier.com/tdm/userlicense/1.0/", "https://www.elsevier.com/tdm/userlicense/1.0/", False),
        ("", None, False),
        (None, None, False),
    ],
)  # fmt: skip
def test_a_licence(said: str | None, name: str | None, is_open: bool) -> None:
    assert licences.normalise(said) == name
    assert licences.is_open(name) is is_open


def test_dates_are_as_exact_as_what_can_be() -> None:
    assert date_of(2018, 10, 19) == "2018-10-19"
    assert date_of(2018, 10) == "2018-10"
    assert date_of("1971", "10", "00") == "1971-10"
    assert date_of(2018, 13, 1) == "2018"
    assert date_of(None) is None and date_of() is None and date_of(17) is None
    assert date_of(True) is None and date_of(2018, None, 3) == "2018"
    assert iso_date("2017-06-12T17:57:34Z") == "2017-06-12"
    assert iso_date(2023) == "2023" and iso_date("soon") is None and iso_date(None) is None


def test_words_of_anything() -> None:
    assert words([None, "", " a\nb "]) == "a b"
    assert words(3) == "3" and words(True) == "" and words({"a": 1}) == "" and words(None) == ""


def test_an_abstract_keeps_its_mathematics_and_nothing_else_that_means_something() -> None:
    said = abstract(
        "We use $\\alpha_1 <b$ and *stars*, p<0.05, [x](y) costing $5 or $6.\n  Then more."
    )
    assert said is not None
    assert "$\\alpha_1 < b$" in said
    assert "\\*stars\\*" in said and "\\[x\\](y)" in said
    assert said.endswith("\n\nThen more.") and "costing" in said
    assert abstract("  ") is None
    assert abstract('G\\"odel is <script>here</script>') == "Gödel is"
