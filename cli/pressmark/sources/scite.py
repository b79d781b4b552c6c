"""scite's MCP tool: a question in; what its answer says of each work, and how it is cited, out.

A metered source that is asked only where a call names it. Links for reading carry the account's
address, so they are dropped, and so are abstracts and the sentences that cite.
https://scite.ai/mcp
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, RateLimited, SourceBroken, SourceDown
from pressmark.http import failure
from pressmark.ids import Identifier
from pressmark.record import NOTICES, Extra, Paper
from pressmark.sources import names
from pressmark.sources.answers import Listing, broken, listed, reading
from pressmark.sources.base import Found, Request
from pressmark.sources.language import Language, boolean, stripped_term
from pressmark.sources.query import Query, Term
from pressmark.sources.values import count, iso_date, items, table, unique, words

name = "scite"
platform = "scite"
kinds: tuple[str, ...] = ()
page_size = 50
batch = 1
language = Language(boolean=True, phrases=True, dates=True, open_access=True)

URL = "https://api.scite.ai/mcp"
ACCEPT = "application/json, text/event-stream"
_AUTHORS = 3
_MOST_OPEN = 50
_NOTICES = {
    "retraction": "retracted", "withdrawal": "withdrawn", "withdrawn": "withdrawn",
    "expression of concern": "expression-of-concern", "correction": "corrected",
    "erratum": "corrected", "corrigendum": "corrected", "retracted": "retracted",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """scite knows no arXiv categories."""
    if query.categories or query.not_categories:
        return "scite has no arXiv categories"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """The call of the tool; of open works three times as many are asked for, for most are not."""
    tree = query.tree
    said = query.verbatim.get(name) or (boolean(tree, _term) if tree is not None else "")
    limit = min(3 * rows, _MOST_OPEN) if query.open_access else rows
    arguments: dict[str, object] = {"term": said, "limit": limit, "offset": start}
    if query.since:
        arguments["date_from"] = query.since
    if query.until:
        arguments["date_to"] = query.until
    if query.journal:
        arguments["journal"] = query.journal
    call = {"name": "search_literature", "arguments": arguments}
    return Request(url=URL, content=message("tools/call", call, 2), accept=ACCEPT, keep=0)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """scite is searched only: each call counts against the month."""
    raise BadInput("scite does not look identifiers up.")


def _term(term: Term) -> str:
    return stripped_term(term)


def message(method: str, params: Mapping[str, object], number: int | None) -> bytes:
    """One message of JSON-RPC; without a number it is a notification."""
    said: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": dict(params)}
    if number is not None:
        said["id"] = number
    return json.dumps(said).encode()


def result(body: bytes, status: int, content_type: str) -> dict[str, Any]:
    """What a message was answered with, plain or as an event; errors are told apart."""
    if not 200 <= status < 300:
        raise _refusal(body, status)
    if not body.strip():
        raise SourceDown("scite sent an empty answer.")
    start = body.lstrip()[:200]
    if start[:1] == b"<" or "html" in content_type:
        raise broken(name, body, "is a web page and no data")
    with reading(name, body):
        answer = json.loads(body) if start[:1] == b"{" else _event(body)
    if not isinstance(answer, dict) or answer.get("jsonrpc") != "2.0":
        raise broken(name, body)
    if answer.get("error"):
        said = words(table(answer["error"]).get("message"))[:120].rstrip(". ")
        raise broken(name, body, f"rejects our request ({said or 'no reason given'})")
    if not isinstance(answer.get("result"), dict):
        raise broken(name, body)
    return answer["result"]  # type: ignore[no-any-return]


def _event(body: bytes) -> object:
    """The last message of a stream of events that is one of JSON-RPC."""
    found = re.findall(rb"^data:[ ]?(.*)$", body, re.M)
    if not found:
        raise ValueError("no event")
    return json.loads(found[-1])


def _refusal(body: bytes, status: int) -> Exception:
    if status == 402 or (status == 429 and _spent(body.decode("utf-8", "replace"))):
        return RateLimited("scite's allowance of searches is spent.", allowance="monthly")
    return failure(name, status, body)


def _spent(said: str) -> bool:
    return bool(re.search(r"(?i)allowance|quota|monthly|limit (?:reached|exceeded)|upgrade", said))


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The hits of the tool's answer; an answer without hits is a defect, not an empty one."""
    answer = result(body, status, content_type)
    said = "".join(
        str(table(each).get("text") or "")
        for each in items(answer.get("content"))
        if table(each).get("type") == "text"
    )
    if answer.get("isError"):
        raise _tool_error(said, body)
    content = answer.get("structuredContent")
    if not isinstance(content, dict):
        with reading(name, body):
            content = json.loads(said)
    rows = table(content).get("hits")
    if not isinstance(rows, list):
        raise broken(name, body, "holds no hits")
    total = count(table(content).get("count")) or count(table(content).get("total"))
    listing = Listing(rows, len(rows) if total is None else total)
    return listed(name, body, listing, paper, today)


def _tool_error(said: str, body: bytes) -> Exception:
    short = text.clean(said)[:120].rstrip(". ")
    if _spent(said):
        return RateLimited(f"scite's allowance is spent ({short}).", allowance="monthly")
    if re.search(r"(?i)busy|overloaded|timed? ?out|try again|temporar|unavailable", said):
        return SourceDown(f"scite is not working ({short}).")
    return SourceBroken(f"scite rejects our request ({short or 'no reason given'}).", head=short)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The same as a search's."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One hit; None where it has no DOI or no title."""
    row = table(row)
    doi, title = ids.normalise_doi(words(row.get("doi"))), text.title(words(row.get("title")))
    if doi is None or not title:
        return None
    people = [_author(each) for each in items(row.get("authors"))]
    kinds_ = [_kind(each) for each in _notices(row)]
    gravest = [_NOTICES[each] for each in kinds_ if each in _NOTICES]
    known: dict[str, Extra] = {"tally": _tally(row)}
    if state := words(row.get("oaStatus")):
        known["oa_status"] = state
    if kinds_:
        known["editorial_notices"] = list(kinds_)
    return Paper(
        title=title,
        authors=unique(people)[:_AUTHORS],
        published=iso_date(row.get("year")) or iso_date(row.get("date")),
        doi=doi,
        url=f"https://doi.org/{doi}",
        oa=words(row.get("oaStatus")) or None,
        notice=min(gravest, key=NOTICES.index) if gravest else None,
        sources=(f"{name}:{doi} {today}",),
        extra={"scite": known},
    )


def is_open(paper: Paper) -> bool:
    """Whether scite says that a work may be read by anybody."""
    return paper.oa is not None and paper.oa != "closed"


def _author(value: object) -> str | None:
    said = words(table(value).get("authorName")) if isinstance(value, dict) else words(value)
    return names.author(said)


def _tally(row: dict[str, Any]) -> dict[str, Extra]:
    tally = table(row.get("tally"))
    kept = ("total", "supporting", "contrasting", "mentioning")
    return {key: str(number) for key in kept if (number := count(tally.get(key))) is not None}


def _notices(row: dict[str, Any]) -> list[Any]:
    found = row.get("editorialNotices")
    return items(found) or items(row.get("retraction_notices"))


def _kind(notice: object) -> str:
    said = notice if isinstance(notice, str) else table(notice).get("type")
    return words(said if said else table(notice).get("status")).lower().replace("_", " ")
