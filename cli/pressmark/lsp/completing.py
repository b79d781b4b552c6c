"""What is being typed in; the choices an editor offers for it out."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from pressmark.links import headings, parse
from pressmark.links.grammar import bare_key
from pressmark.lsp.cursor import Typed
from pressmark.lsp.shelf import Choice, Shelf
from pressmark.lsp.text import Text

LIMIT = 100
NOTES = ("note", "topic", "collection", "vocabulary")


def complete(
    shelf: Shelf, text: Text, offset: int, typed: Typed, source: str, other: str | None
) -> lsp.CompletionList:
    """The list for one place; always incomplete, so that the editor asks again as more is typed.

    `source` is the document's path from the root; `other` is the text of the note whose headings
    or blocks are wanted.
    """
    place = text.range(typed.start, offset)
    if typed.what == "tag":
        found = shelf.tags_like(typed.words, LIMIT)
        items = [_tag(tag, count, n, typed, place) for n, (tag, count) in enumerate(found)]
    elif typed.what in ("heading", "block"):
        own = other if other is not None else text.source
        items = [_part(words, n, typed, place) for n, words in enumerate(_parts(own, typed.what))]
    else:
        kinds = ("reference",) if typed.what == "cite" else ()
        found_ = shelf.look(typed.words, kinds, LIMIT)
        close = "" if text.source[offset : offset + 1] == "]" else "]]"
        items = [
            _choice(each, n, typed, place, _written(shelf, each, typed, source, close))
            for n, each in enumerate(found_)
        ]
    return lsp.CompletionList(is_incomplete=True, items=items)


def _written(shelf: Shelf, each: Choice, typed: Typed, source: str, close: str) -> str:
    """What a choice is written as."""
    if typed.what == "cite":
        key = each.detail
        return key if typed.braced or bare_key(key) else f"{{{key}}}"
    name = shelf.resolver.shortest(each.path, source)
    return f"{name}{close}"


def _choice(each: Choice, n: int, typed: Typed, place: lsp.Range, new: str) -> lsp.CompletionItem:
    item = lsp.CompletionItem(
        label=each.label,
        kind=lsp.CompletionItemKind.Reference if each.kind == "reference"
        else lsp.CompletionItemKind.File,
        detail=each.detail,
        sort_text=f"{n:04}",
        # Editors sort out by this what they think does not fit; all of it does.
        filter_text=typed.words or each.detail,
        text_edit=lsp.TextEdit(place, new),
        data={"path": each.path, "kind": each.kind, "name": each.name},
    )  # fmt: skip
    if each.notice in ("retracted", "withdrawn"):
        item.tags = [lsp.CompletionItemTag.Deprecated]
    return item


def _tag(tag: str, count: int, n: int, typed: Typed, place: lsp.Range) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        label=f"#{tag}", kind=lsp.CompletionItemKind.Keyword, detail=f"{count}",
        sort_text=f"{n:04}", filter_text=typed.words or tag, text_edit=lsp.TextEdit(place, tag),
    )  # fmt: skip


def _parts(source: str, what: str) -> list[str]:
    """The headings of a note, or the names of its blocks."""
    if what == "heading":
        return [title for _, title, _ in headings(source) if title]
    return [link.target for link in parse(source) if link.kind == "block"]


def _part(words: str, n: int, typed: Typed, place: lsp.Range) -> lsp.CompletionItem:
    new = re.sub(r"[\[\]|]", "", words)
    return lsp.CompletionItem(
        label=words, kind=lsp.CompletionItemKind.Value, sort_text=f"{n:04}",
        filter_text=words, text_edit=lsp.TextEdit(place, new),
    )  # fmt: skip
