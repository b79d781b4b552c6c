"""Untrusted text (JATS, HTML, TeX, controls, bidi) in; safe plain text or Markdown out."""

from __future__ import annotations

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
