"""The server: its state, the table of all that it answers, and the loop that takes one message after the other."""

from __future__ import annotations

import logging
from collections.abc import Generator
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from rubric_core import __version__
from rubric_core.assist.commands import CHANGING_COMMANDS, GRADING_COMMANDS
from rubric_server import endpoint as rpc
from rubric_server import protocol
from rubric_server.convert import Client
from rubric_server.deferred import Deferred
from rubric_server.documents import OpenDocuments
from rubric_server.endpoint import Endpoint, Refused
from rubric_server.gradings import Gradings
from rubric_server.protocol import Json, misfit
from rubric_server.settings import Settings
from rubric_server.stops import Stops
from rubric_server.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rubric_server.desk import Desk
    from rubric_server.endpoint import Message, MessageId
    from rubric_server.streams import Stream

_log = logging.getLogger("rubric")

# Work that can wait is done in slices of this length, so that no message waits longer.
SLICE = 0.004

Work = Generator[None, None, Any]


class Feature(NamedTuple):
    """A method of the protocol, the function that answers it, and what the client is told about it.

    The function stands below `features` and is imported when it is first asked for.
    """

    method: str
    answer: str
    shape: Any = Any
    capabilities: dict[str, Any] = {}  # noqa: RUF012 - a row of a table; nobody changes it.
    # The field of `Client` without which the client is not told of it.
    needs: str = ""


SYNCHRONISATION = {"openClose": True, "change": 2, "save": {"includeText": False}}
DIAGNOSTICS = {
    "identifier": "rubric",
    "interFileDependencies": False,
    "workspaceDiagnostics": True,
    "workDoneProgress": True,
}
FOLDERS = {"workspaceFolders": {"supported": True, "changeNotifications": True}}
COMPLETION = {
    # A space is one only where a value or an item starts: the feature itself sees to that.
    "triggerCharacters": [":", " ", "-", "[", "*", ","],
    "resolveProvider": True,
    "completionItem": {"labelDetailsSupport": True},
}
ACTION_KINDS = ["quickfix", "refactor.rewrite", "refactor.extract", "refactor.inline", "source.fixAll.rubric"]

FEATURES = (
    Feature("initialize", "lifecycle:initialize", protocol.InitializeParams),
    Feature("initialized", "lifecycle:initialized"),
    Feature("shutdown", "lifecycle:shutdown"),
    Feature("$/setTrace", "lifecycle:ignored"),
    Feature("textDocument/didOpen", "synchronisation:did_open", protocol.DidOpenParams),
    Feature("textDocument/didChange", "synchronisation:did_change", protocol.DidChangeParams),
    Feature("textDocument/didClose", "synchronisation:did_close", protocol.TextDocumentParams),
    Feature("textDocument/didSave", "watching:did_save", protocol.TextDocumentParams),
    Feature("workspace/didChangeConfiguration", "configuration:did_change", protocol.DidChangeConfigurationParams),
    Feature(
        "workspace/didChangeWorkspaceFolders", "watching:did_change_folders", protocol.DidChangeWorkspaceFoldersParams
    ),
    Feature(
        "workspace/didChangeWatchedFiles", "watching:did_change_watched_files", protocol.DidChangeWatchedFilesParams
    ),
    Feature(
        "textDocument/diagnostic",
        "diagnostics:document_diagnostic",
        protocol.DocumentDiagnosticParams,
        {"diagnosticProvider": DIAGNOSTICS},
        "pull",
    ),
    Feature("workspace/diagnostic", "workspace_diagnostics:workspace_diagnostic", protocol.WorkspaceDiagnosticParams),
    Feature(
        "textDocument/codeAction",
        "code_actions:code_action",
        protocol.CodeActionParams,
        {"codeActionProvider": True},
    ),
    # Only a client that knows of kinds may be told of them.
    Feature(
        "codeAction/resolve",
        "code_actions:resolve",
        protocol.CodeAction,
        {"codeActionProvider": {"codeActionKinds": ACTION_KINDS, "resolveProvider": True}},
        "action_literals",
    ),
    Feature(
        "workspace/executeCommand",
        "commands:execute_command",
        protocol.ExecuteCommandParams,
    ),
    Feature("window/workDoneProgress/cancel", "trust:stop_progress", protocol.ProgressCancelParams),
    Feature("rubric/didChangeTrust", "trust:did_change_trust", protocol.TrustParams),
    Feature(
        "textDocument/completion",
        "completion:completion",
        protocol.CompletionParams,
        {"completionProvider": COMPLETION},
    ),
    Feature("completionItem/resolve", "completion:resolve", protocol.CompletionItem),
    Feature(
        "textDocument/hover",
        "hover:hover",
        protocol.TextDocumentPositionParams,
        {"hoverProvider": True},
    ),
    Feature(
        "textDocument/inlayHint",
        "inlay_hints:inlay_hint",
        protocol.TextDocumentRangeParams,
        {"inlayHintProvider": {"resolveProvider": True}},
    ),
    Feature("inlayHint/resolve", "inlay_hints:resolve", protocol.InlayHint),
    Feature(
        "textDocument/codeLens",
        "code_lens:code_lens",
        protocol.TextDocumentParams,
        {"codeLensProvider": {"resolveProvider": False}},
    ),
    Feature(
        "textDocument/documentSymbol",
        "document_symbols:document_symbol",
        protocol.TextDocumentParams,
        {"documentSymbolProvider": True},
    ),
    Feature(
        "workspace/symbol",
        "workspace_symbols:workspace_symbol",
        protocol.WorkspaceSymbolParams,
        {"workspaceSymbolProvider": True},
    ),
    Feature(
        "textDocument/foldingRange",
        "folding:folding_range",
        protocol.TextDocumentParams,
        {"foldingRangeProvider": True},
    ),
    Feature(
        "textDocument/selectionRange",
        "selection_range:selection_range",
        protocol.SelectionRangeParams,
        {"selectionRangeProvider": True},
    ),
    Feature(
        "textDocument/definition",
        "definition:definition",
        protocol.TextDocumentPositionParams,
        {"definitionProvider": True},
    ),
    Feature("textDocument/references", "references:references", protocol.ReferenceParams, {"referencesProvider": True}),
    Feature(
        "textDocument/documentHighlight",
        "highlights:document_highlight",
        protocol.TextDocumentPositionParams,
        {"documentHighlightProvider": True},
    ),
    Feature("textDocument/rename", "rename:rename_name", protocol.RenameParams, {"renameProvider": True}),
    # Only a client that can ask what would be renamed may be told that it can.
    Feature(
        "textDocument/prepareRename",
        "rename:prepare_rename",
        protocol.TextDocumentPositionParams,
        {"renameProvider": {"prepareProvider": True}},
        "prepared_renames",
    ),
    Feature(
        "textDocument/documentLink",
        "document_links:document_link",
        protocol.TextDocumentParams,
        {"documentLinkProvider": {"resolveProvider": False}},
    ),
)

_BY_METHOD = {feature.method: feature for feature in FEATURES}


class RubricServer:
    """The state that the features share."""

    def __init__(self, stream: Stream) -> None:
        self.endpoint = Endpoint(stream)
        self.documents = OpenDocuments()
        self.client = Client()
        self.settings = Settings()
        self.workspace = Workspace()
        # What the client said of settings when it started.
        self.initial_options: Json = None
        # The documents that have problems on the client's screen, and those of them that are configurations.
        self.shown: set[str] = set()
        self.shown_configurations: set[str] = set()
        self._progresses = 0
        self.is_initialized = False
        self.was_shut_down = False
        self._is_over = False
        self._jobs: dict[object, Work] = {}
        self._deferred: dict[_Request, Deferred] = {}
        # Whether commands may run programs and send text; what was graded last; what is being graded.
        self.is_trusted = True
        self.gradings = Gradings()
        self.stops = Stops()
        self._desk: Desk | None = None

    def run(self) -> int:
        """Serve until the client is done; return the status for the process: 0 after an orderly end, otherwise 1."""
        self.endpoint.start()
        while not self._is_over:
            message = self.endpoint.take(wait=not self.has_work)
            if message is not None:
                self.receive(message)
            else:
                self.work()
        if self._desk is not None:
            self._desk.close()
        return 0 if self.was_shut_down else 1

    @property
    def desk(self) -> Desk:
        """Return the desk where grading happens; it is set up for the first grading."""
        if self._desk is None:
            from rubric_server.desk import Desk  # noqa: PLC0415 - most users only edit.

            self._desk = Desk()
        return self._desk

    def introduction(self) -> Json:
        """Return what the client is told of us: what we can do for it, and who we are."""
        found: dict[str, Any] = {
            "positionEncoding": self.client.encoding,
            "textDocumentSync": SYNCHRONISATION,
            "workspace": FOLDERS,
            "executeCommandProvider": {"commands": list(self.commands)},
        }
        for feature in FEATURES:
            if not feature.needs or getattr(self.client, feature.needs):
                found.update(feature.capabilities)
        return {"capabilities": found, "serverInfo": {"name": "rubric-lsp", "version": __version__}}

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the commands that the client is told of: those that change files only where it lets us."""
        return (*CHANGING_COMMANDS, *GRADING_COMMANDS) if self.client.applies_edits else GRADING_COMMANDS

    def register(self, method: str, options: Json) -> None:
        """Ask the client to tell us of something."""
        registration = {"id": method, "method": method, "registerOptions": options}
        self.endpoint.request("client/registerCapability", {"registrations": [registration]})

    def new_progress(self) -> str:
        """Agree with the client on a token to tell some progress under."""
        self._progresses += 1
        token = f"rubric-{self._progresses}"
        self.endpoint.request("window/workDoneProgress/create", {"token": token})
        return token

    def workspace_files(self) -> Iterator[Path]:
        """Give the files of the workspace that may be eval files."""
        return self.workspace.files(self.settings.overrides, watched=self.client.watches_files)

    # Work that can wait

    @property
    def has_work(self) -> bool:
        """Tell whether some work waits."""
        return bool(self._jobs)

    def later(self, key: object, work: Work) -> None:
        """Do some work in slices between messages, the newest first; it takes the place of what has the same key."""
        self.drop(key)
        self._jobs = {key: work, **self._jobs}

    def drop(self, key: object) -> bool:
        """Give up some work; tell whether there was any."""
        work = self._jobs.pop(key, None)
        if work is not None:
            work.close()
        return work is not None

    def work(self) -> None:
        """Do a slice of the first work that waits, and put it behind the others."""
        key, work = next(iter(self._jobs.items()))
        del self._jobs[key]
        end = perf_counter() + SLICE
        try:
            while perf_counter() < end:
                next(work)
        except StopIteration as done:
            self._finish(key, done.value)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the server goes on.
            self._give_up(key, error)
        else:
            self._jobs[key] = work

    def _finish(self, key: object, result: Json | Deferred) -> None:
        if isinstance(key, _Request) and isinstance(result, Deferred):
            self._defer(key, result)
        elif isinstance(key, _Request):
            self.endpoint.answer(key.id, result)

    def _give_up(self, key: object, error: Exception) -> None:
        if isinstance(key, _Request):
            self._fail(key.id, error)
        else:
            _log.error("Some work failed: %r", key, exc_info=error)

    # Answers that come from the desk

    def _defer(self, key: _Request, deferred: Deferred) -> None:
        self._deferred[key] = deferred
        deferred.future.add_done_callback(lambda _done: self.endpoint.post(lambda: self._settle(key)))

    def _settle(self, key: _Request) -> None:
        """Answer a request whose work has ended, unless it was called off."""
        deferred = self._deferred.pop(key, None)
        if deferred is not None and deferred.future.cancelled():
            self.endpoint.fail(key.id, rpc.CANCELLED, "The request was cancelled.")
        elif deferred is not None:
            self._guard(key.id, lambda: self.endpoint.answer(key.id, deferred.finish(deferred.future)))

    # Messages

    def receive(self, message: Message) -> None:
        """Answer a message. Nothing that a client sends ends the server, but its wish."""
        if message.call is not None:
            self._guard(None, message.call)
        elif message.method == "exit":
            self._is_over = True
        elif message.is_answer:
            self._guard(None, self.endpoint.settle, message.params)
        elif message.method == rpc.CANCEL:
            self._cancel(message.params)
        elif message.is_request:
            self._request(message)
        elif self.is_initialized and not self.was_shut_down:
            self._notification(message)

    def _cancel(self, params: Json) -> None:
        number = params.get("id") if isinstance(params, dict) else None
        self.endpoint.cancelled.discard(number)
        deferred = self._deferred.pop(_Request(number), None)
        if deferred is not None:
            deferred.future.cancel()
        if deferred is not None or self.drop(_Request(number)):
            self.endpoint.fail(number, rpc.CANCELLED, "The request was cancelled.")

    def _request(self, message: Message) -> None:
        feature = _BY_METHOD.get(message.method)
        wrong = misfit(message.params, feature.shape) if feature else None
        if self.was_shut_down:
            refusal = rpc.INVALID_REQUEST, "The server was shut down; only `exit` may follow."
        elif not self.is_initialized and message.method != "initialize":
            refusal = rpc.NOT_INITIALIZED, "The first request must be `initialize`."
        elif message.id in self.endpoint.cancelled:
            refusal = rpc.CANCELLED, "The request was cancelled."
        elif feature is None:
            refusal = rpc.METHOD_NOT_FOUND, f"There is no method `{message.method}`."
        elif wrong is not None:
            refusal = rpc.INVALID_PARAMS, wrong
        elif _Request(message.id) in self._jobs or _Request(message.id) in self._deferred:
            refusal = rpc.INVALID_REQUEST, f"The request {message.id!r} is being answered already."
        else:
            self._guard(message.id, self._answer, feature, message)
            return
        self.endpoint.fail(message.id, *refusal)

    def _answer(self, feature: Feature, message: Message) -> None:
        result = _function(feature.answer)(self, message.params)
        if isinstance(result, Generator):
            self.later(_Request(message.id), result)
        elif isinstance(result, Deferred):
            self._defer(_Request(message.id), result)
        else:
            self.endpoint.answer(message.id, result)

    def _notification(self, message: Message) -> None:
        feature = _BY_METHOD.get(message.method)
        if feature is None:
            return
        wrong = misfit(message.params, feature.shape)
        if wrong is not None:
            _log.warning("The notification %s was ignored: %s", message.method, wrong)
        else:
            self._guard(None, _function(feature.answer), self, message.params)

    def _guard(self, number: MessageId, call: Any, *arguments: Any) -> None:
        try:
            call(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the server goes on.
            self._fail(number, error)

    def _fail(self, number: MessageId, error: Exception) -> None:
        """Answer a request that failed. One that was refused is the user's to read; all else is ours to find."""
        if isinstance(error, Refused):
            self.endpoint.fail(number, error.code, error.message, error.data)
            return
        _log.error("A message could not be answered.", exc_info=error)
        if number is not None:
            self.endpoint.fail(number, rpc.INTERNAL_ERROR, f"{type(error).__name__}: {error}")


class _Request(NamedTuple):
    """The key of work that answers a request."""

    id: MessageId


def _function(answer: str) -> Any:
    """Return the function of a row of the table; Python keeps modules that are imported already."""
    module, _, name = answer.partition(":")
    return getattr(import_module(f"rubric_server.features.{module}"), name)
