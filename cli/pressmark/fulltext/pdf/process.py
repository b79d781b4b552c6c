"""PDF bytes in; what could be read of each page out, by pypdf and where it fails by another."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pressmark.fulltext import limits
from pressmark.fulltext.extracted import State
from pressmark.fulltext.pdf import second

WALL_SECONDS = 180
EXTRACTOR = "pressmark-pdf 3"
"""Our own part; its number is raised when the same pages give another text."""

_CHILD = Path(__file__).with_name("_child.py")


@dataclass(frozen=True, slots=True)
class Answer:
    """The child's account: pages as it printed them, or a state and its reason."""

    state: State
    reason: str = ""
    count: int = 0
    title: str = ""
    author: str = ""
    extractor: str = "pypdf"
    pages: tuple[dict[str, Any], ...] = ()
    failed: tuple[tuple[int, str], ...] = ()
    warnings: tuple[str, ...] = ()


def pages(data: bytes, password: str = "") -> Answer:
    """Run the child; a page it printed before it was stopped is kept, a weak one read again."""
    head = json.dumps({"password": password}).encode() + b"\n"
    ran = limits.run(
        limits.python(str(_CHILD)), head + data, wall=WALL_SECONDS, env=limits.environment()
    )
    answer = _answer(ran.out, stopped=ran.stopped)
    if answer.state == "ok":
        return _mended(answer, data, password)
    if answer.state == "encrypted" and "crypto" not in answer.reason:
        return answer
    return _mended(replace(answer, pages=(), count=0), data, password)


def _mended(answer: Answer, data: bytes, password: str) -> Answer:
    """The answer with the pages that a second program reads better."""
    found = second.read(data, password, answer.pages, answer.count)
    if not found.pages:
        return answer
    merged = {int(page["page"]): page for page in answer.pages} | found.pages
    failed = tuple((number, why) for number, why in answer.failed if number not in found.pages)
    made = "; ".join(f"{name} (pages {_runs(numbers)})" for name, numbers in found.made.items())
    whole = answer.state != "ok"
    return Answer(
        "ok", count=max(answer.count, found.count), title=answer.title, author=answer.author,
        extractor=f"{EXTRACTOR}, {made}" if whole else f"{answer.extractor}; {made}",
        pages=tuple(merged[number] for number in sorted(merged)), failed=failed,
        warnings=(*answer.warnings, *found.warnings),
    )  # fmt: skip


def _runs(numbers: list[int]) -> str:
    """`1, 3-5`: the way a person names pages."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(str(one) for one in part) for part in parts)


def _answer(out: bytes, *, stopped: bool) -> Answer:
    messages = [value for line in out.splitlines() if (value := message(line))]
    ended = next((value for value in messages if "state" in value), None)
    if ended:
        return Answer(ended["state"], str(ended.get("reason", "")))
    head = next((value for value in messages if "pages" in value), None)
    read = tuple(value for value in messages if "page" in value)
    if head is None or (stopped and not read):
        reason = "reading it was stopped at a limit of time or memory"
        return Answer("too_large" if stopped else "damaged", reason)
    failed = tuple((value["page"], value["failed"]) for value in read if value.get("failed"))
    count = int(head["pages"])
    warnings = tuple(f"page {v['page']} was cut: {v['cut']}" for v in read if v.get("cut"))
    if stopped:
        warnings = (f"reading was stopped after page {len(read)} of {count}", *warnings)
    if count and len(failed) == count:
        return Answer("damaged", f"no page could be read ({failed[0][1]})")
    return Answer(
        "ok", count=count, title=str(head.get("title", "")),
        author=str(head.get("author", "")), pages=read, failed=failed,
        extractor=f"{EXTRACTOR}, pypdf {head['pypdf']}", warnings=warnings[:20],
    )  # fmt: skip


def message(line: bytes) -> dict[str, Any] | None:
    """One line of the child; a line cut short by its end is no message."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
