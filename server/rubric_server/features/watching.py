"""Noticing that files around the open documents changed: configurations, targets, what cases refer to, the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.files.walk import SUFFIXES
from rubric_server.features.diagnostics import look_at_all_again
from rubric_server.grading.stored_grades import recall_all

if TYPE_CHECKING:
    from rubric_server.app import RubricServer

# A run on the command line writes it when it ends.
_STORE = ".rubric/rubric.db"
_WATCHED = (
    "rubric.toml",
    "pyproject.toml",
    ".gitignore",
    f"*.{{{','.join(suffix[1:] for suffix in SUFFIXES)}}}",
    _STORE,
)


def watch(server: RubricServer) -> None:
    """Ask the client to tell when a file that we depend on changes. Targets and eval files are YAML too."""
    if server.client.watches_files:
        watchers = [types.FileSystemWatcher(f"**/{name}") for name in _WATCHED]
        server.register(
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesRegistrationOptions(watchers)
        )


def did_save(server: RubricServer, _params: types.DidSaveTextDocumentParams) -> None:
    """Look whether the saved file changes what is true of the others."""
    look_at_all_again(server)


def did_change_watched_files(server: RubricServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Look whether files that came, went or changed make a difference to the open ones."""
    is_store = [change.uri.endswith(f"/{_STORE}") for change in params.changes]
    if any(is_store):
        recall_all(server)
    if not all(is_store):
        look_at_all_again(server)


def did_change_folders(server: RubricServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Follow the folders of the workspace."""
    server.workspace.close([folder.uri for folder in params.event.removed])
    server.workspace.open([folder.uri for folder in params.event.added])
