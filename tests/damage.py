"""Damage that networks, proxies and changes of a schema do to an answer; what clean text is."""

from __future__ import annotations

import random
import re

from pressmark import text


def mutated(body: bytes, chance: random.Random) -> bytes:
    """One to four damages of the kinds that networks, proxies and schema changes do."""
    data = bytearray(body)
    for _ in range(chance.randint(1, 4)):
        if not data:
            break
        at = chance.randrange(len(data))
        span = chance.choice((1, 2, 8, 64, 512))
        kind = chance.randrange(8)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + span]
        elif kind == 2:
            data[at:at] = data[at : at + span]
        elif kind == 3:
            data[at:at] = chance.choice((b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"<", b'"', b"]}"))
        elif kind == 4:
            words = (b"null", b"[]", b"{}", b"-1", b"1e999", b'""', b"true", b"[[null]]", b"[[[]]]")
            found = [
                m.span() for m in re.finditer(rb'"[^"]{1,40}"|\d+', bytes(data[at : at + 4000]))
            ]
            if found:
                start, end = chance.choice(found)
                data[at + start : at + end] = chance.choice(words)
        elif kind == 5:
            del data[at:]
        elif kind == 6:
            other = chance.randrange(len(data))
            data[at : at + span] = data[other : other + span]
        else:
            data[at : at + 3] = chance.choice((b"\\u0000", b"\\ud800", b"&#0;", b"&amp;"))
    return bytes(data)


def check_clean(*values: str) -> None:
    """Text from outside has come through `text.clean`."""
    for value in values:
        assert value == text.clean(value)
