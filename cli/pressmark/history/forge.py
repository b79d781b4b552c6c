"""A pushed branch and a text in; its pull request opened or brought up to date, by `gh`, out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pressmark.errors import Unavailable
from pressmark.text import clean

TOKENS = ("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN")


@dataclass(frozen=True, slots=True)
class Forge:
    """The program `gh`, and where it stands; the token is the environment's and never read."""

    program: str
    top: Path

    def open(self, branch: str, base: str, title: str, body: Path) -> str:
        """Open the pull request of a branch, or give the open one this text; its address."""
        listed = self._run("pr", "list", "--head", branch, "--state", "open", "--json", "url")
        try:
            found = [str(each["url"]) for each in json.loads(listed or "[]")]
        except (ValueError, TypeError, KeyError):
            found = []
        if found:
            self._run("pr", "edit", branch, "--body-file", str(body))
            return found[0]
        said = self._run(
            "pr", "create", "--head", branch, "--base", base, "--title", title,
            "--body-file", str(body),
        )  # fmt: skip
        return said.split()[-1] if said.split() else ""

    def _run(self, *words: str) -> str:
        try:
            done = subprocess.run(
                [self.program, *words], cwd=self.top, capture_output=True, timeout=120,
                stdin=subprocess.DEVNULL, env={**os.environ, "GH_PROMPT_DISABLED": "1"},
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise Unavailable(f"gh could not be run: {type(problem).__name__}.") from problem
        if done.returncode:
            said = clean(done.stderr.decode("utf-8", "replace"))[:300].rstrip(".")
            raise Unavailable(f"gh did not do it: {said}.", next="gh auth status")
        return done.stdout.decode("utf-8", "replace").strip()


def forge(top: Path, programs: Mapping[str, str], env: Mapping[str, str]) -> Forge | None:
    """The forge of a repository; None when the program or a token is not there."""
    program = programs.get("gh") or shutil.which("gh", path=env.get("PATH"))
    if not program:
        return None
    signed_in = Path(env.get("GH_CONFIG_DIR") or Path(env.get("HOME", "/")) / ".config/gh")
    if not any(env.get(name) for name in TOKENS) and not (signed_in / "hosts.yml").is_file():
        return None
    return Forge(program, top)
