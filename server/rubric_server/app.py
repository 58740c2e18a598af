"""The server: the table of its requests and notifications, and the state that the features share."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import GeneratorType
from typing import Any, NamedTuple

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rubric_core import __version__
from rubric_core.assist.commands import CHANGING_COMMANDS, GRADING_COMMANDS
from rubric_core.config.config import Overrides
from rubric_server.convert import Client
from rubric_server.documents import OpenDocuments
from rubric_server.grading.last_grades import LastGrades
from rubric_server.grading.worker import GradingWorker
from rubric_server.progress import Cancellations
from rubric_server.protocol.converter import converter
from rubric_server.protocol.language_server import RubricProtocol
from rubric_server.settings import Settings
from rubric_server.work_queue import WorkQueue
from rubric_server.workspace import Workspace


class Feature(NamedTuple):
    """A method of the protocol, the function that answers it, and the options that are announced to the client.

    The function is below `features` and is imported when it is first called. Notifications are handled at once;
    a request is answered by a task, which `$/cancelRequest` cancels, and its function may be a coroutine or a `Work`.
    """

    method: str
    # "module:function", below `features`.
    answer: str
    # Members of the server's capabilities; a later row of the table overrides an earlier one.
    capabilities: dict[str, Any] = {}  # noqa: RUF012 - a row of a table; it is never changed.
    # The field of `Client` without which it is not announced to the client.
    needs: str = ""


COMPLETION = types.CompletionOptions(
    # A space triggers only where a value or an item starts; the feature checks that.
    trigger_characters=[":", " ", "-", "[", "*", ",", "{", "/"],
    resolve_provider=True,
    completion_item=types.ServerCompletionItemOptions(label_details_support=True),
)
DIAGNOSTICS = types.DiagnosticOptions(
    inter_file_dependencies=False, workspace_diagnostics=True, identifier="rubric", work_done_progress=True
)
CODE_ACTIONS = types.CodeActionOptions(
    code_action_kinds=[
        types.CodeActionKind.QuickFix,
        types.CodeActionKind.RefactorRewrite,
        types.CodeActionKind.RefactorExtract,
        types.CodeActionKind.RefactorInline,
        "source.fixAll.rubric",
        "source.migrate.rubric",
    ],
    resolve_provider=True,
)
INLAY_HINTS = types.InlayHintOptions(resolve_provider=True)
LENSES = types.CodeLensOptions(resolve_provider=False)
LINKS = types.DocumentLinkOptions(resolve_provider=False)
RENAMES = types.RenameOptions(prepare_provider=True)
SYNCHRONISATION = types.TextDocumentSyncOptions(
    open_close=True, change=types.TextDocumentSyncKind.Incremental, save=types.SaveOptions(include_text=False)
)
FOLDERS = types.WorkspaceOptions(
    workspace_folders=types.WorkspaceFoldersServerCapabilities(supported=True, change_notifications=True)
)

NOTIFICATIONS = (
    Feature(types.INITIALIZED, "lifecycle:initialized"),
    Feature(types.EXIT, "lifecycle:end"),
    Feature(types.TEXT_DOCUMENT_DID_OPEN, "synchronisation:did_open", {"text_document_sync": SYNCHRONISATION}),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, "synchronisation:did_change"),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, "synchronisation:did_close"),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, "synchronisation:did_save"),
    Feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION, "configuration:did_change"),
    Feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "synchronisation:did_change_folders", {"workspace": FOLDERS}),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "synchronisation:did_change_watched_files"),
    Feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, "lifecycle:stop_progress"),
    Feature("rubric/didChangeTrust", "lifecycle:did_change_trust"),
)

REQUESTS = (
    Feature(types.INITIALIZE, "lifecycle:initialize"),
    Feature(types.SHUTDOWN, "lifecycle:shutdown"),
    Feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC, "diagnostics:document_diagnostic", {"diagnostic_provider": DIAGNOSTICS}, "pull"
    ),
    Feature(types.WORKSPACE_DIAGNOSTIC, "workspace_diagnostics:workspace_diagnostic"),
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, "code_actions:code_action", {"code_action_provider": True}),
    # Only for clients with support for kinds.
    Feature(
        types.CODE_ACTION_RESOLVE, "code_actions:resolve", {"code_action_provider": CODE_ACTIONS}, "action_literals"
    ),
    Feature(types.WORKSPACE_EXECUTE_COMMAND, "commands:execute_command"),
    Feature(types.TEXT_DOCUMENT_COMPLETION, "completion:completion", {"completion_provider": COMPLETION}),
    Feature(types.COMPLETION_ITEM_RESOLVE, "completion:resolve"),
    Feature(types.TEXT_DOCUMENT_HOVER, "hover:hover", {"hover_provider": True}),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hints:inlay_hint", {"inlay_hint_provider": INLAY_HINTS}),
    Feature(types.INLAY_HINT_RESOLVE, "inlay_hints:resolve"),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, "code_lens:code_lens", {"code_lens_provider": LENSES}),
    Feature(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbols:document_symbol", {"document_symbol_provider": True}
    ),
    Feature(types.WORKSPACE_SYMBOL, "workspace_symbols:workspace_symbol", {"workspace_symbol_provider": True}),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, "folding:folding_range", {"folding_range_provider": True}),
    Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, "selection_range:selection_range", {"selection_range_provider": True}),
    Feature(types.TEXT_DOCUMENT_DEFINITION, "names:definition", {"definition_provider": True}),
    Feature(types.TEXT_DOCUMENT_REFERENCES, "names:references", {"references_provider": True}),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "names:document_highlight", {"document_highlight_provider": True}),
    Feature(types.TEXT_DOCUMENT_RENAME, "rename:rename_name", {"rename_provider": True}),
    # This may be announced only to a client that supports it.
    Feature(
        types.TEXT_DOCUMENT_PREPARE_RENAME, "rename:prepare_rename", {"rename_provider": RENAMES}, "prepared_renames"
    ),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, "document_links:document_link", {"document_link_provider": LINKS}),
)

FEATURES = (*NOTIFICATIONS, *REQUESTS)
# The refresh requests of the protocol, and the field of `Client` for the support of each.
_REFRESHES = {
    types.WORKSPACE_CODE_LENS_REFRESH: "lens_refresh",
    types.WORKSPACE_INLAY_HINT_REFRESH: "inlay_refresh",
    types.WORKSPACE_DIAGNOSTIC_REFRESH: "pull_refresh",
}
REFRESHES = tuple(_REFRESHES)


class RubricServer(LanguageServer):
    """The language server, with the state that the features share."""

    protocol: RubricProtocol

    def __init__(self) -> None:
        super().__init__("rubric-lsp", __version__, protocol_cls=RubricProtocol, converter_factory=converter)
        for feature in NOTIFICATIONS:
            self.feature(feature.method)(partial(_handle, self, feature.answer))
        for feature in REQUESTS:
            self.feature(feature.method)(partial(_answer, self, feature.answer))
        self.documents = OpenDocuments()
        self.client = Client()
        self.settings = Settings()
        self._workspace = Workspace()
        self.work = WorkQueue()
        # The settings that the client sent at the start.
        self.initial_options: Any = None
        # The documents with published problems, and those of them that are configurations.
        self.shown: set[str] = set()
        self.shown_configurations: set[str] = set()
        self._progresses = 0
        self.is_initialized = False
        self.was_shut_down = False
        # Set at the end of the connection.
        self.stopped = asyncio.Event()
        # Whether commands may run programs and send text.
        self.is_trusted = True
        self.grades = LastGrades()
        self.cancellations = Cancellations()
        self.grading_worker = GradingWorker()

    @property
    def workspace(self) -> Workspace:  # type: ignore[override]
        """Return our own workspace; that of pygls reads files and copies texts."""
        return self._workspace

    def close(self) -> int:
        """End the gradings, and return the status of the process: 0 after an orderly end, otherwise 1."""
        self.grading_worker.close()
        return 0 if self.was_shut_down else 1

    def initialize_result(self) -> types.InitializeResult:
        """Return the result of `initialize`: the capabilities and the name of the server."""
        provided: dict[str, Any] = {}
        for feature in FEATURES:
            if not feature.needs or getattr(self.client, feature.needs):
                provided.update(feature.capabilities)
        capabilities = types.ServerCapabilities(
            position_encoding=types.PositionEncodingKind(self.client.encoding),
            execute_command_provider=types.ExecuteCommandOptions(commands=list(self.commands)),
            **provided,
        )
        return types.InitializeResult(capabilities, self.protocol.server_info)

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the announced commands: those that change files only if the client supports that."""
        return (*CHANGING_COMMANDS, *GRADING_COMMANDS) if self.client.applies_edits else GRADING_COMMANDS

    def register(self, method: str, options: Any) -> None:
        """Register a notification with the client."""
        registration = types.Registration(id=method, method=method, register_options=options)
        self.protocol.request_without_answer(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))

    def apply_edit(self, edit: types.WorkspaceEdit, label: str | None = None) -> None:
        """Ask the client to apply an edit."""
        self.protocol.request_without_answer(types.WORKSPACE_APPLY_EDIT, types.ApplyWorkspaceEditParams(edit, label))

    def refresh(self, *methods: str) -> None:
        """Ask the client to request lenses, inlay hints or diagnostics again, if it supports that."""
        for method in methods:
            if getattr(self.client, _REFRESHES[method]):
                self.protocol.request_without_answer(method)

    def new_progress(self) -> str:
        """Create a progress token with the client."""
        self._progresses += 1
        token = f"rubric-{self._progresses}"
        self.protocol.request_without_answer(
            types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(token)
        )
        return token

    @property
    def overrides(self) -> Overrides:
        """Return the settings of the editor; in an untrusted workspace they raise no limit."""
        return replace(self.settings.overrides, may_raise_limits=self.is_trusted)

    def workspace_files(self) -> Iterator[Path]:
        """Yield the files of the workspace that may be eval files."""
        return self.workspace.files(self.overrides, watched=self.client.watches_files)

    def closed_files(self) -> Iterator[Path]:
        """Yield the files of the workspace that may be eval files and are not open."""
        is_open = {document.path for document in self.documents.values()}
        return (path for path in self.workspace_files() if str(path) not in is_open)


def _handle(server: RubricServer, answer: str, params: Any) -> None:
    function_of(answer)(server, params)


async def _answer(server: RubricServer, answer: str, params: Any) -> Any:
    result = function_of(answer)(server, params)
    if isinstance(result, GeneratorType):
        return await server.work.run(result)
    return await result if inspect.isawaitable(result) else result


def function_of(answer: str) -> Any:
    """Return the function that a table names; Python keeps modules that are imported already."""
    return getattr(import_module(module_of(answer)), answer.partition(":")[2])


def module_of(answer: str) -> str:
    """Return the module of the function that a table names."""
    return f"rubric_server.features.{answer.partition(':')[0]}"
