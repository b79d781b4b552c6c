"""A disk that is really full: the change is refused whole, or made whole."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib, make

from pressmark.errors import Unavailable

NEW = b"---\ntitle: New\n---\n" + b"many words " * 600


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Lib]:
    """A library on a file system of two megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    if subprocess.run(words, capture_output=True).returncode:
        pytest.skip("not possible here: the tests may not mount a file system")
    yield make(folder / "lib")
    subprocess.run(["umount", str(folder)], check=True)


def fill(lib: Lib, left: int) -> Path:
    """Use up the disk but for so many KiB."""
    filler = lib.root.parent / "filler"
    size = 0
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                size += file.write(b"\0" * 4096) or 0
        except OSError:
            pass
    with filler.open("r+b") as file:
        file.truncate(max(0, size - left * 1024))
    return filler


@pytest.mark.parametrize("left", [0, 4, 8, 16, 20, 24, 32, 40, 48, 64, 128])
def test_so_many_kibibytes_left(small: Lib, left: int) -> None:
    before = small.git("rev-parse", "HEAD")
    small.write("notes/draft.md", "mine")
    filler = fill(small, left)
    other = "library/2018/other.md"
    try:
        done = small.change((KEY, NEW), (other, NEW))
    except Unavailable as error:
        assert "\n" not in error.message
        assert error.next
        assert small.git("rev-parse", "HEAD") == before
        filler.unlink()
        small.repo.recover()
        assert small.read(KEY) in (PAPER, NEW)
        assert small.change(("library/2021/next.md", b"next")) is not None
    else:
        assert done is not None
        assert left > 0
        assert done.sha == small.git("rev-parse", "HEAD")
        filler.unlink()
        small.repo.recover()
        assert small.read(KEY) == small.read(other) == NEW
    assert small.read("notes/draft.md") == b"mine"
    assert small.status() == ["?? notes/draft.md"]
    small.tidy()


def test_both_ends_of_the_table_are_real(small: Lib) -> None:
    filler = fill(small, 0)
    with pytest.raises(Unavailable, match="disk is full"):
        small.change((KEY, NEW))
    assert small.read(KEY) == PAPER
    filler.unlink()
    assert small.change((KEY, NEW)) is not None
