"""The workflows that `init` writes, and our own: what they may do, and the refresh, really run."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from double import Double
from pressmark.library import templates
from shell import Shell
from story import story_routes

PROJECT = Path(__file__).resolve().parent.parent
OURS = PROJECT / ".github" / "workflows"
WRITTEN = {
    name: getattr(templates, name.upper()).format(branch='"main"')
    for name in ("check", "refresh", "pages")
}
EVERY = {**{f"init {name}": text for name, text in WRITTEN.items()},
         **{f"our {path.stem}": path.read_text("utf-8") for path in sorted(OURS.glob("*.yml"))}}  # fmt: skip

MAY = {
    "check": {"contents": "read"},
    "test": {"contents": "read"},
    "refresh": {"contents": "write", "pull-requests": "write", "statuses": "write"},
    "pages": {"contents": "read"},
    "pages/deploy": {"pages": "write", "id-token": "write"},
}
"""Everything that a workflow, or one job of it, may do."""

ACTIONS = {
    "actions/checkout@v6",
    "actions/setup-python@v6",
    "actions/upload-pages-artifact@v5",
    "actions/deploy-pages@v5",
}
"""GitHub's own, in the majors that run on Node 24: its runners dropped Node 20 in 2026-09."""


@pytest.mark.parametrize("name", EVERY)
def test_a_workflow_may_do_no_more_than_it_must(name: str) -> None:
    workflow = yaml.safe_load(EVERY[name])
    stem = name.split()[1]
    assert workflow["permissions"] == MAY[stem]
    for job_name, job in workflow["jobs"].items():
        assert job.get("permissions") == MAY.get(f"{stem}/{job_name}")
        assert job["timeout-minutes"] <= 60
        assert {step["uses"] for step in job["steps"] if "uses" in step} <= ACTIONS
        for step in job["steps"]:
            # An expression within a script would let a branch name or a title run.
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout"):
                keeps = step["with"].get("persist-credentials", True)
                assert keeps == (workflow["permissions"]["contents"] == "write")


@pytest.mark.parametrize("name", WRITTEN)
def test_ours_are_those_that_init_writes(name: str) -> None:
    ours = (OURS / f"{name}.yml").read_text("utf-8")
    assert ours == WRITTEN[name].replace("pip install pressmark", "pip install .")


def test_the_pre_commit_hook_is_the_check() -> None:
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["entry"] == "pressmark check" and hook["pass_filenames"] is False
    assert re.search(hook["files"], "library/2017/key.md")


GH = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
with open(os.environ["GH_LOG"], "a") as log:
    body = words[words.index("--body-file") + 1] if "--body-file" in words else None
    print(json.dumps([words, open(body).read() if body else ""]), file=log)
if words[:2] == ["pr", "list"]:
    print(os.environ["GH_OPEN"])
"""


def run_refresh(shell: Shell, tmp_path: Path, open_requests: int) -> list[tuple[list[str], str]]:
    """The steps of the refresh as a runner would take them; what they asked of GitHub."""
    bin_ = tmp_path / "bin"
    bin_.mkdir(exist_ok=True)
    for name, text in {
        "gh": GH,
        "pressmark": f'#!/bin/sh\nexec "{sys.executable}" -m pressmark "$@"\n',
    }.items():
        (bin_ / name).write_text(text)
        (bin_ / name).chmod(stat.S_IRWXU)
    log = tmp_path / "gh.log"
    log.write_text("")
    base = {
        "BASE": "main", "GH_LOG": str(log), "GH_OPEN": str(open_requests),
        "RUNNER_TEMP": str(tmp_path), "GITHUB_ENV": str(tmp_path / "env"),
        "GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_REPOSITORY": "lab/library",
        "GITHUB_RUN_ID": "7",
    }  # fmt: skip
    (tmp_path / "env").write_text("")
    environment = {
        name: value
        for name, value in shell.environment(**base).items()
        if not name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))  # a runner has no identity
    }
    environment["PATH"] = f"{bin_}:{environment['PATH']}"
    (job,) = yaml.safe_load(WRITTEN["refresh"])["jobs"].values()
    outcomes: dict[str, str] = {}
    for step in job["steps"]:
        script: str = step.get("run", "")
        if not script or script.startswith("pip "):
            continue
        values = {key: value for key, value in step.get("env", {}).items() if "steps." in value}
        for key, value in values.items():
            found = re.search(r"steps\.(\w+)\.outcome", value)
            assert found
            environment[key] = outcomes[found[1]]
        done: Any = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=shell.root, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        outcomes[step.get("id", "")] = "success" if done.returncode == 0 else "failure"
        assert done.returncode == 0 or step.get("continue-on-error"), done.stderr + done.stdout
        environment.update(
            line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines()
        )
    return [tuple(json.loads(line)) for line in log.read_text().splitlines()]


def test_the_refresh_opens_one_pull_request_and_then_goes_on_with_it(tmp_path: Path) -> None:
    with Double(story_routes()) as double:
        config = double.write_config(tmp_path / "config.toml")
        (tmp_path / "home").mkdir()
        shell = Shell(tmp_path / "clone", tmp_path / "home", {"PRESSMARK_CONFIG": str(config)})
        origin, first = tmp_path / "origin.git", tmp_path / "first"
        first.mkdir()
        shell("init", ".", cwd=first)
        topic = first / "topics" / "tides.md"
        topic.write_text(
            "---\ntitle: Tides\n\nquery: tidal networks\n\nproviders:\n- openalex\n\n"
            "last-run: '2020-01-01'\n---\n"
        )
        shell.git("add", ".", cwd=first)
        shell.git("commit", "-qm", "topic", cwd=first)
        shell.git("clone", "-q", "--bare", str(first), str(origin), cwd=tmp_path)
        shell.git("clone", "-q", str(origin), str(shell.root), cwd=tmp_path)

        said = run_refresh(shell, tmp_path, open_requests=0)
        assert shell.git("branch", "-r").split() == [
            "origin/HEAD", "->", "origin/main", "origin/main", "origin/refresh",
        ]  # fmt: skip
        subjects = shell.git("log", "--format=%s", "origin/main..origin/refresh").splitlines()
        assert len(subjects) == 1 and re.fullmatch(
            r"topic: \d+ new for Tides \(openalex\)", subjects[0]
        )
        verbs = [words[:2] for words, _ in said]
        head = shell.git("rev-parse", "origin/refresh")
        assert verbs == [
            ["pr", "list"], ["api", f"repos/lab/library/statuses/{head}"], ["pr", "create"],
        ]  # fmt: skip
        assert "state=success" in said[1][0]
        assert f"- {subjects[0]}\n" in said[2][1]
        assert (
            "Check: success ([run](https://github.invalid/lab/library/actions/runs/7))"
            in said[2][1]
        )

        # A week later: main went on, a reviewer decided in the branch, nothing new came.
        (first / "notes" / "a.md").write_text("# A\n\nSee [@nobody].\n")
        shell.git("add", ".", cwd=first)
        shell.git("commit", "-qm", "note", cwd=first)
        shell.git("push", "-q", str(origin), "main", cwd=first)
        shell.git("switch", "-q", "main")
        shell.git("branch", "-qD", "refresh")
        shell.git("fetch", "-q")
        with pytest.raises(AssertionError):  # the last step fails with the check, and is seen
            run_refresh(shell, tmp_path, open_requests=1)
        said = [tuple(json.loads(line)) for line in (tmp_path / "gh.log").read_text().splitlines()]
        assert [words[:2] for words, _ in said][-1] == ["pr", "edit"]
        assert "state=failure" in said[1][0] and "Check: failure" in said[2][1]
        assert shell.git("merge-base", "--is-ancestor", "origin/main", "origin/refresh") == ""
