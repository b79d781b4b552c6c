"""Some Markdown in, the plain words that a reader of it sees out."""

from __future__ import annotations

import html
import re

_MARKUP = (
    ("$$", re.compile(r"^[ \t]*\$\$[^$]*\$\$[ \t]*$", re.M), " "),
    ("<!--", re.compile(r"<!--.*?(?:-->|$)", re.S), " "),
    ("<", re.compile(r"</?[A-Za-z][^<>]{0,200}>"), ""),
    ("![", re.compile(r"!\[\[[^\[\]]*\]\]|!\[[^\[\]]*\](?:\([^()\s]*\))?"), " "),
    ("[^", re.compile(r"(?<!\\)\[\^[^\]\s]+\]"), ""),
    (
        "](",
        re.compile(r"(?<!\\)\[((?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]\((?:[^()\s]|\([^()\s]*\))*\)"),
        r"\1",
    ),
    ("[[", re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]"), r"\1"),
    (">", re.compile(r"^[ \t]*(?:>[ \t]?)+(?:\[![\w-]+\][+-]?[ \t]*)?", re.M), ""),
    ("", re.compile(r"^[ \t]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+", re.M), ""),
    ("*", re.compile(r"(?<!\\)\*{1,3}"), ""),
    ("_", re.compile(r"(?<![\w\\])_{1,3}(?=\S)|(?<=[^\s\\])_{1,3}(?!\w)"), ""),
    ("`", re.compile(r"(?<!\\)`+"), ""),
    ("\\", re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def words(markdown: str) -> str:
    """The text a reader sees of some Markdown, on one line."""
    for mark, pattern, into in _MARKUP:
        if mark in markdown:
            markdown = pattern.sub(into, markdown)
    if "&" in markdown:
        markdown = html.unescape(markdown)
    return " ".join(markdown.split())
