"""A journal as a person names it in; the ISSN that sources filter by, or the name, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pressmark import text
from pressmark.config import Config
from pressmark.errors import NotFound, SourceBroken, Unavailable
from pressmark.http import Client, NullClient
from pressmark.sources import Query, ask, crossref

_FILTERING = frozenset({"crossref", "openalex", "doaj", "europepmc"})
"""Who filters by ISSN; PubMed knows journals by their names."""


def resolved(
    client: Client | NullClient, config: Config, query: Query, today: str, names: Sequence[str]
) -> tuple[Query, tuple[str, ...]]:
    """A query whose journal has its ISSN, where Crossref knows one of that very name.

    Of a name that is an abbreviation, or of nobody, no ISSN is guessed: it goes on alone to the
    sources that take names, and Crossref's answers are narrowed to containers of that name.
    """
    if not query.journal or query.issn or not _FILTERING & set(names):
        return query, ()
    if re.fullmatch(r"\d{4}-\d{3}[\dXx]", query.journal.strip()):
        return replace(query, issn=query.journal.strip().upper()), ()
    request = crossref.journal_request(query.journal)
    try:
        journals, _ = ask(
            client,
            "crossref",
            request,
            lambda body, status, kind, _: crossref.parse_journals(body, status, kind),
            today=today,
        )
    except (Unavailable, SourceBroken, NotFound):
        return query, (f"The ISSN of {query.journal!r} could not be had; its name goes alone.",)
    for title, issn in journals:
        if same_journal(title, query.journal):
            return replace(query, issn=issn), ()
    near = ", ".join(title for title, _ in journals[:3])
    hint = f" Did you mean {near}?" if near else ""
    return query, (f"No journal is called {query.journal!r}; its name goes alone.{hint}",)


def same_journal(one: str | None, two: str | None) -> bool:
    """Whether two names are equal but for case, accents, punctuation and a leading article."""
    return bool(one and two) and _plain(one or "") == _plain(two or "")


def _plain(title: str) -> str:
    folded = re.sub(r"^the\s+", "", text.fold(title).replace("&", " and "))
    return " ".join(re.findall(r"\w+", folded))
