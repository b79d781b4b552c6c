"""Invented answers of the providers of whom no real body was to be had, in their shapes."""

from __future__ import annotations

import json

from double import Reply, Seen
from providers import holds_all, provider_routes


def _asked(path: str, query: dict[str, str]) -> bytes:
    """What the small world answers to a request."""
    import fnmatch

    seen = Seen("GET", path, query, {})
    for pattern, handler in provider_routes(holds_all):
        if fnmatch.fnmatchcase(path, pattern):
            reply = handler if isinstance(handler, Reply) else handler(seen)
            assert reply is not None
            return reply.body
    raise LookupError(path)


def _json(body: object) -> bytes:
    return json.dumps(body).encode()


_INSPIRE = {
    "hits": {
        "total": 1,
        "hits": [{
            "id": "990001",
            "metadata": {
                "control_number": 990001, "titles": [{"title": "Invented Bosons at Low Tide"}],
                "authors": [{"full_name": "Mensah, Kofi"}, {"full_name": "Wen, Li"}],
                "collaborations": [{"value": "TIDE"}],
                "arxiv_eprints": [{"value": "9806.00777", "categories": ["hep-ex"]}],
                "dois": [{"value": "10.5555/tpn.2024.5"}], "document_type": ["article"],
                "publication_info": [{"journal_title": "J.Inv.Phys.", "journal_volume": "7",
                                      "artid": "012345", "year": 2024}],
                "abstracts": [{"value": "Nothing was found, with $p < 0.05$."}],
                "documents": [{"url": "https://inspirehep.net/files/x", "fulltext": True}],
            },
        }],
    },
    "links": {"self": "x"},
}  # fmt: skip

_SEARXNG = {
    "query": "graph transformers", "number_of_results": 0, "answers": [], "corrections": [],
    "infoboxes": [], "suggestions": [], "unresponsive_engines": [["an engine", "timeout"]],
    "results": [
        {"url": "https://doi.org/10.5555/jih.2019.0042", "title": "Message Passing on Estuaries",
         "content": "…", "engine": "an engine", "publishedDate": "2019-07-02T00:00:00"},
        {"url": "https://rivers.invalid/page", "title": "A page", "content": "…"},
    ],
}  # fmt: skip

_SCITE = {
    "hits": [{
        "doi": "10.5555/iel.2024.99", "title": "Graph Transformers Predict Eel Migration",
        "authors": [{"authorName": "Amina El-Sayed"}], "year": 2024, "oaStatus": "gold",
        "tally": {"total": 9, "supporting": 2, "contrasting": 1, "mentioning": 6},
        "editorialNotices": [{"type": "Correction"}],
    }],
    "count": 1,
}  # fmt: skip


def _tool(content: object) -> bytes:
    """The answer of an MCP tool: its text is JSON."""
    said = [{"type": "text", "text": json.dumps(content)}]
    return _json({"jsonrpc": "2.0", "id": 2, "result": {"content": said, "isError": False}})


SHAPES: dict[str, list[bytes]] = {
    "hal": [_asked("/search/", {"q": "graph", "rows": "10"})],
    "openaire": [_asked("/graph/v1/researchProducts", {"search": "graph"})],
    "osf": [_asked("/v2/preprints/", {"filter[title]": "waterways"})],
    "core": [_asked("/v3/search/works/", {"q": "graph", "limit": "10"})],
    "inspire": [_json(_INSPIRE)],
    "searxng": [_json(_SEARXNG)],
    "scite": [_tool(_SCITE)],
}
"""A provider to its bodies."""
