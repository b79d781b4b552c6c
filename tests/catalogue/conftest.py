"""A folder of references, made by hand, without git."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pressmark import page
from pressmark.catalogue import Catalogue, layout
from pressmark.record import Reference

Write = Callable[..., Path]
LONG_AGO = 1_600_000_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in layout.FOLDERS:
        (tmp_path / folder).mkdir()
    return tmp_path


@pytest.fixture
def write(root: Path) -> Write:
    """Write a reference, old enough that its time stamp proves something."""

    def put(key: str, *, folder: str = "2020", age: int = 0, **fields: object) -> Path:
        held: dict[str, object] = {"title": f"Title of {key}", **fields}
        path = root / "library" / folder / f"{key}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.write(Reference(key=key, **held)))  # type: ignore[arg-type]
        os.utime(path, (LONG_AGO + age, LONG_AGO + age))
        return path

    return put


@pytest.fixture
def catalogue(root: Path) -> Catalogue:
    return opened(root)


def opened(root: Path) -> Catalogue:
    """The catalogue as a new process sees it."""
    catalogue = Catalogue(root)
    catalogue.refresh()
    return catalogue
