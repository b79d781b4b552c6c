"""The public API: what `__all__` says is what is there, and what the guide tells of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pressmark

PROJECT = Path(__file__).resolve().parent.parent


def test_all_is_what_can_be_imported() -> None:
    assert sorted(pressmark.__all__) == sorted({*pressmark._HOMES, "__version__", "open_library"})
    for name in pressmark.__all__:
        assert getattr(pressmark, name) is not None


def test_every_public_name_is_in_the_guide() -> None:
    page = (PROJECT / "site" / "guide" / "api.md").read_text("utf-8")
    missing = [
        name for name in pressmark.__all__ if name != "__version__" and f"`{name}" not in page
    ]
    assert missing == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import sys, pressmark; print(sorted(m for m in sys.modules if m.split('.')[0] in "
    script += "('yaml', 'httpx', 'git', 'numpy', 'whoosh', 'mkdocs', 'rich', 'sqlite3')))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_version_command_loads_nothing_heavy() -> None:
    script = (
        "import sys; from pressmark.commands.run import run; run(['--version']);"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in "
        "('yaml', 'httpx', 'git', 'numpy', 'whoosh', 'mkdocs', 'rich', 'sqlite3')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"pressmark {pressmark.__version__}", "[]"]


def test_the_version_is_written_once_more_only_in_the_project_file() -> None:
    assert f'version = "{pressmark.__version__}"' in (PROJECT / "pyproject.toml").read_text("utf-8")


def test_no_public_name_is_hidden_by_a_module() -> None:
    modules = {path.stem for path in (PROJECT / "cli" / "pressmark").iterdir()}
    assert modules.isdisjoint(pressmark._HOMES)
