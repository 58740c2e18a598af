"""The texts of open documents as the editor changes them, and changes of the files and folders around them."""

from __future__ import annotations

import gc

from lsprotocol import types

from rubric_core.files.walk import SUFFIXES
from rubric_server.app import RubricServer
from rubric_server.features import diagnostics
from rubric_server.grading.stored_grades import refresh_all_grades

# A run on the command line writes it when it ends.
_STORE = ".rubric/rubric.db"
_WATCHED = (
    "rubric.toml",
    "pyproject.toml",
    ".gitignore",
    f"*.{{{','.join(suffix[1:] for suffix in SUFFIXES)}}}",
    _STORE,
)


def did_open(server: RubricServer, params: types.DidOpenTextDocumentParams) -> None:
    """Open a document and find its problems."""
    document = server.documents.open(params.text_document, server.overrides)
    diagnostics.update_diagnostics(server, document)


def did_change(server: RubricServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply an edit and find the problems of the new text."""
    identifier = params.text_document
    document = server.documents.get(identifier.uri)
    if document is None:
        # It is not open, so there is no text that the change could apply to.
        return
    version: int | None = identifier.version
    document.change(params.content_changes, document.version if version is None else version, server.client)
    diagnostics.update_diagnostics(server, document)


def did_close(server: RubricServer, params: types.DidCloseTextDocumentParams) -> None:
    """Close a document and clear its problems."""
    uri = params.text_document.uri
    document = server.documents.pop(uri, None)
    if document is not None:
        diagnostics.clear_diagnostics(server, document)
        server.grades.loaded_stores.pop(uri, None)
        gc.unfreeze()


def watch(server: RubricServer) -> None:
    """Request notifications about changed files that problems depend on. Targets files are YAML too."""
    if server.client.watches_files:
        watchers = [types.FileSystemWatcher(f"**/{name}") for name in _WATCHED]
        server.register(
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesRegistrationOptions(watchers)
        )


def did_save(server: RubricServer, _params: types.DidSaveTextDocumentParams) -> None:
    """Update the problems of other files that depend on the saved one."""
    diagnostics.refresh_diagnostics(server)


def did_change_watched_files(server: RubricServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Update the problems of open files that depend on the changed ones."""
    is_store = [change.uri.endswith(f"/{_STORE}") for change in params.changes]
    if any(is_store):
        refresh_all_grades(server)
    if not all(is_store):
        diagnostics.refresh_diagnostics(server)


def did_change_folders(server: RubricServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Update the folders of the workspace."""
    server.workspace.close([folder.uri for folder in params.event.removed])
    server.workspace.open([folder.uri for folder in params.event.added])
