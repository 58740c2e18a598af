"""From spans, problems and edits to what the protocol speaks of, and back. No other module does this.

Inside, places are offsets in code points. Positions count lines, and columns in the units that the client asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.rules.problem import Severity
from rubric_core.text.encodings import PositionEncoding, column_of_units, units_before
from rubric_core.text.lines import LineIndex
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.document import Document

SOURCE = "rubric"

_ENCODINGS: dict[str, PositionEncoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


@dataclass(frozen=True, slots=True)
class Client:
    """What the client at the other end can take; without an answer, the least that the protocol promises."""

    encoding: PositionEncoding = "utf-16"
    related: bool = False
    tags: bool = False
    versioned_edits: bool = False
    action_literals: bool = False


def client_of(capabilities: types.ClientCapabilities, encoding: str | None) -> Client:
    """Read the capabilities of a client, given the position encoding that was agreed on."""
    documents = capabilities.text_document
    diagnostics = documents.publish_diagnostics if documents else None
    actions = documents.code_action if documents else None
    edits = capabilities.workspace.workspace_edit if capabilities.workspace else None
    return Client(
        encoding=_ENCODINGS.get(str(getattr(encoding, "value", encoding)), "utf-16"),
        related=bool(diagnostics and diagnostics.related_information),
        tags=bool(diagnostics and diagnostics.tag_support),
        versioned_edits=bool(edits and edits.document_changes),
        action_literals=bool(actions and actions.code_action_literal_support),
    )


class Places:
    """Offsets of one stretch of text that starts at a line's start, as positions counted from there."""

    def __init__(self, text: str, encoding: PositionEncoding) -> None:
        self._lines = LineIndex(text)
        self._encoding = encoding

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line, column = self._lines.position(offset)
        return types.Position(line, units_before(self._lines.line_text(line), column, self._encoding))

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))


def position_of(document: Document, offset: int, encoding: PositionEncoding) -> types.Position:
    """Return the position of an offset in a document, looking at its chunk only."""
    index = document.chunk_at(offset)
    position = Places(document.chunks[index].text, encoding).position(offset - document.start_of(index))
    return types.Position(position.line + document.line_of(index), position.character)


def range_of(document: Document, span: Span, encoding: PositionEncoding) -> types.Range:
    """Return the range of a span in a document."""
    return types.Range(position_of(document, span.start, encoding), position_of(document, span.end, encoding))


def offset_of(document: Document, position: types.Position, encoding: PositionEncoding) -> int:
    """Return the offset of a position; what lies outside of the text is moved into it."""
    start = document.offset(position.line, 0)
    index = document.chunk_at(start)
    lines = LineIndex(document.chunks[index].text)
    line = position.line - document.line_of(index)
    if line >= len(lines.starts):
        return start
    return start + column_of_units(lines.line_text(line), position.character, encoding)


def span_of(document: Document, wanted: types.Range, encoding: PositionEncoding) -> Span:
    """Return the span of a range; one that ends before it starts is empty."""
    start = offset_of(document, wanted.start, encoding)
    return Span(start, max(start, offset_of(document, wanted.end, encoding)))


def edit_of(document: Document, change: types.TextDocumentContentChangeEvent, encoding: PositionEncoding) -> Edit:
    """Return a change of the text as an edit; one without a range replaces the whole text."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        return Edit(*span_of(document, change.range, encoding), change.text)
    last = len(document.chunks) - 1
    return Edit(0, document.start_of(last) + len(document.chunks[last].text), change.text)


def diagnostic_of(
    problem: Problem, uri: str, ranges: Callable[[Span], types.Range], client: Client
) -> types.Diagnostic:
    """Return a problem as a diagnostic; `ranges` knows where spans stand."""
    related = [
        types.DiagnosticRelatedInformation(types.Location(uri, ranges(other.span)), other.message)
        for other in problem.related
        if client.related
    ]
    return types.Diagnostic(
        range=ranges(problem.span),
        message=problem.message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source=SOURCE,
        tags=[types.DiagnosticTag.Deprecated] if problem.deprecated and client.tags else None,
        related_information=related or None,
    )


def workspace_edit_of(
    document: Document, uri: str, version: int, edits: Iterable[Edit], client: Client
) -> types.WorkspaceEdit:
    """Return edits of one document, tied to its version where the client can check that."""
    changes = [
        types.TextEdit(range_of(document, Span(edit.start, edit.end), client.encoding), edit.text)
        for edit in sorted(edits)
    ]
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes={uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])
