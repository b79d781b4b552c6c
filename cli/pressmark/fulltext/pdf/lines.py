"""The child's spans in; clean lines with their place and type out, page by page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pressmark.fulltext import clean
from pressmark.fulltext.pdf.pieces import MONO, Float, Piece, apart, pieces, together

_BOLD = re.compile(
    r"bold|black|heavy|demi|-?medi(?!um)|cmbx|sfbx|cmb\d|cmssbx|ptmb|phvb|pcrb|[-,.]b(?:d|i|$)"
    r"|\bB$|LinBiolinumTB|LinLibertineT[BZ]",
    re.I,
)
_ITALIC = re.compile(r"ital|obli|cmti|sfti|cmmi|-?it\b|slant|cmsl", re.I)
_SUPERSCRIPT = str.maketrans("0123456789,-–", "⁰¹²³⁴⁵⁶⁷⁸⁹,⁻⁻")


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line: its text, where it starts, and how most of it is set."""

    text: str
    page: int
    x: float
    y: float
    size: float
    bold: bool = False
    italic: bool = False
    lead: str = ""  # what stands bold or italic at its start, when it goes on in another face
    formula: bool = False  # a displayed formula, all its pieces together
    pieces: tuple[Piece, ...] = ()  # what stands between its wide gaps; none where that is unknown
    mono: bool = False
    holds: Float | None = None  # the table, listing or words of a figure that stand at this line

    @property
    def top(self) -> float:
        """Its height on the page, as the page is read."""
        return max(self.pieces, key=lambda one: one.size).y if self.pieces else self.y

    @property
    def left(self) -> float:
        """Where it starts, as the page is read."""
        return min(one.x for one in self.pieces) if self.pieces else self.x

    @property
    def right(self) -> float:
        """Where it ends; where that is unknown, a guess."""
        if self.pieces:
            return max(one.end for one in self.pieces)
        return self.x + 0.5 * self.size * len(self.text)

    @property
    def printed(self) -> tuple[Piece, ...]:
        """Its pieces; all of it as one, where they are unknown."""
        whole = Piece(self.text, self.x, self.right, self.y, self.size)
        return self.pieces or (whole,)

    def near(self, size: float) -> bool:
        """Whether it is set in this size, within what rounding does."""
        return abs(self.size - size) <= 0.6


@dataclass(frozen=True, slots=True)
class Page:
    """One page: the lines of its text, and what was printed in its margin."""

    number: int
    lines: tuple[Line, ...]
    stamps: tuple[str, ...] = ()
    rules: tuple[tuple[float, float, float], ...] = ()  # start, height, end


def read_pages(raw: Sequence[dict[str, Any]]) -> tuple[list[Page], int]:
    """Pages without running heads, and the count of characters nobody could see."""
    pages: list[Page] = []
    hidden = 0
    for each in raw:
        page, unseen = _page(each)
        pages.append(page)
        hidden += unseen
    texts = [[line.text for line in page.lines] for page in pages]
    dropped = clean.running(texts, [_ends(page.lines) for page in pages])
    kept = [
        replace(
            page,
            lines=tuple(line for at, line in enumerate(page.lines) if at not in dropped[place]),
        )
        for place, page in enumerate(pages)
    ]
    return kept, hidden


def _ends(lines: Sequence[Line]) -> list[int]:
    """The places of the two highest and the two lowest lines of a page."""
    places = sorted(range(len(lines)), key=lambda place: lines[place].y)
    return [*places[:2], *places[-2:]]


def _page(raw: dict[str, Any]) -> tuple[Page, int]:
    lines, unseen = _visible(_unslashed(apart(raw["lines"])))
    upright, stamps = _upright(lines)
    fonts = [str(name) for name in raw["fonts"]]
    found: list[Line] = []
    for spans in _short(upright):
        line, dropped = _line(_spelled(_pi(spans, fonts), fonts), fonts, raw["page"])
        unseen += dropped
        if line.text:
            found.append(line)
    rules = tuple((x, y, end) for x, y, end in raw.get("rules", ()))
    return Page(raw["page"], tuple(found), stamps, rules), unseen


_TEX = {"\x0b": "ff", "\x0c": "fi", "\x0d": "fl", "\x0e": "ffi", "\x0f": "ffl"}
"""The places of the ligatures in the first encoding of TeX's text fonts (OT1)."""

_TEX_LIGATURE = re.compile(
    r"(?<=[A-Za-z])[\x0b-\x0f](?=[a-z])|(?<![A-Za-z])[\x0b-\x0f](?=[a-z]{2})"
    r"|(?<=[a-z]{2})[\x0b-\x0f](?![A-Za-z])"
)
_MATH = re.compile(r"cmmi|cmsy|cmex|cmbsy|msam|msbm|symbol|math|mtmi|mtsy", re.I)


_SIGNS = str.maketrans(dict(enumerate("−·×∗÷⋄±∓⊕⊖\n⊘⊙◯∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻")))
_LETTERS = str.maketrans(dict(enumerate("ΓΔΘΛΞΠΣΥΦΨ\nαβγδϵζηθικλμνξπρστυφχ")))
"""The first 32 places of TeX's fonts of signs (OMS) and of mathematical letters (OML)."""
_PLACED = (
    (re.compile(r"cmb?sy|mtsy|maths?_symbol", re.I), _SIGNS),
    (re.compile(r"cmmi|mtmi|maths?_italic", re.I), _LETTERS),
)
_PLACE = re.compile(r"[\x00-\x09\x0b-\x1f]")


def _spelled(spans: list[Any], fonts: list[str]) -> list[Any]:
    """Spans whose ligatures, signs and Greek letters are such, where a font gives only its
    places."""
    return [
        [_placed(span[0], fonts[span[4]]), *span[1:]] if _PLACE.search(span[0]) else span
        for span in spans
    ]


def _placed(text: str, font: str) -> str:
    for name, places in _PLACED:
        if name.search(font):
            return text.translate(places)
    if _MATH.search(font):
        return text
    return _TEX_LIGATURE.sub(lambda found: _TEX[found[0]], text)


_GLYPHS = {
    "minus": "−", "plusminus": "±", "multiply": "×", "periodcentered": "·", "lessequal": "≤",
    "greaterequal": "≥", "notequal": "≠", "similar": "∼", "approxequal": "≈", "proportional": "∝",
    "arrowright": "→", "arrowleft": "←", "infinity": "∞", "element": "∈", "summationtext": "∑",
    "summationdisplay": "∑", "integraltext": "∫", "integraldisplay": "∫", "radical": "√",
    "partialdiff": "∂", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
"""Names of signs in TeX's fonts (Adobe's and AMS's lists), which pypdf prints as they are."""

_GLYPH = re.compile(rf"(?<!\w)/({'|'.join(_GLYPHS)})(?![a-z]|[\w./-]*/)")
_NOUGHT = re.compile(r"/BnZr(?P<letter>(?=/?\())?")


def _named(text: str) -> str:
    """Text with the names of signs as the signs. Place 0 of a font without names, `/BnZr` once
    dvips' fonts went through Distiller, is Γ in TeX's text fonts, minus in its signs."""
    text = _GLYPH.sub(lambda found: _GLYPHS[found[1]], text)
    return _NOUGHT.sub(lambda found: "−" if found["letter"] is None else "Γ", text)


_PI = {"e": "–", "y": "†", "z": "‡"}
_PI_FONT = re.compile(r"\bAdvPS?[0-9A-F]{4,}$")
"""Fonts of signs of the 3B2 typesetter, which say letters for what they show."""


def _pi(spans: list[Any], fonts: list[str]) -> list[Any]:
    """A line whose signs from a font of signs are letters: `10e17` is a range."""
    out = list(spans)
    for at, span in enumerate(spans):
        sign = _PI.get(span[0].strip())
        if not sign or not _PI_FONT.search(fonts[span[4]].rpartition("+")[2]):
            continue
        before = spans[at - 1] if at else None
        after = spans[at + 1] if at + 1 < len(spans) else None
        if any(one is not None and one[4] == span[4] for one in (before, after)):
            continue
        within = before is not None and before[0][-1:].isdigit()
        range_ = within and after is not None and after[0][:1].isdigit()
        mark = before is None and after is not None and after[0][:1].isupper()
        if range_ if sign == "–" else mark:
            out[at] = [sign, *span[1:]]
    return out


_SLASHED = re.compile(r"/(?=[^\w\s/]|[\d\x00-\x1f])")
_SIGN = re.compile(r"[.,;:()\d]")


def _unslashed(lines: list[list[Any]]) -> list[list[Any]]:
    """Lines of a page whose font names its signs `/.`: pypdf prints such names as they are."""
    lines = [
        [[_named(span[0]), *span[1:]] if "/" in span[0] else span for span in line]
        for line in lines
    ]
    whole = "".join(span[0] for line in lines for span in line)
    slashed = len(_SLASHED.findall(whole))
    if slashed < 20 or 2 * slashed < len(_SIGN.findall(whole)):
        return lines
    return [[[_SLASHED.sub("", span[0]), *span[1:]] for span in line] for line in lines]


WIDEST = 2_000
"""Characters of a printed line; what a file calls a longer one is cut into such."""


def _short(lines: list[list[Any]]) -> Iterator[list[Any]]:
    for line in lines:
        if sum(len(span[0]) for span in line) <= WIDEST:
            yield line
            continue
        for span in line:
            for start in range(0, len(span[0]), WIDEST):
                yield [[span[0][start : start + WIDEST], *span[1:]]]


def _visible(lines: list[list[Any]]) -> tuple[list[list[Any]], int]:
    """Lines without unseen spans. What most of a page is set in is not hidden, whatever it
    looks like: the text layer of a scan is invisible, and bitmap fonts state tiny sizes."""
    sizes: Counter[str] = Counter()
    for line in lines:
        for span in line:
            sizes[span[6]] += len(span[0].strip())
    total = sum(sizes.values())
    unseen = {kind for kind, count in sizes.items() if kind and count * 2 < total}
    dropped = sum(sizes[kind] for kind in unseen)
    kept = [[span for span in line if span[6] not in unseen] for line in lines]
    return [line for line in kept if line], dropped


def _upright(lines: list[list[Any]]) -> tuple[list[list[Any]], tuple[str, ...]]:
    """Lines in the page's main direction; a few words across it are a stamp or an axis label."""
    angles: Counter[int] = Counter()
    for line in lines:
        angles[line[0][5]] += sum(len(span[0]) for span in line)
    if not angles:
        return [], ()
    main = angles.most_common(1)[0][0]
    across = sum(angles.values()) - angles[main]
    if across > 400:
        return lines, ()
    stamps = tuple("".join(span[0] for span in line) for line in lines if line[0][5] != main)
    return [line for line in lines if line[0][5] == main], stamps


def _line(spans: list[Any], fonts: list[str], page: int) -> tuple[Line, int]:
    shown = [span for span in spans if span[0].strip()] or spans
    sizes: Counter[float] = Counter()
    faces: Counter[tuple[bool, bool]] = Counter()
    mono = total = 0
    for span in shown:
        letters = sum(char.isalnum() for char in span[0])
        sizes[span[3]] += letters
        faces[_face(fonts[span[4]])] += letters
        total += len(span[0].strip())
        mono += len(span[0].strip()) if MONO.search(fonts[span[4]]) else 0
    size = sizes.most_common(1)[0][0]
    bold, italic = faces.most_common(1)[0][0]
    base = next((span[2] for span in shown if span[3] == size), shown[0][2])
    texts = [_raised(span, size, base) for span in spans]
    text, dropped = clean.line("".join(texts))
    lead = _lead(together(shown), fonts)
    return Line(
        text, page, shown[0][1], base, size, bold, italic, lead,
        pieces=pieces(spans, texts), mono=mono > 0.8 * total,
    ), dropped  # fmt: skip


_DEEP = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?")


def _lead(spans: Sequence[Any], fonts: list[str]) -> str:
    """The run-in title at the start of a line; empty when the whole line is of one face."""
    faces = [_face(fonts[span[4]]) for span in spans]
    worded = [bool(re.search(r"[^\W\d_]{2}", span[0])) for span in spans]
    first = faces[0]
    # `2.1.` may stand in another face than the title behind it; `1.` may number a list.
    if _DEEP.fullmatch(spans[0][0].strip()) and True in worded:
        first = faces[worded.index(True)]
    if not any(first) or all(
        face == first for face, is_word in zip(faces, worded, strict=True) if is_word
    ):
        return ""
    end = next(at for at, face in enumerate(faces) if worded[at] and face != first)
    lead = clean.line("".join(span[0] for span in spans[:end]))[0]
    return (
        lead
        if any(worded[:end]) and all(face[0] != first[0] or not first[0] for face in faces[end:])
        else ""
    )


def _face(font: str) -> tuple[bool, bool]:
    name = font.rpartition("+")[2]
    return bool(_BOLD.search(name)), bool(_ITALIC.search(name))


def _raised(span: Any, size: float, base: float) -> str:
    """Small raised numbers are marks of notes or citations, not digits of the word before."""
    text: str = span[0]
    small = span[3] < 0.85 * size and span[2] > base + 0.15 * size
    if small and re.fullmatch(r"\s*\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\s*", text):
        return text.translate(_SUPERSCRIPT)
    return text


def body_size(pages: Sequence[Page], without: Container[int] = ()) -> float:
    """The size in which most of a document is set, some of its lines left out."""
    sizes: Counter[float] = Counter()
    lines = [line for page in pages for line in page.lines]
    for at, line in enumerate(lines):
        if at not in without:
            sizes[round(line.size * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def margins(lines: Sequence[Line]) -> list[float]:
    """Where the columns of a page begin: places at which many of its lines start."""
    counts: Counter[float] = Counter(round(line.x) for line in lines)
    needed = max(3, len(lines) // 12)
    found: list[float] = []
    for place, _ in sorted(counts.items()):
        near = sum(count for other, count in counts.items() if abs(other - place) <= 2)
        if near >= needed and (not found or place - found[-1] > 40):
            found.append(place)
    return found


def indent(line: Line, columns: Sequence[float]) -> float:
    """How far a line starts from the left edge of its column."""
    left = [place for place in columns if place <= line.x + 3]
    return line.x - left[-1] if left else 0.0
