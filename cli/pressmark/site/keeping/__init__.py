"""A page's questions to its library and their answers in; whether it can stay as it was out."""

from pressmark.site.keeping.keeper import Keeper

__all__ = ["Keeper"]
