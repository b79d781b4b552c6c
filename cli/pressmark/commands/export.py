"""`pressmark export`: references as BibTeX or CSL-JSON, to stdout or into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import BadInput, NotFound

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.record import Reference

LARGEST = 200 * 2**20
"""Bytes of a file that may be one of ours."""

SUFFIXES = {".bib": "bibtex", ".json": "csl-json"}


@click.command(cls=Filtered, short_help="Export references, e.g. as BibTeX.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--format", "form", type=click.Choice(["bibtex", "csl-json"]), help="The format.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write this file.")
@click.option("--cited-in", metavar="PATH", multiple=True, help="Only what this prose cites.")
@click.option("--force", is_flag=True, help="Overwrite a file that Pressmark did not make.")
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    form: str | None,
    output: Path | None,
    cited_in: tuple[str, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Export REFERENCES (keys, identifiers, filters; all that are kept without them).

    The answer is the same every time. A file that Pressmark made is rewritten; another needs
    --force.
    """
    library = session.library
    words = list(references)
    found = library.select(words, stage="kept", cited=session.cited, required=bool(words))
    warnings = session.unread("library/")
    if cited_in:
        wanted = set().union(*(session.cited(path) for path in cited_in))
        found = [ref for ref in found if ref.key in wanted]
        warnings += _unkept(library, wanted - {ref.key for ref in found})
    form = form or SUFFIXES.get(output.suffix if output else "", session.config.export_format)
    text = _written(found, form)
    if output is None:
        data: dict[str, object] = {"format": form, "count": len(found), "text": text}
        session.emit(data, text.rstrip("\n"), as_json, warnings)
        return
    _write(session.start / output, text, form, force)
    data = {"format": form, "count": len(found), "path": str(output)}
    session.emit(data, [], as_json, warnings)
    noun = "reference" if len(found) == 1 else "references"
    session.say(f"{len(found)} {noun} in {output}.")


def _unkept(library: Library, keys: set[str]) -> list[str]:
    """The candidates among keys that prose cites: they are left out as all candidates are."""
    candidates = [key for key in sorted(keys) if library.get(key).stage]
    return [f"{key} is cited and left out: pressmark keep {key}" for key in candidates]


def _written(found: list[Reference], form: str) -> str:
    from pressmark.formats import bibtex, csljson

    if form == "bibtex":
        return bibtex.write(found)
    if form == "csl-json":
        return csljson.write(found).decode("utf-8")
    raise BadInput(f"{form} is no format of export.", next="--format bibtex or csl-json")


def _write(path: Path, text: str, form: str, force: bool) -> None:
    from pressmark import disk
    from pressmark.formats import bibtex

    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.", next="make it, or write elsewhere")
    data = text.encode("utf-8")
    if path.exists() and not path.is_file():
        raise BadInput(f"{path.name} is no file that can be replaced.", next="leave -o out")
    if path.exists() and not force:
        held = disk.read_given(path, LARGEST, path.name)
        ours = form == "bibtex" and held.startswith(bibtex.MARK.encode())
        if held != data and not ours:
            raise BadInput(
                f"{path.name} was not written by Pressmark, as far as it says; it stays as it is.",
                next="choose another name, or give --force",
            )
    disk.write_file(path, data)
