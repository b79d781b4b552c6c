"""SQLite beside the library: parsed records and identities, kept fresh from the files."""

from __future__ import annotations

from pressmark.catalogue import filters, layout
from pressmark.catalogue.catalogue import Catalogue, File, Unreadable
from pressmark.catalogue.filters import Query, Term
from pressmark.catalogue.refreshing import Delta

__all__ = ["Catalogue", "Delta", "File", "Query", "Term", "Unreadable", "filters", "layout"]
