"""Formulas in a page's Markdown: `$…$` in, a token that survives Markdown, and MathML at the end.

MathML is drawn by every browser without a script. The formula is outside text, so what the
converter makes of it is cleaned like everything else; one that it cannot read stays as code.
"""

from __future__ import annotations

import base64
import re
from html import escape

from pressmark.text import escape_markdown

_CODE = r"(?P<code>^(?:```+|~~~+)[^\n]*\n.*?^(?:```+|~~~+)[ \t]*$|`+)"
_BLOCK = r"(?<![\\$])\$\$(?P<block>[^$]+?)\$\$"
_INLINE = r"(?<![\\$\w])\$(?P<inline>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])"
_SHORT = r"(?<![\\$])\$(?P<short>[\^_](?:\{[^{}$\n]{1,80}\}|[^\s${}]))\$"
"""`H$_2$O`, `$^{18}$F`: an index may touch letters, as a price never does."""

_FORMULA = re.compile(f"{_CODE}|{_BLOCK}|{_INLINE}|{_SHORT}", re.M | re.S)
_TOKEN = re.compile(r"pmmath([bi])([A-Z2-7]+)pmend")

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LIVE = re.compile(
    r"\\(?:href|url|html\w*|class|cssId|style|data|includegraphics|require|unicode|def|newcommand)\b"
)
"""What MathJax and KaTeX read as more than signs: https://docs.mathjax.org/en/latest/options/safe.html"""

ELEMENTS = frozenset({
    "math", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac",
    "msqrt", "mroot", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded",
    "mphantom", "menclose", "mmultiscripts", "mprescripts", "none", "semantics",
})  # fmt: skip
ATTRIBUTES = {
    "math": {"display", "xmlns"},
    "mo": {"stretchy", "fence", "form", "lspace", "rspace", "movablelimits", "separator"},
    "mi": {"mathvariant"}, "mn": {"mathvariant"},
    "mtext": {"mathvariant"}, "mspace": {"width", "linebreak"}, "mfrac": {"linethickness"},
    "mtable": {"columnalign", "rowspacing", "columnspacing"}, "mtd": {"columnalign"},
    "mstyle": {"displaystyle", "scriptlevel", "mathvariant"}, "munder": {"accentunder"},
    "mover": {"accent"}, "mpadded": {"width", "height", "depth"}, "menclose": {"notation"},
}  # fmt: skip


def protect(text: str, *, inline: bool = False) -> str:
    """Replace each formula by a token that Markdown leaves alone; code is not looked into.

    With `inline` a displayed formula stays within its line.
    """
    if "$" not in text:
        return text
    out: list[str] = []
    at = 0
    while found := _FORMULA.search(text, at):
        out.append(text[at : found.start()])
        if (ticks := found.group("code")) is not None:
            # An inline code span runs to the same number of backticks.
            end = found.end() if "\n" in ticks else text.find(ticks, found.end()) + len(ticks)
            end = end if end >= found.end() else found.end()
            out.append(text[found.start() : end])
            at = end
            continue
        kind = "b" if found.group("block") and not inline else "i"
        formula = found.group("block") or found.group("inline") or found.group("short")
        token = f"pmmath{kind}{base64.b32encode(formula.encode()).decode().rstrip('=')}pmend"
        out.append(f"\n\n{token}\n\n" if kind == "b" else token)
        at = found.end()
    out.append(text[at:])
    return "".join(out)


def draw(html: str, unread: list[str] | None = None) -> str:
    """Put MathML, or code, where the tokens stand in the finished HTML.

    What cannot be read is added to `unread`.
    """
    if "pmmath" not in html:
        return html

    def drawn(found: re.Match[str]) -> str:
        formula = _formula(found.group(2)).strip()
        mathml = _mathml(formula, found.group(1) == "b")
        if mathml is None:
            if unread is not None:
                unread.append(formula)
            return f'<code class="pm-formula">{escape(formula)}</code>'
        return mathml

    return _TOKEN.sub(drawn, html)


def restore(markdown: str) -> str:
    """Put the formulas back, for a generator that draws them itself.

    A blank means nothing in a formula, and keeps `a<b` from being the beginning of an element. What
    makes links or attributes of what it is given stays as code.
    """

    def written(found: re.Match[str]) -> str:
        sign = "$$" if found.group(1) == "b" else "$"
        formula = _formula(found.group(2))
        if _LIVE.search(formula):
            return f"<code>{escape_markdown(formula)}</code>"
        return f"{sign}{_TAG.sub('< ', formula)}{sign}"

    return _TOKEN.sub(written, markdown)


_SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|([^\s{}\\]))")
_RAISED = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")


def readable(text: str) -> str:
    """A title whose formulas are words: `x²`, `H₂O`, `√(s)`, for where nothing draws them.

    Digits and signs are raised and lowered, commands become their letters; a longer exponent
    keeps `^(…)`. A formula that cannot be read stays as it is written.
    """
    return _FORMULA.sub(_worded, text) if "$" in text else text


def _worded(found: re.Match[str]) -> str:
    formula = found.group("block") or found.group("inline") or found.group("short")
    if formula is None or len(formula) > LARGEST:
        return found[0]
    from pylatexenc.latex2text import LatexNodes2Text

    try:
        words = LatexNodes2Text(math_mode="text").latex_to_text(_SCRIPT.sub(_script, formula))
    except Exception:  # as in `_mathml`
        return found[0]
    return " ".join(words.split()) or found[0]


def _script(found: re.Match[str]) -> str:
    sign, words = found[1], found[2] if found[2] is not None else found[3]
    table = _RAISED if sign == "^" else _LOWERED
    if words and all(ord(letter) in table for letter in words):
        return words.translate(table)
    return f"{sign}({words})" if sign == "^" and len(words) > 1 else f"{sign}{words}"


def _formula(token: str) -> str:
    return base64.b32decode(token + "=" * (-len(token) % 8)).decode("utf-8", "replace")


LARGEST = 5_000
"""Characters of a formula that is drawn."""


def _mathml(formula: str, block: bool) -> str | None:
    """The formula drawn, or None when it cannot be read."""
    import nh3
    from latex2mathml.converter import convert

    if len(formula) > LARGEST:
        return None
    try:
        drawn = convert(formula, display="block" if block else "inline")
    except Exception:  # its own errors have no common base, and a formula must not end a build
        return None
    if "\\" in drawn:  # a command that it does not know
        return None
    clean = nh3.clean(
        drawn, tags=set(ELEMENTS), attributes={k: set(v) for k, v in ATTRIBUTES.items()}
    )
    return str(clean)
