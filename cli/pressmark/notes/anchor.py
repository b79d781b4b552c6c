"""An item of a note's `anchors` in, an `Anchor` out, and back: the quotation and where it stood.

The selectors are those of the W3C's Web Annotation Data Model
(https://www.w3.org/TR/annotation-model/#text-quote-selector): the exact words, and some before and
after them, so that the place is found again in another extraction of the same document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pressmark.errors import BadInput
from pressmark.record import Extra
from pressmark.text import clean

FIELDS = ("reference", "exact", "prefix", "suffix", "page", "section", "paragraph", "comment")
"""The fields of an item, in the order they are written."""

CONTEXT = 60
"""How many characters before and after a quotation are kept."""

_LONGEST = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Where in a document a note is fastened; the reference is the note's own when it is empty."""

    reference: str = ""
    exact: str = ""
    prefix: str = ""
    suffix: str = ""
    page: str = ""
    section: str = ""
    paragraph: str = ""  # its number within the section, from 1
    comment: str = ""  # what stood beside the words in the document
    extra: Mapping[str, Extra] | None = None

    @property
    def empty(self) -> bool:
        """Whether it says nothing of a place."""
        return not (self.exact or self.page or self.section or self.paragraph)


def read(item: Extra) -> Anchor:
    """The anchor that an item of a file's list means; a bare text is the quoted words."""
    if isinstance(item, str):
        return Anchor(exact=item)
    if not isinstance(item, Mapping):
        return Anchor()
    known = {name: value for name, value in item.items() if name in FIELDS}
    texts = {name: value for name, value in known.items() if isinstance(value, str)}
    extra = {name: value for name, value in item.items() if name not in texts}
    return Anchor(**texts, extra=extra or None)


def written(anchor: Anchor) -> dict[str, Extra]:
    """What a file holds of it; what is empty is left out."""
    found: dict[str, Extra] = {
        name: getattr(anchor, name) for name in FIELDS if getattr(anchor, name)
    }
    return {**found, **(anchor.extra or {})}


def from_data(data: Mapping[str, object]) -> Anchor:
    """The anchor that an agent's JSON means: `location` and `selectors`, each may be null.

    `location` holds `page_number`, `section_heading`, `paragraph_index`; `selectors` holds
    `exact_text_quote`, `prefix_context`, `suffix_context`. Raises BadInput for an empty one.
    """
    location, selectors = (_mapping(data, name) for name in ("location", "selectors"))
    unknown = sorted(
        (set(data) - {"location", "selectors", "reference", "comment"})
        | (set(location) - set(_LOCATION))
        | (set(selectors) - set(_SELECTORS))
    )
    if unknown:
        raise BadInput(f"An anchor has no {unknown[0]}.", next=f"it has {', '.join(_SHAPE)}")
    named = {mine: location.get(theirs) for theirs, mine in _LOCATION.items()}
    named |= {mine: selectors.get(theirs) for theirs, mine in _SELECTORS.items()}
    named |= {name: data.get(name) for name in ("reference", "comment")}
    texts: dict[str, Any] = {name: _text(name, value) for name, value in named.items()}
    anchor = Anchor(**texts)
    if anchor.empty:
        raise BadInput(
            "An anchor without a quotation and without a place says nothing.",
            next="give selectors.exact_text_quote, or a page, section or paragraph",
        )
    return anchor


def to_data(anchor: Anchor) -> dict[str, object]:
    """The JSON shape that `from_data` reads; an absent half is null."""
    location = {theirs: getattr(anchor, mine) or None for theirs, mine in _LOCATION.items()}
    selectors = {theirs: getattr(anchor, mine) or None for theirs, mine in _SELECTORS.items()}
    return {
        "reference": anchor.reference or None,
        "location": location if any(location.values()) else None,
        "selectors": selectors if any(selectors.values()) else None,
        "comment": anchor.comment or None,
    }


_LOCATION = {
    "page_number": "page", "section_heading": "section", "paragraph_index": "paragraph",
}  # fmt: skip
_SELECTORS = {
    "exact_text_quote": "exact", "prefix_context": "prefix", "suffix_context": "suffix",
}  # fmt: skip
_SHAPE = (*_LOCATION, *_SELECTORS)


def _mapping(data: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = data.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadInput(f"An anchor's {name} is a mapping or null.")
    return value


def _text(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadInput(f"An anchor's {name} is a text.")
    text = " ".join(clean(str(value)).split())
    if len(text) > _LONGEST:
        raise BadInput(f"An anchor's {name} has at most {_LONGEST} characters.")
    return text
