"""A small library in a real git repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from scratch import Lib, make


@pytest.fixture
def lib(tmp_path: Path) -> Lib:
    return make(tmp_path / "lib")
