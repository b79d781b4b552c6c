"""Filters in; the keys of the references that pass them out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pressmark.library import Library


def selected(library: Library, filters: Sequence[str]) -> list[str]:
    """Keys of the references that all filters hold of, `cited:` in the user's prose among them."""

    def cited(path: str) -> Collection[str]:
        from pressmark.links import cited_keys

        return cited_keys(library, path)

    return library.select_keys(filters, cited=cited)
