"""Three versions of a text in; git's own merge of them, with its conflict markers, out."""

from __future__ import annotations

from pathlib import Path

from pressmark.errors import Unavailable
from pressmark.history import run


def merge_file(
    ours: Path, base: Path, theirs: Path, *, labels: tuple[str, str, str]
) -> tuple[bytes, int]:
    """The merged bytes, and how many conflicts are marked in them; no file is written."""
    named = [word for label in labels for word in ("-L", label)]
    files = [str(path.absolute()) for path in (ours, base, theirs)]
    output = run.read(Path.cwd(), "merge-file", "-p", *named, "--", *files, quiet=True)
    if output.status > 127:
        raise Unavailable(f"Git cannot merge {ours.name}: {output.words.rstrip('.')}.")
    return output.stdout, output.status
