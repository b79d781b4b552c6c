"""Whole folders for engines that write their own files: made, synced, put in place, removed.

An engine (whoosh, usearch, SQLite) gets a folder from here, writes in it, and says when it is
done; only then does the folder get the name under which it is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pressmark.disk.paths import is_link, safe_path
from pressmark.disk.reasons import explained
from pressmark.disk.sync import full_sync


def private_folder() -> Path:
    """A new folder that only this user can enter, for what shall not outlive the process."""
    with explained("the temporary folder"):
        return Path(tempfile.mkdtemp(prefix="pressmark-"))


def discard_aside(folder: Path) -> None:
    """Remove a large folder while nobody waits: a process of its own does it, and ends."""
    code = "import shutil, sys; shutil.rmtree(sys.argv[1], ignore_errors=True)"
    try:
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", code, str(folder)], start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)


def spread(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files below a private folder, unsynced: what shall not outlive the process."""
    for relative, data in files.items():
        path = safe_path(folder, relative)
        with explained(relative):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def link_or_copy(source: Path, target: Path) -> None:
    """The same bytes under a second name, without copying where the file system can.

    Only for files that nobody writes again.
    """
    with explained(str(target)):
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError:
            shutil.copyfile(source, target, follow_symlinks=False)


def copy(source: Path, target: Path) -> None:
    """A second file of the same bytes."""
    with explained(str(target)):
        shutil.copyfile(source, target, follow_symlinks=False)


def settle(folder: Path, final: Path) -> None:
    """Sync every file of a flat folder, then give the folder its final name."""
    with explained(str(final)):
        for path in sorted(folder.iterdir()):
            _sync(path)
        _sync(folder)
        folder.rename(final)
        _sync(final.parent)


def discard(folder: Path) -> None:
    """Remove a folder of sidecars as far as that is possible; a link is left alone."""
    if not is_link(folder):
        shutil.rmtree(folder, ignore_errors=True)


def replace(source: Path, target: Path) -> None:
    """Put a finished file, written by an engine beside its place, in its place."""
    with explained(str(target)):
        _sync(source)
        source.replace(target)
        _sync(target.parent)


def _sync(path: Path) -> None:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    try:
        with suppress(OSError):  # some file systems know no sync of a folder
            full_sync(descriptor)
    finally:
        os.close(descriptor)
