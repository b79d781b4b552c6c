"""An exception in, the one line that an agent reads out: `code: sentence. Next: …`.

Never a masked error, and nothing a paper's authors wrote: a defect is named by its kind alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from pressmark.errors import PressmarkError
from pressmark.text import clean

LONGEST = 600
"""Characters of an error; the rest of a long one would only be what was sent."""

SHOWN = 3
"""Faults of a call's arguments that are named at once."""


def line(error: BaseException) -> str:
    """What an agent reads of an error."""
    if isinstance(error, ValidationError):
        return _arguments(error)
    if isinstance(error, PressmarkError):
        return said(error.code, str(error), advice(error.next))
    kind = type(error).__name__
    return said("tool_error", f"The tool failed on its own fault ({kind})", "report this defect")


def said(code: str, sentence: str, after: str | None = None) -> str:
    """`code: sentence. Next: what to do.`"""
    text = f"{code}: {_sentence(sentence)}"
    return f"{text} Next: {_sentence(after)}" if after else text


INSTEAD = {
    "list": "find_papers", "find": "find_papers", "grep": "exact_search", "add": "add_papers",
    "search": "search_literature", "fetch": "fetch_text", "status": "library_status",
}  # fmt: skip
"""A command -> the tool that does the same."""


def advice(after: str | None) -> str | None:
    """What to do next, for one who has no shell."""
    if not after or not after.startswith("pressmark "):
        return after
    tool = INSTEAD.get(after.split()[1].strip(","), "")
    return f"{tool}, or ask the user to run `{after}`" if tool else f"ask the user to run `{after}`"


def _sentence(value: str) -> str:
    value = clean(value)
    if len(value) > LONGEST:
        value = f"{value[: LONGEST - 1]}…"
    return value if value[-1:] in (".", "?", "!", "…") else f"{value}."


def _arguments(error: ValidationError) -> str:
    """Which arguments are wrong, and how; what was sent is the caller's and not repeated."""
    faults = [_fault(each["loc"], each["msg"], each["type"]) for each in error.errors()[:SHOWN]]
    more = error.error_count() - len(faults)
    rest = f"; and {more} more" if more > 0 else ""
    return said("invalid_request", "; ".join(faults) + rest, "see the tool's input schema")


def _fault(place: Iterable[int | str], message: str, kind: str) -> str:
    name = ".".join(clean(str(part))[:60] for part in place) or "the arguments"
    if kind == "missing":
        return f"`{name}` is missing"
    return f"`{name}`: {message[:1].lower()}{message[1:]}"
