"""A URL or a provider's words in; the same without keys and addresses out."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_SECRETS = "api_key|apikey|api-key|access_token|token|key|mailto|email|password|insttoken"
_PAIR = re.compile(rf"(?i)(?<![\w-])(?:{_SECRETS})=[^&#\s\"'<>]*&?")
_HEADER = re.compile(r"(?i)\b(authorization:|x-api-key:|bearer)\s+(?:bearer\s+)?\S+")
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+")


def redact(url: str) -> str:
    """A URL without user, password, key or e-mail address: safe in files, logs and messages."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return redact_text(url)
    query = _PAIR.sub("", parts.query).rstrip("&")
    fragment = _PAIR.sub("", parts.fragment).rstrip("&")
    return urlunsplit((parts.scheme, host, parts.path, query, fragment))


def redact_text(text: str) -> str:
    """Free text without `key=…` pairs, bearer tokens and e-mail addresses."""
    text = _PAIR.sub("", text)
    text = _HEADER.sub(lambda found: f"{found[1]} …", text)
    return _ADDRESS.sub("…", text)
