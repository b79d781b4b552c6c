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
