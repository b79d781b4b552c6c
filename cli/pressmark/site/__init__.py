"""A library in, its static site out; MkDocs publishes what our own modules make."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark.errors import BadInput, Integrity, NotFound
from pressmark.site import guard

if TYPE_CHECKING:
    from pressmark.library import Library

__all__ = ["Built", "build", "runs", "serve"]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made: its folder, how many pages, and what the prose points to in vain."""

    folder: Path
    pages: int
    problems: tuple[str, ...]


def build(library: Library, *, strict: bool = False) -> Built:
    """Build the site into its `site_dir`; with `strict`, a dangling link fails it (Integrity)."""
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.exceptions import Abort, MkDocsException

    said = _Listener()
    logging.getLogger("mkdocs").addHandler(said)
    try:
        config = _config(library)
        config.plugins.on_startup(command="build", dirty=False)
        mkdocs_build(config)
        config.plugins.on_shutdown()
    except Abort as problem:
        raise BadInput(f"The site was not built: {'; '.join(said.lines) or problem}.") from problem
    except MkDocsException as problem:
        raise BadInput(f"The site was not built: {problem}") from problem
    finally:
        logging.getLogger("mkdocs").removeHandler(said)
    folder = Path(config.site_dir)
    if strict and said.lines:
        problems = "1 problem" if len(said.lines) == 1 else f"{len(said.lines)} problems"
        raise Integrity(
            f"The site has {problems}: {'; '.join(said.lines[:10])}.",
            next="correct them, or build without --strict",
        )
    return Built(folder, _pages(folder), tuple(said.lines))


def serve(library: Library, *, address: str | None = None, open_browser: bool = False) -> None:
    """Serve the site on this machine and rebuild it when a file changes; ends with Ctrl-C."""
    from mkdocs.commands.serve import serve as mkdocs_serve
    from mkdocs.exceptions import MkDocsException

    options: dict[str, Any] = {"dev_addr": address} if address else {}
    try:
        mkdocs_serve(
            config_file=str(_config_file(library)),
            livereload=True,
            open_in_browser=open_browser,
            **options,
        )
    except MkDocsException as problem:
        raise BadInput(f"The site cannot be served: {problem}") from problem


def runs(library: Library) -> list[str]:
    """The Python beyond ours that this library's mkdocs.yml would run."""
    _config_file(library)
    return guard.runs(library.read_page("mkdocs.yml"))


def _pages(folder: Path) -> int:
    """HTML files of a folder; os.walk takes a quarter of what Path.rglob does."""
    return sum(name.endswith(".html") for _, _, names in os.walk(folder) for name in names)


class _Listener(logging.Handler):
    """Keeps MkDocs' warnings and errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage().strip())


def _config(library: Library) -> Any:
    from mkdocs.config import load_config

    # The theme's advertisement of its successor is no business of a library's reader.
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    return load_config(config_file=str(_config_file(library)))


def _config_file(library: Library) -> Path:
    path = library.root / "mkdocs.yml"
    if not path.is_file():
        raise NotFound(
            "This library has no mkdocs.yml.", next="pressmark init writes one and changes no file"
        )
    return path
