"""A server in; the same server with a handler for each message that we answer, out."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from lsprotocol import types as lsp

from pressmark.links import Link, Target
from pressmark.lsp import acting, completing, going, hovering
from pressmark.lsp.adding import add, bring, write_out
from pressmark.lsp.cursor import typed
from pressmark.lsp.desk import Desk
from pressmark.lsp.document import Document
from pressmark.lsp.server import Server
from pressmark.lsp.shelf import Shelf
from pressmark.record import Note

Place = lsp.HoverParams | lsp.DefinitionParams | lsp.ReferenceParams | lsp.RenameParams
"""What is asked about a position in a document."""

WATCHED = ("**/*.md", "**/*.tex", "**/*.typ", "**/*.org", "**/*.rst", "**/pressmark.toml")


def attach(server: Server) -> Server:
    """Give a server its handlers."""
    _life(server)
    _writing(server)
    _reading(server)
    _changing(server)
    return server


def _life(server: Server) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        server.prepare(params.initialization_options)

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if watching and watching.dynamic_registration:
            globs = [lsp.FileSystemWatcher(glob) for glob in WATCHED]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(globs)
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            one = lsp.Registration("pressmark-files", method, options)
            with suppress(Exception):  # an editor that says no is asked no more
                await server.client_register_capability_async(lsp.RegistrationParams([one]))

    @server.feature(lsp.SHUTDOWN)
    def shutdown(*_: object) -> None:
        server.leave()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: lsp.DidChangeConfigurationParams) -> None:
        server.configure(params.settings)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
        for desk in server.desks.values():
            desk.look(now=True)


def _writing(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri, 0.0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        if desk := server.desk(params.text_document.uri):
            desk.look(now=True)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    options = lsp.CompletionOptions(
        trigger_characters=["@", "[", "#", "{", ",", ":", "<", "^"], resolve_provider=True
    )

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        held = server.at(params.text_document.uri)
        if held is None:
            return lsp.CompletionList(is_incomplete=True, items=[])
        desk, shelf, document = held
        offset = document.text.offset(params.position)
        line = document.text.line_before(offset)
        what = typed(document.source, offset, line, document.language)
        if what is None:
            return None
        other = None
        if what.note:
            target = shelf.resolver.wiki(what.note, document.path)
            other = server.reader(desk, shelf).text(target.path) if target else ""
        return completing.complete(shelf, document.text, offset, what, document.path, other)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        data: dict[str, Any] = item.data if isinstance(item.data, dict) else {}
        for desk in server.desks.values():
            if desk.shelf and data.get("path") in desk.shelf.by_path:
                text = _card(desk.shelf, str(data["kind"]), str(data["name"]), str(data["path"]))
                if text:
                    item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
                break
        return item


def _card(shelf: Any, kind: str, name: str, path: str) -> str:
    """What there is to show of a reference or a note."""
    library = shelf.resolver.library
    if kind in ("reference", "fulltext"):
        held = library.catalogue.get(name)
        return hovering.card(library, held, library.path(held.key)) if held else ""
    entry = library.catalogue.record(kind, name) if kind != "prose" else None
    choice = shelf.by_path.get(path)
    if entry and isinstance(entry[1], Note):
        return hovering.note_card(entry[1], choice.title if choice else name)
    return f"**{choice.title}**" if choice else ""


def _link(server: Server, params: Place) -> tuple[Desk, Shelf, Document, Link] | None:
    """The link at a position, and where it stands."""
    held = server.at(params.text_document.uri)
    link = held[2].link_at(held[2].text.offset(params.position)) if held else None
    return (*held, link) if held and link else None


def _target(server: Server, params: Place) -> tuple[Desk, Shelf, Target] | None:
    """What a position names, be it in a link or in the thing's own file."""
    held = server.at(params.text_document.uri)
    if held is None:
        return None
    desk, shelf, document = held
    target = going.target_at(shelf, document, document.text.offset(params.position))
    return (desk, shelf, target) if target else None


def _reading(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        at = _link(server, params)
        if at is None:
            return None
        _, shelf, document, link = at
        place = document.text.range(link.start, link.end)
        if link.kind == "tag":
            count = shelf.tags.get(link.target, 0)
            text = f"#{link.target}: {count} in the library"
        else:
            target = shelf.resolver.resolve(link, document.path)
            text = _card(shelf, target.kind, target.name, target.path) if target else ""
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place) if text else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        at = _link(server, params)
        if at is None:
            return None
        desk, shelf, document, link = at
        return going.definition(shelf, document, link, server.reader(desk, shelf))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        at = _target(server, params)
        if at is None:
            return None
        desk, shelf, target = at
        reader, declared = server.reader(desk, shelf), params.context.include_declaration
        return await server.in_thread(
            lambda: going.references(shelf, reader, target, server.encoding, declared=declared)
        )

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        held = server.at(params.text_document.uri)
        return going.document_links(held[1], held[2], held[0].root) if held else []

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found = []
        for desk in server.desks.values():
            desk.look()
            if desk.shelf:
                found += going.symbols(desk.shelf, params.query, desk.root)
        return found

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        held = server.at(params.text_document.uri) if server.hints else None
        if held is None:
            return []
        text = held[2].text
        span = text.offset(params.range.start), text.offset(params.range.end)
        return going.hints(held[1], held[2], span)


def _changing(server: Server) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(
            code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite]
        ),
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        held = server.at(params.text_document.uri)
        if held is None:
            return []
        _, shelf, document = held
        text = document.text
        span = text.offset(params.range.start), text.offset(params.range.end)
        uri = params.text_document.uri
        return acting.actions(shelf, document, uri, span, params.context.diagnostics)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        held = server.at(params.text_document.uri)
        if held is None:
            return None
        _, shelf, document = held
        offset = document.text.offset(params.position)
        target = going.target_at(shelf, document, offset)
        if target is None or target.kind not in ("reference", "fulltext", "note"):
            return None
        link = document.link_at(offset)
        span = (link.target_start, link.target_end) if link else (offset, offset)
        name = target.name.rpartition("/")[2]
        return lsp.PrepareRenamePlaceholder(document.text.range(*span), name)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        from pressmark.lsp.renaming import rename as edits

        at = _target(server, params)
        if at is None:
            return None
        desk, _, target = at
        unsaved = server.unsaved(desk)
        return await server.in_thread(
            lambda: edits(desk.fresh(), target, params.new_name, unsaved, server.encoding)
        )

    @server.command(acting.ADD)
    async def look_up(argument: dict[str, Any]) -> None:
        await add(server, argument)

    @server.command(acting.CITED)
    async def cited_here(argument: dict[str, Any]) -> None:
        await bring(server, argument)

    @server.command(acting.FORMAT)
    async def in_full(argument: dict[str, Any]) -> None:
        await write_out(server, argument)
