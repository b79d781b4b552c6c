"""A value of a provider's record in; the same, clean and of one type, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pressmark import ids, text
from pressmark.record import Paper


def words(value: object) -> str:
    """A value as one clean line, whatever it is; numbers as they are written."""
    if isinstance(value, list):
        value = next((item for item in value if item), "")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return text.clean(str(value))


def table(value: object) -> dict[str, Any]:
    """The mapping, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def count(value: object) -> int | None:
    """A number of hits, or None."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    shown = str(value).strip()
    return int(shown) if re.fullmatch(r"\d{1,12}", shown) else None


def date_of(*parts: object) -> str | None:
    """`YYYY[-MM[-DD]]` from numbers; a month or day that cannot be ends it before."""
    values = [count(part) for part in parts]
    if not values or values[0] is None or not 1000 <= values[0] <= 2999:
        return None
    shown = f"{values[0]:04}"
    if len(values) > 1 and values[1] is not None and 1 <= values[1] <= 12:
        shown += f"-{values[1]:02}"
        if len(values) > 2 and values[2] is not None and 1 <= values[2] <= 31:
            shown += f"-{values[2]:02}"
    return shown


def iso_date(value: object) -> str | None:
    """The day in `2017-06-12T17:57:34Z` and in its shorter forms."""
    found = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", words(value))
    return date_of(*(part for part in found.groups() if part)) if found else None


def named(paper: Paper) -> Paper | None:
    """The paper where it has a title or an identifier; what has neither is no record of a work."""
    return paper if ids.identities(paper) else None


_RENAMED = re.compile(r"\W*(retracted|withdrawn)(?:\s+(?:article|paper))?\s*[:\]\[-]", re.I)


def renamed(title: str) -> str | None:
    """The notice that a publisher has put before a title, `RETRACTED ARTICLE: …`."""
    found = _RENAMED.match(title)
    return found[1].lower() if found else None


def unstopped(title: str) -> str:
    """A title without the full stop that some providers put behind every one."""
    return title[:-1].rstrip() if title.endswith(".") and not title.endswith("..") else title


def page_range(first: str, last: str) -> str | None:
    """`3-9`, or `3` where there is one page or only the first is known."""
    if not last or first == last:
        return first
    return f"{first}-{last}" if first else None


def unique(values: Sequence[str | None]) -> tuple[str, ...]:
    """Each value once, in order, without the empty ones."""
    return tuple(dict.fromkeys(value for value in values if value))


_MATH = re.compile(r"(?<![\\$])\$(?![\s$])([^$`\n]{1,400}?)(?<![\s\\])\$(?![\d$])")


def abstract(value: str) -> str | None:
    """Plain text with TeX as paragraphs that are safe in Markdown; `$…$` stays mathematics."""
    paragraphs = re.split(r"\n\s*\n|\n {2,}(?=\S)", value.strip())
    done = []
    for paragraph in paragraphs:
        line = text.clean(paragraph)
        pieces, at = [], 0
        for math in _MATH.finditer(line):
            pieces += [_prose(line[at : math.start()]), f"${_safe_math(math[1])}$"]
            at = math.end()
        pieces.append(_prose(line[at:]))
        done.append("".join(pieces).strip())
    return "\n\n".join(part for part in done if part) or None


def _prose(value: str) -> str:
    if not value.strip():
        return value
    left = value[: len(value) - len(value.lstrip())]
    right = value[len(value.rstrip()) :]
    plain = text.from_tex(value) if "\\" in value else value
    return f"{left}{text.from_jats(plain)}{right}"


def _safe_math(value: str) -> str:
    """TeX in which `<` can start no tag."""
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", value)
