"""Every way prose can cite or link: a text comes in, links, their targets and backlinks go out."""

from pressmark.links.link import Kind, Link
from pressmark.links.parse import headings, parse

__all__ = ["Kind", "Link", "headings", "parse"]
