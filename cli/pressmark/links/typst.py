"""A Typst text comes in; every key it cites goes out, with offsets, line and column.

A key is cited as `@key` or `#cite(<key>)`; `@name` of a label that the text itself sets leads to
that label (https://typst.app/docs/reference/model/cite/).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pressmark.links import foreign
from pressmark.links.link import Link

UNREAD = re.compile(
    r"(`{3,}).*?\1|`[^`]*`|/\*.*?\*/|(?<![:/])//[^\n]*|https?://[^\s\])>\"]+|\"(?:[^\"\\\n]|\\.)*\"",
    re.S,
)
_LABEL = re.compile(r"<([\w.:-]+)>")
_MENTION = re.compile(r"(?<![\w\\@./+-])@([\w](?:[\w.:-]*\w)?)")
_CALL = re.compile(r"#?\bcite\(\s*(?:<([\w.:-]+)>|label\(\s*\"([^\"\n]+)\"\s*\))")
_QUOTED = re.compile(r"\bcite\(\s*label\(\s*\"[^\"\n]+\"\s*\)")


def parse(text: str) -> list[Link]:
    """Every citation of a Typst text, in order."""
    if "@" not in text and "cite(" not in text:
        return []
    return foreign.links(text, _cites(text))


def _cites(text: str) -> Iterator[foreign.Cite]:
    shown = foreign.blanked(text, UNREAD)
    calls = list(_CALL.finditer(_with_quoted(text, shown)))
    own = {found[1] for found in _LABEL.finditer(shown)} - {call[1] for call in calls}
    for call in calls:
        at = 1 if call[1] else 2
        yield call.start(at), call.end(at), call.start(), call.end()
    for found in _MENTION.finditer(shown):
        if found[1] not in own:
            yield found.start(1), found.end(1), found.start(), found.end()


def _with_quoted(text: str, shown: str) -> str:
    """The shown text with the names in `cite(label("…"))`, which strings hide, put back."""
    for found in _QUOTED.finditer(text):
        if shown[found.start() : found.start() + 5] == "cite(":
            shown = shown[: found.start()] + found[0] + shown[found.end() :]
    return shown
