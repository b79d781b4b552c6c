"""Several processes ask one library at once, while a file changes."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

import pytest

from index.shelf import FIELD, place, reopen, shelf
from pressmark import find
from pressmark.errors import Integrity
from pressmark.index import opening


def ask(root: str, number: int) -> list[str]:
    sys.stderr.flush()
    found = []
    for turn in range(5):
        if number == 0:
            path = Path(root) / place(FIELD[3])
            text = path.read_text(encoding="utf-8").replace("objective", "objective indeed")
            fresh = path.with_suffix(".fresh")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(path)
        hits = find.find(reopen(Path(root)), f"attention turn {turn}").hits
        found.append(hits[0].key if hits else "")
    return found


def test_every_question_is_answered(tmp_path: Path) -> None:
    shelf(tmp_path / "lib", FIELD)
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        answers = pool.starmap(ask, [(str(tmp_path / "lib"), number) for number in range(4)])
    assert answers == [["vaswani2017attention"] * 5] * 4
    folder = tmp_path / "lib" / ".pressmark" / "index"
    assert len([path for path in folder.iterdir() if path.is_dir()]) == 1
    hit = find.find(reopen(tmp_path / "lib"), "objective measure of importance").hits[0]
    assert hit.passage is not None and hit.passage.text.count("indeed") == 5


def test_an_index_replaced_between_its_making_and_its_opening_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf(tmp_path / "lib", FIELD)
    real, opened = opening.Index, []

    def index(*args: object) -> opening.Index:
        opened.append(args)
        if len(opened) == 1:
            raise Integrity("The index part s1 is damaged.")
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(opening, "Index", index)
    assert find.find(reopen(tmp_path / "lib"), "attention").hits[0].key == "vaswani2017attention"
    assert len(opened) == 2
