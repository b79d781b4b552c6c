"""An open copy of a work in; its text as Markdown beside the reference, checked and filed, out."""

from __future__ import annotations

from pressmark.fulltext.attach import attach
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.fetch import Fetched, Report, Tried, fetch
from pressmark.fulltext.licenses import is_open
from pressmark.fulltext.locate import locate

__all__ = ["Extracted", "Fetched", "Report", "Tried", "attach", "fetch", "is_open", "locate"]
