"""Untrusted text (JATS, HTML, TeX, controls, bidi) in; safe plain text or Markdown out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.text.compare import ascii_words, fold
    from pressmark.text.controls import clean, plain
    from pressmark.text.jats import from_jats, to_html
    from pressmark.text.markup import escape_markdown, title, unescape
    from pressmark.text.tex import from_tex

__all__ = [
    "ascii_words",
    "clean",
    "escape_markdown",
    "fold",
    "from_jats",
    "from_tex",
    "plain",
    "title",
    "to_html",
    "unescape",
]

_HOMES = {
    "ascii_words": "compare", "fold": "compare", "clean": "controls", "plain": "controls",
    "from_jats": "jats", "to_html": "jats", "escape_markdown": "markup", "title": "markup",
    "unescape": "markup", "from_tex": "tex",
}  # fmt: skip
"""Function -> its module: every command prints text, and few have any to convert."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
