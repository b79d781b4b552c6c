"""Presentation MathML in, TeX out, for documents that carry no TeX of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

_SPECIAL = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#",
    "&": r"\&", "_": r"\_", "^": r"\hat{}", "~": r"\sim ",
}  # fmt: skip
_INVISIBLE = {"\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u00a0": " "}
_LIMITS = frozenset("∑∏∐∫∬∭∮⋀⋁⋂⋃⨁⨂⨄⨆")
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "̂": "hat", "¯": "bar", "‾": "bar", "̄": "bar", "_": "bar", "~": "tilde",
    "˜": "tilde", "̃": "tilde", "→": "vec", "⃗": "vec", "˙": "dot", ".": "dot", "̇": "dot",
    "¨": "ddot", "̈": "ddot", "ˇ": "check", "⏞": "overbrace",
}  # fmt: skip
_FUNCTIONS = frozenset({
    "log", "ln", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min", "lim", "sup",
    "inf", "det", "dim", "ker", "arg", "gcd", "Pr",
})  # fmt: skip


def to_tex(element: Element) -> str:
    """TeX for a `math` element or any part of it; its TeX annotation when it brings one."""
    for annotation in element.iter("annotation"):
        if "tex" in (annotation.get("encoding") or "").lower() and annotation.text:
            return annotation.text.strip()
    return re.sub(r" {2,}", " ", _node(element)).strip()


def _node(element: Element) -> str:
    return _WRITERS.get(element.tag, _row)(element)


def _parts(element: Element) -> list[str]:
    return [_node(child) for child in element if child.tag not in ("annotation", "none")]


def _row(element: Element) -> str:
    own = _chars((element.text or "").strip()) if not len(element) else ""
    return own + _spaced(_parts(element))


def _spaced(parts: Iterable[str]) -> str:
    """Joined so that a command's name never runs into the next letter."""
    out = ""
    for part in parts:
        if re.search(r"\\[A-Za-z]+$", out) and part[:1].isalpha():
            out += " "
        out += part
    return out


def _chars(value: str) -> str:
    return "".join(_SPECIAL.get(char, _INVISIBLE.get(char, char)) for char in value)


def _identifier(element: Element) -> str:
    name = "".join(element.itertext()).strip()
    if name in _FUNCTIONS:
        return f"\\{name} "
    if element.get("mathvariant") in ("bold", "bold-italic"):
        return f"\\mathbf{{{_chars(name)}}}"
    return _chars(name) if len(name) <= 1 else f"\\mathrm{{{_chars(name)}}}"


def _operator(element: Element) -> str:
    sign = "".join(element.itertext()).strip()
    if sign in _FUNCTIONS:
        return f"\\{sign} "
    return f"\\mathrm{{{_chars(sign)}}}" if sign.isalpha() and len(sign) > 1 else _chars(sign)


def _text(element: Element) -> str:
    value = re.sub(r"\s+", " ", "".join(element.itertext()))
    return f"\\text{{{_chars(value)}}}" if value.strip() else value


def _group(part: str) -> str:
    return part if len(part) == 1 else f"{{{part}}}"


def _scripts(element: Element) -> str:
    base, *rest = _parts(element) or [""]
    signs = {"msub": "_", "msup": "^", "msubsup": "_^", "munder": "_", "munderover": "_^"}
    marks = signs[element.tag]
    if len(base) > 1 and not re.fullmatch(r"\\[A-Za-z]+ ?|\\math\w+\{[^{}]*\}", base):
        base = f"{{{base}}}"
    return base.rstrip() + "".join(
        f"{mark}{_group(part)}" for mark, part in zip(marks, rest, strict=False)
    )


def _over(element: Element) -> str:
    base, *rest = _parts(element) or [""]
    top = rest[0].strip() if rest else ""
    sign = "".join(element[1].itertext()).strip() if len(element) > 1 else ""
    if sign in _ACCENTS:
        return f"\\{_ACCENTS[sign]}{{{base}}}"
    if base.strip() in _LIMITS or base.startswith("\\"):
        return f"{base.strip()}^{_group(top)}"
    return f"\\overset{{{top}}}{{{base}}}"


def _under(element: Element) -> str:
    base, *rest = _parts(element) or [""]
    under = rest[0] if rest else ""
    if base.strip() in _LIMITS or base.startswith("\\"):
        return f"{base.strip()}_{_group(under)}"
    return f"\\underset{{{under}}}{{{base}}}"


def _fraction(element: Element) -> str:
    above, below = (*_parts(element), "", "")[:2]
    return f"\\frac{{{above}}}{{{below}}}"


def _root(element: Element) -> str:
    base, degree = (*_parts(element), "", "")[:2]
    return f"\\sqrt[{degree}]{{{base}}}"


def _fenced(element: Element) -> str:
    opening, closing = (_chars(element.get(name, default)) for name, default in
                        (("open", "("), ("close", ")")))  # fmt: skip
    separator = element.get("separators", ",").strip()[:1]
    content = (f"{separator} " if separator else "").join(_parts(element))
    return f"\\left{opening or '.'}{content}\\right{closing or '.'}"


def _matrix(element: Element) -> str:
    rows = []
    for row in element:
        cells = [_row(cell) for cell in row if cell.tag in ("mtd", "th", "td")]
        rows.append(" & ".join(cells))
    return "\\begin{matrix} " + r" \\ ".join(rows) + " \\end{matrix}" if rows else ""


def _multiscripts(element: Element) -> str:
    """`mmultiscripts`: the base, then pairs of lower and upper; those after `mprescripts` lead."""
    children = list(element)
    cut = next((n for n, child in enumerate(children) if child.tag == "mprescripts"), None)
    after, before = (children[1:cut], children[cut + 1 :] if cut is not None else [])
    base = _node(children[0]) if children else ""
    lead = _pairs(before)
    return (f"{{}}{lead}" if lead else "") + base + _pairs(after)


def _pairs(children: list[Element]) -> str:
    out = ""
    for number, child in enumerate(children):
        part = "" if child.tag == "none" else _node(child)
        if part:
            out += f"{'_^'[number % 2]}{_group(part)}"
    return out


_WRITERS = {
    "mi": _identifier,
    "mn": lambda e: _chars("".join(e.itertext()).strip()),
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "mspace": lambda _: r"\, ",
    "mphantom": lambda _: "",
    "annotation": lambda _: "",
    "annotation-xml": lambda _: "",
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "munderover": _scripts,
    "munder": _under,
    "mover": _over,
    "mfrac": _fraction,
    "msqrt": lambda e: f"\\sqrt{{{_row(e)}}}",
    "mroot": _root,
    "mfenced": _fenced,
    "mtable": _matrix,
    "mmultiscripts": _multiscripts,
}
