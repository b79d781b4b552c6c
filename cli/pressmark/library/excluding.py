"""A path in; git's own exclude file, which is never committed and is this clone's alone, out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk

if TYPE_CHECKING:
    from pressmark.library.library import Library


def exclude(library: Library, path: str, *, out: bool) -> bool:
    """Keep a file of the library out of git, or let it in; whether that changed anything."""
    if library.repository is None:
        return False
    file_, rule = _rule(library, path)
    held = _lines(file_)
    if out == (rule in held):
        return False
    lines = [*held, rule] if out else [line for line in held if line != rule]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    disk.write_file(file_, data)
    return True


def follow(library: Library, old: str, new: str) -> None:
    """Keep a file out of git under its new name too, before it is written there."""
    if library.repository is not None:
        file_, rule = _rule(library, old)
        if rule in _lines(file_):
            exclude(library, new, out=True)


def _rule(library: Library, path: str) -> tuple[Path, str]:
    repository = library.repository
    assert repository is not None
    whole = repository.prefix + path
    rule = "/" + "".join(f"\\{char}" if char in "*?[\\!# " else char for char in whole)
    return repository.place.common / "info" / "exclude", rule


def _lines(file_: Path) -> list[str]:
    try:
        return file_.read_bytes().decode("utf-8", "surrogateescape").splitlines()
    except FileNotFoundError:
        return []
