"""What an index says of itself: its file in, its state, versions and counts out, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pressmark import disk
from pressmark.errors import Integrity
from pressmark.index import analysis, engines, passage, rows
from pressmark.index.ports import REBUILD, Segment
from pressmark.index.vectors import Stored

FILE = "manifest.json"

VERSIONS = {
    "index": "2",
    "rows": rows.VERSION,
    "passages": passage.VERSION,
    "analysis": analysis.VERSION,
}
"""An index of other versions is built anew; the engine of its words has one of its own."""


def versions(engine: str) -> dict[str, str | None]:
    """The versions that this program reads and writes with an engine of words."""
    return {**VERSIONS, "words": engines.version(engine)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """One build: what it mirrors, with which engines, and how much of it there is."""

    id: str = ""
    serial: int = 0
    fingerprint: str = ""
    """Hash of the files that were indexed: the same files, the same results."""
    commit: str | None = None
    engine: str = engines.WHOOSH
    versions: Mapping[str, str | None] = field(default_factory=dict)
    model: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    segments: tuple[Segment, ...] = ()
    vectors: Mapping[str, Stored] = field(default_factory=dict)
    """The sets of vectors there are: `papers`, `passages`."""

    @property
    def current(self) -> bool:
        """Whether this program reads and writes just such an index."""
        return bool(self.versions.get("words")) and dict(self.versions) == versions(self.engine)

    def write(self, folder: Path) -> None:
        """Put it into the folder of its index."""
        text = json.dumps(asdict(self), indent=1, sort_keys=True)
        disk.write_file(folder / FILE, text.encode())


def written(manifest: Manifest, engine: str) -> Manifest:
    """A manifest of an index that is made with an engine now."""
    return replace(manifest, engine=engine, versions=versions(engine))


def read(folder: Path) -> Manifest:
    """The manifest of an index; Integrity where there is none."""
    try:
        held: dict[str, Any] = json.loads((folder / FILE).read_bytes())
        held["segments"] = tuple(
            Segment(name, documents, tuple(files)) for name, documents, files in held["segments"]
        )
        held["vectors"] = {name: Stored(**each) for name, each in held["vectors"].items()}
        return Manifest(**held)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Integrity("The index has no readable manifest.", next=REBUILD) from error
