"""A text and the document it came from in; the record, the file beside it and git's exclude out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import NotFound
from pressmark.fulltext import learning
from pressmark.fulltext.accept import SUFFIXES, titled
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.licenses import is_open, normalise
from pressmark.library import excluding
from pressmark.library.adding import enrol
from pressmark.library.writing import finish, writing
from pressmark.record import FullText, Location, Reference

if TYPE_CHECKING:
    from pressmark.library import Library, Outcome, Write


@dataclass(frozen=True, slots=True)
class Filed:
    """What one command brings: texts, and what to say on references that have none."""

    texts: Sequence[FullText]
    marks: dict[str, str]  # key -> "none (reason, date)"
    found: Mapping[str, Extracted] = field(default_factory=dict)  # key -> what was read
    collection: str | None = None
    members: Sequence[str] = ()


def record(
    ref: Reference,
    found: Extracted,
    data: bytes,
    *,
    today: str,
    location: Location | None = None,
    filename: str | None = None,
    rights: str | None = None,
) -> FullText:
    """The full text of a reference as a record, with where it came from and what it may be."""
    named = titled(found, ref.title)
    return FullText(
        slug=f"{ref.key}.fulltext",
        reference=ref.key,
        source=location.source if location else "attached",
        url=location.url if location else None,
        format=found.format,
        version=_version(found, location),
        license=_license(ref, found, location, rights),
        rights=rights,
        oa_status=ref.oa if location else None,
        filename=filename or f"{ref.key}{SUFFIXES[found.format]}",
        sha256=disk.sha256(data),
        extracted=today,
        extractor=found.extractor,
        pages=str(found.pages) if found.pages else None,
        hidden_chars=str(found.hidden) if found.hidden else None,
        body="\n" + named.body,
    )


def redone(ref: Reference, text: FullText, found: Extracted, today: str) -> FullText:
    """The same text made anew: where it came from and what it may be stay as they are."""
    return replace(
        text, extracted=today, extractor=found.extractor, body="\n" + titled(found, ref.title).body,
        pages=str(found.pages) if found.pages else None,
        hidden_chars=str(found.hidden) if found.hidden else None,
    )  # fmt: skip


def _version(found: Extracted, location: Location | None) -> str | None:
    """`published`, `submitted v2`: what the provider says, and what the document says."""
    stated = location.version if location else None
    parts = dict.fromkeys(part for part in (stated, found.version) if part)
    return " ".join(parts) or None


def _license(
    ref: Reference, found: Extracted, location: Location | None, rights: str | None
) -> str | None:
    """What the document says of itself, else its provider, else what the published work has."""
    published = ref.license if found.version == "published" else None
    stated = (found.license, location.license if location else None, published)
    known = next((value for value in stated if value), None)
    return normalise(known) or normalise(rights, strict=True)


def file(library: Library, filed: Filed, subject: str, write: Write) -> Outcome:
    """Write the texts and the marks in one commit, on references as they are by now."""
    from pressmark.library.places import place

    missing: list[str] = []
    keys: list[str] = []
    freed: dict[str, bytes] = {}
    written: dict[str, Reference] = {}
    with writing(library, write) as draft, _restoring(library, freed):
        for text in filed.texts:
            ref = _still(library, text.reference, missing)
            if ref is None:
                continue
            path = place(library.catalogue, text)
            if not write.dry_run and settle(library, path, text):
                _free(library, path, freed)
            draft.write(text, path)
            keys.append(ref.key)
            for one in _changed(library, ref, filed.found.get(ref.key), written):
                written[one.key] = one
                draft.write(one, library.path(one.key))
        for key, mark in filed.marks.items():
            ref = _still(library, key, missing)
            if ref is not None:
                draft.write(replace(ref, fulltext=mark), library.path(key))
        if filed.collection:
            enrol(library, draft, filed.collection, filed.members)
        return finish(library, draft, subject, write, keys=keys, warnings=missing)


def _changed(
    library: Library, ref: Reference, found: Extracted | None, written: Mapping[str, Reference]
) -> list[Reference]:
    """The references that a text changes: one without a mark now, and what it teaches of others."""
    taught = learning.taught(library, ref, found) if found else []
    changed = {one.key: one for one in taught}
    own = changed.get(ref.key, ref)
    if own.fulltext:
        changed[ref.key] = replace(own, fulltext=None)
    return [_together(written[key], one) if key in written else one
            for key, one in changed.items()]  # fmt: skip


def _together(one: Reference, two: Reference) -> Reference:
    """What two texts of one call say of a reference."""
    return replace(
        two, cites=max(one.cites, two.cites, key=len), notice=two.notice or one.notice,
        notice_note=two.notice_note or one.notice_note, fulltext=None,
    )  # fmt: skip


def _still(library: Library, key: str, missing: list[str]) -> Reference | None:
    try:
        return library.get(key)
    except NotFound:
        missing.append(f"{key} was removed meanwhile; its text was not filed.")
        return None


def _free(library: Library, path: str, freed: dict[str, bytes]) -> None:
    """Take away a text that was kept out of git, so that the new one is a new file to git.

    To git it would be an untracked file of the user's, and those are never committed for them.
    """
    if disk.exists(library.root, path):
        freed[path] = disk.read_bytes(library.root, path)
        disk.remove_file(library.root / path, root=library.root)


@contextmanager
def _restoring(library: Library, freed: dict[str, bytes]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for path, data in freed.items():
            disk.write_file(library.root / path, data, root=library.root)
        raise


def settle(library: Library, path: str, text: FullText) -> bool:
    """Keep a text without an open licence out of git, or let it in; True when it is let in now.

    The text is written all the same; git's own exclude file, which is never committed and is
    this clone's alone, names it, so that neither we nor `git add` take it along by mistake.
    """
    closed = is_closed(library, text)
    return excluding.exclude(library, path, out=closed) and not closed


def is_closed(library: Library, text: FullText) -> bool:
    """Whether a text is kept out of git: it has no open licence, and not all are to be in."""
    return library.config.fulltext_commit == "open" and not (
        is_open(text.license) or is_open(text.rights)
    )
