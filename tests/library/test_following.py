"""A second import follows what no person touched, and never what one did, however often."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark.library import Library, create
from pressmark.record import Paper


def papers(number: int, volume: str) -> list[Paper]:
    return [
        Paper(
            title=f"Title {n}", doi=f"10.1000/{n}", volume=volume, sources=(f"csl-json:k{n}",),
            key_hint=f"k{n}",
        )
        for n in range(number)
    ]  # fmt: skip


@pytest.mark.parametrize("number", [3, 60], ids=["few", "many at once"])
def test_what_a_person_set_stands_through_every_later_import(
    tmp_path: Path, git, number: int
) -> None:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")

    def imported(volume: str) -> dict[str, str | None]:
        library.add(papers(number, volume), subject=f"import: {number} entries of 1 file")
        library.refresh()
        return {ref.key: ref.volume for ref in library.all()}

    assert set(imported("1").values()) == {"1"}
    assert set(imported("2").values()) == {"2"}
    library.edit(["k1"], set={"volume": "9"})
    for volume in ("3", "3", "4", "5"):
        found = imported(volume)
        assert found.pop("k1") == "9"
        assert set(found.values()) == {volume}
    assert library.get("k1").conflicts == (
        "volume: 3 (csl-json)", "volume: 4 (csl-json)", "volume: 5 (csl-json)",
    )  # fmt: skip
    path = library.root / library.path("k2")
    path.write_text(path.read_text().replace("volume: '5'", "volume: '8'"))
    assert imported("6")["k2"] == "8"  # nobody has committed it yet


def entry(title: str, *, doi: str | None = None, year: str = "2001") -> Paper:
    return Paper(
        title=title, authors=("Doe, Jane",), published=year, doi=doi, venue="J. Inf.",
        sources=("bibtex:doe2001",), key_hint="doe2001",
    )  # fmt: skip


def imported(library: Library, paper: Paper) -> list[str]:
    library.add([paper], subject="import: 1 entry of 1 file")
    library.refresh()
    return [f"{ref.key}: {ref.title} ({ref.year})" for ref in library.all()]


@pytest.mark.parametrize("doi", [None, "10.1000/1"], ids=["without", "with"])
def test_a_title_that_a_person_corrected_makes_no_second_reference(
    tmp_path: Path, git, doi: str | None
) -> None:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")
    slip = entry("A Frist Study of Retrieval in Practice", doi=doi)
    imported(library, slip)
    library.edit(["doe2001"], set={"title": "A First Study of Retrieval in Practice"})
    for _ in range(2):
        assert imported(library, slip) == ["doe2001: A First Study of Retrieval in Practice (2001)"]
        assert library.get("doe2001").conflicts == (
            "title: A Frist Study of Retrieval in Practice (bibtex)",
        )


def test_a_title_or_year_corrected_in_the_file_is_followed(tmp_path: Path, git) -> None:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")
    imported(library, entry("A Frist Study of Retrieval in Practice"))
    right = "A First Study of Retrieval in Practice"
    assert imported(library, entry(right)) == [f"doe2001: {right} (2001)"]
    assert imported(library, entry(right, year="2002")) == [f"doe2001: {right} (2002)"]


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        (entry("Reports on Retrieval, 1"), entry("Reports on Retrieval, 2")),
        (entry("A First Study of Retrieval"), entry("Marsh Birds in Winter")),
        (entry("On Retrieval", doi="10.1000/1"), entry("On Retrieval", doi="10.1000/2")),
        (entry("A Frist Study of Retrieval"), entry("A First Study of Retrieval", year="2009")),
    ],
    ids=["volumes", "titles", "dois", "title and year"],
)
def test_another_work_with_the_key_of_a_held_one_is_filed_beside_it(
    tmp_path: Path, git, held: Paper, offered: Paper
) -> None:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")
    imported(library, held)
    assert len(imported(library, offered)) == 2
