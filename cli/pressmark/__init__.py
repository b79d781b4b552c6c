"""Pressmark: a research literature library as plain Markdown in git."""

__version__ = "0.1.0"
