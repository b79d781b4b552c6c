"""Whatever a title, a name or a path holds: no control, no escape, no reordering reaches a terminal."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator

import pytest

from double import Double, json_reply
from shell import Done, Inside

EVIL = "Red\x1b[31m\x1b]0;owned\x07 \x9b2J\x7f\u202egnp.exe\u200b \u2066hidden\u2069\x08\x00end"
ESCAPED = (
    json.dumps(EVIL).replace("\\u0000", "\\0").replace("\x7f", "\\x7f").replace("\x9b", "\\x9b")
)
"""The same as a double-quoted YAML scalar: a person may write this into a file."""

REFERENCE = f"""\
---
title: "{ESCAPED[1:-1]}"

authors:
- "{ESCAPED[1:-1]}, A."

published: '2020'

type: article-journal

venue: "{ESCAPED[1:-1]}"

notice: retracted

notice-note: "{ESCAPED[1:-1]}"

tags:
- "{ESCAPED[1:-1]}"

sources:
- "x:{ESCAPED[1:-1]}"

mine: "{ESCAPED[1:-1]}"
---

## Abstract

A needle. {EVIL.replace(chr(0), "")}
"""


def dangerous(text: str) -> list[str]:
    """Characters that a terminal obeys or a reader does not see."""
    return sorted({
        f"U+{ord(c):04X}" for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs")
    })  # fmt: skip


def harmless(done: Done) -> None:
    assert dangerous(done.out) == [], done.words
    assert dangerous(done.err) == [], done.words


@pytest.fixture
def evil(offline: Inside) -> Iterator[Inside]:
    """A library that somebody else wrote."""
    (offline.root / "library/2020").mkdir()
    (offline.root / "library/2020/evil2020one.md").write_text(REFERENCE)
    (offline.root / "library/2020/wreck2020one.md").write_text(
        REFERENCE.replace("tags:\n", "tags: [\n")
    )
    (offline.root / "notes/evil.md").write_text(
        f'---\ntitle: "{ESCAPED[1:-1]}"\n---\n\nSee [@evil2020one] and [@{"x" * 4}nobody]. {EVIL[:20]}\n'
    )
    (offline.root / "topics/evil.md").write_text(
        f'---\ntitle: "{ESCAPED[1:-1]}"\n\nquery: "{ESCAPED[1:-1]}"\n---\n'
    )
    offline.git("add", "--all")
    offline.git("commit", "--quiet", "-m", f"Evil {EVIL.replace(chr(0), '')}")
    yield offline


READERS = {
    "list": 0, "list --format {key}:{title}:{venue}:{tags}:{abstract}": 0,
    "list red": 0, "show evil2020one": 0, "show wreck2020one": 3, "status": 0, "log": 0,
    "log evil2020one": 0, "cite evil2020one": 0, "export evil2020one": 0,
    "export evil2020one --format csl-json": 0, "find needle": 0, "grep needle": 0,
    "related evil2020one": 0, "check": 3, "check --format github": 3, "note list": 0,
    "note show evil": 0, "topic list": 0, "topic show evil": 0, "open evil2020one --print": 0,
    "edit evil2020one --add-tag x --dry-run": 0, "undo --dry-run": 0,
}  # fmt: skip


@pytest.mark.parametrize("line", READERS)
def test_no_answer_holds_what_a_terminal_obeys(evil: Inside, line: str) -> None:
    done = evil(*line.split(), status=READERS[line])
    harmless(done)
    if "--format" not in line:
        as_json = evil(*line.split(), "--json", status=READERS[line])
        harmless(as_json)
        assert as_json.answer


@pytest.mark.parametrize(
    "words",
    [
        ("show", EVIL.replace("\0", "")), ("list", f"tag:{EVIL[:8]}"), ("list", EVIL[:9] + ":x"),
        ("edit", "evil2020one", "--set", f"{EVIL[:9]}=x"), ("note", "show", EVIL[:9]),
        ("topic", "show", EVIL[:9]), ("add", f"{EVIL[:9]}.pdf"), (EVIL[:9],),
        ("list", "--" + EVIL[:9]), ("undo", EVIL[:9]), ("import", EVIL[:9]),
        ("attach", "evil2020one", EVIL[:9]), ("export", "-o", f"{EVIL[:9]}/x"),
        ("rename", "evil2020one", EVIL[:9]), ("check", EVIL[:9]), ("init", EVIL[:9]),
        ("site", EVIL[:9]), ("list", "-n", EVIL[:9]),
    ],
    ids=lambda words: words[0] if words[0].isprintable() else "command",
)  # fmt: skip
def test_what_was_typed_is_echoed_without_its_escapes(evil: Inside, words: tuple[str, ...]) -> None:
    for form in ((), ("--json",)):
        harmless(evil(*words, *form, status=None))


def test_what_a_provider_sends_is_cleaned_at_the_door(online: Inside, double: Double) -> None:
    item = {"DOI": "10.5555/evil", "type": "journal-article", "title": [EVIL],
            "author": [{"given": "A.", "family": EVIL}], "container-title": [EVIL],
            "issued": {"date-parts": [[2020]]}, "abstract": f"<jats:p>{EVIL}</jats:p>"}  # fmt: skip
    body = json.dumps({"status": "ok", "message-type": "work-list", "message-version": "1.0.0",
                       "message": {"total-results": 1, "items": [item]}})  # fmt: skip
    double.fail("/at-crossref/*", json_reply(body))
    done = online("search", "anything", "--source", "crossref")
    harmless(done)
    assert done.out.startswith("  1. ")
    (path,) = [p for p in online.files() if p.startswith("library/2020/")]
    assert dangerous(online.files()[path].decode()) == []
    assert "title: Red 2Jgnp.exe hiddenend\n" in online.files()[path].decode()
