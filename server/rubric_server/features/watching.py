"""Noticing that files around the open documents changed: configurations, targets, files that cases refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.config.load import OWN_FILE, SHARED_FILE
from rubric_core.files.look import TARGETS_FILES
from rubric_server.features.diagnostics import publish_soon

if TYPE_CHECKING:
    from rubric_server.app import RubricServer

WATCHED = (OWN_FILE, SHARED_FILE, *TARGETS_FILES)


def initialized(server: RubricServer, _params: types.InitializedParams) -> None:
    """Ask the client to tell when a file that we depend on changes."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(glob_pattern=f"**/{name}") for name in WATCHED]
    registration = types.Registration(
        id="rubric-files",
        method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
    )
    server.client_register_capability(types.RegistrationParams(registrations=[registration]))


def did_save(server: RubricServer, _params: types.DidSaveTextDocumentParams) -> None:
    """Look whether the saved file changes what is true of the open ones."""
    _look_again(server)


def did_change_watched_files(server: RubricServer, _params: types.DidChangeWatchedFilesParams) -> None:
    """Look whether files that came, went or changed make a difference to the open ones."""
    _look_again(server)


def _look_again(server: RubricServer) -> None:
    for document in server.documents:
        if document.look_again():
            publish_soon(server, document)
