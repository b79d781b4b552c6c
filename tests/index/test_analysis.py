"""Terms: folded, stemmed, compounds also as one word, scripts without blanks as pairs."""

from __future__ import annotations

import pytest

from pressmark.index.stems import analyser

TERMS = analyser()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... !? --", []),
        ("the of and to be", []),
        ("Networks networking networked", ["network", "network", "network"]),
        ("Über die Gänse", ["uber", "die", "gans"]),
        ("naïve Šimić coöperation", ["naiv", "simic", "cooper"]),
        ("IL-6 and T-cell", ["il", "il6", "cell", "tcell"]),
        ("state-of-the-art", ["state", "art", "stateoftheart"]),
        ("long-standing", ["long", "stand"]),
        ("TGF-β signalling", ["tgf", "beta", "tgfbeta", "signal"]),
        ("p53 1997", ["p53", "1997"]),
        ("注意力机制", ["注意", "意力", "力机", "机制"]),
        ("犬", ["犬"]),
        ("機械translation", ["機械", "translat"]),
        ("O'Brien's", ["brien"]),
        ("snake_case", ["snake", "case"]),
    ],
)  # fmt: skip
def test_terms(text: str, expected: list[str]) -> None:
    assert TERMS.terms(text) == expected


def test_decomposed_letters_are_the_same_letters() -> None:
    assert TERMS.terms("re\u0301sume\u0301") == TERMS.terms("r\u00e9sum\u00e9") == ["resum"]


def test_words_with_vowel_signs_stay_whole() -> None:
    assert len(TERMS.terms("हिन्दी भाषा")) == 2


def test_a_sequence_of_letters_without_end_is_cut() -> None:
    assert TERMS.terms("ACGT" * 10_000) == [("acgt" * 16)]


def test_names_are_neither_stemmed_nor_stopped() -> None:
    assert TERMS.names("Will, Šimić & O'Connor") == ["will", "simic", "connor"]


@pytest.mark.parametrize(
    "text", ["IL-6 cells of mice", "Die Gänse: TGF-β!", "注意力 attention", ""]
)
def test_common_finds_what_terms_finds(text: str) -> None:
    wanted = ["il6", "cell", "mice", "gans", "tgfbeta", "attent", "注意", "horse"]
    assert TERMS.common(text, wanted) == set(wanted) & set(TERMS.terms(text))
