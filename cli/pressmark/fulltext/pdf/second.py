"""The pages that pypdf could not read well in; the same pages as another program reads them, out.

PDFium (the extra `[fast]`) and `pdftotext -raw` of poppler, where they are there: a page at a
time, because each of the three fails where another does not.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from pressmark.fulltext import lexicon, limits

FEWEST = 20
"""Letters of a page below which another program is asked, where the file has text elsewhere."""

KNOWN, BETTER = 0.75, 0.08
"""The share of a page's words that its language has, below which it is poor; and how much more
another program must know to be believed."""

WALL_SECONDS, CPU_SECONDS = 60, 40
MOST = 500
"""Pages that are read again, at most."""

_PDFIUM = Path(__file__).with_name("_pdfium.py")
Page: TypeAlias = dict[str, Any]


@dataclass(slots=True)
class Found:
    """Pages by their number, and which program made which."""

    pages: dict[int, Page] = field(default_factory=dict)
    made: dict[str, list[int]] = field(default_factory=dict)
    count: int = 0
    warnings: list[str] = field(default_factory=list)


def read(data: bytes, password: str, first: Sequence[Page], count: int) -> Found:
    """Read the weak pages of a file again, or the whole of one that pypdf could not open."""
    found = Found()
    held = {int(page["page"]): page for page in first}
    known = lexicon.words(lexicon.language(words_of(page) for page in first)) if first else None
    for name, backend in _BACKENDS.items():
        wanted = _weak({**held, **found.pages}, count, known)
        if not wanted and first:
            break
        version, pages = backend(data, password, wanted[:MOST])
        for number, page in _sized(pages, first).items():
            before = found.pages.get(number) or held.get(number)
            if _is_better(page, before, known):
                found.pages[number] = page
                for numbers in found.made.values():
                    numbers[:] = [one for one in numbers if one != number]
                found.made.setdefault(f"{name} {version}".strip(), []).append(number)
        found.count = max([found.count, *pages])
        if not first and found.pages:
            break
    blind = [one for name, numbers in found.made.items() if name.startswith("pdftotext")
             for one in numbers]  # fmt: skip
    found.warnings += [f"page {one}: pdftotext cannot tell hidden text" for one in blind[:5]]
    found.made = {name: numbers for name, numbers in found.made.items() if numbers}
    return found


def words_of(page: Page) -> str:
    """The words of a page, in one line."""
    return " ".join("".join(span[0] for span in line) for line in page["lines"])


def _weak(pages: Mapping[int, Page], count: int, known: frozenset[str] | None) -> list[int]:
    """Pages that are missing, failed, have next to no letters, or hardly a known word.

    A page whose text is hidden has letters: what is hidden from a reader is not fetched again.
    """
    letters = {number: _letters(words_of(page)) for number, page in pages.items()}
    textual = sum(letters.values()) > 10 * FEWEST
    return [
        number
        for number in range(1, count + 1)
        if number not in pages
        or pages[number].get("failed")
        or (textual and letters[number] < FEWEST)
        or _share(words_of(pages[number]), known) < KNOWN
    ]


def _is_better(page: Page, before: Page | None, known: frozenset[str] | None) -> bool:
    text = words_of(page)
    if _letters(text) < FEWEST:
        return False
    if before is None or before.get("failed") or _letters(words_of(before)) < FEWEST:
        return True
    more = _share(text, known) >= _share(words_of(before), known) + BETTER
    return more and _letters(text) >= 0.8 * _letters(words_of(before))


def _letters(text: str) -> int:
    return sum(char.isalpha() for char in text)


def _share(text: str, known: frozenset[str] | None) -> float:
    """How many of a page's words its language has; 1 where that cannot be told."""
    tokens = [one for one in re.findall(r"[^\W\d_]+", text.casefold()) if len(one) > 2]
    if not known or len(tokens) < 60:
        return 1.0
    return sum(one in known for one in tokens) / len(tokens)


def _pdfium(data: bytes, password: str, wanted: Sequence[int]) -> tuple[str, dict[int, Page]]:
    if find_spec("pypdfium2") is None:
        return "", {}
    head = json.dumps({"password": password, "pages": list(wanted)}).encode() + b"\n"
    ran = limits.run(
        limits.python(str(_PDFIUM)), head + data, wall=WALL_SECONDS, env=limits.environment(),
        cpu=CPU_SECONDS,
    )  # fmt: skip
    version, pages = "", {}
    for line in ran.out.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        version = str(value.get("version", version))
        if "page" in value:
            pages[int(value["page"])] = value
    return version, pages


def _pdftotext(data: bytes, password: str, wanted: Sequence[int]) -> tuple[str, dict[int, Page]]:
    program = shutil.which("pdftotext")
    # A password would stand in the process list.
    if program is None or password or not wanted:
        return "", {}
    pages: dict[int, Page] = {}
    for start, end in _spans(wanted)[:20]:
        command = [program, "-raw", "-q", "-enc", "UTF-8", "-f", str(start), "-l", str(end),
                   "-", "-"]  # fmt: skip
        ran = limits.run(
            command, data, wall=WALL_SECONDS, env=limits.environment(), cpu=CPU_SECONDS
        )
        texts = ran.out.decode("utf-8", "replace").split("\f")
        for number, text in zip(range(start, end + 1), texts, strict=False):
            pages[number] = _lines(number, text)
        if ran.stopped:
            break
    return "", pages


def _sized(pages: Mapping[int, Page], first: Sequence[Page]) -> Mapping[int, Page]:
    """Plain lines in the size of the document's text: in another they would be headings."""
    plain = [page for page in pages.values() if page["fonts"] == [""]]
    sizes = Counter(
        span[3] for page in first for line in page["lines"] for span in line if span[0].strip()
    )
    for page in plain if sizes else ():
        for line in page["lines"]:
            line[0][3] = sizes.most_common(1)[0][0]
    return pages


def _spans(numbers: Sequence[int]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return spans


def _lines(number: int, text: str) -> Page:
    """Plain lines as spans: below one another, of one size."""
    lines = [line for line in text.split("\n") if line.strip()]
    spans = [[[line, 0.0, 800.0 - 12 * at, 10.0, 0, 0, ""]] for at, line in enumerate(lines)]
    return {"page": number, "lines": spans, "fonts": [""]}


Backend: TypeAlias = Callable[[bytes, str, Sequence[int]], tuple[str, dict[int, Page]]]
_BACKENDS: dict[str, Backend] = {"pypdfium2": _pdfium, "pdftotext": _pdftotext}
