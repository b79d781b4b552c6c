"""A copy of a work that the user holds in; its text beside the reference, in one commit, out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pressmark.errors import BadInput, FormatMissing, TooLarge
from pressmark.fulltext import accept, filing
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
    write: Write = DEFAULT,
) -> Outcome:
    """File a PDF, JATS XML or HTML page for a reference; `write.force` takes what looks wrong."""
    ref = library.get(key)
    name = clean(re.split(r"[/\\]", filename)[-1]) or "document"
    if len(data) > LIMIT:
        raise TooLarge(
            f"{name} has {len(data) / 2**20:.0f} MB; 50 MB is the most.",
            next="attach a smaller copy",
        )
    kind = accept.sniff(data)
    if not kind:
        raise BadInput(f"{name} is no PDF, HTML page or JATS XML.", next="attach one of those")
    found = accept.extract(data, kind)
    if found.state != "ok":
        reason = found.warnings[0] if found.warnings else ""
        detail = f" ({reason})" if reason else ""
        raise FormatMissing(f"{name} gives no text: {found.sentence}{detail}.")
    other = accept.mismatch(ref, found)
    if other and not write.force:
        raise BadInput(
            f"{name} looks like another work: {other}.", next="give --force if it is the right one"
        )
    text = filing.record(ref, found, data, today=today, filename=name, rights=rights)
    if not write.dry_run:
        filing.keep_original(library, ref, data, kind)
    return filing.file(library, filing.Filed([text], {}), f"attach: {ref.key}", write)
