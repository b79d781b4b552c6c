"""The 25 labelled pairs, and what is suggested, told apart and never merged."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from pressmark.errors import BadInput
from pressmark.exchange.duplicates import compare, keep_apart, markdown, pairs
from pressmark.formats.bibtex.names import name as bibtex_name
from pressmark.library import Library, create
from pressmark.record import Paper, Reference


def empty(tmp_path: Path) -> Library:
    root = tmp_path / "lib"
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", root], check=True)
    create(root)
    return Library.open(root)


def paper(fields: dict[str, str], number: int) -> Paper:
    text = fields.get("author", "")
    names = text.split(";") if ";" in text else text.split(" and ")
    kinds = {"article": "article-journal", "inproceedings": "paper-conference", "book": "book"}
    return Paper(
        title=fields.get("title", ""), authors=tuple(filter(None, map(bibtex_name, names))),
        published=fields.get("year") or None, type=kinds.get(fields.get("ENTRYTYPE", ""), "document"),
        venue=fields.get("journal") or fields.get("booktitle"), volume=fields.get("volume"),
        issue=fields.get("number"), pages=fields.get("pages"), doi=fields.get("doi"),
        sources=(f"bibtex:{number}",),
    )  # fmt: skip


def cases(corpus: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(
        (corpus / "bib/bibdedupe_test_cases.json").read_bytes()
    )["cases"]
    return found


def test_no_labelled_pair_is_merged_wrongly_and_every_true_one_is_met(
    corpus: Path, tmp_path: Path
) -> None:
    wrong, unmet, right = [], [], 0
    for number, case in enumerate(cases(corpus)):
        library = empty(tmp_path / str(number))
        one, two = (paper(case[f"record_{each}"], n) for n, each in enumerate("ab"))  # type: ignore[arg-type]
        library.add([one])
        library.add([two])
        held = list(library.all())
        merged = len(held) == 1
        suggested = not merged and bool(pairs(held))
        if case["expected_duplicate"]:
            right += 1
            unmet += [] if merged or suggested else [case["id"]]
        elif merged:
            wrong.append(case["id"])
    assert (wrong, unmet, right) == ([], [], 10)


A = Reference(key="a", title="Salt in the soup of Paris", authors=("Lee, Ann",), published="2018")


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Salt in the soups of Paris"},
        {"title": "Salt, in the soup of Paris!", "authors": ("Lee, A.", "Kim, B.")},
        {"published": "2019"},
        {"authors": ()},
    ],
)
def test_look_alikes_are_suggested(changes: dict[str, object]) -> None:
    other = {"title": A.title, "authors": A.authors, "published": "2018", "key": "b", **changes}
    assert compare(A, Reference(**other)) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"doi": "10.1000/1"}, {"doi": "10.1000/2"}),
        ({"title": "Salt in soup, part I"}, {"title": "Salt in soup, part II"}),
        ({"title": "Soup 2018: a survey"}, {"title": "Soup 2019: a survey"}),
        ({}, {"authors": ("Roe, Cid",)}),
        ({"arxiv": "2001.00001"}, {"doi": "10.1000/2", "venue": "J"}),
        ({}, {"title": "Pepper in the bread of Bern"}),
    ],
)
def test_two_works_are_no_pair(mine: dict[str, object], theirs: dict[str, object]) -> None:
    base = {"title": A.title, "authors": A.authors, "published": "2018"}
    one = Reference(**{**base, "key": "a", **mine})  # type: ignore[arg-type]
    two = Reference(**{**base, "key": "b", **theirs})  # type: ignore[arg-type]
    assert compare(one, two) is None


def test_a_persons_word_is_remembered(tmp_path: Path) -> None:
    library = empty(tmp_path)
    library.add(
        [Paper(title="Salt in soup", authors=("Lee, A",), published="2018", sources=("bibtex:1",))]
    )
    library.add(
        [Paper(title="Salt in soups", authors=("Lee, A",), published="2018", sources=("bibtex:2",))]
    )
    (pair,) = pairs(library.all())
    assert pair.why == ("titles 96 % alike", "a shared author", "the same year")
    text = markdown([pair])
    assert "| title | Salt in soup | Salt in soups |" in text and "pressmark merge" in text
    assert text.startswith("1 pair of references looks like one work.\n")
    with pytest.raises(BadInput, match="are one reference"):
        keep_apart(library, pair.a.key, pair.a.key)
    keep_apart(library, pair.a.key, pair.b.key)
    assert pairs(library.all()) == []
