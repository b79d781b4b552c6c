"""Elements of a page in; what they are out: a head of a table, a block that lists lift, a font."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import Tag

EQUATIONS = {"ltx_equation", "ltx_equationgroup", "ltx_eqn_table"}
"""Classes of the tables that LaTeXML sets a formula and its number in."""
FONTS = {"ltx_font_bold": "**", "ltx_font_italic": "*", "ltx_font_typewriter": ""}
FONTED = ["em", "i", "b", "strong", "code", "p", "pre", "cite", "table", "figure", "math"]
_HOLDERS = ["p", "div", "li", "figcaption", "td", "th", "dd", "section", "article"]


def fills(el: Tag, font: str) -> bool:
    """Whether a font is that of its whole block: theorems are set in italics, captions in bold."""
    holder = el.find_parent([*_HOLDERS, re.compile(r"^h[1-6]$")])
    if holder is None or el.find_parent("figcaption") is not None:
        return True
    if holder.name in ("td", "th"):
        return False
    set_so = sum(len(one.get_text()) for one in holder.select(f".{font}"))
    return 2 * set_so > len(holder.get_text().strip())


def cells(row: Tag) -> list[Tag]:
    """The cells of a row, not those of a table in one of them."""
    return [cell for cell in row.find_all(["td", "th"]) if cell.find_parent("tr") is row]


def is_head(row: Tag) -> bool:
    """LaTeXML marks what names a row as it marks what names a column, and leaves corners bare."""
    filled = [cell for cell in cells(row) if cell.get_text().strip() or cell.find("math")]
    return row.find_parent("thead") is not None or (
        bool(filled) and all(_names_a_column(cell) for cell in filled)
    )


def _names_a_column(cell: Tag) -> bool:
    classes = cell.get("class") or ()
    return cell.name == "th" and (
        "ltx_th_column" in classes
        or not ("ltx_th_row" in classes or cell.get("scope") in ("row", "rowgroup"))
    )


def lift(el: Tag) -> list[Tag]:
    """Take tables, listings and figures out of a list, in their order."""
    found = []
    for part in el.select("pre, table, figure, .ltx_listing"):
        inside = any(parent in found for parent in part.parents)
        if not inside and not EQUATIONS & set(part.get("class") or ()):
            found.append(part)
    return [part.extract() for part in found]
