"""A document in; what `check` says of its text, as editors show it, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pressmark.check.document import check_text
from pressmark.check.finding import Finding
from pressmark.lsp.document import Document
from pressmark.lsp.shelf import Shelf

if TYPE_CHECKING:
    from pressmark.links import Link

MOST = 500
"""Findings shown of one document."""


def diagnose(shelf: Shelf, document: Document) -> list[lsp.Diagnostic]:
    """The findings of a document's own text; a template is not one yet."""
    if document.path.startswith("notes/templates/"):
        return []
    found = check_text(
        shelf.resolver.library, document.path, document.source, shelf.resolver,
        document.read_as, shelf.left_out,
    )  # fmt: skip
    places = {(link.line, link.column): link for link in document.links}
    return [_diagnostic(each, document, places) for each in found[:MOST]]


def _diagnostic(
    finding: Finding, document: Document, places: dict[tuple[int, int], Link]
) -> lsp.Diagnostic:
    grave = finding.severity == "error"
    message = finding.message + (f" ({finding.next})" if finding.next else "")
    return lsp.Diagnostic(
        range=_range(finding, document, places),
        message=message,
        severity=lsp.DiagnosticSeverity.Error if grave else lsp.DiagnosticSeverity.Warning,
        code=finding.code,
        source="pressmark",
    )


def _range(finding: Finding, document: Document, places: dict[tuple[int, int], Link]) -> lsp.Range:
    """The link's target, or the line."""
    line, column = finding.line or 1, finding.column or 1
    link = places.get((line, column))
    if link is not None:
        return document.text.range(link.target_start, link.target_end)
    start = document.text.at(line, column)
    return document.text.range(start, max(start, document.text.end_of(line)))
