"""A library in, its static site out; MkDocs publishes what our own modules make."""

from pressmark.site.building import Built, build, runs
from pressmark.site.preview import serve
from pressmark.site.staging import Staged, stage

__all__ = ["Built", "Staged", "build", "runs", "serve", "stage"]
