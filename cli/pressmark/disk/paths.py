"""A path relative to a root in, the same path proven to stay below it out."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path

from pressmark.errors import BadInput, PressmarkError, Unreadable

RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{device}{digit}" for device in ("com", "lpt") for digit in "123456789¹²³"]
)
"""Names that Windows gives to devices, whatever their extension."""

FORBIDDEN = frozenset('<>:"|?*\\')
"""Characters that a file on Windows or exFAT cannot have in its name."""


def split(relative: str) -> tuple[str, ...]:
    """The parts of a relative path; BadInput when it could leave its root."""
    parts = tuple(relative.split("/"))
    odd = "\0" in relative or any(part in ("", ".", "..") for part in parts)
    if odd or not _is_a_name(relative):
        raise BadInput(
            f"{relative!r} is not a path inside the library.",
            next="give a relative path without . or .. parts",
        )
    return parts


def _is_a_name(relative: str) -> bool:
    """Whether the system can be asked for it: a lone surrogate is no character of any name."""
    try:
        os.fsencode(relative)
    except UnicodeEncodeError:
        return False
    return True


def check_name(relative: str) -> tuple[str, ...]:
    """The parts of a path for a new file; BadInput for a name that some system cannot hold."""
    parts = split(relative)
    for part in parts:
        reason = _trouble(part)
        if reason:
            raise BadInput(
                f"{relative!r} cannot be a file name everywhere: {reason}.",
                next="choose another name",
            )
    return parts


def _trouble(part: str) -> str | None:
    if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in part):
        return "it contains a control character"
    if any("\ud800" <= c <= "\udfff" for c in part):
        return "it is not valid Unicode"
    bad = FORBIDDEN.intersection(part)
    if bad:
        return f"it contains {min(bad)}"
    if part.endswith((".", " ")):
        return "a part ends in a dot or a blank"
    if part.split(".")[0].rstrip(" ").casefold() in RESERVED:
        return f"{part} is a device on Windows"
    if len(part.encode()) > 255:
        return "a part is longer than 255 bytes"
    return None


def safe_path(root: Path, relative: str) -> Path:
    """`root / relative`, for a name that is fit everywhere and whose parts are no links."""
    path = root
    for part in check_name(relative):
        path = path / part
        if is_link(path):
            raise linked(relative)
    return path


def is_link(path: Path) -> bool:
    """Whether the path itself is a symbolic link; False where nothing is there."""
    try:
        return stat.S_ISLNK(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def linked(relative: str, *, read: bool = False) -> PressmarkError:
    """The error for a path that has a symbolic link as one of its parts."""
    reason = "is a symbolic link or lies behind a link or a file; Pressmark follows none"
    advice = "replace the link by the file it points to"
    if read:
        return Unreadable(f"it {reason}.", path=relative, next=advice)
    return BadInput(f"{relative} {reason}.", next=advice)


def clash(root: Path, relative: str) -> str | None:
    """The path already there that a case-blind or NFD file system takes for this one, if any.

    The very same path is no clash.
    """
    folder, found = root, ""
    for part in split(relative):
        name = part if (folder / part).is_symlink() or (folder / part).exists() else None
        twin = _twin(folder, part)
        if name is None and twin is None:
            return None
        chosen = twin or part
        folder, found = folder / chosen, f"{found}/{chosen}" if found else chosen
    return found if found != relative else None


def _twin(folder: Path, part: str) -> str | None:
    """Another spelling of `part` in the folder."""
    wanted = _folded(part)
    try:
        names = [entry.name for entry in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return None
    return min((n for n in names if n != part and _folded(n) == wanted), default=None)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
