"""The small world that most of these tests ask, and a client that asks it without pauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from double import Double
from pressmark.http import Client
from story import story_routes


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as started:
        yield started


@pytest.fixture
def client(double: Double, tmp_path: Path) -> Client:
    (tmp_path / "library").mkdir()
    config = double.config(tmp_path, tmp_path / "library", timeout=5.0)
    return Client(config, sleep=lambda seconds: None)
