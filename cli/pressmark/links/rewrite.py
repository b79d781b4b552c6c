"""A text and new names come in; the text with only those targets replaced goes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pressmark import ids
from pressmark.links.grammar import bare_key
from pressmark.links.link import Link
from pressmark.links.parse import parse

_ENDINGS = frozenset({"", "md", "fulltext", "fulltext.md", "pdf", "xml", "html"})
"""What follows a key in the names of the files that belong to a reference."""

Accepts = Callable[[Link], bool]


def rewrite(
    text: str,
    renames: Mapping[str, str],
    accepts: Accepts | None = None,
    read: Callable[[str], list[Link]] = parse,
) -> str:
    """Rename keys in citations, wikilinks and Markdown links; letter case of the old key is free.

    A link to a file of the old name is followed by its name, and its year folder with it;
    `accepts` decides about each link where the caller knows what it points to; `read` is the
    grammar of a text that is no Markdown.
    """
    folded = {old.casefold(): new for old, new in renames.items()}
    if not any(old in text.casefold() for old in folded):
        return text
    edits: dict[tuple[int, int], str] = {}
    for link in read(text):
        span = (link.target_start, link.target_end)
        new = renamed(text[slice(*span)], link, folded)
        if new is not None and (accepts is None or accepts(link)):
            edits[span] = new
    return replaced(text, edits)


def replaced(text: str, edits: Mapping[tuple[int, int], str]) -> str:
    """The text with some of its spans replaced; spans never overlap."""
    parts, place = [], 0
    for (start, end), new in sorted(edits.items()):
        parts += [text[place:start], new]
        place = end
    return "".join(parts) + text[place:]


def renamed(written: str, link: Link, renames: Mapping[str, str]) -> str | None:
    """What a target is written as after the renames (by folded key); None when it stays."""
    if link.kind == "cite":
        new = renames.get(link.target.casefold())
        if new is None:
            return None
        braced = link.end - link.target_end == 1
        return new if braced or bare_key(new) else f"{{{new}}}"
    if link.kind in ("tag", "block") or link.external:
        return None
    return _path(written, renames)


def _path(written: str, renames: Mapping[str, str]) -> str | None:
    """A path whose last part is a file of a renamed reference."""
    head, slash, name = written.rpartition("/")
    at = "@" if name.startswith("@") else ""
    old, dot, ending = name[len(at) :].partition(".")
    new = renames.get(old.casefold())
    if new is None or ending.casefold() not in _ENDINGS:
        return None
    parent, between, folder = head.rpartition("/")
    if folder == ids.folder(old):
        head = f"{parent}{between}{ids.folder(new)}"
    return f"{head}{slash}{at}{new}{dot}{ending}"
