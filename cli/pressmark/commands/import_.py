"""`pressmark import`: every entry of bibliography files, filed in one commit or reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pressmark.commands.session import (
    Session,
    json_option,
    preview,
    with_session,
    write_options,
)
from pressmark.errors import BadInput, PressmarkError
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.search.importing import Elsewhere, Imported

LARGEST_STRATEGY = 2**20


@click.command("import", short_help="Import references from files.")
@click.argument(
    "files", metavar="FILE|DIR…", nargs=-1, type=click.Path(readable=False, path_type=str)
)
@click.option("--collection", metavar="SLUG", help="Put what is imported into a collection.")
@click.option("--topic", metavar="SLUG", help="Put what is imported under a topic.")
@click.option(
    "--zotero", metavar="[DIR]", is_flag=False, flag_value="", default=None,
    help="Import a Zotero: its data folder, ~/Zotero unless named.",
)  # fmt: skip
@click.option("--with-files", is_flag=True, help="With --zotero: copy its PDFs beside them.")
@click.option(
    "--report", metavar="FILE", help="Write what became of each entry: CSV or JSON; - is stdout."
)
@click.option("--search", "platform", metavar="NAME", help="Log the search these files come from.")
@click.option("--strategy", metavar="FILE", help="The search string of --search, as it was sent.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The day of --search: today.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    files: tuple[str, ...],
    collection: str | None,
    topic: str | None,
    zotero: str | None,
    with_files: bool,
    report: str | None,
    platform: str | None,
    strategy: str | None,
    day: str | None,
    write: Write,
    as_json: bool,
) -> None:
    """Import bibliography files, or a folder of them: every entry is filed or reported.

    BibTeX, biblatex, RIS, MEDLINE, PubMed XML, Web of Science, EndNote, CSL-JSON, CSL-YAML, MODS
    and CITATION.cff, in any encoding, all in one commit. Keys that come with the entries are kept.
    A second import follows what changed in the file and nobody changed here.
    """
    from pressmark.search.importing import import_files

    if report == "-" and as_json:
        raise BadInput("--json and --report - both want stdout.", next="--report FILE.json")
    if zotero is not None:
        if files or platform or topic or collection:
            raise BadInput("A Zotero is imported by itself.", next="pressmark import --zotero")
        place = session.start / zotero if zotero else None
        from pressmark.exchange.fromzotero import import_zotero

        done = import_zotero(
            session.library, place, with_files=with_files, tell=session.progress("filing"),
            write=write,
        )  # fmt: skip
        say(session, done, report, write, as_json)
        return
    if not files:
        raise BadInput("There is nothing to import.", next="pressmark import FILE")
    if not all(path.strip() for path in files):
        raise BadInput("An empty word names no file.", next="see what the shell made of the call")
    elsewhere = _elsewhere(session, platform, strategy, day)
    done = import_files(
        session.library, [session.start / path for path in files], collection=collection,
        topic=topic, elsewhere=elsewhere, tell=session.progress("filing"), write=write,
    )  # fmt: skip
    say(session, done, report, write, as_json)


def say(session: Session, done: Imported, report: str | None, write: Write, as_json: bool) -> None:
    """Tell what an import did, and write its report."""
    from pressmark.commands.reports import added_json, added_line, unfiled
    from pressmark.render import counted
    from pressmark.search.importing import COLUMNS

    added = done.added
    if report and report != "-":
        _write(session.start / report, done)
    problems = [*done.problems, *(f"{word}: {error}" for word, error in done.failures)]
    failed = [f"{item.title}: {item.reason}" for item in added.items if item.outcome == "failed"]
    entries = counted(done.entries, "entry", "entries")
    rows = [{name: getattr(row, name) for name in COLUMNS} for row in done.lost]
    data = {**added_json(added, write), "problems": [*problems, *failed], "lost": rows}
    lines = [f"{entries}: {added_line(added)}."]
    if write.dry_run:
        lines = [*preview(added), *lines]
    failure: PressmarkError | None = done.failures[0][1] if done.failures else unfiled(added)
    if report == "-":
        click.echo(_rows(done, "report.csv"), nl=False)
        for line in lines:
            session.say(line)
        lines = []
    session.emit(data, lines, as_json, [*added.warnings, *problems, *failed], failure)
    session.say_where(added, write)


def _write(path: Path, done: Imported) -> None:
    from pressmark import disk

    disk.write_file(path, _rows(done, path.name))


def _rows(done: Imported, name: str) -> bytes:
    from pressmark.search.importing import report

    return report(done.rows, name)


def _elsewhere(
    session: Session, platform: str | None, strategy: str | None, day: str | None
) -> Elsewhere | None:
    from pressmark import disk
    from pressmark.formats.encoding import decode
    from pressmark.search.importing import Elsewhere

    if platform is None:
        if strategy or day:
            raise BadInput(
                "A strategy belongs to a search.", next='give --search "Embase (Ovid)" as well'
            )
        return None
    if day is not None and not _is_day(day):
        raise BadInput(f"{day!r} is no day.", next="--date 2026-11-30")
    text = ""
    if strategy:
        text = decode(disk.read_given(session.start / strategy, LARGEST_STRATEGY))[0]
    return Elsewhere(platform, day or session.today, text)


def _is_day(text: str) -> bool:
    """Whether a text is YYYY-MM-DD and such a day exists."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
