"""A file in any layout in, the layout that merges best out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.page.schema import R


def canonical(data: bytes, cls: type[R], path: str) -> bytes:
    raise NotImplementedError


def is_canonical(data: bytes, cls: type[R], path: str) -> bool:
    raise NotImplementedError
