"""The language server: an editor's messages on stdin in, answers on stdout out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pressmark.errors import Configuration


def serve(start: Path, *, offline: bool | None = None) -> None:
    """Answer an editor until it leaves; Configuration where the extra is not installed."""
    try:
        import pygls  # noqa: F401
    except ImportError as missing:
        raise Configuration(
            "The language server needs pygls, which is not installed.",
            next="pip install 'pressmark[lsp]'",
        ) from missing
    from pressmark.lsp.handlers import attach
    from pressmark.lsp.server import Server

    server = attach(Server(start, offline))
    # The protocol has stdout for itself; whatever else would print there goes to stderr.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    printed, sys.stdout = sys.stdout, sys.stderr
    try:
        server.start_io(None, out)
    finally:
        sys.stdout = printed
        server.leave()
