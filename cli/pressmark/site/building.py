"""A library in, its site in its folder out: built aside, and swapped in when it is complete."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark.disk import folders, output
from pressmark.errors import BadInput, Integrity, NotFound
from pressmark.site import guard

if TYPE_CHECKING:
    from pressmark.library import Library

PLUGIN = "pressmark"

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made: its folder, how many pages, what was left out, what leads nowhere."""

    folder: Path
    pages: int
    problems: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def build(library: Library, *, strict: bool = False, progress: Progress | None = None) -> Built:
    """Build the site into its `site_dir`; with `strict`, a problem fails it (Integrity).

    The folder that is there stays as it is until the new one is complete, and where a strict
    build fails, it stays for good.
    """
    config = configured(library)
    place = Path(config.site_dir)
    refuse(library, place, Path(config.docs_dir))
    made = output.beside(place)
    try:
        said = _build(config, made, progress)
        if strict and said:
            problems = "1 problem" if len(said) == 1 else f"{len(said)} problems"
            raise Integrity(
                f"The site has {problems}: {'; '.join(said[:10])}.",
                next="correct them, or build without --strict",
            )
        pages = _pages(made)
        left_out = tuple(getattr(config.plugins.get(PLUGIN), "left_out", ()))
        output.swap(made, place)
    finally:
        folders.discard(made)
    return Built(place, pages, tuple(said), left_out)


def _build(config: Any, made: Path, progress: Progress | None) -> list[str]:
    """Run MkDocs into a folder; what it warned of."""
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.exceptions import Abort, MkDocsException

    said = _Listener()
    log = logging.getLogger("mkdocs")
    log.addHandler(said)
    config.site_dir = str(made)
    if progress and (plugin := config.plugins.get(PLUGIN)):
        plugin.progress = progress
    try:
        config.plugins.on_startup(command="build", dirty=False)
        mkdocs_build(config)
        config.plugins.on_shutdown()
    except Abort as problem:
        raise BadInput(f"The site was not built: {'; '.join(said.lines) or problem}.") from problem
    except MkDocsException as problem:
        raise BadInput(f"The site was not built: {problem}") from problem
    finally:
        log.removeHandler(said)
    return said.lines


def serve(
    library: Library,
    *,
    address: str | None = None,
    open_browser: bool = False,
    only: str = "",
    recent: int = 0,
) -> None:
    """Serve the site on this machine and rebuild it when a file changes; ends with Ctrl-C.

    With `only` (a path below the library) or `recent` (so many files, the ones changed last)
    just those records have pages, and the lists by author, tag and so on are left out.
    """
    from mkdocs.commands.serve import serve as mkdocs_serve
    from mkdocs.exceptions import MkDocsException

    configured(library)
    options: dict[str, Any] = {"dev_addr": address} if address else {}
    os.environ.update(_limits(only, recent))
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


def refuse(library: Library, place: Path, docs: Path) -> None:
    """Raise BadInput when a build into a folder would delete what is not a build's."""
    reason = guard.refusal(library.root, place, docs)
    root = library.root.resolve()
    if reason is None and place.resolve().is_relative_to(root) and library.repository:
        inside = place.resolve().relative_to(root).as_posix()
        if library.repository.tracked(inside):
            reason = f"{place.name} holds files that git tracks; a build deletes them. Use _site."
    if reason:
        raise BadInput(f"The site was not built: site_dir: {reason}")


def configured(library: Library) -> Any:
    """MkDocs' configuration of a library."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, MkDocsException

    # The theme's advertisement of its successor is no business of a library's reader.
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    said = _Listener()
    log = logging.getLogger("mkdocs")
    log.addHandler(said)
    try:
        return load_config(config_file=str(_config_file(library)))
    except (Abort, MkDocsException) as problem:
        reasons = "; ".join(said.lines) or problem
        raise BadInput(f"mkdocs.yml cannot be used: {reasons}") from problem
    finally:
        log.removeHandler(said)


def _config_file(library: Library) -> Path:
    path = library.root / "mkdocs.yml"
    if not path.is_file():
        raise NotFound(
            "This library has no mkdocs.yml.", next="pressmark init writes one and changes no file"
        )
    return path


def _limits(only: str, recent: int) -> dict[str, str]:
    return {"PRESSMARK_SITE_ONLY": only, "PRESSMARK_SITE_RECENT": str(recent or "")}


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
