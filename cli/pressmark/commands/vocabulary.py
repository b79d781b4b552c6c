"""`pressmark vocabulary`: the search terms of disciplines: list them, show one."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_vocabulary
from pressmark.commands.session import Session, json_option, with_session


@click.group(short_help="List the vocabularies of search terms, or show one.")
def command() -> None:
    """Search terms of disciplines: four that ship, and yours in topics/vocabularies/."""


@command.command("list", short_help="List the vocabularies.")
@json_option
@with_session
def list_(session: Session, as_json: bool) -> None:
    """List the vocabularies: their titles, how many terms and synonyms they have, and whose."""
    from pressmark.render import table
    from pressmark.search.vocabulary import every

    found = every(session.library)
    data = [
        {
            "slug": each.slug, "title": each.title, "terms": len(each.mesh),
            "synonyms": len(each.synonyms), "shipped": each.shipped,
        }
        for each in found
    ]  # fmt: skip
    rows = [
        (v.slug, v.title, f"{len(v.mesh)} terms", f"{len(v.synonyms)} synonyms",
         "shipped" if v.shipped else "yours")
        for v in found
    ]  # fmt: skip
    session.emit(data, table(rows), as_json, session.unread("topics/vocabularies/"))


@command.command(short_help="Show a vocabulary's terms.")
@click.argument("slug", shell_complete=complete_vocabulary)
@json_option
@with_session
def show(session: Session, slug: str, as_json: bool) -> None:
    """Show the vocabulary SLUG: its indexed terms with their ids, synonyms, measures, guidance."""
    from pressmark.search.vocabulary import get

    found = get(slug, session.library)
    data = {
        "slug": found.slug, "title": found.title, "shipped": found.shipped,
        "terms": [{"term": term, "mesh": mesh or None} for term, mesh in found.mesh.items()],
        "synonyms": [{"said": s, "term": t} for s, t in found.synonyms.items()],
        "measures": list(found.measures), "guidance": found.guidance,
    }  # fmt: skip
    lines = [found.title, ""]
    for term, mesh in found.mesh.items():
        said = [each for each, meant in found.synonyms.items() if meant == term]
        also = f": {', '.join(said)}" if said else ""
        lines.append(f"  {term}{f' ({mesh})' if mesh else ''}{also}")
    if found.measures:
        lines += ["", f"  measured: {', '.join(found.measures)}"]
    session.emit(data, [*lines, "", found.guidance], as_json)
