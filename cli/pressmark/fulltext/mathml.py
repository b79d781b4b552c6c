"""Presentation MathML in, TeX out, for documents that carry no TeX of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from pressmark.text import clean

_SPECIAL = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#",
    "&": r"\&", "_": r"\_", "^": r"\hat{}", "~": r"\sim ", "′": r"\prime ",
    "″": r"\prime\prime ", "‴": r"\prime\prime\prime ",
}  # fmt: skip
_INVISIBLE = {"\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u00a0": " "}
_LIMITS = frozenset("∑∏∐∫∬∭∮⋀⋁⋂⋃⨁⨂⨄⨆")
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "̂": "hat", "¯": "bar", "‾": "bar", "̄": "bar", "_": "bar", "~": "tilde",
    "˜": "tilde", "̃": "tilde", "→": "vec", "⃗": "vec", "˙": "dot", ".": "dot", "̇": "dot",
    "¨": "ddot", "̈": "ddot", "ˇ": "check", "⏞": "overbrace", "´": "acute", "`": "grave",
    "˘": "breve", "˚": "mathring", "∼": "tilde", "⃛": "dddot", "―": "overline",
    "←": "overleftarrow", "↔": "overleftrightarrow",
}  # fmt: skip
_WIDE = {"hat": "widehat", "tilde": "widetilde", "bar": "overline", "vec": "overrightarrow"}
_UNDER = {
    "_": "underline", "¯": "underline", "‾": "underline", "̲": "underline", "⏟": "underbrace",
    "→": "underrightarrow", "←": "underleftarrow",
}  # fmt: skip
_VARIANTS = {
    "normal": "mathrm", "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb",
    "script": "mathcal", "bold-script": "mathcal", "fraktur": "mathfrak",
    "bold-fraktur": "mathfrak", "sans-serif": "mathsf", "bold-sans-serif": "mathsf",
    "monospace": "mathtt",
}  # fmt: skip
_ENCLOSED = {
    "box": "boxed", "roundedbox": "boxed", "circle": "boxed", "radical": "sqrt", "top": "overline",
    "bottom": "underline", "updiagonalstrike": "cancel", "downdiagonalstrike": "bcancel",
    "horizontalstrike": "cancel", "actuarial": "overline",
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
    name = _bare(element)
    variant = _VARIANTS.get(element.get("mathvariant") or "")
    if variant and name and (variant != "mathrm" or (len(name) == 1 and name.isascii())):
        return f"\\{variant}{{{_chars(name)}}}"
    if name in _FUNCTIONS:
        return f"\\{name} "
    return _chars(name) if len(name) <= 1 else f"\\mathrm{{{_chars(name)}}}"


def _number(element: Element) -> str:
    variant = _VARIANTS.get(element.get("mathvariant") or "", "mathrm")
    shown = _chars(_bare(element))
    return shown if variant == "mathrm" else f"\\{variant}{{{shown}}}"


def _bare(element: Element) -> str:
    return clean("".join(element.itertext())).strip()


def _operator(element: Element) -> str:
    sign = _bare(element)
    if sign in _FUNCTIONS:
        return f"\\{sign} "
    return f"\\mathrm{{{_chars(sign)}}}" if sign.isalpha() and len(sign) > 1 else _chars(sign)


def _text(element: Element) -> str:
    value = re.sub(r"\s+", " ", "".join(element.itertext()))
    value = value if value.isspace() else clean(value)
    return f"\\text{{{_chars(value)}}}" if value.strip() else value


def _group(part: str) -> str:
    return part if len(part) == 1 else f"{{{part}}}"


def _scripts(element: Element) -> str:
    base, *rest = _parts(element) or [""]
    signs = {"msub": "_", "msup": "^", "msubsup": "_^", "munderover": "_^"}
    marks = signs[element.tag]
    if marks == "_^" and element.tag == "munderover" and not _takes_limits(base):
        under, over = (*rest, "", "")[:2]
        return _set("underset", under, _set("overset", over, base))
    if len(base) > 1 and not re.fullmatch(r"\\[A-Za-z]+ ?|\\math\w+\{[^{}]*\}", base):
        base = f"{{{base}}}"
    return base.rstrip() + "".join(
        f"{mark}{_group(_primed(part))}" for mark, part in zip(marks, rest, strict=False)
    )


def _primed(part: str) -> str:
    return r"\prime " * len(part) if re.fullmatch("['’]+", part) else part


def _takes_limits(base: str) -> bool:
    return base.strip() in _LIMITS or base.startswith("\\")


def _set(command: str, part: str, base: str) -> str:
    return f"\\{command}{{{part.strip()}}}{{{base}}}" if part.strip() else base


def _accented(command: str, base: str) -> str:
    wide = len(re.sub(r"\\math\w+|[{}\s]", "", base)) > 1 and not base.startswith("\\")
    return f"\\{_WIDE.get(command, command) if wide else command}{{{base}}}"


def _sign(element: Element) -> str:
    return _bare(element[1]) if len(element) > 1 else ""


def _over(element: Element) -> str:
    base, *rest = _parts(element) or [""]
    top = rest[0].strip() if rest else ""
    if _sign(element) in _ACCENTS:
        return _accented(_ACCENTS[_sign(element)], base)
    if top and _takes_limits(base):
        return f"{base.strip()}^{_group(top)}"
    return _set("overset", top, base)


def _under(element: Element) -> str:
    base, *rest = _parts(element) or [""]
    under = rest[0].strip() if rest else ""
    if _sign(element) in _UNDER:
        return f"\\{_UNDER[_sign(element)]}{{{base}}}"
    if under and _takes_limits(base):
        return f"{base.strip()}_{_group(under)}"
    return _set("underset", under, base)


def _fraction(element: Element) -> str:
    above, below = (*_parts(element), "", "")[:2]
    return f"\\frac{{{above}}}{{{below}}}"


def _root(element: Element) -> str:
    base, degree = (*_parts(element), "", "")[:2]
    return f"\\sqrt[{degree}]{{{base}}}"


def _fenced(element: Element) -> str:
    opening, closing = (_chars(element.get(name, default).strip()) for name, default in
                        (("open", "("), ("close", ")")))  # fmt: skip
    signs = "".join((element.get("separators", ",")).split())
    content = ""
    for number, part in enumerate(_parts(element)):
        if number and signs:  # one sign a gap, the last for those that are left
            content += f"{_chars(signs[min(number, len(signs)) - 1])} "
        content += part
    return f"\\left{opening or '.'}{content}\\right{closing or '.'}"


def _enclosed(element: Element) -> str:
    content = _row(element)
    for notation in (element.get("notation") or "").split():
        if notation in _ENCLOSED:
            content = f"\\{_ENCLOSED[notation]}{{{content}}}"
    return content


def _space(element: Element) -> str:
    """A space of TeX as wide as an `mspace`, and none for one that only moves the pen back."""
    if element.get("linebreak") == "newline":
        return " "
    found = re.fullmatch(r"\s*(-?[\d.]+)\s*(em|ex|px|pt)\s*", element.get("width") or "")
    if not found:
        wide = element.get("width") or ""
        return "" if "negative" in wide or wide.strip() in ("0", "") else r"\, "
    try:
        ems = float(found[1]) / {"em": 1, "ex": 2, "px": 16, "pt": 12}[found[2]]
    except ValueError:
        return r"\, "
    if ems >= 0.8:
        return r"\qquad " if ems >= 1.6 else r"\quad "
    return r"\, " if ems > 0.1 else ""


def _chosen(element: Element) -> str:
    """`maction`: the one child that a reader sees."""
    stated = element.get("selection") or "1"
    number = int(stated) if stated.isdigit() and stated.isascii() and len(stated) < 4 else 1
    children = list(element)
    return _node(children[min(max(number, 1), len(children)) - 1]) if children else ""


def _matrix(element: Element) -> str:
    rows = []
    for row in element:
        cells = [_row(cell) for cell in row if cell.tag in ("mtd", "th", "td")]
        if row.tag == "mlabeledtr" and cells:  # its first cell is the number of the row
            cells = [*cells[1:], cells[0]]
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
    "mn": _number,
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "mspace": _space,
    "menclose": _enclosed,
    "maction": _chosen,
    "mglyph": lambda e: f"\\text{{{_chars(clean(e.get('alt') or ''))}}}" if e.get("alt") else "",
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
