"""The main job, played in a scratch copy of this repository's library: `make demo`.

It goes out to the real providers; where none can be reached it says so, source by source, and
goes on with what the library holds. Nothing outside the scratch folder is touched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PARTS = ("library", "topics", "notes", "site", "mkdocs.yml", "pressmark.toml", ".gitignore")
MINE = [
    {
        "id": "yours2026paper",
        "type": "article-journal",
        "title": "A paper of your own",
        "author": [{"family": "Yours", "given": "Truly"}],
        "issued": {"date-parts": [[2026]]},
        "container-title": "Journal of Demonstrations",
    }
]
QUERY = "reciprocal rank fusion scientific literature retrieval"


def main() -> int:
    """Play every step; the exit status is that of the first one that failed."""
    with tempfile.TemporaryDirectory(prefix="pressmark-demo-") as folder:
        scratch = Path(folder) / "library"
        prepare(scratch)
        steps(scratch)
    return 0


def prepare(scratch: Path) -> None:
    """Copy the library and put it under git, with an identity of its own."""
    scratch.mkdir()
    for name in PARTS:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, scratch / name)
        elif source.is_file():
            shutil.copy(source, scratch / name)
    git(scratch, "init", "--quiet", "--initial-branch", "main")
    git(scratch, "config", "user.name", "Demo Reader")
    git(scratch, "config", "user.email", "reader@demo.invalid")
    git(scratch, "add", "--all")
    git(scratch, "commit", "--quiet", "--message", "The library as it is")


def steps(scratch: Path) -> None:
    """Search, file, commit, index, find, write, check, export, build."""
    say("1. Ask the providers, and file what they answer")
    found = pressmark(scratch, "search", QUERY, "--limit", "5", allowed=(0, 2))
    if found.returncode:
        say("   No provider could be reached; going on with what the library holds.")
    say("2. What the library holds")
    pressmark(scratch, "status")
    pressmark(scratch, "list", "author:robertson")
    say("3. Index it, and find the passage that answers")
    pressmark(scratch, "index")
    pressmark(
        scratch, "find", "how should ranked lists from several engines be combined", "-k", "3"
    )
    say("4. File something yourself; every command is one commit")
    (scratch / "mine.json").write_text(json.dumps(MINE), "utf-8")
    pressmark(scratch, "import", "mine.json")
    pressmark(scratch, "edit", "cormack2009reciprocal", "--add-tag", "demo")
    pressmark(scratch, "note", "new", "Demo", "--about", "cormack2009reciprocal")
    pressmark(scratch, "check")
    say("5. Export what the note cites")
    pressmark(scratch, "export", "--cited-in", "notes/demo.md", "--format", "bibtex")
    say("6. Build the site")
    pressmark(scratch, "site", "build", "--strict")
    pages = len(list((scratch / "_site").rglob("*.html")))
    say(f"   {pages} pages in _site (scratch, removed now)")
    say("7. The history")
    sys.stdout.write(git(scratch, "log", "--oneline", "--shortstat", "-3"))
    checked = json.loads(pressmark(scratch, "list", "--count", "--json", quiet=True).stdout)
    say(f"Done: {checked['data']['total']} references. Now try it on your own: pressmark init")


def say(line: str) -> None:
    """Talk, in order with the output of the steps."""
    print(line, flush=True)


def git(scratch: Path, *words: str) -> str:
    """Run git in the scratch folder, away from the settings of whoever runs the demo."""
    done = subprocess.run(
        ["git", *words], cwd=scratch, check=True, capture_output=True, text=True, env=environment()
    )
    return done.stdout


def pressmark(
    scratch: Path, *words: str, allowed: tuple[int, ...] = (0,), quiet: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run one command as a person would, and show it."""
    if not quiet:
        say(f"$ pressmark {' '.join(repr(w) if ' ' in w else w for w in words)}")
    done = subprocess.run(
        [sys.executable, "-m", "pressmark", *words],
        cwd=scratch,
        capture_output=quiet,
        text=True,
        env=environment(),
    )
    if done.returncode not in allowed:
        say(f"The step failed with exit status {done.returncode}.")
        sys.exit(done.returncode)
    return done


def environment() -> dict[str, str]:
    """The caller's environment without the settings of a git call that surrounds the demo."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return {**kept, "NO_MKDOCS_2_WARNING": "1"}


if __name__ == "__main__":
    sys.exit(main())
