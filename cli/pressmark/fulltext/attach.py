"""A copy of a work that the user holds in; its text beside the reference, in one commit, out."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import BadInput, FormatMissing, TooLarge
from pressmark.fulltext import accept, documents, filing, keeping
from pressmark.fulltext import markdown as md
from pressmark.fulltext.garbled import too_poor
from pressmark.library import Outcome, Write
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.library import Library

DEFAULT = Write()
LIMIT = 50 * 2**20


def attach(
    library: Library,
    key: str,
    data: bytes,
    filename: str,
    rights: str | None = None,
    *,
    today: str,
    password: str = "",
    write: Write = DEFAULT,
) -> Outcome:
    """File a PDF, JATS or TEI XML or an HTML page for a reference.

    `write.force` takes what looks like another work. The same bytes attached again change
    nothing; bytes that are another reference's document are said to be.
    """
    ref = library.get(key)
    name = clean(re.split(r"[/\\]", filename)[-1]) or "document"
    if len(data) > LIMIT:
        raise TooLarge(
            f"{name} has {len(data) / 2**20:.0f} MB; 50 MB is the most.",
            next="attach a smaller copy",
        )
    kind = accept.sniff(data)
    if not kind:
        raise BadInput(f"{name} is no PDF, HTML page, JATS or TEI XML.", next="attach one of those")
    same = _same(library, ref.key, data, rights)
    if same is not None:
        return same
    found = accept.extract(data, kind, password)
    if found.state != "ok":
        reason = found.warnings[0] if found.warnings else ""
        detail = f" ({reason})" if reason else ""
        asked = "--password-stdin" if found.state == "encrypted" and not password else None
        raise FormatMissing(f"{name} gives no text: {found.sentence}{detail}.", next=asked)
    other = accept.mismatch(ref, found)
    if other and not write.force:
        raise BadInput(
            f"{name} looks like another work: {other}.", next="give --force if it is the right one"
        )
    text = filing.record(ref, found, data, today=today, filename=name, rights=rights)
    kept = () if write.dry_run else keeping.keep(library, ref.key, data, kind)
    filed = filing.Filed([text], {}, {ref.key: found})
    outcome = filing.file(library, filed, f"attach: {ref.key}", write)
    poor = too_poor(md.plain(found.body))
    others = documents.others_with(library, text.sha256 or "", ref.key)
    notes = [f"The same file is the document of {other}." for other in others]
    if poor:
        notes.append(f"The text may not be worth much: {poor}.")
    if outcome.changes and not write.dry_run and filing.is_closed(library, text):
        notes.append(
            "Its text is in no commit, as its licence is not open: undo does not take it back, "
            f"pressmark remove {ref.key} --all does."
        )
    return replace(outcome, warnings=(*outcome.warnings, *kept, *notes))


def _same(library: Library, key: str, data: bytes, rights: str | None) -> Outcome | None:
    """The answer where these very bytes gave the text that is there."""
    held = library.fulltext(key)
    if held is None or held.sha256 != disk.sha256(data) or documents.is_stale(held):
        return None
    if rights is not None and rights != held.rights:
        return None
    return Outcome(keys=(key,), warnings=(f"{key} has its text from this very file already.",))
