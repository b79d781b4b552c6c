"""Single files in and out: reads below a root, atomic writes of sidecars, settings and state."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from pressmark.disk.paths import is_link, linked, split
from pressmark.disk.reasons import explained
from pressmark.disk.tree import Tree, temporary_name, write_all
from pressmark.errors import BadInput, NotFound, PressmarkError, TooLarge


def read_bytes(root: Path, relative: str) -> bytes:
    """The bytes of a regular file below the root, no part of whose path is a link."""
    with Tree(root) as tree:
        return tree.read(relative)[0]


def read_given(path: Path, largest: int, name: str = "") -> bytes:
    """The bytes of a file that a person names, a pipe or a device too, up to so many."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except FileNotFoundError as problem:
        raise NotFound(f"There is no file {name or path}.") from problem
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BadInput(f"{path.name or path} cannot be read: {reason}.") from problem
    if len(data) > largest:
        raise TooLarge(f"{path.name} is larger than {largest // 2**20} MiB.")
    return data


def exists(root: Path, relative: str) -> bool:
    """Whether a regular file is there, behind no link."""
    with Tree(root) as tree:
        try:
            state = tree.stat(relative)
        except OSError:
            return False
    return state is not None and stat.S_ISREG(state.st_mode)


def write_file(path: Path, data: bytes, mode: int = 0o644, *, root: Path | None = None) -> None:
    """Replace a file by these bytes: all or nothing, and on the disk when this returns.

    With `root`, no part below it may be a link: give it for everything inside a library.
    Missing folders are made; `mode` (less the umask) is for a new file.
    """
    base, relative = _below(path, root)
    name = temporary_name()
    with Tree(base) as tree:
        try:
            with explained(relative):
                state = tree.stat(relative)
            tree.stage(relative, data, name, state and state.st_mode, mode)
            tree.sync_file(relative, name)
            tree.put(relative, name)
        except BaseException:
            with suppress(OSError, PressmarkError):
                tree.remove(f"{relative.rpartition('/')[0]}/{name}".lstrip("/"))
            raise
        tree.sync()


def _below(path: Path, root: Path | None) -> tuple[Path, str]:
    """The folder to start from, which is there, and the path from it."""
    if root is None:
        return make_folder(path.parent), path.name
    try:
        return root, path.relative_to(root).as_posix()
    except ValueError:
        raise BadInput(f"{path} is not inside {root}.") from None


def append_line(path: Path, line: str, *, root: Path | None = None) -> None:
    """Add one line at the end of a file, in one system call."""
    _guard(path, root)
    with explained(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(path, flags, 0o644)
        try:
            write_all(descriptor, line.rstrip("\n").encode("utf-8", "replace") + b"\n")
        finally:
            os.close(descriptor)


def make_folder(path: Path, mode: int = 0o777, *, root: Path | None = None) -> Path:
    """Make a folder and those above it; the folder."""
    _guard(path, root)
    with explained(str(path)):
        path.mkdir(mode=mode, parents=True, exist_ok=True)
    return path


def remove_file(path: Path, *, root: Path | None = None) -> None:
    """Delete a file if it is there."""
    _guard(path.parent, root)
    with explained(str(path), "deleted"):
        path.unlink(missing_ok=True)


def claim(path: Path) -> bool:
    """Make an empty file that was not there; False when somebody else was first."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with explained(str(path)):
            os.close(os.open(path, flags, 0o666))
    except PressmarkError as error:
        if isinstance(error.__cause__, FileExistsError):
            return False
        raise
    return True


def copy_file(source: Path, target: Path) -> None:
    """A copy that needs not outlive the machine; mode and times come along."""
    import shutil

    with explained(str(target)):
        shutil.copy2(source, target)


def move_file(source: Path, target: Path) -> None:
    """Rename a file over another of the same folder; both steps on the disk when this returns."""
    with Tree(source.parent) as tree:
        tree.sync_file(target.name, source.name)
        tree.put(target.name, source.name)
        tree.sync()


def remove_tree(root: Path, relative: str) -> None:
    """Delete a folder below the root with all that is in it; a link is unlinked, not followed."""
    path = root
    for part in split(relative):
        if is_link(path) and path != root:
            raise linked(relative)
        path = path / part
    with explained(str(path), "deleted"):
        if is_link(path) or path.is_file():
            path.unlink()
        elif path.is_dir():
            import shutil

            shutil.rmtree(path)


def _guard(path: Path, root: Path | None) -> None:
    if root is None:
        return
    try:
        relative = path.relative_to(root)
    except ValueError:
        raise BadInput(f"{path} is not inside {root}.") from None
    if ".." in relative.parts:
        raise BadInput(f"{path} is not inside {root}.")
    step = root
    for part in relative.parts:
        step = step / part
        if is_link(step):
            raise linked(str(relative))
