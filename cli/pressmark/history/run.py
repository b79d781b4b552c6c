"""A fixed list of arguments in, what git printed out: the one place that starts git.

Readers turn off everything that a received repository could make git run; writers honour the
user's hooks and signing. What makes a repository, a branch or a work tree goes through GitPython;
what every command needs does not, because importing that costs as much as a commit.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pressmark import disk
from pressmark.errors import BadInput, Configuration, PressmarkError, Unavailable
from pressmark.text import clean

KEPT = re.compile(
    r"GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)"
    r"|GIT_CONFIG_(NOSYSTEM|GLOBAL|SYSTEM|COUNT|(KEY|VALUE)_[0-9]+)"
    r"|GIT_(EXEC_PATH|ASKPASS|SSH|SSH_COMMAND|SSH_VARIANT|EDITOR|TRACE\w*|TEMPLATE_DIR)"
    r"|GIT_PYTHON_GIT_EXECUTABLE"
)
"""What of git's environment is the user's; the rest belongs to the git that started us."""

REVISION = re.compile(r"[0-9A-Za-z@][\w./~^@{}-]*")
BRANCH = re.compile(r"[0-9A-Za-z_][\w./-]*")

OURS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
READING = (
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "log.showSignature=false",
)
KEEPING = (
    "--no-pager",
    "-c",
    "core.fsync=all",
    "-c",
    "core.fsyncMethod=fsync",
    "-c",
    "core.safecrlf=false",
)
WRITING = (
    *KEEPING,
    "-c",
    "maintenance.auto=false",
    "-c",
    "gc.auto=0",
)
"""Housekeeping comes after the lock is released, by `maintain`."""
NOT_INSTALLED = "Git is not installed, or not on the PATH."


class NotHere(Unavailable):
    """A partial clone has not got an object that is needed, and nothing fetches it."""


@dataclass(frozen=True, slots=True)
class Output:
    """What one run of git gave."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def words(self) -> str:
        """What it said on stderr, on one line."""
        text = clean(
            self.stderr.decode("utf-8", "replace") or self.stdout.decode("utf-8", "replace")
        )
        return text if len(text) <= 500 else f"{text[:250]} … {text[-240:]}"


def read(
    top: Path,
    *arguments: str,
    stdin: bytes = b"",
    quiet: bool = False,
    globs: bool = False,
    index: Path | None = None,
) -> Output:
    """Run a git command that only reads; raises unless it succeeds or is `quiet`."""
    literal = () if globs else ("--literal-pathspecs",)
    theirs = inherited()
    env = {name: value for name, value in os.environ.items() if name not in theirs} | OURS
    if index is not None:
        env["GIT_INDEX_FILE"] = str(index)
    try:
        done = subprocess.run(
            _command_line([*READING, *literal, *arguments]),
            cwd=top,
            env=env,
            input=stdin,
            capture_output=True,
        )
    except FileNotFoundError:
        raise not_installed() from None
    output = Output(done.returncode, done.stdout, done.stderr)
    if output.status and not quiet:
        raise explain(output)
    return output


def write(
    top: Path, *arguments: str, stdin: bytes = b"", extra: dict[str, str] | None = None
) -> Output:
    """Run a git command that may write; the caller looks at the status."""
    return _written(top, [*WRITING, *arguments], stdin, extra or {})


def maintain(top: Path) -> Output:
    """Git's own housekeeping, if the user's settings say that it is time."""
    return _written(top, [*KEEPING, "maintenance", "run", "--auto", "--quiet"], b"", {})


def exchange(top: Path, *arguments: str) -> Output:
    """Run a git command that talks to a remote; the only ones that may."""
    asks = "1" if sys.stdin.isatty() and sys.stderr.isatty() else "0"
    extra = {"GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh", "GIT_TERMINAL_PROMPT": asks}
    return _written(top, [*WRITING, *arguments], b"", extra)


def _written(top: Path, words: list[str], stdin: bytes, extra: dict[str, str]) -> Output:
    theirs = inherited()
    env = {name: value for name, value in os.environ.items() if name not in theirs} | OURS | extra
    try:
        process = subprocess.Popen(
            _command_line(words),
            cwd=top,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except FileNotFoundError:
        raise not_installed() from None
    return _finished(process, stdin)


def _command_line(words: Sequence[str]) -> list[str] | list[bytes]:
    """The words as git reads them: UTF-8, also where the locale knows ASCII alone."""
    if os.name == "nt":
        return ["git", *words]
    return [word.encode("utf-8", "surrogateescape") for word in ("git", *words)]


def _finished(process: subprocess.Popen[bytes], stdin: bytes) -> Output:
    try:
        out, err = process.communicate(stdin)
    except BaseException:
        # Ctrl-C: what is undone next must not race with a git that still works.
        process.terminate()
        process.wait()
        raise
    return Output(process.returncode, out, err)


def arrange(top: Path, *arguments: str, extra: dict[str, str] | None = None) -> Output:
    """Make or remove a repository, a branch or a work tree; the caller looks at the status."""
    try:
        from git.cmd import Git
    except ImportError:
        raise not_installed() from None
    command = ["git", *WRITING, *arguments]
    env = OURS | (extra or {})
    if theirs := [name for name in inherited() if name not in env]:
        # GitPython adds to the environment and cannot take from it.
        command = ["env", *(word for name in theirs for word in ("-u", name)), *command]
    client = Git(str(top))
    running = client.execute(command, istream=subprocess.PIPE, as_process=True, env=env)
    assert running.proc is not None
    return _finished(running.proc, b"")


def inherited() -> list[str]:
    """The variables that a git above us set for itself, in a hook for instance."""
    return sorted(
        name
        for name in os.environ
        if name.startswith("GIT_") and name not in OURS and not KEPT.fullmatch(name)
    )


def not_installed() -> Unavailable:
    """The error where there is no git program."""
    return Unavailable(NOT_INSTALLED, next="install git 2.36 or newer: https://git-scm.com")


def explain(output: Output) -> PressmarkError:
    """The one sentence for a git that failed."""
    words = output.words
    if "dubious ownership" in words:
        return Unavailable(
            "Git does not trust this repository because somebody else owns it.",
            next="if you trust it: git config --global --add safe.directory FOLDER",
        )
    if "tell me who you are" in words or "empty ident name" in words or "auto-detect" in words:
        return Configuration(
            "Git does not know who you are, so it cannot commit.",
            next='git config --global user.name "Your Name", and user.email in the same way',
        )
    if "promisor remote" in words:
        return NotHere(
            "This partial clone has not got all of its history, and it is not fetched in passing.",
            next="git fetch --refetch --no-filter, then run the command again",
        )
    if "unmerged" in words:
        return Unavailable(
            "The repository has conflicts that are not resolved.",
            next="resolve them and git add the files, then run the command again",
        )
    return Unavailable(f"Git failed: {words.rstrip('.')}.", next="git status says more")


def revision(text: str) -> str:
    """A revision that cannot be taken for an option or a range."""
    if not REVISION.fullmatch(text) or ".." in text:
        raise BadInput(f"{clean(text)!r} is not a revision.", next="give a commit id or a branch")
    return text


def branch(text: str) -> str:
    """A name that git takes for a branch."""
    bad = (
        not BRANCH.fullmatch(text)
        or any(piece in text for piece in ("..", "//", "/.", "@{"))
        or text.endswith(("/", ".", ".lock"))
        or text == "HEAD"
    )
    if bad:
        raise BadInput(
            f"{clean(text)!r} is not a branch name.", next="use letters, digits, - and /"
        )
    return text


def check_path(path: str) -> str:
    """A path below the top that cannot be taken for an option and is not git's own."""
    if path.startswith("-"):
        raise BadInput(f"{path!r} starts with a dash.", next="rename the file")
    if any(part.casefold() == ".git" for part in disk.parts(path)):
        raise BadInput(f"{path!r} is git's own.", next="choose another path")
    return path
