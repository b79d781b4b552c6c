"""What an editor wants filed in; once the person said yes, the works filed and cited out."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pressmark.errors import PressmarkError
from pressmark.library import Write
from pressmark.lsp.acting import cited
from pressmark.lsp.desk import desk_error

if TYPE_CHECKING:
    from pressmark.lsp.desk import Desk
    from pressmark.lsp.document import Document
    from pressmark.lsp.server import Server

YES, NO = "Look it up", "Cancel"
BRING = "Bring them in"


async def add(server: Server, argument: dict[str, Any]) -> None:
    """Ask, look up, file, and put the citation in place of the words that named the work."""
    uri, identifier = str(argument.get("uri", "")), str(argument.get("identifier", ""))
    desk = server.desk(uri)
    if desk is None or not identifier:
        return
    asked = lsp.ShowMessageRequestParams(
        lsp.MessageType.Info, f"Look {identifier} up at its provider and add it to the library?",
        [lsp.MessageActionItem(YES), lsp.MessageActionItem(NO)],
    )  # fmt: skip
    answer = await server.window_show_message_request_async(asked)
    if answer is None or answer.title != YES:
        return
    try:
        key = await server.in_thread(_filed, desk, identifier)
    except Exception as error:
        _say(server, str(error), lsp.MessageType.Error)
        return
    _say(server, f"Added {key}.", lsp.MessageType.Info)
    desk.look(now=True)
    await _cite(server, uri, argument, key)


def _filed(desk: Desk, identifier: str) -> str:
    """The key of the work, filed as kept in one commit like `pressmark add`."""
    from pressmark.http import open_client
    from pressmark.search import documents
    from pressmark.search.intake import gather

    library, today = desk.fresh(), date.today().isoformat()
    client = open_client(library.config)
    got = gather(library, client, library.config, [identifier], today=today, start=desk.root)
    if got.failures:
        raise PressmarkError(desk_error(got.failures[0][1]))
    added = documents.file(
        library, got.papers, got.documents, topic=None, collection=None, today=today, write=Write()
    )
    keys = [item.key for item in added.items if item.key]
    if not keys:
        reason = next((item.reason for item in added.items), "nothing was found")
        raise PressmarkError(f"{identifier} could not be filed: {reason}.")
    return keys[0]


async def bring(server: Server, argument: dict[str, Any]) -> None:
    """Ask, then file what a text cites and nobody holds; the text stays as it is."""
    uri = str(argument.get("uri", ""))
    desk, document = server.desk(uri), server.document(uri)
    if desk is None or document is None:
        return
    asked = lsp.ShowMessageRequestParams(
        lsp.MessageType.Info,
        "File what this text cites and the library lacks, from the bibliographies it names?",
        [lsp.MessageActionItem(BRING), lsp.MessageActionItem(NO)],
    )
    answer = await server.window_show_message_request_async(asked)
    if answer is None or answer.title != BRING:
        return
    try:
        said = await server.in_thread(_brought, desk, document)
    except Exception as error:
        _say(server, str(error), lsp.MessageType.Error)
        return
    _say(server, said, lsp.MessageType.Info)
    desk.look(now=True)


def _brought(desk: Desk, document: Document) -> str:
    """What became of it, in a sentence; one commit like `pressmark add --cited`."""
    from pressmark.exchange.cited import bring as bring_in
    from pressmark.exchange.lacking import Text
    from pressmark.http import open_client

    library, name = desk.fresh(), document.read_as
    text = Text(desk.root / name, name, document.kind, document.source)
    done = bring_in(
        library, open_client(library.config), today=date.today().isoformat(), start=desk.root,
        texts=[text],
    )  # fmt: skip
    filed = ", ".join(dict.fromkeys(row.cited for row in done.rows if row.key)) or "nothing"
    unknown = ", ".join(each.cited for each in done.unknown if each.sure)
    more = f" In no source: {unknown}." if unknown else ""
    return f"Brought in {filed}.{more} {' '.join(done.problems)}".strip()


async def write_out(server: Server, argument: dict[str, Any]) -> None:
    """Put the formatted citation behind the one that stands there, unless the text moved on."""
    uri, key = str(argument.get("uri", "")), str(argument.get("key", ""))
    desk = server.desk(uri)
    if desk is None or desk.shelf is None:
        return
    try:
        words = await server.in_thread(_in_full, desk, key)
    except Exception as error:
        _say(server, str(error), lsp.MessageType.Error)
        return
    place = lsp.Position(int(argument["line"]), int(argument["character"]))
    document, there = server.document(uri), str(argument.get("words", ""))
    if document is None or not document.source[: document.text.offset(place)].endswith(there):
        _say(server, f"The text changed meanwhile, so {key} was not written out: ask again.",
             lsp.MessageType.Warning)  # fmt: skip
        return
    edit = lsp.TextEdit(lsp.Range(place, place), f" ({words})")
    await server.workspace_apply_edit_async(
        lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit(changes={uri: [edit]}), f"Cite {key}")
    )


def _in_full(desk: Desk, key: str) -> str:
    """The line of a reference in the library's own style."""
    from pressmark.formats import csl

    library = desk.fresh()
    line = csl.cite([library.get(key)], library.config.cite_style, "markdown")[0].line
    return " ".join(line.split()).removesuffix(".")


async def _cite(server: Server, uri: str, argument: dict[str, Any], key: str) -> None:
    """Replace the words, unless the person has changed them meanwhile."""
    document = server.document(uri)
    place = argument.get("range")
    if document is None or not isinstance(place, dict):
        return
    start, end = (lsp.Position(**place[name]) for name in ("start", "end"))
    span = slice(document.text.offset(start), document.text.offset(end))
    if document.source[span] != argument.get("words"):
        return
    edit = lsp.TextEdit(lsp.Range(start, end), cited(document, key))
    await server.workspace_apply_edit_async(
        lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit(changes={uri: [edit]}), f"Cite {key}")
    )


def _say(server: Server, words: str, kind: lsp.MessageType) -> None:
    server.window_show_message(lsp.ShowMessageParams(kind, words))
