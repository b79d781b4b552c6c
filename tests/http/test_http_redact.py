"""Keys and addresses leave every URL and sentence; nothing else does."""

from __future__ import annotations

import pytest

from pressmark.http import redact, redact_text
from pressmark.http.answer import head, retry_after


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://h/x?api_key=K&q=a", "https://h/x?q=a"),
        ("https://h/x?q=a&mailto=m@h.org", "https://h/x?q=a"),
        ("https://h/x?q=a&email=m%40h.org&b=1", "https://h/x?q=a&b=1"),
        ("https://h/x?key=1&token=2&access_token=3", "https://h/x"),
        ("https://u:p@h/x", "https://h/x"),
        ("https://h:8/x?API_KEY=K#token=3", "https://h:8/x"),
        ("https://h/x?keyword=rock&monkey=1&q=key", "https://h/x?keyword=rock&monkey=1&q=key"),
        ("https://h/x?filter=title.search:a,b", "https://h/x?filter=title.search:a,b"),
        ("http://[", "http://["),
    ],
)
def test_redact(url: str, shown: str) -> None:
    assert redact(url) == shown


def test_redact_text() -> None:
    said = "GET https://h/?api_key=K&q=a by ada@reader.test, Authorization: Bearer abc.def"
    assert redact_text(said) == "GET https://h/?q=a by …, Authorization: …"


def test_head_is_short_and_clean() -> None:
    assert head(b"\x1b[31mNo\x00 way ada@reader.test") == "No way …"
    assert len(head(b"x" * 9999)) == 200


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("", None), ("7", 7.0), ("-3", 0.0), ("soon", None), ("nan", None), ("inf", None),
     ("Mon, 30 Nov 2026 12:00:10 GMT", 10.0), ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0)],
)  # fmt: skip
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after(value, now=1796040000.0) == seconds
