"""`pressmark add`: references by identifier, URL, title or file, or those cited; filed as kept."""

from __future__ import annotations

import click

from pressmark.commands.session import (
    Session,
    json_option,
    password,
    preview,
    with_session,
    write_options,
)
from pressmark.errors import BadInput
from pressmark.library import Added, Write

IMPORT = "give --cited as well, or take all of it: pressmark import FILE"


@click.command(short_help="Add references by identifier, URL, title or file.")
@click.argument("words", metavar="ID|URL|TITLE|FILE|DIR…", nargs=-1)
@click.option("--cited", is_flag=True, help="Add what prose cites and no reference has.")
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="FILE",
    help="With --cited: look in this bibliography, or Zotero's folder, first.",
)
@click.option("--zotero", is_flag=True, help="With --cited: look in your Zotero too.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag what is added.")
@click.option("--topic", metavar="SLUG", help="Put it under a topic.")
@click.option("--collection", metavar="SLUG", help="Put it into a collection.")
@click.option("--password-stdin", is_flag=True, help="Read the PDFs' password from stdin.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    words: tuple[str, ...],
    cited: bool,
    sources: tuple[str, ...],
    zotero: bool,
    tags: tuple[str, ...],
    topic: str | None,
    collection: str | None,
    password_stdin: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Add by any identifier in any spelling, by URL, by the words of a title, or from files.

    Quote a title. It is filed only when one paper is clearly meant; else you see the candidates.
    A PDF is identified from its first page and kept beside its reference, with its text; one
    that nobody knows is filed under its own title or its file's name, known by its bytes.
    A paper that is held as a candidate is kept.

    With --cited the words are files and folders of prose, none means the library's own: what they
    cite and no reference has is looked for in the bibliography files that they name, and filed
    under the key that they use.
    """
    if cited:
        from pressmark.commands.bringing import bring

        bring(session, words, sources, zotero, tags, topic, collection, write, as_json)
        return
    if sources or zotero:
        raise BadInput("A bibliography is looked through for what is cited.", next=IMPORT)
    if not words:
        raise BadInput("There is nothing to add.", next="pressmark add ID, URL, TITLE or FILE")
    from pressmark.commands.reports import added_json, unfiled
    from pressmark.search import documents
    from pressmark.search.intake import gather

    library = session.library
    got = gather(
        library, session.client, session.config, words, today=session.today, start=session.start,
        password=password() if password_stdin else "",
    )  # fmt: skip
    candidates = {key for key in got.held if library.get(key).stage}
    added = documents.file(
        library, got.papers, got.documents, topic=topic, collection=collection,
        tags=tags, today=session.today, write=write,
    )  # fmt: skip
    data = {
        **added_json(added, write),
        "kept": sorted(candidates),
        "failures": [{"word": w, "code": e.code, "error": str(e)} for w, e in got.failures],
        "problems": got.problems,
    }
    for _, error in got.failures[:-1]:
        session.say(f"pressmark: {error}")
    failure = got.failures[-1][1] if got.failures else unfiled(added)
    warnings = [*added.warnings, *got.problems]
    session.emit(data, _lines(added, candidates, write), as_json, warnings, failure)
    session.say_where(added, write)


def _lines(added: Added, candidates: set[str], write: Write) -> list[str]:
    """A line a paper, what became of them together, and with --dry-run the files."""
    from pressmark.commands.reports import added_line

    if not added.items:
        return []
    words = {"unchanged": "held"}
    lines = [
        f"{'kept' if i.key in candidates else words.get(i.outcome, i.outcome):9} "
        f"{i.key or '-'}  {i.title}" + (f": {i.reason}" if i.outcome == "failed" else "")
        for i in added.items
    ]
    lines.append(f"{added_line(added)}.")
    return [*preview(added), *lines] if write.dry_run else lines
