"""The runs over all real papers take minutes: `pytest -m slow tests/fulltext` asks for them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from marshland import Marsh

from double import Double

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow unless the command line speaks of the mark."""
    if "slow" in (config.option.markexpr or "") or os.environ.get("PRESSMARK_SKIPS_FAIL"):
        return
    slow = [one for one in items if HERE in one.path.parents and one.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [one for one in items if one not in slow]


@pytest.fixture
def marsh(tmp_path: Path) -> Iterator[Marsh]:
    """An empty library and a double without routes."""
    root = tmp_path / "lib"
    root.mkdir()
    with Double([]) as double:
        config = double.write_config(tmp_path / "config.toml")
        held = Marsh(root, double, config)
        held.git("init", "-q", "-b", "main")
        (root / "pressmark.toml").write_text("format = 1\n")
        (root / ".gitignore").write_text(
            ".pressmark/\nlibrary/**/*.pdf\nlibrary/**/*.xml\nlibrary/**/*.html\n"
        )
        held.git("add", ".")
        held.git("commit", "-q", "-m", "begin")
        yield held
