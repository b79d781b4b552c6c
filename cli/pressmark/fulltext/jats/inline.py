"""An element of running text in, one line of inline Markdown out: one function an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from pressmark.fulltext import markdown as md
from pressmark.fulltext.jats.tree import text
from pressmark.fulltext.mathml import to_tex
from pressmark.fulltext.raised import lowered, raised

BLOCKS = frozenset({
    "sec", "fig", "fig-group", "table-wrap", "table-wrap-group", "boxed-text", "list",
    "def-list", "disp-quote", "verse-group", "speech", "statement", "preformat", "code",
    "supplementary-material", "media", "chem-struct-wrap", "p", "ul", "ol", "dl", "pre",
    "blockquote", "section", "div", "array", "table", "element-citation", "mixed-citation",
    "nlm-citation", "disp-formula-group",
})  # fmt: skip
"""Elements that stand on their own even when a publisher puts them inside a paragraph."""

_SILENT = frozenset(
    ["object-id", "label-alternatives", "graphic", "processing-instruction", "attrib-alt"]
)


@dataclass
class Article:
    """What the walk needs to know and remembers: reference numbers, notes used, warnings."""

    numbers: dict[str, int] = field(default_factory=dict)  # id of a <ref> -> its number
    notes: dict[str, Element] = field(default_factory=dict)  # id of an <fn> -> the element
    names: dict[str, str] = field(default_factory=dict)  # id of an <fn> -> its Markdown name
    pending: list[md.Footnote] = field(default_factory=list)  # to stand after this block
    warnings: list[str] = field(default_factory=list)

    def note(self, key: str, element: Element) -> str:
        """The mark of a footnote; its text is written once, after the block that cites it."""
        if key not in self.names:
            name = str(len(self.names) + 1)
            self.names[key] = name
            body = Element("fn")
            body.text = element.text
            body.extend(child for child in element if child.tag != "label")
            self.pending.append(md.Footnote(name, inline(body, self)))
        return f"[^{self.names[key]}]"


Writer = Callable[[Element, Article], str]


def inline(element: Element, article: Article, skip: Iterable[str] = ()) -> str:
    """The content of an element, tails of its children included, in document order."""
    out = md.escape(md.clean(element.text or ""))
    for child in element:
        if child.tag not in skip:
            out = join(out, span(child, article))
        out = join(out, md.escape(md.clean(child.tail or "")))
    return out


join = md.join


def span(element: Element, article: Article) -> str:
    """One inline element; an unknown one gives its content."""
    if element.tag in _SILENT:
        return ""
    writer = _WRITERS.get(element.tag)
    if writer:
        return writer(element, article)
    if element.tag in BLOCKS:  # a block where only a line has room: words kept apart
        return f" {inline(element, article).strip()} "
    return inline(element, article)


def line(element: Element | None, article: Article, skip: Iterable[str] = ()) -> str:
    """The content as one trimmed line, for titles, labels and cells; empty without element."""
    return " ".join(inline(element, article, skip).split()) if element is not None else ""


def formula(element: Element, article: Article, *, display: bool) -> str:
    """`inline-formula` and `disp-formula`: TeX, else MathML, else its words."""
    tex = formula_tex(element)
    if not tex:
        return inline(element, article, skip=("label", "alternatives"))
    label = text(element.find("label")).strip("()[] ") if display else ""
    return md.math(tex + md.equation_tag(label), display=display)


def formula_tex(element: Element) -> str:
    """The TeX of whatever carries the formula; empty for a picture."""
    source = next(element.iter("tex-math"), None)
    if source is not None:
        return strip_tex("".join(source.itertext()))
    found = element if element.tag == "math" else next(element.iter("math"), None)
    return to_tex(found) if found is not None else ""


def strip_tex(source: str) -> str:
    """The formula alone, without the document that publishers wrap around it."""
    found = re.search(r"\\begin\{document\}(.*?)\\end\{document\}", source, re.S)
    tex = (found[1] if found else source).strip()
    found = re.fullmatch(r"\$\$?(.*?)\$?\$|\\\[(.*?)\\\]|\\\((.*?)\\\)", tex, re.S)
    if found:
        tex = next(part for part in found.groups() if part is not None)
    tex = re.sub(r"\\(begin|end)\{(equation|displaymath|math)\*?\}", "", tex)
    return re.sub(r"\\label\{[^{}]*\}", "", tex).strip()


def _superscript(element: Element, article: Article) -> str:
    return raised(inline(element, article))


def _subscript(element: Element, article: Article) -> str:
    return lowered(inline(element, article))


def _xref(element: Element, article: Article) -> str:
    kind = element.get("ref-type") or ""
    targets = (element.get("rid") or "").split()
    shown = inline(element, article)
    cited = [article.numbers[target] for target in targets if target in article.numbers]
    if cited:
        found = re.fullmatch(r"(\s*(?:\\?\[)?)(.*?)((?:\\?\])?\s*)", shown, re.S)
        before, inner, after = found.groups() if found and found[2] else ("", "", "")
        return before.replace("\\", "") + _linked(inner, cited) + after.replace("\\", "")
    if kind == "fn" and targets and targets[0] in article.notes:
        return article.note(targets[0], article.notes[targets[0]])
    return shown


def _linked(shown: str, cited: list[int]) -> str:
    """The words of a citation as links: each of several to its own entry, both ends of a range."""
    if not shown:
        return md.link(str(cited[0]), f"#ref-{cited[0]}")
    parts = re.split(r"(\s*[,;]\s*)", shown)
    ends = cited
    if len(cited) > 1 and re.fullmatch(r"\d+\s*[–—-]\s*\d+", shown):
        parts, ends = re.split(r"(\s*[–—-]\s*)", shown), [cited[0], cited[-1]]
    if len(ends) == 1 or len(parts) != 2 * len(ends) - 1 or not all(parts[::2]):
        return md.link(shown, f"#ref-{cited[0]}")
    for place, number in enumerate(ends):
        parts[2 * place] = md.link(parts[2 * place], f"#ref-{number}")
    return "".join(parts)


def _footnote(element: Element, article: Article) -> str:
    return article.note(element.get("id") or f"at {id(element)}", element)


def _external(element: Element, article: Article) -> str:
    shown = inline(element, article)
    target = (element.get("href") or text(element)).strip()
    if text(element).startswith(("http", "www.")) or "](" in shown or "[^" in shown:
        return shown
    return md.link(shown, target)


def _break(element: Element, article: Article) -> str:
    return " "


def _reading(element: Element, article: Article) -> str:
    """`rt`: how the characters before it are read."""
    return f"({inline(element, article).strip()})"


def _mark(mark: str) -> Writer:
    return lambda element, article: md.emphasis(inline(element, article), mark)


def _code(element: Element, article: Article) -> str:
    value = " ".join("".join(element.itertext()).split())
    return f"`{value}`" if value and "`" not in value and "|" not in value else md.escape(value)


_WRITERS: dict[str, Writer] = {
    "italic": _mark("*"),
    "i": _mark("*"),
    "em": _mark("*"),
    "bold": _mark("**"),
    "b": _mark("**"),
    "strong": _mark("**"),
    "sup": _superscript,
    "sub": _subscript,
    "xref": _xref,
    "fn": _footnote,
    "ext-link": _external,
    "uri": _external,
    "a": _external,
    "break": _break,
    "br": _break,
    "hr": _break,
    "rt": _reading,
    "rp": lambda e, a: "",
    "monospace": _code,
    "tt": _code,
    "inline-formula": lambda e, a: formula(e, a, display=False),
    "disp-formula": lambda e, a: formula(e, a, display=True),
    "disp-formula-group": lambda e, a: formula(e, a, display=True),
    "math": lambda e, a: md.math(to_tex(e)),
    "tex-math": lambda e, a: md.math(strip_tex("".join(e.itertext()))),
    "inline-graphic": lambda e, a: "",
    "alternatives": lambda e, a: md.math(formula_tex(e)) or inline(e, a),
}
