"""A stretch of a document in; what an editor offers to do there out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from pressmark import ids
from pressmark.links import Link, bibliographies
from pressmark.links.grammar import bare_key
from pressmark.lsp.document import Document
from pressmark.lsp.shelf import Shelf

ADD = "pressmark.add"
"""The command that looks a missing work up; it asks before it does."""

CITED = "pressmark.cited"
"""The command that files what a text cites and nobody holds; it asks before it does."""

FORMAT = "pressmark.format"
"""The command that writes a citation out, in the library's style."""

_TOKEN = re.compile(r"\S+")
_LONGEST = 2_000


def actions(
    shelf: Shelf, document: Document, uri: str, span: tuple[int, int],
    diagnostics: Sequence[lsp.Diagnostic],
) -> list[lsp.CodeAction]:  # fmt: skip
    """Every action for a stretch, the likeliest first."""
    link = document.link_at(span[0])
    found: list[lsp.CodeAction] = []
    if link is not None and not link.external and link.kind not in ("tag", "block"):
        target = shelf.resolver.resolve(link, document.path)
        if target is None:
            found += _missing(shelf, document, uri, link, diagnostics)
        elif target.kind == "reference" and link.kind == "cite":
            found += _formatted(document, uri, link, target.name)
        return found
    return list(_pasted(shelf, document, uri, span, link))


def _missing(
    shelf: Shelf, document: Document, uri: str, link: Link, diagnostics: Sequence[lsp.Diagnostic]
) -> Iterator[lsp.CodeAction]:
    """The name that looks most like one that leads nowhere; the work that an identifier names."""
    start, end = link.target_start, link.target_end
    mine = [each for each in diagnostics if document.text.offset(each.range.start) <= end]
    if link.kind == "cite":
        near = shelf.nearest(link.target)
        new = near and _keyed(document, near, document.source[start - 1 : start] == "{")
    else:
        stem = re.sub(r"^.*/|\.md$", "", link.target).removeprefix("@")
        near = shelf.nearest(stem, "file")
        new = near
    if near and new:
        yield _replacing(document, uri, (start, end), new, f"Change to {near}", mine, True)
    identifier = ids.parse(link.target)
    if identifier is not None:
        whole = link.group if link.group and _alone(document, link) else (start, end)
        yield _adding(document, uri, whole, identifier, mine)
    elif link.kind == "cite" and (source := _looked_in(document)):
        title = f"Bring in what is cited here and not held, from {source}…"
        yield lsp.CodeAction(
            title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=mine or None,
            command=lsp.Command(title, CITED, arguments=[{"uri": uri}]),
        )  # fmt: skip


def _looked_in(document: Document) -> str:
    """A bibliography file that the text names, or its main file; nothing is opened for it."""
    files = bibliographies.named(document.source, document.read_as)
    main = bibliographies.root(document.source, document.read_as)
    return files[0].name if files else f"what {main} names" if main else ""


def _alone(document: Document, link: Link) -> bool:
    """Whether no other citation stands in the same brackets."""
    return sum(each.group == link.group for each in document.links) == 1 and not link.locator


def _formatted(document: Document, uri: str, link: Link, key: str) -> Iterator[lsp.CodeAction]:
    """The citation spelled out, behind the one that stands there."""
    end = link.group[1] if link.group else link.end
    title = f"Insert the citation of {key} in full"
    place = document.text.position(end)
    start = link.group[0] if link.group else link.start
    argument = {
        "uri": uri, "key": key, "line": place.line, "character": place.character,
        "words": document.source[start:end],
    }  # fmt: skip
    yield lsp.CodeAction(
        title=title, kind=lsp.CodeActionKind.RefactorRewrite,
        command=lsp.Command(title, FORMAT, arguments=[argument]),
    )  # fmt: skip


def _pasted(
    shelf: Shelf, document: Document, uri: str, span: tuple[int, int], link: Link | None
) -> Iterator[lsp.CodeAction]:
    """A DOI, arXiv id or URL that was pasted, as a citation of the work it names."""
    place = (link.start, link.end) if link and link.external else _token(document, span)
    if place is None:
        return
    words = link.target if link and link.external else document.source[slice(*place)]
    identifier = ids.parse(words)
    if identifier is None:
        return
    keys = shelf.resolver.library.catalogue.resolve(str(identifier))
    if len(keys) == 1:
        new = cited(document, keys[0])
        yield _replacing(document, uri, place, new, f"Cite {keys[0]} instead", [], True)
    else:
        yield _adding(document, uri, place, identifier, [])


def _token(document: Document, span: tuple[int, int]) -> tuple[int, int] | None:
    """The stretch that is selected, or the word around the cursor without its punctuation."""
    if span[1] > span[0]:
        return span if span[1] - span[0] < _LONGEST else None
    before = document.text.line_before(span[0])
    start = span[0] - len(re.search(r"\S*$", before)[0])  # type: ignore[index]
    found = _TOKEN.match(document.source, start)
    if not found or len(found.group()) > _LONGEST:
        return None
    word = found.group()
    lead = len(word) - len(word.lstrip("(<[\"'“"))
    bare = word[lead:]
    while bare and (bare[-1] in ".,;:!?>]\"'”" or _overhangs(bare)):
        bare = bare[:-1]
    end = start + lead + len(bare)
    if (
        document.source[start + lead - 1 : start + lead] == "<"
        and document.source[end : end + 1] == ">"
    ):
        return start + lead - 1, end + 1  # an address in angle brackets
    return (start + lead, end) if bare else None


def _overhangs(word: str) -> bool:
    return word[-1] == ")" and word.count(")") > word.count("(")


def cited(document: Document, key: str) -> str:
    """A citation of a key in the document's language."""
    if document.language == "latex":
        return f"\\cite{{{key}}}"
    if document.language == "typst":
        return f"@{key}"
    if document.language == "org":
        return f"[cite:@{key}]"
    if document.language == "rst":
        return f":cite:`{key}`"
    return f"[@{_keyed(document, key, False)}]"


def _keyed(document: Document, key: str, braced: bool) -> str:
    return key if document.language != "markdown" or braced or bare_key(key) else f"{{{key}}}"


def _replacing(
    document: Document, uri: str, span: tuple[int, int], new: str, title: str,
    diagnostics: list[lsp.Diagnostic], preferred: bool,
) -> lsp.CodeAction:  # fmt: skip
    edit = lsp.TextEdit(document.text.range(*span), new)
    return lsp.CodeAction(
        title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=diagnostics or None,
        is_preferred=preferred or None, edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
    )  # fmt: skip


def _adding(
    document: Document, uri: str, span: tuple[int, int], identifier: ids.Identifier,
    diagnostics: list[lsp.Diagnostic],
) -> lsp.CodeAction:  # fmt: skip
    """The offer to look a work up; nothing leaves the machine before the person says yes."""
    title = f"Look up {identifier} and cite it…"
    place = document.text.range(*span)
    argument = {
        "uri": uri, "identifier": str(identifier), "words": document.source[slice(*span)],
        "range": {
            "start": {"line": place.start.line, "character": place.start.character},
            "end": {"line": place.end.line, "character": place.end.character},
        },
    }  # fmt: skip
    return lsp.CodeAction(
        title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=diagnostics or None,
        command=lsp.Command(title, ADD, arguments=[argument]),
    )  # fmt: skip
