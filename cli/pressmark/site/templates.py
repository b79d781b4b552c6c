"""A theme's templates in, compiled once for all builds of a process out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from jinja2 import BytecodeCache, Environment, FileSystemLoader
from jinja2.bccache import Bucket


class Templates(BytecodeCache):
    """Compiled templates, by name and source; one that was edited is compiled anew.

    MkDocs begins each build with none, and Material's thirty take a sixth of a second.
    """

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Jinja looks whether it is of the source at hand."""
        if held := self._held.get(bucket.key):
            bucket.bytecode_from_string(held)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._held[bucket.key] = bucket.bytecode_to_string()


class Shown(FileSystemLoader):
    """A theme's templates; those in hidden folders can be named, and stand in no list.

    MkDocs lists them all and leaves the hidden ones out after that: 14,000 icons of Material's.
    """

    def list_templates(self) -> list[str]:
        """Every file below the theme's folders that MkDocs may take for one of the site."""
        found: set[str] = set()
        for top in map(Path, self.searchpath):
            for here, folders, names in os.walk(top, followlinks=self.followlinks):
                folders[:] = [name for name in folders if not name.startswith(".")]
                below = os.path.relpath(here, top).replace(os.sep, "/")
                found.update(names if below == "." else (f"{below}/{name}" for name in names))
        return sorted(found)


def listed_fast(make: Callable[[], Environment]) -> Callable[[], Environment]:
    """What makes a theme's environment in; the same, with the quick list, out."""

    def made() -> Environment:
        env = make()
        if type(env.loader) is FileSystemLoader:
            env.loader = Shown(env.loader.searchpath)
        return env

    return made
