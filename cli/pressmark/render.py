"""A record comes in; a table's row, a JSON object, a citation line or an annotation goes out.

The one place where the command line, MCP and the site take the shape of what they show.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from pressmark.errors import BadInput
from pressmark.record import Author, Reference, Work, attribute
from pressmark.text import plain

FORMATS = ("text", "json", "github")
"""How findings can be printed."""

_UNSAFE = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""What a JSON string may hold raw and a terminal should not get."""


class Finding(Protocol):
    """What a rule of `check` found; the rules stand above this module."""

    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    @property
    def message(self) -> str: ...
    @property
    def next(self) -> str | None: ...


# JSON


def answer(
    data: object,
    warnings: Iterable[str] = (),
    *,
    code: str | None = None,
    error: str | None = None,
    next: str | None = None,
) -> dict[str, object]:
    """What every `--json` prints; `ok` is false when there is an error."""
    return {
        "ok": error is None and code is None,
        "data": data,
        "warnings": list(warnings),
        "code": code,
        "error": error,
        "next": next,
    }


def envelope(
    data: object,
    warnings: Iterable[str] = (),
    *,
    code: str | None = None,
    error: str | None = None,
    next: str | None = None,
) -> str:
    """`answer` as one line of JSON that is safe to print."""
    return to_json(answer(data, warnings, code=code, error=error, next=next))


def to_json(value: object) -> str:
    """JSON in UTF-8, with what would steer a terminal or hide from a reader escaped."""
    text = json.dumps(value, ensure_ascii=False, default=_plain_value)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _plain_value(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def reference_json(ref: Reference, path: str | None = None) -> dict[str, object]:
    """Key and path, then every field of the front matter by its name, then the abstract.

    An absent text is null, an absent list is empty; `extra` has the fields that are the user's.
    """
    fields = {name: _json_value(ref, name) for name in Reference.FIELDS}
    return {
        "key": ref.key, "path": path, **fields, "extra": dict(ref.extra), "abstract": ref.abstract,
    }  # fmt: skip


def _json_value(ref: Reference, name: str) -> object:
    value = getattr(ref, attribute(name))
    return list(value) if name in Reference.LISTS else value


# Lines


def label(ref: Work) -> str:
    """`Vaswani & Shazeer 2017`: how a work is named in running text."""
    return f"{people(ref) or _cut(_named(ref), 60)} {ref.year or 'n.d.'}"


def people(ref: Work) -> str:
    """The authors' family names, or the editors'; from three on `et al.`; may be empty."""
    everybody = ref.authors or ref.editors
    if len(everybody) > 2:
        return plain(f"{Author.parse(everybody[0]).family} et al.")
    return plain(" & ".join(Author.parse(name).family for name in everybody))


def citation(ref: Work) -> str:
    """`Vaswani et al. 2017 — Attention Is All You Need. Advances in …`, marks included."""
    year = ref.year or "n.d."
    if people(ref):
        what = f"{people(ref)} {year} — {_sentence(ref.title)}"
    else:
        what = _sentence(f"{_named(ref)} {year}")
    parts = (mark(ref), what, _sentence(_venue(ref)), stage_mark(ref))
    return " ".join(part for part in parts if part)


def mark(ref: Work) -> str:
    """`[RETRACTED]` and its like, or nothing."""
    return f"[{plain(ref.notice).replace('-', ' ').upper()}]" if ref.notice else ""


def stage_mark(ref: Work) -> str:
    """`(candidate)` for what nobody has kept yet, or nothing."""
    stage = getattr(ref, "stage", None)
    return f"({plain(stage)})" if stage else ""


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 entry`, `1,204 entries`; the plural is the noun with an s unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def row(ref: Reference) -> tuple[str, str, str, str]:
    """Key, year, authors, and the title with its marks."""
    title = " ".join(filter(None, (mark(ref), _line(ref.title), stage_mark(ref))))
    return ref.key, ref.year or "n.d.", people(ref), title


def rows(refs: Iterable[Reference], width: int | None = None) -> list[str]:
    """A line a reference, in columns; cut to a width where one is given."""
    return table([row(ref) for ref in refs], width)


def details(ref: Reference, path: str | None = None) -> list[str]:
    """One reference for reading: citation, every field it has, abstract."""
    named = [("key", ref.key), ("path", path or "")]
    named += [(name, _shown(ref, name)) for name in Reference.FIELDS if name not in _LONG]
    named += [
        (name, value if isinstance(value, str) else to_json(value))
        for name, value in ref.extra.items()
    ]
    lines = [citation(ref), "", *table([pair for pair in named if pair[1]])]
    if ref.cites:
        lines.append(f"Cites {len(ref.cites)} works.")
    if ref.abstract:
        lines += ["", plain(ref.abstract)]
    return lines


_LONG = frozenset({"cites"})


def fill(form: str, ref: Reference, path: str | None = None) -> str:
    """A line from a template such as `{key}\\t{title}`; `{{` and `}}` are braces."""
    values: dict[str, Callable[[], str]] = {
        "key": lambda: ref.key,
        "path": lambda: path or "",
        "year": lambda: ref.year or "",
        "label": lambda: label(ref),
        "citation": lambda: citation(ref),
        "abstract": lambda: ref.abstract or "",
        "people": lambda: people(ref),
    }

    def value(found: re.Match[str]) -> str:
        if found.group() in _LITERALS:
            return _LITERALS[found.group()]
        name = found.group(1)
        if name in values:
            return _line(values[name]())
        if name in Reference.FIELDS:
            return _shown(ref, name)
        raise _unknown(found.group(), name, (*values, *Reference.FIELDS))

    return _PLACE.sub(value, form)


_PLACE = re.compile(r"\{\{|\}\}|\\t|\\n|\\\\|\{([^{}]*)\}|[{}]")
_LITERALS = {"{{": "{", "}}": "}", "\\t": "\t", "\\n": "\n", "\\\\": "\\"}


def _unknown(place: str, name: str | None, known: Sequence[str]) -> BadInput:
    if name is None:
        return BadInput(f"A lone {place} stands in the format.", next=f"write {place * 2} for one")
    from difflib import get_close_matches  # slow to import, and only for who mistyped

    near = get_close_matches(name, known, 1)
    hint = f"did you mean {{{near[0]}}}?" if near else f"the names are {', '.join(known)}"
    return BadInput(f"{{{name}}} is no field of a reference.", next=hint)


def _shown(ref: Reference, name: str) -> str:
    value = getattr(ref, attribute(name))
    return _line("; ".join(value) if isinstance(value, tuple) else value or "")


def _line(value: str) -> str:
    return " ".join(plain(value).split())


def _sentence(value: str) -> str:
    value = _line(value)
    return f"{value}." if value and value[-1] not in ".?!…。？！" else value


def _venue(ref: Work) -> str:
    return plain(ref.venue or ref.event or ref.series or ref.publisher or "")


def _named(ref: Work) -> str:
    title = _line(ref.title)
    return title or plain(getattr(ref, "key", "")) or "Untitled"


# Tables


def table(
    lines: Sequence[Sequence[str]], width: int | None = None, header: Sequence[str] = ()
) -> list[str]:
    """Columns aligned by what a terminal shows; the last one is cut at `width`."""
    cells = [[_line(cell) for cell in line] for line in ([header] if header else []) + list(lines)]
    if not cells:
        return []
    count = max(map(len, cells))
    widths = [max(columns(c[n]) if n < len(c) else 0 for c in cells) for n in range(count)]
    return [_cut(_joined(line, widths), width) for line in cells]


def _joined(line: Sequence[str], widths: Sequence[int]) -> str:
    pad = [cell + " " * (widths[n] - columns(cell)) for n, cell in enumerate(line)]
    return "  ".join(pad).rstrip()


def columns(value: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(value) if _is_narrow(value) else sum(map(_columns, value))


def _is_narrow(value: str) -> bool:
    """Whether each character certainly takes one column: Latin ones below the combining marks."""
    return value.isascii() or (max(value) < "\u0300" and "\xad" not in value)


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _cut(line: str, width: int | None) -> str:
    if not width or columns(line) <= width:
        return line
    if _is_narrow(line):
        return line[: width - 1].rstrip() + "…"
    kept, used = [], 0
    for char in line:
        used += _columns(char)
        if used > width - 1:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


# Findings of `check`


def findings(found: Sequence[Finding], form: str = "text") -> str:
    """What `check` found, as text, as the JSON envelope, or as GitHub's annotations."""
    if form == "json":
        return _findings_json(found)
    if form == "github":
        return "\n".join(map(_annotation, found))
    if form != "text":
        raise BadInput(f"{form!r} is no format of check.", next=f"use {', '.join(FORMATS)}")
    return "\n".join(_finding_line(each) for each in found)


def finding_json(found: Finding) -> dict[str, object]:
    """One finding by its fields."""
    return {
        "code": found.code, "severity": found.severity, "path": found.path, "line": found.line,
        "column": found.column, "message": found.message, "next": found.next,
    }  # fmt: skip


def _findings_json(found: Sequence[Finding]) -> str:
    errors = sum(each.severity == "error" for each in found)
    data = {
        "findings": [finding_json(each) for each in found],
        "errors": errors,
        "warnings": len(found) - errors,
    }
    if not errors:
        return envelope(data)
    message = f"The library has {errors} error{'s' if errors > 1 else ''}."
    return envelope(data, code="integrity", error=message)


def _finding_line(found: Finding) -> str:
    place = [_line(str(part)) for part in (found.path, found.line, found.column) if part]
    head = f"{':'.join(place)}: " if place else ""
    after = f" ({_line(found.next)})" if found.next else ""
    level = "" if found.severity == "error" else f" {found.severity}:"
    return plain(f"{head}{found.code}{level} {_line(found.message)}{after}")


def _annotation(found: Finding) -> str:
    """https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions"""
    places = {"file": found.path, "line": found.line, "col": found.column, "title": found.code}
    properties = ",".join(f"{name}={_property(str(v))}" for name, v in places.items() if v)
    level = "error" if found.severity == "error" else "warning"
    return f"::{level} {properties}::{_message(found.message, found.next)}"


def _message(message: str, after: str | None) -> str:
    text = f"{message} ({after})" if after else message
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    value = value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return plain(value).replace(":", "%3A").replace(",", "%2C")
