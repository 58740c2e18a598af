"""The messages of the language server protocol that we read and write, as plain JSON values.

The names of members are the protocol's own. `misfit` compares what a client sent with one of these shapes, so that a
feature can rely on what it was given.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

Json = Any
"""A value read from JSON text, or one that can be written as such."""


class Position(TypedDict):
    """A place between two characters: the line, and the units before it on that line."""

    line: int
    character: int


class Range(TypedDict):
    """A stretch of text between two positions."""

    start: Position
    end: Position


class TextEdit(TypedDict):
    """A range and the text that takes its place."""

    range: Range
    newText: str


class TextDocumentIdentifier(TypedDict):
    """A document by its address."""

    uri: str


class VersionedTextDocumentIdentifier(TextDocumentIdentifier):
    """A document at one version of its text, as far as the client counts them."""

    version: int | None


class _TextDocumentItem(TypedDict):
    uri: str
    version: int
    text: str


class TextDocumentItem(_TextDocumentItem, total=False):
    """A document that the client opens, with its text."""

    languageId: str


class DidOpenParams(TypedDict):
    """What `textDocument/didOpen` brings."""

    textDocument: TextDocumentItem


class _Change(TypedDict):
    text: str


class ContentChange(_Change, total=False):
    """A change of a text; one without a range brings the whole text."""

    range: Range


class DidChangeParams(TypedDict):
    """What `textDocument/didChange` brings."""

    textDocument: VersionedTextDocumentIdentifier
    contentChanges: list[ContentChange]


class TextDocumentParams(TypedDict):
    """The parameters of requests and notifications that speak of one document."""

    textDocument: TextDocumentIdentifier


class TextDocumentPositionParams(TextDocumentParams):
    """The parameters of requests that speak of one place in a document."""

    position: Position


class TextDocumentRangeParams(TextDocumentParams):
    """The parameters of requests that speak of a stretch of a document."""

    range: Range


class CodeActionContext(TypedDict, total=False):
    """What a client asks code actions for."""

    diagnostics: list[Any]
    only: list[str] | None


class CodeActionParams(TextDocumentRangeParams):
    """The parameters of `textDocument/codeAction`."""

    context: CodeActionContext


class SelectionRangeParams(TextDocumentParams):
    """The parameters of `textDocument/selectionRange`."""

    positions: list[Position]


class ReferenceContext(TypedDict):
    """Whether the definition counts as a reference."""

    includeDeclaration: bool


class ReferenceParams(TextDocumentPositionParams):
    """The parameters of `textDocument/references`."""

    context: ReferenceContext


class RenameParams(TextDocumentPositionParams):
    """The parameters of `textDocument/rename`."""

    newName: str


class _Placed(TypedDict):
    position: Position


class InlayHint(_Placed, total=False):
    """A hint that comes back for its tooltip; `data` says what it is about, the rest is the client's to keep."""

    data: Any


class InlayHintData(TypedDict):
    """What we give a hint along: its document, the version of that, and its kind."""

    uri: str
    version: int
    kind: str


class WorkspaceSymbolParams(TypedDict):
    """The parameters of `workspace/symbol`."""

    query: str


class CompletionContext(TypedDict, total=False):
    """Why completion was asked for: `triggerKind` 2 is a character that was typed."""

    triggerKind: int
    triggerCharacter: str


class CompletionParams(TextDocumentPositionParams, total=False):
    """The parameters of `textDocument/completion`."""

    context: CompletionContext | None


class _Labelled(TypedDict):
    label: str


class CompletionItem(_Labelled, total=False):
    """A proposal that comes back to be documented; `data` says what it is about, the rest is the client's to keep."""

    data: Any


class _ActionData(TypedDict):
    uri: str
    version: int
    do: str


class CodeActionData(_ActionData, total=False):
    """What we need to know again when an action is resolved: for which text it was offered, and what it is to do."""

    code: str
    name: str
    start: int
    end: int


class _Titled(TypedDict):
    title: str


class CodeAction(_Titled, total=False):
    """A change that is offered to the user."""

    kind: str
    diagnostics: list[Any]
    isPreferred: bool
    edit: Any
    command: Any
    data: Any


class AppliedAction(TypedDict, total=False):
    """An action that comes back as the argument of a command: with its edit, or with what it takes to make one."""

    uri: str
    version: int
    edit: dict[str, Any]
    data: Any


class _NamedCommand(TypedDict):
    command: str


class ExecuteCommandParams(_NamedCommand, total=False):
    """The parameters of `workspace/executeCommand`."""

    arguments: list[Any] | None
    workDoneToken: int | str


class _Graded(TypedDict):
    uri: str


class GradeParams(_Graded, total=False):
    """The argument of the commands that grade; each of them reads what it needs of it."""

    position: Position
    caseId: str
    caseIds: list[str]
    criterionId: str
    evaluator: str
    answer: str
    answers: dict[str, Any]
    judge: str
    target: str
    samples: int
    resume: bool
    ranges: bool


class JudgesParams(TypedDict, total=False):
    """The argument of `rubric.listJudges`: a file, or nothing for the project."""

    uri: str


class ReportParams(TypedDict, total=False):
    """The argument of `rubric.showReport`: a run, or the latest one, or the latest one with a case of the file."""

    uri: str
    run: int
    caseId: str


class CompareParams(TypedDict, total=False):
    """The argument of `rubric.compare`: two runs of the store."""

    before: int
    after: int
    uri: str


class TrustParams(TypedDict):
    """The parameters of `rubric/didChangeTrust`."""

    trusted: bool


class ProgressCancelParams(TypedDict):
    """The parameters of `window/workDoneProgress/cancel`."""

    token: int | str


class DocumentDiagnosticParams(TextDocumentParams, total=False):
    """The parameters of `textDocument/diagnostic`."""

    previousResultId: str | None


class PreviousResultId(TypedDict):
    """What a client was told of a document."""

    uri: str
    value: str


class _WorkspaceDiagnostic(TypedDict):
    previousResultIds: list[PreviousResultId]


class WorkspaceDiagnosticParams(_WorkspaceDiagnostic, total=False):
    """The parameters of `workspace/diagnostic`."""

    workDoneToken: int | str


class _Initialize(TypedDict):
    capabilities: dict[str, Any]


class InitializeParams(_Initialize, total=False):
    """What we read of the first request of all."""

    workspaceFolders: Any
    rootUri: Any
    initializationOptions: Any


class FileEvent(TypedDict):
    """A file that came, changed or went."""

    uri: str
    type: int


class DidChangeWatchedFilesParams(TypedDict):
    """What `workspace/didChangeWatchedFiles` brings."""

    changes: list[FileEvent]


class DidChangeConfigurationParams(TypedDict):
    """What `workspace/didChangeConfiguration` brings."""

    settings: Any


class WorkspaceFolder(TypedDict):
    """A folder that is open in the editor."""

    uri: str
    name: str


class WorkspaceFoldersChange(TypedDict):
    """Which folders came and went."""

    added: list[WorkspaceFolder]
    removed: list[WorkspaceFolder]


class DidChangeWorkspaceFoldersParams(TypedDict):
    """What `workspace/didChangeWorkspaceFolders` brings."""

    event: WorkspaceFoldersChange


@cache
def _members(shape: type) -> tuple[tuple[str, Any, bool], ...]:
    """Return the members of a shape: their names, their types, and whether they must be there."""
    required: frozenset[str] = getattr(shape, "__required_keys__", frozenset())
    return tuple((name, kind, name in required) for name, kind in get_type_hints(shape).items())


def misfit(value: Json, shape: Any, path: str = "params") -> str | None:
    """Return what is wrong with a value, in words; None where it has the shape."""
    if shape is Any:
        return None
    if is_typeddict(shape):
        return _mapping_misfit(value, shape, path)
    origin = get_origin(shape)
    if origin is Union or origin is UnionType:
        wrong = [misfit(value, kind, path) for kind in get_args(shape)]
        return wrong[0] if all(wrong) else None
    return _list_misfit(value, shape, path) if origin is list else _plain_misfit(value, origin or shape, path)


_NOUNS = {str: "a string", int: "an integer", bool: "true or false", dict: "an object", list: "a list"}


def _plain_misfit(value: Json, kind: type, path: str) -> str | None:
    # To Python true is also 1, but a client that sends it as a number has made a mistake.
    if isinstance(value, kind) and (kind is not int or not isinstance(value, bool)):
        return None
    return f"`{path}` must be {_NOUNS.get(kind, 'absent')}."


def _list_misfit(value: Json, shape: Any, path: str) -> str | None:
    if not isinstance(value, list):
        return _plain_misfit(value, list, path)
    kind = get_args(shape)[0]
    return next((wrong for at, item in enumerate(value) if (wrong := misfit(item, kind, f"{path}[{at}]"))), None)


def _mapping_misfit(value: Json, shape: type, path: str) -> str | None:
    if not isinstance(value, dict):
        return _plain_misfit(value, dict, path)
    for name, kind, required in _members(shape):
        if name not in value and required:
            return f"`{path}.{name}` is missing."
        if value.get(name) is None and not required:
            # Some clients write null for what they leave out.
            continue
        wrong = misfit(value[name], kind, f"{path}.{name}")
        if wrong is not None:
            return wrong
    return None
