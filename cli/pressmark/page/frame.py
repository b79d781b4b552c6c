"""Recognise and compose a file: bytes in, its front matter's and body's places out, and back.

python-frontmatter does the recognising and composing, with a handler of our own: its stock one
strips the body and lets YAML guess types. Everything else works on places in the text, so that
bytes which nobody changed are never rewritten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import frontmatter
from frontmatter.default_handlers import BaseHandler

from pressmark.errors import Unreadable

MAX_FILE = 64 * 1024 * 1024
MAX_FRONT = 1024 * 1024
BOM = "\ufeff"

_CLOSING = re.compile(r"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_FIELD = re.compile(r"[^\s#:][^:\r\n]*:(?:[ \t\r\n]|\Z)")


class Handler(BaseHandler):
    """Front matter between `---` lines (closed by `---`, or pandoc's `...`), the body untouched."""

    FM_BOUNDARY = re.compile(r"---[ \t]*\r?\n")
    START_DELIMITER = "---"
    END_DELIMITER = "---"

    def split(self, text: str) -> tuple[str, str]:
        """The lines between the delimiters, and everything after the closing one."""
        opening = self.FM_BOUNDARY.match(text)
        # From the opening line's own newline: front matter may be empty.
        closing = _CLOSING.search(text, opening.end() - 1) if opening else None
        if opening is None or closing is None:
            raise ValueError("no front matter")
        return text[opening.end() : closing.start() + 1], text[closing.end() :]

    def load(self, fm: str) -> dict[str, object]:
        """Every scalar as the string that is written."""
        from pressmark.page.nodes import compose

        return dict(compose(fm).mapping)

    def export(self, metadata: dict[str, object], **kwargs: object) -> str:
        """The canonical layout of fields that are already strings, lists and mappings."""
        from pressmark.page.dump import lay_out

        return lay_out(metadata)  # type: ignore[arg-type]

    def format(self, post: frontmatter.Post, **kwargs: object) -> str:
        """The whole file; nothing is stripped from the body."""
        return f"---\n{self.export(post.metadata)}---\n{post.content}"


HANDLER = Handler()


@dataclass(frozen=True, slots=True)
class Frame:
    """A file's text and where its parts begin; without front matter the three places are 0."""

    text: str  # the whole file, decoded, without a byte order mark
    bom: bool
    newline: str  # that of the first line
    fronted: bool
    start: int  # the first line of the front matter
    stop: int  # its closing line
    rest: int  # the body

    @property
    def front(self) -> str:
        """The lines between the delimiters."""
        return self.text[self.start : self.stop]

    @property
    def body(self) -> str:
        """The body with `\\n` newlines."""
        raw = self.text[self.rest :]
        return raw.replace("\r\n", "\n") if self.newline == "\r\n" else raw


def open_frame(data: bytes, path: str = "") -> Frame:
    """Find the front matter, if there is any."""
    text = _decode(data, path)
    bom = text.startswith(BOM)
    if bom:
        text = text[1:]
    first = text.find("\n")
    newline = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
    try:
        front, body = HANDLER.split(text)
    except ValueError:
        _refuse_unclosed(text, path)
        return Frame(text, bom, newline, False, 0, 0, 0)
    if len(front) > MAX_FRONT:
        raise Unreadable("the front matter is larger than 1 MiB", path=path, line=1)
    return Frame(text, bom, newline, True, first + 1, first + 1 + len(front), len(text) - len(body))


def encode(text: str, *, bom: bool = False) -> bytes:
    """The bytes of a file's text."""
    return ((BOM if bom else "") + text).encode()


def compose_file(fields: dict[str, object], body: str) -> str:
    """A new file's text."""
    post = frontmatter.Post(body, HANDLER)
    post.metadata = fields
    text: str = frontmatter.dumps(post, HANDLER)
    return text


def _decode(data: bytes, path: str) -> str:
    if len(data) > MAX_FILE:
        raise Unreadable("the file is larger than 64 MiB", path=path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(
            f"the file is not UTF-8: byte 0x{data[error.start]:02x} is no text",
            path=path,
            line=line,
            next="save the file as UTF-8",
        ) from None


def _refuse_unclosed(text: str, path: str) -> None:
    """An opened front matter that never closes is reported; a lone thematic break is prose."""
    opening = HANDLER.FM_BOUNDARY.match(text)
    if opening and _FIELD.match(text, opening.end()):
        raise Unreadable(
            "the front matter is opened by `---` and never closed",
            path=path,
            line=1,
            next="put a line `---` after the last field",
        )
