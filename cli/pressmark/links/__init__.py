"""Every way prose can cite or link: a text comes in, links, their targets and backlinks go out."""

from pressmark.links.backlinks import Backlinks, Mention, cited_keys, index, mentioning
from pressmark.links.link import Kind, Link
from pressmark.links.parse import headings, parse
from pressmark.links.renames import left_behind, note_edits, rename_edits
from pressmark.links.resolve import Resolver, Target
from pressmark.links.sentence import bounds, sentence
from pressmark.links.unlinked import Unlinked, unlinked

__all__ = [
    "Backlinks",
    "Kind",
    "Link",
    "Mention",
    "Resolver",
    "Target",
    "Unlinked",
    "bounds",
    "cited_keys",
    "headings",
    "index",
    "left_behind",
    "mentioning",
    "note_edits",
    "parse",
    "rename_edits",
    "sentence",
    "unlinked",
]
