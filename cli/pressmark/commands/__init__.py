"""The command line: one module a command, each parses, makes one core call and renders."""

from __future__ import annotations

import click

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Make a library here or in DIR."),
    "add": ("add", "Add references by identifier, URL, title or file."),
    "list": ("list", "List references that match the words and filters."),
    "show": ("show", "Show one reference, or a part of its full text."),
    "open": ("open", "Open a reference's file, PDF, web page or text."),
    "edit": ("edit", "Change fields and tags, or open the editor."),
    "rename": ("rename", "Rename a reference or a note; links follow."),
    "remove": ("remove", "Remove references from the library."),
    "merge": ("merge", "Fold reference B into reference A."),
    "keep": ("keep", "Keep candidates that a search or topic brought."),
    "drop": ("drop", "Drop candidates; they are never offered again."),
    "login": ("login", "Sign in at scite."),
    "logout": ("logout", "Forget the sign-in at scite."),
    "status": ("status", "Say what state the library is in."),
    "log": ("log", "Show the history of a reference."),
    "undo": ("undo", "Take back a Pressmark commit."),
    "search": ("search", "Ask the scholarly providers; file what is new."),
    "update": ("update", "Ask the sources again about references."),
    "searches": ("searches", "List, show, repeat and report past searches."),
    "vocabulary": ("vocabulary", "List the vocabularies of search terms, or show one."),
    "leads": ("leads", "Read identifiers out of found URLs."),
    "resolve": ("resolve", "Say where an identifier leads."),
    "sources": ("sources", "List the providers and their state."),
    "fetch": ("fetch", "Fetch open full text into the library."),
    "attach": ("attach", "Attach a copy that you hold to a reference."),
    "texts": ("texts", "List the full texts and documents that are held."),
    "find": ("find", "Find papers in the library, each with its passage."),
    "grep": ("grep", "Find an exact term in titles, abstracts and text."),
    "related": ("related", "Find what is related to a paper or a text."),
    "passages": ("passages", "Find the passages that answer a question."),
    "cites": ("cites", "What a reference cites, or what cites it."),
    "skim": ("skim", "Read the key passages of one paper."),
    "wanted": ("wanted", "What the library cites most and does not hold."),
    "evidence": ("evidence", "Put each cited sentence of a draft beside its source."),
    "eval": ("eval", "Measure how well find finds."),
    "index": ("index", "Rebuild the search index."),
    "import": ("import_", "Import references from files."),
    "export": ("export", "Export references, e.g. as BibTeX."),
    "dedupe": ("dedupe", "Walk through references that look alike."),
    "cite": ("cite", "Print a reference as a citation line."),
    "check": ("check", "Check the library and what its prose cites."),
    "topic": ("topic", "Follow queries and feeds; list, run and publish them."),
    "refresh": ("refresh", "Run every topic; what is new is filed."),
    "changes": ("changes", "Say what changed since a commit, a date or your last look."),
    "propose": ("propose", "Push a branch and open its pull request."),
    "sync": ("sync", "Pull, check again and push."),
    "collection": ("collection", "Make, fill, list and show reading lists."),
    "note": ("note", "Begin, find, quote and change notes."),
    "site": ("site", "Build, serve or stage the static site."),
    "merge-driver": ("merge_driver", "Merge files field by field; git runs it."),
    "lsp": ("lsp", "Serve an editor: complete, show, check, rename."),
    "mcp": ("mcp", "Serve the library to agents over MCP."),
    "agent-guide": ("agent_guide", "Print how agents should use the library."),
    "completion": ("completion", "Print a shell's completion script."),
}
"""Command name -> (module in this package, the one line that `--help` shows)."""


class Commands(click.Group):
    """Imports a command's module only when it is run, so that `--version` stays instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        module = import_module(f"pressmark.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean `pressmark {near[0]}`?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])
