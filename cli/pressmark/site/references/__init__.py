"""A reference and what the library knows around it in; its page out."""

from pressmark.site.references.listing import kind_name, row, rows
from pressmark.site.references.page import page

__all__ = ["kind_name", "page", "row", "rows"]
