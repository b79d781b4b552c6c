"""What prose can point with: one `Link` for a citation, wikilink, link, image, tag or block id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["cite", "wikilink", "embed", "link", "image", "tag", "block"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One place of a text that points somewhere; offsets are code points, lines and columns from 1.

    A group such as `[see @a, p. 5; @b]` gives one link a key, and `group` is its whole span.
    A link through a reference definition has the definition's target, at the definition's span.
    """

    kind: Kind
    target: str
    """The key, the file or note named, the URL, the tag without `#`, the id without `^`."""
    start: int
    end: int
    line: int
    column: int
    target_start: int
    """Where the target's own characters begin: what a rename replaces."""
    target_end: int
    prefix: str = ""
    """A citation's words before the key: `see`."""
    locator: str = ""
    """A citation's words after the key: `pp. 33-35`."""
    suppress: bool = False
    """A citation without its author: `[-@key]`."""
    group: tuple[int, int] | None = None
    """The brackets a citation stands in; None for one in the running text."""
    label: str = ""
    """The words shown instead of the target."""
    heading: str = ""
    """The part after `#`; a block id keeps its `^`."""

    @property
    def external(self) -> bool:
        """Whether a Markdown link leaves the library by a scheme (`https:`, `mailto:`)."""
        return self.kind in ("link", "image") and has_scheme(self.target)

    @property
    def block(self) -> str:
        """The block id that a wikilink names (`[[note#^id]]`), or nothing."""
        return self.heading[1:] if self.heading.startswith("^") else ""


def has_scheme(target: str) -> bool:
    """Whether a target is a URL and not a path (`//host` included)."""
    if target.startswith("//"):
        return True
    head, colon, _ = target.partition(":")
    return bool(colon) and len(head) > 1 and head.isascii() and (
        head[0].isalpha() and head.replace("+", "").replace("-", "").replace(".", "").isalnum()
    )  # fmt: skip
