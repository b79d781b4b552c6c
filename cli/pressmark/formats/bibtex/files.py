"""A `file` field in; the paths that it lists, out.

JabRef and Mendeley write `description:path:type;…`, Zotero `path;path` or the same triple, and
each puts a backslash before a `:` or `;` of a path.
"""

from __future__ import annotations

import re

_BETWEEN_FILES = re.compile(r"(?<!\\);")
_BETWEEN_PARTS = re.compile(r"(?<!\\):")
_ESCAPED = re.compile(r"\\([:;\\_{}%&#$ ])")
_BRACED = re.compile(r"\{\\([_%&#~$^])(?:\{\})?\}")
_DRIVE = re.compile(r"^[A-Za-z]$")


def paths(value: str) -> list[str]:
    """Every path of the field, in its order."""
    value = unbraced(value).replace("$\\backslash$", "\\")
    found = (_path(each.strip()) for each in _BETWEEN_FILES.split(value))
    return list(dict.fromkeys(filter(None, found)))


def unbraced(value: str) -> str:
    """An address or path in which Mendeley wrote `{\\_}` for `_`, with the sign itself."""
    return _BRACED.sub(r"\1", value)


def _path(part: str) -> str:
    if re.match(r"[a-z]+://", part):
        return part
    pieces = _BETWEEN_PARTS.split(part)
    if len(pieces) > 3 and _DRIVE.match(pieces[1]):  # `:C:/x.pdf:PDF`, the colon not escaped
        pieces[1:3] = [f"{pieces[1]}:{pieces[2]}"]
    if len(pieces) == 2 and _DRIVE.match(pieces[0]):
        pieces = [":".join(pieces)]
    path = pieces[1] if len(pieces) >= 3 or (len(pieces) == 2 and not pieces[0]) else pieces[0]
    return _ESCAPED.sub(r"\1", path).strip()
