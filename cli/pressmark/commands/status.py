"""`pressmark status`: what the library holds, what state it is in, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import PressmarkError

if TYPE_CHECKING:
    from pressmark.library import Library

NOUNS = {
    "references": ("reference", "references"),
    "candidates": ("candidate", "candidates"),
    "full texts": ("full text", "full texts"),
    "notes": ("note", "notes"),
    "topics": ("topic", "topics"),
    "searches": ("search", "searches"),
    "collections": ("collection", "collections"),
}


@click.command(short_help="Say what state the library is in.")
@json_option
@with_session
def command(session: Session, as_json: bool) -> None:
    """Say what the library holds, what is unreadable, how git stands, how fresh the index is."""
    from pressmark import index

    library = session.library
    data: dict[str, object] = {
        "root": str(library.root),
        "format": session.config.format,
        "counts": _counts(library),
        "unreadable": [asdict(each) for each in library.catalogue.unreadable()],
        "git": _git(library),
        "index": index.status(library),
        "offline": session.config.offline,
        "sources": list(session.config.sources),
    }
    session.emit(data, _lines(data), as_json, then=_next(data))


def _counts(library: Library) -> dict[str, int]:
    """How many of each kind of file there are, without reading one."""
    from pressmark.catalogue import filters

    catalogue = library.catalogue
    kinds = {"notes": "note", "topics": "topic", "searches": "search", "collections": "collection"}
    return {
        "references": catalogue.count(),
        "candidates": len(catalogue.select_keys(filters.parse(["stage:candidate"]))),
        "full texts": len(catalogue.with_fulltext()),
        **{name: len(catalogue.files(kind)) for name, kind in kinds.items()},
    }


def _git(library: Library) -> dict[str, object] | None:
    """How git stands; None outside of a repository."""
    from pressmark.history.repository import MINIMUM

    repository = library.repository
    if repository is None:
        return None
    try:
        version = repository.git_version()
    except PressmarkError:
        version = ()
    return {
        "state": repository.state(),
        "branch": repository.branch(),
        "head": repository.head(),
        "version": ".".join(map(str, version)) or None,
        "durable": version >= MINIMUM,
    }


def _next(data: Mapping[str, Any]) -> str | None:
    """The one thing that is most worth doing now."""
    counts, git = data["counts"], data["git"]
    if git is None:
        return "git init, then: pressmark init"
    if git["version"] is None:
        return "install git 2.36 or newer: https://git-scm.com"
    if git["state"] not in ("clean", "unborn"):
        return "git status"
    if data["unreadable"]:
        return "pressmark check"
    if not counts["references"]:
        return 'pressmark search "WORDS", or pressmark add ID'
    if counts["candidates"]:
        return "pressmark list stage:candidate, then keep or drop them"
    advice: str | None = data["index"]["next"]
    return advice


def _lines(data: Mapping[str, Any]) -> list[str]:
    held = [
        f"{number:,} {NOUNS[name][number != 1]}"
        for name, number in data["counts"].items()
        if number
    ]
    lines = [data["root"], ", ".join(held) or "empty", *_git_lines(data["git"])]
    lines.append(f"index: {data['index']['state']}; semantic: {data['index']['semantic']}")
    lines += [data["index"]["faster"]] if data["index"]["faster"] else []
    for each in data["unreadable"]:
        place = ":".join(str(part) for part in (each["path"], each["line"]) if part)
        lines.append(f"unreadable: {place}: {each['message']}")
    return [*lines, "the network is off"] if data["offline"] else lines


def _git_lines(git: Mapping[str, Any] | None) -> list[str]:
    if git is None:
        return ["not in a git repository: nothing can be written"]
    state = "" if git["state"] == "clean" else f", {git['state']}"
    lines = [f"git: {git['branch'] or 'no branch'}{state}"]
    if git["version"] is None:
        lines.append("git is not installed, or not on the PATH: nothing can be written")
    elif not git["durable"]:
        lines.append(f"git {git['version']} is older than 2.36: a power cut may cost a commit")
    return lines
