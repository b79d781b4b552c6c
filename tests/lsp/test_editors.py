"""The set-ups of the guide in the editors themselves: Neovim and Emacs, without a screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .conftest import COMMAND, environment

HERE = Path(__file__).resolve().parent


def told(out: str) -> dict[str, Any]:
    """What the script in the editor printed, a JSON object a line."""
    found: dict[str, Any] = {}
    for line in out.splitlines():
        if line.startswith("{"):
            found |= json.loads(line)
    return found


def programs(name: str) -> list[str]:
    """The editor on the path, and those that `EDITORS_TO_TRY` lists beside it."""
    named = [
        each for each in os.environ.get("EDITORS_TO_TRY", "").split(":") if each.endswith(name)
    ]
    here = shutil.which(name)
    return ([here] if here else []) + named


@pytest.mark.skipif(not programs("nvim"), reason="Neovim is not installed")
@pytest.mark.parametrize("program", programs("nvim"))
def test_neovim(root: Path, tmp_path: Path, program: str) -> None:
    env = environment(LIBRARY=str(root), COMMAND=json.dumps(COMMAND), HOME=str(tmp_path))
    runtime = Path(program).parent.parent / "share/nvim/runtime"
    if runtime.is_dir():
        env["VIMRUNTIME"] = str(runtime)
    done = subprocess.run(
        [program, "--headless", "--clean", "-n", "-c", f"luafile {HERE / 'nvim.lua'}", "-c", "cquit"],
        env=env, cwd=root, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    found = told(done.stdout + done.stderr)
    assert "failed" not in found, done.stderr
    assert found["completion"] == ["Šimić & Wen 2017 How Rivers Branch", "simic2017rivers"], (
        done.stderr
    )
    assert found["hover"].startswith("**How Rivers Branch**")
    assert found["definition"] == "simic2017rivers.md"
    assert found["diagnostic"][0] == "UNCITED"
    assert found["diagnostic"][3] == "pressmark"
    assert found["renamed"] == "Rivers branch [@simic2016x, p. 3]. ^claim"
    assert found["file"] == 1
    assert "simic2016x" in (root / "thesis/intro.tex").read_text()
    assert not (root / "library/2017/simic2017rivers.md").exists()


def eglot() -> bool:
    """Whether Emacs is here with eglot and a Markdown mode."""
    if not shutil.which("emacs"):
        return False
    words = ["emacs", "--batch", "--eval", "(progn (require 'eglot) (require 'markdown-mode))"]
    return subprocess.run(words, capture_output=True).returncode == 0


@pytest.mark.skipif(not eglot(), reason="Emacs with eglot and markdown-mode is not installed")
def test_emacs(root: Path, tmp_path: Path) -> None:
    env = environment(LIBRARY=str(root), COMMAND=json.dumps(COMMAND), HOME=str(tmp_path))
    done = subprocess.run(
        ["emacs", "--batch", "--load", str(HERE / "emacs.el")],
        env=env, cwd=root, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    found = told(done.stdout)
    assert "failed" not in found, done.stderr
    assert found.get("completion") == "simic2017rivers", done.stderr
    assert found["hover"].startswith("**How Rivers Branch**")
    assert found["definition"] == "simic2017rivers.md"
    assert "No reference" in found["diagnostic"] or "UNCITED" in found["diagnostic"]
