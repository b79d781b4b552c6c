"""A paper and the reference held for it in; the reference with what the paper adds out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from pressmark.record.work import NOTICES, Author, Paper, Reference, Work


def reference(paper: Paper, key: str, *, stage: str | None = None) -> Reference:
    """File a paper under a key: its fields, and its abstract as the body's section."""
    shared = {each.name: _in_order(each.name, getattr(paper, each.name)) for each in fields(Work)}
    return Reference(
        **shared, key=key, stage=stage, tags=tuple(sorted(set(paper.tags))),
        sources=tuple(sorted(paper.sources)), extra=dict(paper.extra),
        body=_with_abstract("", paper.abstract),
    )  # fmt: skip


def merge(held: Reference, offered: Paper) -> Reference:
    """Take what a further source adds: an empty field is filled, a filled one keeps its value.

    A different offer for a filled field becomes a line of `conflicts`; a longer author list
    that continues the held one fills, a shorter one says nothing new; a notice is always taken
    when it is graver, with its note.
    """
    provider = _provider(offered)
    changes: dict[str, object] = {}
    conflicts = set(held.conflicts)
    for each in fields(Work):
        name = each.name
        have, offer = getattr(held, name), _in_order(name, getattr(offered, name))
        if not offer or offer == have or name in ("notice", "notice_note"):
            continue
        if not have or (name == "authors" and _continues(have, offer)):
            changes[name] = offer
        elif name in _UNITED:
            changes[name] = tuple(sorted({*have, *offer})) if set(offer) - set(have) else have
        elif name == "published" and (offer.startswith(have) or have.startswith(offer)):
            changes[name] = max(have, offer, key=len)
        elif name == "authors" and _continues(offer, have):
            continue
        elif name not in _NEVER_A_CONFLICT and not _same(have, offer):
            conflicts.add(_line(name, offer, provider))
    changes |= _notice(held, offered)
    changes["body"] = held.body if held.abstract else _with_abstract(held.body, offered.abstract)
    changes["sources"] = _sources(held.sources, offered.sources)
    changes["conflicts"] = tuple(sorted(conflicts))
    changes["tags"] = tuple(sorted({*held.tags, *offered.tags}))
    new = {name: value for name, value in offered.extra.items() if name not in held.extra}
    changes["extra"] = {**held.extra, **new}
    return replace(held, **{k: v for k, v in changes.items() if v != getattr(held, k)})  # type: ignore[arg-type]


def stand(after: Reference, held: Reference, offered: Paper, names: Sequence[str]) -> Reference:
    """What a merge made, but for fields that keep the held value; the offer is a conflict."""
    if not names:
        return after
    lines = {_line(name, getattr(offered, name), _provider(offered)) for name in names}
    kept = {name: getattr(held, name) for name in names}
    return replace(after, conflicts=tuple(sorted({*after.conflicts, *lines})), **kept)


def grown(held: Reference, after: Reference) -> list[str]:
    """The fields that held a value and in which a merge put a longer one."""
    return [
        name
        for name in ("authors", "published")
        if getattr(held, name) and getattr(held, name) != getattr(after, name)
    ]


def _line(name: str, offer: Any, provider: str) -> str:
    """An offer that was not taken, as `conflicts` has it."""
    shown = "; ".join(offer) if isinstance(offer, tuple) else offer
    return f"{name.replace('_', '-')}: {shown} ({provider})"


def _provider(offered: Paper) -> str:
    return offered.sources[0].split(":", 1)[0] if offered.sources else "unknown"


_UNITED = frozenset({"isbn", "issn", "keywords", "related"})
"""Lists to which each source adds what it knows."""

_NEVER_A_CONFLICT = frozenset({"cites", "url", "oa", "arxiv_class", "type", "language", "license"})
"""Fields on which providers differ as a matter of course: the first value stands silently."""


def _in_order(name: str, value: Any) -> Any:
    """A list whose order means nothing, as the file keeps it."""
    return tuple(sorted(set(value))) if name in Reference.SORTED else value


def _notice(held: Reference, offered: Paper) -> dict[str, object]:
    """The graver notice with the note that belongs to it."""
    if not offered.notice or _gravity(offered.notice) > _gravity(held.notice):
        return {}
    if offered.notice == held.notice:
        return {"notice_note": held.notice_note or offered.notice_note}
    return {"notice": offered.notice, "notice_note": offered.notice_note}


def _gravity(notice: str | None) -> int:
    """How far down the list of notices one stands; a person's own word for it comes last."""
    return NOTICES.index(notice) if notice in NOTICES else len(NOTICES) + (notice is None)


def _with_abstract(body: str, abstract: str | None) -> str:
    """The body with the abstract under its heading, which is added at the end when absent."""
    if not abstract or not abstract.strip():
        return body
    text = f"\n{abstract.strip()}\n"
    heading = re.search(r"^##[ \t]+Abstract[ \t]*#*[ \t]*$\n?", body, re.M | re.I)
    if heading:
        rest = body[heading.end() :].lstrip("\n")
        return f"{body[: heading.end()].rstrip()}\n{text}" + (f"\n{rest}" if rest else "")
    if body and not body.endswith("\n"):
        body += "\n"
    return f"{body}\n## Abstract\n{text}"


def _continues(have: tuple[str, ...], offer: tuple[str, ...]) -> bool:
    """Whether `offer` names every held author and more, in the same order of family names."""
    return len(offer) > len(have) and _families(offer)[: len(have)] == _families(have)


def _same(have: object, offer: object) -> bool:
    """Whether two values differ only in case, accents, spacing, punctuation or given names."""
    if isinstance(have, tuple) and isinstance(offer, tuple):
        return _families(have) == _families(offer)
    return _plain(str(have)) == _plain(str(offer))


def _families(names: tuple[str, ...]) -> list[str]:
    return [_plain(Author.parse(name).family) for name in names]


def _plain(value: str) -> str:
    bare = unicodedata.normalize("NFKD", value.casefold())
    letters = (sign for sign in bare if not unicodedata.combining(sign))
    return re.sub(r"[\W_]+", " ", "".join(letters)).strip()


def _sources(held: tuple[str, ...], offered: tuple[str, ...]) -> tuple[str, ...]:
    """One line a provider and external id; the first date stands."""
    known = {line.split(" ")[0] for line in held}
    return tuple(sorted({*held, *(line for line in offered if line.split(" ")[0] not in known)}))
