"""Shared fixtures: the corpus of real data when it stands beside the project, and a clean user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Machines differ, so no example is timed; CI draws the same examples each time, so that a red run
# is about the change, and everybody else draws new ones.
settings.register_profile("pressmark", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("pressmark")

PROJECT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("PRESSMARK_CORPUS", PROJECT.parent / "shared" / "corpus"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real provider answers and documents; skips where it is not."""
    if not (CORPUS / "providers" / "MANIFEST.tsv").is_file():
        pytest.skip("the corpus of real data is not beside this project")
    return CORPUS


@pytest.fixture(autouse=True)
def clean_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, a git identity, no settings of the person who runs the tests."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("PRESSMARK_", "GIT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada Reader")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "ada@reader.invalid")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Ada Reader")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "ada@reader.invalid")
    return home


IMPOSSIBLE = "not possible here:"
"""How the reason of a skip begins when no installation could let the test run."""


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With PRESSMARK_SKIPS_FAIL set, a test that could have run and was skipped fails the run."""
    if not os.environ.get("PRESSMARK_SKIPS_FAIL") or hasattr(session.config, "workerinput"):
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = [r.longrepr[2] if isinstance(r.longrepr, tuple) else "" for r in skipped]
    if avoidable := [reason for reason in reasons if IMPOSSIBLE not in reason]:
        reporter.write_line(f"FAILED: {len(avoidable)} skipped that could run, e.g. {avoidable[0]}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
