"""The patterns of what can point somewhere in prose; none of them reads backwards or twice.

Possessive quantifiers (`*+`, `++`) keep a pattern that fails from trying shorter matches.
"""

from __future__ import annotations

import re

NEXT = re.compile(
    r"[\\`$\[\]@#^<]|!(?=\[)|(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9+.-]{1,30}://|www\.)"
)
# Not possessive: up to Python 3.11.4 a possessive group keeps what its last, failed turn took.
KEY = re.compile(r"\w(?:\w|[:.#$%&\-+?<>~/](?=\w)|[:/](?=/))*")
BRACED = re.compile(r"\{([^{}\s](?:[^{}\n]*[^{}\s])?)\}")
WIKI = re.compile(r"\[\[([^\[\]\n]*+)\]\]")
TAG = re.compile(r"#([\w/-]++)")
BLOCK = re.compile(r"\^([A-Za-z0-9-]++)(?=[ \t]*+\r?(?:\n|\Z))")
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]++\]")
URL = re.compile(r"[^\s<>\[\]`\"]*+")
AUTO = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+|[^\s<>@]++@[^\s<>@]++)>")
TAG_HTML = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*+"
    r"(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?+)*+\s*+/?>"
)
CODE_HTML = re.compile(r"<code(?:\s[^<>]*+)?>", re.I)
MATH_END = re.compile(r"(?<![\s\\])\$(?!\d)")
TICKS = re.compile(r"`++")
DEST = re.compile(r"\(\s*+(?:<((?:[^<>\n\\]|\\.)*+)>|(?=[^<]|\Z))")
TITLE = re.compile(
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)))?+\s*+\)", re.S
)
LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.S)
DEFINITION = re.compile(
    r"[> \t]*\[(?!\^)((?:[^\[\]\\]|\\.){1,999})\]:[ \t]*+\r?\n?[> \t]*+"
    r"(?:<([^<>\n]*+)>|([^\s<>]\S*+))"
    r"(?:[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?[ \t]*+\r?(?:\n|\Z)"
)
SEMICOLON = re.compile(";")
PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
BEFORE_KEY = frozenset("./@+=%&\\")
"""After one of these an `@` belongs to an address or a URL without its scheme."""
PARENTHESES = 8
"""How deep parentheses nest in a destination: a bound on what is read twice."""
LONGEST = 600
"""How long a citation's prefix or locator can be."""


def bare_key(key: str) -> bool:
    """Whether a key can be cited without braces."""
    return KEY.fullmatch(key) is not None and not key.startswith("_")


def normal(label: str) -> str:
    """A definition's label as it is compared."""
    return " ".join(label.split()).casefold()
