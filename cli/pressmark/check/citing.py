"""Rules about prose: what it cites is held, what it links to is there, what it trusts stands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from pressmark import ids, page
from pressmark.catalogue import filters
from pressmark.catalogue.catalogue import File
from pressmark.check.finding import Finding
from pressmark.check.view import View, over
from pressmark.errors import PressmarkError
from pressmark.links import Link, Mention, Resolver
from pressmark.links.resolve import same
from pressmark.record import Reference

CROSS = re.compile(r"(?:fig|tbl|tab|sec|eq|lst|thm|lem|cor|prp|cnj|def|exm|exr|rem|alg)[:-]", re.I)
"""pandoc-crossref and Quarto name figures and sections this way; they are no references."""

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")

GRAVE = {
    "retracted": "retracted",
    "withdrawn": "withdrawn",
    "expression-of-concern": "under an expression of concern",
}


def uncited(view: View) -> Iterator[Finding]:
    """UNCITED: a cite key that no reference has."""
    found = (m for m in view.mentions if m.link.kind == "cite" and not m.target)
    yield from over("UNCITED", found, lambda mention: _uncited(view, mention))
    yield from view.failures


def lacks(resolver: Resolver, left_out: Collection[str], link: Link) -> bool:
    """Whether a link cites a key that no reference has; `left_out` are in git alone."""
    key = link.target
    if link.kind != "cite" or CROSS.match(key) or same(key) in left_out:
        return False
    return resolver.cite(key) is None


def surely(link: Link) -> bool:
    """In running text `@name` may address a person; with brackets or a year it cites."""
    return bool(link.group or _YEAR.search(link.target))


def _uncited(view: View, mention: Mention) -> Iterator[Finding]:
    key = mention.link.target
    if not lacks(view.resolver, view.left_out, mention.link):
        return
    near = view.resolver.nearest(key)
    also = f"; did you mean {near}?" if near else "."
    yield Finding(
        code="UNCITED", severity="error" if near or surely(mention.link) else "warning",
        path=mention.path, line=mention.line, column=mention.column,
        message=f"No reference has the key {key}{also}", next=_bring(view, mention, near),
    )  # fmt: skip


def _bring(view: View, mention: Mention, near: str | None) -> str:
    """What to do about a key: from the text alone, so that a check opens no bibliography."""
    looks = view.named(mention)
    file = f" {shlex.quote(mention.path)}" if mention.kind == "prose" else ""
    add = f"pressmark add --cited{file}{f' (looks in {looks})' if looks else ''}"
    identifier = ids.parse(mention.link.target)
    if identifier is not None:
        return f"pressmark add {shlex.quote(str(identifier))}"
    if near:
        return f"write @{near}, or {add}"
    if surely(mention.link):
        return add
    return f"{add}, or write \\@ if it cites nothing"


def dangling(view: View) -> Iterator[Finding]:
    """DANGLING: a link to nothing, a heading that is not there, a listed key nobody has."""
    links = {(m.path, m.link.target_start): m for m in reversed(view.mentions)}
    found = (mention for mention in links.values() if mention.link.kind != "cite")
    yield from over("DANGLING", found, lambda mention: _dangling(view, mention))
    for kind, name in (("note", "about"), ("collection", "members")):
        held = {getattr(r, "slug", ""): getattr(r, name) for r in view.catalogue.records(kind)}
        rule = partial(_listed, view, name, held)
        yield from over("DANGLING", view.files(kind), rule)


def _dangling(view: View, mention: Mention) -> Iterator[Finding]:
    if mention.target is None:
        if same(_stem(mention.link.target)) not in view.left_out:
            yield _nothing(view, mention)
    elif not view.resolver.has(mention.target, mention.link.heading):
        yield _no_heading(mention)


def _stem(target: str) -> str:
    return re.sub(r"^.*/|\.md$", "", target).removeprefix("@")


def _nothing(view: View, mention: Mention) -> Finding:
    target = mention.link.target
    near = view.resolver.nearest(_stem(target), "file")
    return Finding(
        code="DANGLING", severity="error", path=mention.path, line=mention.line,
        column=mention.column, message=f"The link to {target!r} leads nowhere.",
        next=f"did you mean {near}?" if near else "make the file, or correct the link",
    )  # fmt: skip


def _no_heading(mention: Mention) -> Finding:
    heading = mention.link.heading
    what = f"block {heading}" if mention.link.block else f"heading {heading!r}"
    return Finding(
        code="DANGLING", severity="warning", path=mention.path, line=mention.line,
        column=mention.column, message=f"{mention.target and mention.target.path} has no {what}.",
        next="correct the part after #",
    )  # fmt: skip


def _listed(
    view: View, name: str, held: Mapping[str, tuple[str, ...]], file: File
) -> Iterator[Finding]:
    """Keys in the list of a note or a collection."""
    for item in held.get(file.name, ()):
        if _leads_nowhere(view, item, file.path):
            yield _unlisted(view, file.path, name, item)


def _leads_nowhere(view: View, item: str, path: str) -> bool:
    bare = item.strip("[]").removeprefix("@")
    known = view.resolver.cite(bare) or view.resolver.wiki(bare, path)
    return known is None and same(bare) not in view.left_out


def _unlisted(view: View, path: str, name: str, item: str) -> Finding:
    near = view.resolver.nearest(item)
    return Finding(
        code="DANGLING", severity="error", path=path, line=_item_line(view, path, name, item),
        message=f"{name} lists {item!r}, which no reference has as key.",
        next=f"did you mean {near}?" if near else "correct the key, or take it away",
    )  # fmt: skip


def _item_line(view: View, path: str, name: str, item: str) -> int | None:
    """The line of an item: the first at or below its field that holds it."""
    data = view.read(path)
    try:
        start = page.parse(data, path).lines.get(name) if data is not None else None
    except PressmarkError:
        return None
    if data is None or start is None:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    return next((n for n, line in enumerate(lines[start - 1 :], start) if item in line), start)


def retracted(view: View) -> Iterator[Finding]:
    """RETRACTED: prose that cites or links a work which was taken back."""
    noticed = view.catalogue.select(filters.parse(["notice:any"]))
    graves = {reference.key: reference for reference in noticed if reference.notice in GRAVE}
    yield from over("RETRACTED", view.mentions, partial(_retracted, graves))


def _retracted(graves: Mapping[str, Reference], mention: Mention) -> Iterator[Finding]:
    target = mention.target
    held = graves.get(target.name) if target and target.kind == "reference" else None
    if held and target and mention.path != target.path:
        note = f": {held.notice_note}" if held.notice_note else "."
        yield Finding(
            code="RETRACTED", severity="warning", path=mention.path, line=mention.line,
            column=mention.column, message=f"{held.key} is {GRAVE[held.notice or '']}{note}",
            next="say so in the text, or cite another work",
        )  # fmt: skip
