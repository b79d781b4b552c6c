"""Markdown blocks and the entries of their reference list in; citations without a link, linked.

Publishers mark most citations up, not all: a page may print `(Bryl, 2019)` or `[3]` as bare words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from pressmark import ids
from pressmark.fulltext import markdown as md
from pressmark.fulltext.years import AuthorYears

_PROTECTED = re.compile(
    r"\$\$[^$]+\$\$|(?<!\\)\$(?!\s)[^$]+?(?<!\\)\$|`[^`]*`|<[^>]*>|\[\^[\w-]+\]"
    r"|\[(?:\\.|[^\[\]\\])*\]\([^()\s]*\)|https?://\S+"
)
NUMBERS = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)(\\?\])")
_CITING = re.compile(r"\]\(#ref-\d+\)")


def link(blocks: Sequence[str], entries: Sequence[str]) -> list[str]:
    """The same blocks; `entries` are plain text, in order, as the list will number them.

    Numbers in brackets are linked only where nothing else is: they may be intervals. A year is
    linked wherever one entry alone answers to it and to the names before it.
    """
    if not entries:
        return list(blocks)
    years = AuthorYears(entries)
    numbered = not any(_CITING.search(block) for block in blocks)
    out = [_linked(block, lambda text: _years(text, years)) for block in blocks]
    if numbered and not any(_CITING.search(block) for block in out):
        out = [_linked(block, lambda text: _numbers(text, len(entries))) for block in out]
    return out


def _linked(block: str, change: Callable[[str], str]) -> str:
    """A block with its running text changed, its formulas, links and code as they are."""
    if block.startswith(("#", "```", "<!--")):
        return block
    parts, at = [], 0
    for kept in _PROTECTED.finditer(block):
        parts += [change(block[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, change(block[at:])])


def _years(text: str, years: AuthorYears) -> str:
    out, at = "", 0
    for start, end, number in years.find(text):
        out += text[at:start] + md.link(text[start:end], f"#ref-{number}")
        at = end
    return out + text[at:]


def _numbers(text: str, count: int) -> str:
    return NUMBERS.sub(lambda found: numbered(found[1], count) or found[0], text)


def numbered(inner: str, count: int) -> str:
    """`1, 3–5` as links in brackets; empty when one of them is not in the list."""
    numbers = [int(one) for one in re.findall(r"\d+", inner)]
    if not all(0 < number <= count for number in numbers):
        return ""
    return f"[{re.sub(r'[0-9]+', lambda one: f'[{one[0]}](#ref-{int(one[0])})', inner)}]"


_REGISTERED = frozenset({"doi", "arxiv", "pmid", "pmcid"})


def with_identifiers(entry: str, addresses: Iterable[str]) -> str:
    """An entry of a list with the identifiers that only the addresses of its links show.

    `addresses` are the targets of its links; those of a search for the work are not looked at.
    """
    shown = md.plain(entry).casefold()
    for address in addresses:
        if re.search(r"scholar[._]|[?&](?:title|term|q)=", address):
            continue
        for found in map(str, ids.find_all(address)):
            kind, _, value = found.partition(":")
            if kind in _REGISTERED and value.casefold() not in shown:
                entry = f"{entry} {md.escape(_SHOWN.get(kind, kind + ':') + value)}"
                shown += f" {value}".casefold()
    return entry


_SHOWN = {"pmid": "PMID ", "pmcid": "", "arxiv": "arXiv:"}
