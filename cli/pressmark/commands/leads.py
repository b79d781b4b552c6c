"""`pressmark leads`: which works the addresses of a web search name; nobody is asked."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Read identifiers out of found URLs.")
@click.argument("urls", nargs=-1, required=True, metavar="URL…")
@json_option
@with_session
def command(session: Session, urls: tuple[str, ...], as_json: bool) -> None:
    """Read a DOI, PMID, PMCID or arXiv id out of each URL, and say what is held already.

    Nothing is asked and nothing is downloaded: what a page offers is no proof of an open copy.
    `add` and `fetch` take the identifiers to the providers. `-` reads addresses from stdin.
    """
    from pressmark.search.leading import leads

    given = [line for each in urls for line in (_stdin() if each == "-" else [each])]
    found = leads(given, session.library if session.config.root else None)
    data = {
        "leads": [
            {
                "identifier": str(lead.identifier), "kind": lead.identifier.kind,
                "urls": list(lead.urls), "held": lead.key is not None, "key": lead.key,
            }
            for lead in found.found
        ],
        "fetch": list(found.fetch),
        "no_identifier": list(found.no_identifier),
    }  # fmt: skip
    lines = [
        f"{lead.identifier!s:40} {f'held as {lead.key}' if lead.key else 'not held'}"
        for lead in found.found
    ]
    lines += [f"{url:40} names no work" for url in found.no_identifier]
    then = f"pressmark add {' '.join(found.fetch[:5])}" if found.fetch else None
    session.emit(data, lines, as_json, then=then)


def _stdin() -> list[str]:
    import sys

    return [line for line in sys.stdin.read().splitlines() if line.strip()]
