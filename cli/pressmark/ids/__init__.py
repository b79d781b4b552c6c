"""Pasted text and bibliographic records in; identifiers, identity strings, cite keys out."""

from __future__ import annotations

from pressmark.ids.identifiers import (
    NORMALISERS,
    Identifier,
    arxiv_version,
    find_all,
    normalise_arxiv,
    normalise_doi,
    normalise_isbn,
    normalise_openalex,
    normalise_pmcid,
    normalise_pmid,
    normalise_s2,
    parse,
)
from pressmark.ids.identity import canonical, identities, identity, same_title, title_words
from pressmark.ids.keys import choose_key, folder, key_year, make_key, slug, valid_key

__all__ = [
    "NORMALISERS",
    "Identifier",
    "arxiv_version",
    "canonical",
    "choose_key",
    "find_all",
    "folder",
    "identities",
    "identity",
    "key_year",
    "make_key",
    "normalise_arxiv",
    "normalise_doi",
    "normalise_isbn",
    "normalise_openalex",
    "normalise_pmcid",
    "normalise_pmid",
    "normalise_s2",
    "parse",
    "same_title",
    "slug",
    "title_words",
    "valid_key",
]
