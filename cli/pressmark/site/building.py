"""A library in, its site in its folder out: built aside, and swapped in when it is complete."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark.disk import folders, output
from pressmark.disk.reasons import explain
from pressmark.errors import BadInput, Integrity, NotFound
from pressmark.site import guard
from pressmark.site.keeping import Keeper

if TYPE_CHECKING:
    from pressmark.library import Library

PLUGIN = "pressmark"
HARMLESS = frozenset({PLUGIN, "search", "material/search"})
"""Plugins that leave the files of others alone."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made: its folder, how many pages, what was left out, what leads nowhere."""

    folder: Path
    pages: int
    problems: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def build(
    library: Library,
    *,
    strict: bool = False,
    whole: bool = False,
    progress: Progress | None = None,
) -> Built:
    """Build the site into its `site_dir`; with `strict`, a problem fails it (Integrity).

    The folder that is there stays as it is until all that is new is complete, and where a strict
    build fails, it stays for good. Pages that would be the same as in the last build are not made
    again, unless the `whole` site is asked for.
    """
    config = configured(library)
    place = Path(config.site_dir)
    refuse(library, place, Path(config.docs_dir))
    keeper = Keeper(place, library.root, whole=whole)
    made = output.beside(place)
    try:
        said = made_into(made, config, keeper, progress)
        if strict and said:
            problems = "1 problem" if len(said) == 1 else f"{len(said)} problems"
            raise Integrity(
                f"The site has {problems}: {'; '.join(said[:10])}.",
                next="correct them, or build without --strict",
            )
        left_out = tuple(getattr(config.plugins.get(PLUGIN), "left_out", ()))
        keeper.place_files(made)
    finally:
        folders.discard(made)
    return Built(place, _pages(place), tuple(said), left_out)


def made_into(
    made: Path, config: Any, keeper: Keeper, progress: Progress | None, url: str | None = None
) -> list[str]:
    """Run MkDocs into a folder; what it warned of. With the address of a preview it is one."""
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.exceptions import Abort, MkDocsException

    said = _Listener()
    log = logging.getLogger("mkdocs")
    log.addHandler(said)
    config.site_dir = str(made)
    if plugin := config.plugins.get(PLUGIN):
        plugin.progress = progress or plugin.progress
        # What another plugin does to finished files it must be able to do to all of them.
        plugin.keeper = keeper if config.plugins.keys() <= HARMLESS and not config.hooks else None
    try:
        config.plugins.on_startup(command="serve" if url else "build", dirty=False)
        mkdocs_build(config, serve_url=url)
        config.plugins.on_shutdown()
    except Abort as problem:
        raise BadInput(f"The site was not built: {'; '.join(said.lines) or problem}.") from problem
    except MkDocsException as problem:
        raise BadInput(f"The site was not built: {problem}") from problem
    except OSError as problem:
        raise explain(problem, "The site") from problem
    finally:
        log.removeHandler(said)
    return said.lines


def runs(library: Library) -> list[str]:
    """The Python beyond ours that this library's mkdocs.yml would run."""
    _config_file(library)
    return guard.runs(library.read_page("mkdocs.yml"))


def refuse(library: Library, place: Path, docs: Path) -> None:
    """Raise BadInput when a build into a folder would delete what is not a build's."""
    reason = guard.refusal(library.root, place, docs) or guard.tracked(place.resolve())
    if reason:
        raise BadInput(f"The site was not built: site_dir: {reason}")


def configured(library: Library, **more: Any) -> Any:
    """MkDocs' configuration of a library; `more` wins over its file."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, MkDocsException

    # The theme's advertisement of its successor is no business of a library's reader.
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    said = _Listener()
    log = logging.getLogger("mkdocs")
    log.addHandler(said)
    try:
        return load_config(config_file=str(_config_file(library)), **more)
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
