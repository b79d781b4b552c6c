"""PDF bytes on stdin, one JSON line a page on stdout: pypdf in a process of its own.

Run by path and never imported: it needs only pypdf, the standard library, and `_gaps.py` and
`_places.py` beside it. The first line of stdin holds the password. It caps its own memory and
time, and each page has its own limit, so that one bad page costs itself only.
A line is a list of spans `[text, x, y, size, font, angle, hidden, runs]`; fonts are listed by
number; runs and the page's rules are those of `_places.py`.
"""

from __future__ import annotations

import gc
import importlib.util
import io
import json
import logging
import math
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

MEMORY = 600 << 20
PAGE_SECONDS = 10.0
CPU_SECONDS = 120
TEXT_LIMIT = 20_000_000
PAGE_LIMIT = 5_000
RUNS, CHARACTERS = 20_000, 200_000
"""The most runs of text and characters of one page; a full page of a newspaper has a tenth."""

FOLLOWED = frozenset(b"Tj TJ ' \" m l re Tf q Q Tr g rg k sc scn f F f* B B* b b* sh Do Tc".split())
WIDENED = frozenset((b"TJ", b"Tc", b'"', b"Tf", b"q", b"Q"))
"""The operators that say something of text or of what can be seen; and of letters set apart."""

Matrix = Any
Span = list[Any]


class PageTimeout(BaseException):
    """Not an Exception, because pypdf swallows those."""


class PageTooLong(BaseException):
    """A page shows more text than any page of paper."""


def main() -> None:
    """Read, extract, print; the last line says how it ended."""
    out = sys.stdout.buffer
    limit()
    gc.set_threshold(50_000, 20, 20)  # little of it goes in circles: looking for them costs a tenth

    def emit(value: dict[str, Any]) -> None:
        out.write(json.dumps(value).encode("ascii") + b"\n")
        out.flush()

    try:
        head, _, data = sys.stdin.buffer.read().partition(b"\n")
        run(data, str(json.loads(head).get("password") or ""), emit)
    except MemoryError:
        emit({"state": "too_large", "reason": "it needs too much memory"})


def limit() -> None:
    """Cap memory and processor time where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, value in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, CPU_SECONDS)):
        try:
            resource.setrlimit(what, (value, value))
        except (ValueError, OSError):
            continue


def run(data: bytes, password: str, emit: Callable[[dict[str, Any]], None]) -> None:
    """Open the document and emit its head, its pages and its end."""
    import pypdf
    from pypdf import filters

    # Pictures are never needed, and some decoders start other programs.
    for name in ("JBIG2Decode", "JPXDecode", "DCTDecode"):
        if hasattr(filters, name):
            getattr(filters, name).decode = staticmethod(lambda *_, **__: b"")
    gaps, places = beside("_gaps"), beside("_places")
    with suppress(ImportError, AttributeError):  # where pypdf keeps it in another place
        gaps.scaled(importlib.import_module("pypdf.generic._font").Font)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not (reader.decrypt("") or reader.decrypt(password)):
            wrong = "the password is not the file's" if password else "it asks for a password"
            return emit({"state": "encrypted", "reason": wrong})
        count = len(reader.pages)
        emit({"pages": count, "pypdf": pypdf.__version__, **stated(reader)})
    except MemoryError:
        raise
    except Exception as error:
        if type(error).__name__ == "DependencyError":  # AES without the cryptography package
            return emit({"state": "encrypted", "reason": "pypdf[crypto] is not installed"})
        return emit({"state": "damaged", "reason": type(error).__name__})
    budget = TEXT_LIMIT
    for number in range(min(count, PAGE_LIMIT)):
        page = one_page(reader, number, gaps, places)
        emit({"page": number + 1, **page})
        budget -= sum(len(span[0]) for line in page["lines"] for span in line)
        if budget < 0:
            return emit({"state": "too_large", "reason": "its text is over 20 million characters"})
    emit({"end": True})


def stated(reader: Any) -> dict[str, str]:
    """The title and the authors in the document's own metadata."""
    try:
        data = reader.metadata or {}
        return {name: str(data.get(f"/{name.title()}") or "")[:500] for name in ("title", "author")}
    except Exception:
        return {"title": "", "author": ""}


def beside(name: str) -> Any:
    """A module of the same folder, which is not among the places where Python looks."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def one_page(reader: Any, number: int, gaps: Any, places: Any) -> dict[str, Any]:
    """The lines of one page, or none and the reason."""

    def ring(*_: object) -> None:
        raise PageTimeout

    timed = hasattr(signal, "setitimer")
    spans = Spans()
    try:
        if timed:
            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, PAGE_SECONDS, 1.0)
        page = reader.pages[number]
        spans.box = gaps.upright(page, [float(edge) for edge in page.cropbox])
        spans.gaps, spans.places = gaps.Gaps(page), places.Places(spans.placed)
        places.watch(spans.places)
        page.extract_text(
            visitor_text=spans.text,
            visitor_operand_before=spans.operator,
            visitor_operand_after=spans.after,
        )
        failure = ""
    except PageTimeout:
        failure = f"it took more than {PAGE_SECONDS:.0f} seconds"
    except PageTooLong:
        failure = "it holds more text than a page can"
    except Exception as error:
        failure = type(error).__name__
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
    page_lines = spans.lines(places)
    if failure and not page_lines:
        return {"lines": [], "fonts": [], "failed": failure}
    return {
        "lines": page_lines, "fonts": list(spans.fonts), "box": spans.box, "cut": failure,
        "rules": spans.places.rules if spans.places else [],
    }  # fmt: skip


class Spans:
    """Collects what pypdf shows, with its place, its font, and whether a reader can see it."""

    def __init__(self) -> None:
        self.box = [0.0, 0.0, 1e6, 1e6]
        self.gaps: Any = None
        self.places: Any = None
        self.fonts: dict[str, int] = {}
        self.spans: list[Span] = []
        self.length = 0
        self.state = [0, False]  # render mode, white fill
        self.stack: list[list[Any]] = []
        self.size = 12.0
        self.shown = [0, 0]  # show operators since the last span: visible, hidden
        self.sizes: dict[float, int] = {}  # and how much text each real size set
        self.kinds: set[str] = set()
        self.painted = False
        self.forms: list[tuple[Matrix, float]] = []  # where each form being read is placed

    def operator(self, operator: bytes, operands: Any, cm: Matrix, tm: Matrix) -> None:
        """Follow the graphics state that decides visibility, and that which parts words."""
        if operator not in FOLLOWED:
            return
        if self.gaps and operator in WIDENED:
            self.gaps.before(operator, operands)
        if operator in (b"Tj", b"TJ", b"'", b'"'):
            kind = self.kind()
            self.shown[1 if kind else 0] += 1
            if kind:
                self.kinds.add(kind)
            real = round(abs(self.size) * scale(self.placed(product(tm, cm))), 1)
            self.sizes[real] = self.sizes.get(real, 0) + amount(operands)
        elif operator in (b"m", b"l", b"re"):
            self.places.drawn(operator, operands, cm)
        elif operator == b"Tf" and len(operands) > 1:
            self.size = float(operands[1]) if isinstance(operands[1], (int, float)) else self.size
        elif operator == b"q":
            self.stack.append([*self.state, self.size])
        elif operator == b"Q":
            if self.stack:
                *self.state, self.size = self.stack.pop()
        elif operator == b"Tr" and operands:
            self.state[0] = int(operands[0]) if isinstance(operands[0], (int, float)) else 0
        elif operator in (b"g", b"rg", b"k", b"sc", b"scn"):
            self.state[1] = white(operator, operands)
        elif operator in (b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh", b"Do"):
            self.painted = self.painted or not self.state[1]
            if operator == b"Do":
                self.forms.append((self.placed(cm), self.size))

    def after(self, operator: bytes, operands: Any, cm: Matrix, tm: Matrix) -> None:
        """A form ends."""
        if operator == b"Do" and self.forms:
            self.size = self.forms.pop()[1]

    def placed(self, matrix: Matrix) -> Matrix:
        """A matrix of this content stream on the page; pypdf reads each form by itself."""
        return product(matrix, self.forms[-1][0]) if self.forms else matrix

    def kind(self) -> str:
        """Why text shown now would be unseen; empty when it is seen."""
        if self.state[0] == 3:
            return "mode"
        return "white" if self.state[1] else ""

    def text(self, text: str, cm: Matrix, tm: Matrix, font: Any, size: float) -> None:
        """One run of text, as pypdf reports it."""
        if not text:
            return
        runs = self.places.take()
        self.length += len(text)
        if self.length > CHARACTERS or len(self.spans) >= RUNS:
            raise PageTooLong
        a, b, c, d, x, y = self.placed(product(tm, cm))
        name = str((font or {}).get("/BaseFont", ""))
        number = self.fonts.setdefault(name, len(self.fonts))
        visible, unseen = self.shown
        hidden = "/".join(sorted(self.kinds)) if unseen and not visible else ""
        # One run may hold several sizes, because pypdf parts runs at a font, not at a matrix.
        real = max(self.sizes, key=self.sizes.__getitem__, default=abs(size) * math.hypot(c, d))
        if text.strip() and not hidden:
            is_tiny = 0 < real < 2.5 and not (self.gaps and self.gaps.is_bitmap(font))
            hidden = "tiny" if is_tiny else self.outside(x, y)
        angle = round(math.degrees(math.atan2(b, a)) / 90) % 4 * 90
        where = [round(x, 1), round(y, 1), round(real, 1)]
        self.spans.append([text, *where, number, angle, hidden, runs, len(self.sizes) > 1])
        if text.strip():
            self.shown, self.kinds, self.sizes = [0, 0], set(), {}

    def outside(self, x: float, y: float) -> str:
        """Text beyond the paper's edge; a form's own matrix is unknown, so it is believed."""
        left, bottom, right, top = self.box
        inside = left - 5 <= x <= right + 5 and bottom - 5 <= y <= top + 5
        return "" if inside or self.forms else "outside"

    def lines(self, places: Any) -> list[list[Span]]:
        """The spans cut at line ends; white text counts as unseen only on bare paper. Runs are
        worked out where a table may be, and where a span has letters of several sizes."""
        lines: list[list[Span]] = [[]]
        whole = "".join(span[0] for span in self.spans)
        rules = self.places.rules if self.places else []
        needed = places.is_needed(whole, self.fonts, rules)
        for text, *rest, shown, mixed in self.spans:
            runs = places.runs(shown) if needed or mixed else []
            if self.painted and rest[-1] == "white":
                rest[-1] = ""
            if "\n" not in text:
                lines[-1].append([text, *rest, runs])
                continue
            start = 0
            for number, part in enumerate(text.split("\n")):
                if number:
                    lines.append([])
                end = start + len(part)
                if part:
                    own = [[run[0] - start, *run[1:]] for run in runs if start <= run[0] < end]
                    lines[-1].append([part, *rest, own])
                start = end + 1
        return [line for line in lines if any(span[0].strip() for span in line)]


def white(operator: bytes, operands: Any) -> bool:
    """Whether a fill colour is white or next to it."""
    values = [float(value) for value in operands if isinstance(value, (int, float))]
    if operator == b"k" or (operator in (b"sc", b"scn") and len(values) == 4):
        return len(values) == 4 and max(values) < 0.03
    return bool(values) and min(values) > 0.97


def amount(operands: Any) -> int:
    """How many characters a show operator sets."""
    parts = operands[-1] if operands and isinstance(operands[-1], list) else operands
    return sum(len(part) for part in parts if isinstance(part, (str, bytes)))


def scale(matrix: Matrix) -> float:
    """By how much a transformation enlarges upwards."""
    return math.hypot(matrix[2], matrix[3])


def product(m: Matrix, n: Matrix) -> tuple[float, ...]:
    """Matrix product of two PDF transformations."""
    return (
        m[0] * n[0] + m[1] * n[2], m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2], m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4], m[4] * n[1] + m[5] * n[3] + n[5],
    )  # fmt: skip


if __name__ == "__main__":
    sys.setrecursionlimit(5_000)
    logging.disable()  # the warnings of pypdf are of no use here
    main()
