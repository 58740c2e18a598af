"""Convert spans, problems, edits and paths to types of the protocol, and back. No other module does this.

Spans are offsets in code points. Positions count lines, and columns in the units of the client's encoding.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from rubric_core.syntax.chunks import Chunk
from rubric_core.text.encodings import PositionEncoding, column_of_units, units_before
from rubric_core.text.lines import LineIndex
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.document import Document
    from rubric_server.documents import OpenDocument

SOURCE = "rubric"
_HERE = Path(__file__).resolve().parent
# An installed package has the pages of the rules beside it; in the project they are in the documentation.
_PAGES = (_HERE / "pages", _HERE.parents[1] / "docs" / "rules")

_ENCODINGS = get_args(PositionEncoding)
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "hint": types.DiagnosticSeverity.Hint,
}
_FORMATS = ("markdown", "plaintext")
_DRIVE_LENGTH = 3

FindRange = Callable[[Span, object], types.Range]
"""Finds the range of a span of the problem's own text, or of the chunk that is given."""


@dataclass(frozen=True, slots=True)
class CompletionClient:
    """The client's support for completion."""

    snippets: bool = False
    label_details: bool = False
    # The preferred format of documentation, `markdown` or `plaintext`; empty if the client names none.
    documentation: str = ""
    # Whether the client requests the documentation of a proposal when it shows it.
    asks_later: bool = True
    # The supported values of `InsertTextMode`, and whether further lines are adjusted if none is sent.
    modes: frozenset[int] = frozenset()
    adjusts: bool = False
    # Whether one range can be sent for all proposals of a list.
    shared_range: bool = False


def _ability(path: str) -> Any:
    """Return a field for a capability, with its path in the protocol."""
    return field(default=False, metadata={"path": path})


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities of the client; by default the least that the protocol guarantees."""

    encoding: PositionEncoding = "utf-16"
    related: bool = _ability("textDocument.publishDiagnostics.relatedInformation")
    tags: bool = _ability("textDocument.publishDiagnostics.tagSupport")
    rule_links: bool = _ability("textDocument.publishDiagnostics.codeDescriptionSupport")
    fix_data: bool = _ability("textDocument.publishDiagnostics.dataSupport")
    pull: bool = _ability("textDocument.diagnostic")
    pull_refresh: bool = _ability("workspace.diagnostics.refreshSupport")
    versioned_edits: bool = _ability("workspace.workspaceEdit.documentChanges")
    # Whether an edit may make files; otherwise the server makes them when a command applies the edit.
    makes_files: bool = False
    action_literals: bool = _ability("textDocument.codeAction.codeActionLiteralSupport")
    resolves_actions: bool = False
    prefers_actions: bool = _ability("textDocument.codeAction.isPreferredSupport")
    applies_edits: bool = _ability("workspace.applyEdit")
    watches_files: bool = _ability("workspace.didChangeWatchedFiles.dynamicRegistration")
    configuration: bool = _ability("workspace.configuration")
    configuration_registration: bool = _ability("workspace.didChangeConfiguration.dynamicRegistration")
    progress: bool = _ability("window.workDoneProgress")
    inlay_refresh: bool = _ability("workspace.inlayHint.refreshSupport")
    lens_refresh: bool = _ability("workspace.codeLens.refreshSupport")
    nested_symbols: bool = _ability("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport")
    definition_links: bool = _ability("textDocument.definition.linkSupport")
    prepared_renames: bool = _ability("textDocument.rename.prepareSupport")
    link_tooltips: bool = _ability("textDocument.documentLink.tooltipSupport")
    most_folds: int | None = None
    markdown_hovers: bool = False
    later_tooltips: bool = False
    # The kinds of judge that the client can be, and what else it does for grading.
    judges: frozenset[str] = frozenset()
    graded: bool = _ability("experimental.rubric.graded")
    report: bool = _ability("experimental.rubric.report")
    secrets: bool = _ability("experimental.rubric.secrets")
    dialect: bool = _ability("experimental.rubric.dialect")
    shows_documents: bool = _ability("window.showDocument.support")
    completion: CompletionClient = CompletionClient()


_CLIENT_JUDGES = ("manual", "editor")


def client_of(capabilities: Any) -> Client:
    """Read the capabilities of a client, which stay JSON. An empty object is an ability without options."""
    encodings = [name for name in _list_at(capabilities, "general.positionEncodings") if name in _ENCODINGS]
    paths = {ability.name: ability.metadata["path"] for ability in fields(Client) if ability.metadata}
    abilities = {name: _can(capabilities, path) for name, path in paths.items()}
    if abilities["pull"]:
        # A client that pulls diagnostics may list only there which parts of a diagnostic it supports.
        for name, path in paths.items():
            abilities[name] |= _can(capabilities, path.replace("publishDiagnostics", "diagnostic"))
    abilities["pull_refresh"] &= abilities["pull"]
    most_folds = at_path(capabilities, "textDocument.foldingRange.rangeLimit")
    can_return_data = bool(at_path(capabilities, "textDocument.codeAction.dataSupport"))
    resolved = _list_at(capabilities, "textDocument.codeAction.resolveSupport.properties")
    judges = _list_at(capabilities, "experimental.rubric.judges")
    return Client(
        encoding=encodings[0] if encodings else "utf-16",
        most_folds=most_folds if type(most_folds) is int and most_folds > 0 else None,
        # Whether the client can request the edit of an action later.
        resolves_actions=can_return_data and "edit" in resolved,
        makes_files=abilities["versioned_edits"]
        and types.ResourceOperationKind.Create.value
        in _list_at(capabilities, "workspace.workspaceEdit.resourceOperations"),
        markdown_hovers=_preferred_format(_list_at(capabilities, "textDocument.hover.contentFormat")) == "markdown",
        judges=frozenset(kind for kind in _CLIENT_JUDGES if kind in judges),
        later_tooltips="tooltip" in _list_at(capabilities, "textDocument.inlayHint.resolveSupport.properties"),
        completion=_completion_client(at_path(capabilities, "textDocument.completion")),
        **abilities,
    )


def _can(capabilities: dict[str, Any], path: str) -> bool:
    return at_path(capabilities, path) not in (None, False)


def _list_at(value: Any, path: str) -> list[Any]:
    member = at_path(value, path)
    return member if isinstance(member, list) else []


def _preferred_format(formats: list[Any]) -> str:
    """Return the first known format of documentation; empty if the client names none."""
    return next((name for name in formats if name in _FORMATS), "")


def _completion_client(support: Any) -> CompletionClient:
    properties = at_path(support, "completionItem.resolveSupport.properties")
    return CompletionClient(
        snippets=at_path(support, "completionItem.snippetSupport") is True,
        label_details=at_path(support, "completionItem.labelDetailsSupport") is True,
        documentation=_preferred_format(_list_at(support, "completionItem.documentationFormat")),
        # A client that does not list what it requests later requests the documentation.
        asks_later=not isinstance(properties, list) or "documentation" in properties,
        modes=frozenset(
            mode for mode in _list_at(support, "completionItem.insertTextModeSupport.valueSet") if type(mode) is int
        ),
        adjusts=at_path(support, "insertTextMode") == types.InsertTextMode.AdjustIndentation.value,
        shared_range="editRange" in _list_at(support, "completionList.itemDefaults"),
    )


def at_path(value: Any, path: str) -> Any:
    """Return a member of a member of a JSON value; None where it is missing."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


class Places:
    """Converts offsets of a text that starts at a line's start to positions, counted from a line."""

    def __init__(self, text: str, encoding: PositionEncoding, first_line: int = 0) -> None:
        self._lines = LineIndex(text)
        self._encoding = encoding
        self._first_line = first_line

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line, column = self._lines.position(offset)
        units = units_before(self._lines.line_text(line), column, self._encoding)
        return types.Position(line + self._first_line, units)

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))


def position_of(document: Document, offset: int, encoding: PositionEncoding) -> types.Position:
    """Return the position of an offset in a document, from the text of its chunk only."""
    index = document.chunk_at(offset)
    places = Places(document.chunks[index].text, encoding, document.line_of(index))
    return places.position(offset - document.start_of(index))


def range_of(document: Document, span: Span, encoding: PositionEncoding) -> types.Range:
    """Return the range of a span in a document."""
    return types.Range(position_of(document, span.start, encoding), position_of(document, span.end, encoding))


class Ranges:
    """Finds the ranges of spans in one document; the lines of a chunk are counted once for neighbouring spans."""

    def __init__(self, document: Document, encoding: PositionEncoding) -> None:
        self._document = document
        self._encoding = encoding
        self._bounds = Span(0, -1)
        self._places = Places("", encoding)

    def __call__(self, span: Span, chunk: object | None = None) -> types.Range:
        """Return the range of a span of the document, or of one of its chunks."""
        document = self._document
        if isinstance(chunk, Chunk):
            span = span.shifted(document.start_of(document.index_of(chunk)))
        if not self._bounds.start <= span.start <= span.end < self._bounds.end:
            index = document.chunk_at(span.start)
            start, text = document.start_of(index), document.chunks[index].text
            if span.end >= start + len(text):
                return range_of(document, span, self._encoding)
            self._bounds = Span(start, start + len(text))
            self._places = Places(text, self._encoding, document.line_of(index))
        return self._places.range(span.shifted(-self._bounds.start))


def offset_of(document: Document, position: types.Position, encoding: PositionEncoding) -> int:
    """Return the offset of a position; a position outside of the text is moved into it."""
    start = document.offset(position.line, 0)
    index = document.chunk_at(start)
    lines = LineIndex(document.chunks[index].text)
    line = position.line - document.line_of(index)
    if not 0 <= line < len(lines.starts):
        return start
    return start + column_of_units(lines.line_text(line), position.character, encoding)


def span_of(document: Document, lsp_range: types.Range, encoding: PositionEncoding) -> Span:
    """Return the span of a range; one that ends before it starts is empty."""
    start = offset_of(document, lsp_range.start, encoding)
    return Span(start, max(start, offset_of(document, lsp_range.end, encoding)))


def edit_of(document: Document, change: types.TextDocumentContentChangeEvent, encoding: PositionEncoding) -> Edit:
    """Return a change of the text as an edit; one without a range replaces the whole text."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        return Edit(*span_of(document, change.range, encoding), change.text)
    last = len(document.chunks) - 1
    return Edit(0, document.start_of(last) + len(document.chunks[last].text), change.text)


@cache
def page_uri(code: str) -> str | None:
    """Return the address of a rule's page, a local file; None in an installation without the pages."""
    pages = (folder / f"{code}.md" for folder in _PAGES)
    return next((page.as_uri() for page in pages if page.is_file()), None)


def diagnostic_of(problem: Problem, uri: str, ranges: FindRange, client: Client) -> types.Diagnostic:
    """Return a problem as a diagnostic."""
    diagnostic = types.Diagnostic(
        range=ranges(problem.span, None),
        severity=_SEVERITIES[problem.severity.value],
        code=problem.code,
        source=SOURCE,
        message=problem.message,
    )
    page = page_uri(problem.code) if client.rule_links else None
    if page is not None:
        diagnostic.code_description = types.CodeDescription(page)
    if client.fix_data and problem.fixes is not None:
        # Clients show a light bulb for this without requesting the fixes.
        diagnostic.data = {"fixable": True}
    if problem.deprecated and client.tags:
        diagnostic.tags = [types.DiagnosticTag.Deprecated]
    if problem.related and client.related:
        diagnostic.related_information = [
            types.DiagnosticRelatedInformation(types.Location(uri, ranges(other.span, other.chunk)), other.message)
            for other in problem.related
        ]
    return diagnostic


def text_edits_of(document: Document, edits: Iterable[Edit], encoding: PositionEncoding) -> list[types.TextEdit]:
    """Return edits of one document in the order of its text; all of them refer to the current text."""
    return [
        types.TextEdit(range_of(document, Span(edit.start, edit.end), encoding), edit.text) for edit in sorted(edits)
    ]


def workspace_edit_of(document: OpenDocument, edits: Iterable[Edit], client: Client) -> types.WorkspaceEdit:
    """Return edits of one document, tied to its version where the client can check that."""
    changes = text_edits_of(document.text, edits, client.encoding)
    return edits_of_files([(document.uri, document.version, changes)], client)


def with_new_file(edit: types.WorkspaceEdit, uri: str, text: str) -> types.WorkspaceEdit:
    """Return an edit that first makes a file, which must not be there yet, and writes its text."""
    start = types.Position(0, 0)
    made = types.CreateFile(uri=uri, options=types.CreateFileOptions(overwrite=False, ignore_if_exists=False))
    filled = types.TextDocumentEdit(
        types.OptionalVersionedTextDocumentIdentifier(uri, None), [types.TextEdit(types.Range(start, start), text)]
    )
    return types.WorkspaceEdit(document_changes=[made, filled, *(edit.document_changes or ())])


def edits_of_files(
    files: Iterable[tuple[str, int | None, list[types.TextEdit]]], client: Client
) -> types.WorkspaceEdit:
    """Return edits of several files, each with its version if it is open."""
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes={uri: edits for uri, _, edits in files})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), edits)
            for uri, version, edits in files
        ]
    )


def path_of(uri: str) -> str:
    """Return the path of a file's address; nothing for an address that is no file's."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme != "file":
        return ""
    path = unquote(parts.path, errors="surrogateescape")
    if parts.netloc and parts.netloc != "localhost":
        path = f"//{parts.netloc}{path}"
    elif os.name == "nt" and len(path) >= _DRIVE_LENGTH and path[0] == "/" and path[2] == ":":
        # `/c:/folder` is a path on a drive.
        path = path[1:]
    return "" if "\0" in path else path


def uri_of(path: str | Path) -> str:
    """Return the address of a file."""
    return Path(path).absolute().as_uri()
