"""A theme's templates in, compiled once for all builds of a process out."""

from __future__ import annotations

from jinja2 import BytecodeCache
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
