"""An abstract in JATS or HTML, however broken, in; Markdown-safe paragraphs out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pressmark.text.controls import clean
from pressmark.text.markup import BLOCK, INLINE, TAG, is_markup, joined, raised, unescape

Event = tuple[str, str]
"""("start", name), ("end", name) or ("text", characters)."""

_EMPHASIS = {"i": "*", "em": "*", "italic": "*", "b": "**", "strong": "**", "bold": "**"}
_INDEX = frozenset({"sub", "sup", "inf"})
_TITLES = frozenset({"title", "h1", "h2", "h3", "h4", "h5", "h6"})
_ITEMS = frozenset({"list-item", "li"})
_UNSEEN = frozenset({"script", "style", "annotation", "annotation-xml", "related-article"})
_ABSTRACT = frozenset({
    "abstract", "résumé", "resumen", "resumo", "riassunto", "zusammenfassung", "samenvatting",
    "аннотация", "摘要", "要旨",
})  # fmt: skip
"""A heading that only repeats what the section of the page is called."""

_NOISE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>|<!\[CDATA\[(.*?)\]\]>", re.S | re.I)
_TWICE_MATHS = re.compile(
    r"<((?:\w+:)?)math\b[^>]*>(?:(?!</\1math>).)*</\1math>"
    r"(?=(?:(?!</?(?:\w+:)?alternatives).)*</(?:\w+:)?alternatives)", re.S
)  # fmt: skip
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.S)
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)(?:[A-Za-z]\w*;)?")
_UNSAFE = re.compile(r"[\\`*\[\]]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~~|\{(?=[:.#%{])")
_BLOCK_START = re.compile(r"^(\d*)(?=(?:[#+-]|#{2,6}|(?<=\d)[.)])(?:\s|$)|(?<!\d)(?:[>=|:]|---))")


def from_jats(xml: str) -> str:
    """The paragraphs of an abstract, blank lines between; section titles as bold lead-ins."""
    blocks = _Blocks()
    for kind, value in _events(_prepared(xml)):
        blocks.read(kind, value)
    return clean("\n\n".join(blocks.paragraphs()), newlines=True)


def _events(source: str) -> list[Event]:
    if "<" not in source and "&" not in source:
        return [("text", source)]
    try:
        return list(_parsed(source))
    except Exception:  # whatever expat or defusedxml says, the text is still wanted
        return list(_scanned(source))


def _prepared(xml: str) -> str:
    """One fragment with its own markup unescaped, and paragraphs where it has none."""
    source = _NOISE.sub(lambda noise: (noise[1] or "").replace("<", "&lt;"), xml)
    if "&lt;" in source and not _has_tags(source) and _has_tags(unescape(source)):
        source = unescape(source)
    source = raised(source)
    if "alternatives" in source and "tex-math" in source:
        source = _TWICE_MATHS.sub("", source)
    if not any(tag["name"].lower() in BLOCK for tag in TAG.finditer(source)):
        source = re.sub(r"\n\s*\n", "<p/>", source)
    return source


def _has_tags(source: str) -> bool:
    return any(is_markup(tag) for tag in TAG.finditer(source))


def _parsed(source: str) -> Iterator[Event]:
    """The events of well-formed XML, with whatever prefixes it uses."""
    from defusedxml.ElementTree import fromstring

    prefixes = sorted({tag["prefix"] for tag in TAG.finditer(source) if tag["prefix"]})
    spaces = "".join(f' xmlns:{prefix}="{prefix}"' for prefix in prefixes if prefix != "xml")
    entities = _NAMED.sub(lambda name: _numeric(name[0]), source)
    stack: list[Iterator[object]] = [_steps(fromstring(f"<x{spaces}>{entities}</x>"))]
    while stack:
        for step in stack[-1]:
            if not isinstance(step, tuple):
                stack.append(_steps(step))
                break
            yield step
        else:
            stack.pop()


def _steps(element: object) -> Iterator[object]:
    """An element's events and, in their places, its children."""
    name = str(element.tag).rpartition("}")[2].lower()  # type: ignore[attr-defined]
    yield "start", name
    yield "text", element.text or ""  # type: ignore[attr-defined]
    for child in element:  # type: ignore[attr-defined]
        yield child
        yield "text", child.tail or ""
    yield "end", name


def _numeric(name: str) -> str:
    text = unescape(name)
    return "".join(f"&#{ord(sign)};" for sign in text) if text != name else f"&amp;{name[1:]}"


def _scanned(source: str) -> Iterator[Event]:
    """The events of tag soup: what looks like a known tag is one, all else is text."""
    at = 0
    for tag in TAG.finditer(source):
        if not is_markup(tag):
            continue
        yield "text", unescape(source[at : tag.start()])
        at, name = tag.end(), tag["name"].lower()
        if not tag["end"]:
            yield "start", name
        if tag["end"] or tag["empty"]:
            yield "end", name
    yield "text", unescape(source[at:])


class _Blocks:
    """Collects inline text into paragraphs as events arrive; wrong nesting does no harm."""

    def __init__(self) -> None:
        self._done: list[tuple[str, str]] = []  # (kind of block, its Markdown)
        self._line = ""
        self._after_tag = False
        self._open: list[tuple[str, int]] = []  # emphasis: its tag, and where its text starts
        self._kind = "p"
        self._unseen = 0
        self._raw: str | None = None

    def read(self, kind: str, value: str) -> None:
        """Take one event."""
        if kind == "text":
            self._text(value)
        elif value in _UNSEEN:
            self._unseen = max(0, self._unseen + (1 if kind == "start" else -1))
        elif value == "tex-math":
            self._tex(kind)
        elif value in _EMPHASIS:
            self._emphasis(kind, value)
        elif value in BLOCK:
            self._block(kind, value)
        elif value in ("br", "break"):
            self._line += "\n" if kind == "end" else ""
        elif value in _INDEX:
            self._line += "\0"
        elif value in INLINE:
            self._after_tag = True

    def paragraphs(self) -> list[str]:
        """What was read, with each section title leading the paragraph after it."""
        self._flush()
        out: list[str] = []
        lead = ""
        for kind, text in self._done:
            if kind == "title":
                if text.strip("*:. ").casefold() in _ABSTRACT:
                    continue
                out += [lead] if lead else []
                lead = _lead_in(text)
                continue
            start = _BLOCK_START.sub(r"\1\\", text)
            out.append(f"{lead} {text}" if lead else f"- {start}" if kind == "li" else start)
            lead = ""
        return out + ([lead] if lead else [])

    def _text(self, value: str) -> None:
        if self._unseen:
            return
        if self._raw is not None:
            self._raw += value
            return
        value = re.sub(r"\s+", " ", _clean_inside(unescape(value)))
        self._line = joined(self._line, _safe(value), tag_between=self._after_tag)
        self._after_tag = self._after_tag and not value

    def _tex(self, kind: str) -> None:
        if kind == "start":
            self._raw = ""
            return
        source = self._raw or ""
        body = _TEX_BODY.search(source)
        formula = clean((body[1] if body else source).strip().strip("$").strip())
        self._raw = None
        self._line += f"${formula}$" if formula else ""

    def _emphasis(self, kind: str, tag: str) -> None:
        self._after_tag = True
        if kind == "start":
            self._open.append((tag, len(self._line)))
            return
        if not self._open or self._open[-1][0] != tag:
            return
        at = self._open.pop()[1]
        self._line = self._line[:at] + _emphasised(self._line[at:], _EMPHASIS[tag])

    def _block(self, kind: str, name: str) -> None:
        self._flush()
        if kind == "end":
            self._kind = "li" if name not in _ITEMS and self._kind == "li" else "p"
        elif name in _TITLES:
            self._kind = "title"
        elif name in _ITEMS:
            self._kind = "li"

    def _flush(self) -> None:
        for text in re.split(r"\n\s*\n", self._line.replace("\0", "")):
            text = " ".join(text.split())
            if text:
                self._done.append((self._kind, text))
        self._line, self._open, self._after_tag = "", [], False


def _clean_inside(value: str) -> str:
    """`clean`, with a blank at an end that had one: text beside a tag needs it."""
    core = clean(value)
    if not core:
        return " " if value[:1].isspace() else ""
    return f"{' ' if value[:1].isspace() else ''}{core}{' ' if value[-1:].isspace() else ''}"


def _emphasised(text: str, sign: str) -> str:
    """The text in emphasis signs, which must touch letters or digits to count in Markdown."""
    first = next((i for i, letter in enumerate(text) if letter.isalnum()), None)
    if first is None or sign in text:
        return text
    last = max(i for i, letter in enumerate(text) if letter.isalnum())
    return f"{text[:first]}{sign}{text[first : last + 1]}{sign}{text[last + 1 :]}"


def _lead_in(title: str) -> str:
    """A section title as its first paragraph opens; its stop stands outside the emphasis."""
    words = re.sub(r"(?<!\\)\*", "", title)
    bare = words.rstrip(".:?! ")
    return f"**{bare}**{words[len(bare) :].strip() or '.'}" if bare else title


def _safe(text: str) -> str:
    """Running text that Markdown would not take for markup, changed as little as that allows."""
    return _UNSAFE.sub(
        lambda sign: (
            f"&{'lt' if sign[0] == '<' else 'amp'};" if sign[0] in "<&" else f"\\{sign[0]}"
        ),
        text,
    )


_MARKDOWN = re.compile(
    r"\\(?P<literal>[!-/:-@\[-`{-~])|(?P<entity>&#?\w+;)"
    r"|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*|(?P<sign>[&<>])"
)


def to_html(markdown: str) -> str:
    """An abstract as other programs read it: what `from_jats` writes, back as it came."""
    paragraphs = [_html(part) for part in re.split(r"\n\s*\n", markdown.strip()) if part]
    if len(paragraphs) < 2 and not markdown.startswith("- "):
        return "".join(paragraphs)
    return "".join(
        f"<li>{text[2:]}</li>" if text.startswith("- ") else f"<p>{text}</p>" for text in paragraphs
    )


def _html(markdown: str) -> str:
    return _MARKDOWN.sub(_html_of, markdown)


def _html_of(found: re.Match[str]) -> str:
    if found["bold"]:
        return f"<b>{_html(found['bold'])}</b>"
    if found["italic"]:
        return f"<i>{_html(found['italic'])}</i>"
    text = found["literal"] or found["sign"]
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(text, text) if text else found[0]
