"""A line in; whether it begins the caption of a figure, table or listing, and its label, out."""

from __future__ import annotations

import re

LABEL = re.compile(
    r"(?P<label>(?:Fig(?:ure)?|FIG(?:URE)?|Table|TABLE|Tab|TAB|Algorithm|ALGORITHM|Listing|LISTING"
    r"|Scheme|Box)\.?\s*(?:[A-Z]?\d{1,3}[a-z]?|[IVX]{1,5})(?:\.\d+)?)(?![\w-])"
)
_MARK = re.compile(r"\s*[.:|–—-]\s*")
CAPTION = re.compile(rf"^{LABEL.pattern}{_MARK.pattern}")


def cut(text: str) -> tuple[str, str] | None:
    """Label and rest of a caption; nothing where the text has no label at its start."""
    found = LABEL.match(text)
    if not found:
        return None
    mark = _MARK.match(text, found.end())
    rest = text[mark.end() if mark else found.end() :].strip()
    return re.sub(r"\s+", " ", found["label"]).strip(), rest


def kind(text: str) -> str:
    """`table`, `figure`, `algorithm` … of a caption's first letters; empty for other text."""
    found = LABEL.match(text)
    if not found:
        return ""
    name = found["label"][:3].casefold()
    return {"tab": "table", "fig": "figure", "alg": "algorithm", "lis": "listing"}.get(name, "box")


def is_marked(text: str) -> bool:
    """Whether a label is followed by a mark, or by nothing: prose goes on with a word."""
    found = LABEL.match(text)
    return bool(CAPTION.match(text)) or bool(found and found.end() == len(text.rstrip()))
