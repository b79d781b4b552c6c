"""Plain text in, Markdown out that shows exactly that text; and back to plain text.

Every extractor writes through these functions, so text from outside cannot become markup:
no HTML, link, footnote, front matter, page anchor or citation of ours. A mark is escaped only
where it would mean something, so the file stays readable and greppable (`p < 0.05`, `a_b`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pressmark import text as words

_SPECIAL = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~]|$)          # a backslash that would escape something
    | [`*{$]
    | (?<![^\W_])_ | _(?![^\W_])     # an underscore inside a word is only an underscore
    | \[(?=[\[^@!\-]|\s?[xX]?\]|$)   # wikilink, footnote, citation, task box; or cut off here
    | \](?=[(\[:{]|$)
    | <(?=[A-Za-z/!?]|$)
    | &(?=\#?\w+;|$)
    | ~(?=~) | (?<=~)~ | =(?==) | (?<==)=
    """,
    re.X,
)
_AT_START = re.compile(r"(?:[#>+\-|;:=~]|[!?/]{3}|\d{1,9}(?=[.)](?:\s|$)))")
_BACKSLASHED = frozenset("\\`*_{}[]()#+-.!>$|")
"""What every dialect we know unescapes; anything else becomes a character reference."""


def clean(value: str) -> str:
    """Untrusted text as one line without unseen characters; edge blanks survive as one."""
    inner = words.clean(value)
    if not inner:
        return " " if value else ""
    before = " " if value[0].isspace() else ""
    after = " " if value[-1].isspace() else ""
    return f"{before}{inner}{after}"


def escape(value: str) -> str:
    """Literal text inside a paragraph. The text must be one line."""
    return _SPECIAL.sub(lambda found: _literal(found[0]), value)


def _literal(mark: str) -> str:
    return f"\\{mark}" if mark in _BACKSLASHED else _NAMED.get(mark, f"&#{ord(mark)};")


_NAMED = {"<": "&lt;", "&": "&amp;"}


def join(left: str, right: str) -> str:
    """Two pieces of a line, where their meeting would mean something that neither means."""
    if left.endswith("$") and not left.endswith("\\$") and right[:1].isdigit():
        return f"{left} {right}"  # a digit must not follow a closing dollar
    if left.endswith("\\[") and _CITED.match(right):
        return f"{left[:-2]}[{right}"
    if _ITALIC_END.search(left[-2:]) and _ITALIC.match(right):
        return left[:-1] + right[1:]  # two italics that touch are one
    if _BOLD_END.search(left[-3:]) and _BOLD.match(right):
        return left[:-2] + right[2:]
    return left + right


_CITED = re.compile(r"\[[^\[\]]*\]\(#ref-")
_ITALIC = re.compile(r"\*(?!\*)")
_BOLD = re.compile(r"\*\*(?!\*)")
_BOLD_END = re.compile(r"(?<![\\*])\*\*$")
_ITALIC_END = re.compile(r"(?<![\\*])\*$")


def paragraph(inline: str) -> str:
    """Inline Markdown as a block of its own: nothing at its start makes it another kind."""
    inline = _tidy(inline)
    # A block that begins with a displayed formula would be taken to be all formula.
    if inline.startswith("$$") and not _DISPLAY.fullmatch(inline):
        inline = _DISPLAY.sub(lambda formula: formula[0][1:-1], inline, count=1)
    if _DEFINITION.match(inline) and not _FOOTNOTE.match(inline):
        return f"\\{inline}"
    found = _AT_START.match(inline)
    if not found or inline.startswith("![") or _FOOTNOTE.match(inline):
        return inline
    mark = found[0]
    if mark[0].isdigit():
        return f"{mark}\\{inline[len(mark) :]}"
    return f"{_literal(mark[0])}{inline[1:]}"


_DISPLAY = re.compile(r"\$\$[^$]+\$\$")


def _tidy(inline: str) -> str:
    """One line as it is read: no escape of a bracket that the whole line shows to be harmless, no
    emphasis that its surroundings keep from being one."""
    inline = re.sub(r"\s+", " ", inline).strip()
    inline = re.sub(r"\\\[(?=\[(?:[^\[\]\\]|\\.)*\]\(#ref-)", "[", inline)
    inline = re.sub(r"(?<=\w\))\\\](?![\[(:{])|(?<!\\)\\\]$", "]", inline)
    if not re.search(r"\*|\\\]|\\\[|_\(", inline):
        return inline
    parts = _KEPT.split(inline)
    for number in range(0, len(parts), 2):
        after = parts[number + 1][:1] if number + 1 < len(parts) else ""
        part = re.sub(r"(?<!\\)\\\](?=[^\[(:{\\])", "]", parts[number] + after)
        part = _PLAIN_BRACKET.sub("[", part)
        part = re.sub(r"(?<![\w\\])_\(", r"\_(", part)  # a lowered part would open emphasis
        parts[number] = part[: len(part) - len(after)]
    return _EMPHASISED.sub(_flanked, "".join(parts))


_KEPT = re.compile(
    r"(\$\$[^$]+\$\$|(?<!\\)\$(?!\s)[^$]+?(?<!\\)\$|`[^`]*`|(?<!\\)\[(?:\\.|[^\[\]\\])*\]\([^()\s]*\))"
)
"""Formulas, code and links: their brackets are their own."""
_PLAIN_BRACKET = re.compile(r"(?<!\\)\\\[(?=(?![xX]\])[^\W_][^\[\]*_`$\\]*\](?![\[(:{]))")
_EMPHASISED = re.compile(r"(?<![\\*])(\*{1,2})(?=[^\s*])((?:\\.|[^*\\$`])+?)(?<!\s)\1(?!\*)")
_BEHIND = re.compile(r"(?<!\\)([^\w\s\\*$`]+)$")
_BEFORE = re.compile(r"^((?:\\[\[\]_*(){}]|[^\w\s\\*$`\[&<])+)")


def _flanked(found: re.Match[str]) -> str:
    """Emphasis beside a letter whose edge is a sign is none in CommonMark: the sign goes out."""
    mark, inner, line = found[1], found[2], found.string
    before = after = ""
    if line[found.end() : found.end() + 1].isalnum() and (edge := _BEHIND.search(inner)):
        if re.search(r"\]\([^()\s]*\)$|\[\^[\w-]+\]$|&#?\w+;$", inner):
            return found[0]
        inner, after = inner[: edge.start()], edge[1]
    if line[found.start() - 1 : found.start()].isalnum() and (edge := _BEFORE.search(inner)):
        before, inner = edge[1], inner[edge.end() :]
    if after.startswith(")") and inner.startswith("(") and "(" not in inner[1:]:
        before, inner = f"{before}(", inner[1:]
    return f"{before}{mark}{inner}{mark}{after}" if inner.strip() else f"{before}{inner}{after}"


_DEFINITION = re.compile(r"\[[^\[\]]*\]:")
_FOOTNOTE = re.compile(r"\[\^[\w-]+\]: ")


def heading(level: int, inline: str) -> str:
    """A section's title; Markdown knows six levels, deeper ones stay at six."""
    inline = _tidy(inline)
    # A trailing run of # would be taken for the closing mark of the heading.
    inline = re.sub(r"(#+)$", lambda found: "\\#" * len(found[1]), inline)
    return f"{'#' * min(max(level, 1), 6)} {inline}" if inline else ""


def emphasis(inline: str, mark: str = "*") -> str:
    """Italic or bold, when there is something to mark and no mark inside that would clash."""
    inner = inline.strip()
    if not inner or "*" in inner.replace("\\*", "") or _MARK.fullmatch(inner):
        return inline
    before = inline[: len(inline) - len(inline.lstrip())]
    after = inline[len(inline.rstrip()) :]
    return f"{before}{mark}{inner}{mark}{after}"


_MARK = re.compile(r"(?:\[\^[\w-]+\])+")


def math(tex: str, *, display: bool = False) -> str:
    """TeX between dollars: one line, no bare dollar inside, nothing that could open HTML."""
    tex = re.sub(r"(?<!\\)%[^\n]*\n", " ", words.clean(tex, newlines=True))
    # Math inside text inside math: the other delimiters mean the same and cannot end ours.
    tex = re.sub(r"(?<!\\)\$((?:\\.|[^$\\])*)\$", r"\\(\1\\)", re.sub(r"\s+", " ", tex))
    tex = " ".join(re.sub(r"(?<!\\)\$", "", tex).split()).rstrip("\\").strip()
    # A blank means nothing in math mode, and breaks what Markdown would read as markup.
    tex = re.sub(r"<(?=[A-Za-z/!?])", "< ", tex)
    tex = re.sub(r"\](?=[(\[:])", "] ", tex).replace("[^", "[ ^").replace("`", "'")
    if not tex:
        return ""
    return f"$${tex}$$" if display else f"${tex}$"


def fenced(literal: str) -> str:
    """Literal lines, their indents kept, behind a fence that they cannot close; no page mark."""
    kept = [_spaced(one.expandtabs(4)) for one in literal.replace("<!--", "< !--").splitlines()]
    while kept and not kept[0]:
        del kept[0]
    while kept and not kept[-1]:
        del kept[-1]
    longest = max((len(run) for one in kept for run in re.findall(r"`+", one)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *kept, fence]) if kept else ""


def _spaced(literal: str) -> str:
    """A line without unseen characters, all its blanks as they were."""
    return "".join(
        " " * len(part) if part.isspace() else words.clean(part)
        for part in re.split(r"(\s+)", literal)
    ).rstrip()


def quoted(blocks: Iterable[str]) -> str:
    """Blocks as one quotation, each line of theirs marked."""
    lines = "\n\n".join(block for block in blocks if block).split("\n")
    return "\n".join(f"> {line}" if line else ">" for line in lines) if any(lines) else ""


def equation_tag(label: str) -> str:
    """The number of a displayed formula, as TeX writes it."""
    return f" \\tag{{{label}}}" if re.fullmatch(r"[\w.*'′-]{1,12}", label) else ""


def link(inline: str, target: str) -> str:
    """A link to an entry of the reference list or to a web address; anything else is only text."""
    inline = inline.strip()
    if not inline or not re.fullmatch(r"#ref-[\w.-]+|https?://[^\s<>()\[\]`\\\"'{}|]+", target):
        return inline
    parts = _KEPT.split(inline)
    if any("[" in part or "]" in part for part in parts[1::2]) or "[^" in inline:
        return inline  # no link holds another, nor a note
    # A bracket of its own would end the text of the link, or leave it open.
    parts[::2] = [re.sub(r"(?<!\\)[\[\]]", r"\\\g<0>", part) for part in parts[::2]]
    return f"[{''.join(parts)}]({target})"


def anchor(name: str) -> str:
    """A place a link can point to."""
    return f'<a id="{name}"></a>'


def page_anchor(number: int) -> str:
    """The mark that stands before the first paragraph that begins on a page."""
    return f"<!-- page {number} -->"


def cell(inline: str) -> str:
    """One cell of a pipe table; inside math a bar is written as TeX, not escaped."""
    inline = _tidy(inline)
    parts = _MATH.split(inline)
    for number, part in enumerate(parts):
        if number % 2:
            parts[number] = part.replace("\\|", "\\Vert ").replace("|", "\\vert ")
        else:
            parts[number] = re.sub(r"(?<!\\)\|", r"\\|", part)
    return "".join(parts)


def table(rows: Sequence[Sequence[str]], header: int = 1) -> str:
    """A pipe table from rows of inline Markdown; several header rows become one."""
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    padded = [[cell(value) for value in row] + [""] * (width - len(row)) for row in rows]
    head = [_stacked(column) for column in zip(*padded[:header], strict=True)] or [""] * width
    lines = [head, ["---"] * width, *padded[header:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _stacked(values: Iterable[str]) -> str:
    kept: list[str] = []
    for value in values:
        if value and (not kept or kept[-1] != value):
            kept.append(value)
    return " / ".join(kept)


def references(entries: Iterable[tuple[str, str]]) -> list[str]:
    """The blocks of the reference list: `(anchor name, inline Markdown)` in order."""
    lines = [
        f"{number}. {anchor(name)}{' '.join(inline.split())}"
        for number, (name, inline) in enumerate(entries, 1)
    ]
    return [heading(2, "References"), "\n".join(lines)] if lines else []


@dataclass(frozen=True, slots=True)
class Footnote:
    """One note: its mark's name and its inline Markdown."""

    name: str
    inline: str

    @property
    def mark(self) -> str:
        return f"[^{self.name}]"

    @property
    def block(self) -> str:
        return f"[^{self.name}]: {_tidy(self.inline)}"


def document(blocks: Iterable[str]) -> str:
    """Blocks with a blank line between them, and one newline at the end."""
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"


_MATH = re.compile(r"(\$\$[^$]+\$\$|(?<!\\)\$(?!\s)[^$]+?(?<!\\)\$)")
_MARKUP = (
    (re.compile(r"<!--.*?-->|<a id=\"[^\"]*\"></a>"), ""),
    (re.compile(r"<br>"), " "),
    (re.compile(r"^\[\^[\w-]+\]: |(?<!\\)\[\^[\w-]+\]", re.M), ""),
    (re.compile(r"(?<!\\)\[((?:\\.|[^\[\]\\])*)\]\((?:#|https?://)[^()\s]*\)"), r"\1"),
    (re.compile(r"(?<!\\)\*+"), ""),
    (re.compile(r"^(?:#{1,6} |\d+\. |> )", re.M), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def plain(body: str) -> str:
    """The text a reader sees of Markdown that this package wrote; math stays TeX in dollars."""
    parts = _MATH.split(body)
    for number in range(0, len(parts), 2):
        part = parts[number]
        for pattern, into in _MARKUP:
            part = pattern.sub(into, part)
        parts[number] = html.unescape(part)
    return "".join(parts)
