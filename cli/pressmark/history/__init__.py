"""Edits in, commits out: the only module that runs git; readers of it take no lock."""

from pressmark.history.authorship import Version
from pressmark.history.merging import merge_file
from pressmark.history.reading import Entry, Listing
from pressmark.history.repository import Commit, Repository

__all__ = ["Commit", "Entry", "Listing", "Repository", "Version", "merge_file"]
