"""Noticing that files around the open documents changed: configurations, targets, files that cases refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.config.load import OWN_FILE, SHARED_FILE
from rubric_core.files.look import TARGETS_FILES
from rubric_server.features.diagnostics import look_at

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.protocol import DidChangeWatchedFilesParams, TextDocumentParams

WATCHED = (OWN_FILE, SHARED_FILE, *TARGETS_FILES)


def watch(server: RubricServer) -> None:
    """Ask the client to tell when a file that we depend on changes."""
    if server.client.watches_files:
        watchers = [{"globPattern": f"**/{name}"} for name in WATCHED]
        method = "workspace/didChangeWatchedFiles"
        registration = {"id": "rubric-files", "method": method, "registerOptions": {"watchers": watchers}}
        server.endpoint.request("client/registerCapability", {"registrations": [registration]})


def did_save(server: RubricServer, _params: TextDocumentParams) -> None:
    """Look whether the saved file changes what is true of the open ones."""
    _look_again(server)


def did_change_watched_files(server: RubricServer, _params: DidChangeWatchedFilesParams) -> None:
    """Look whether files that came, went or changed make a difference to the open ones."""
    _look_again(server)


def _look_again(server: RubricServer) -> None:
    for document in server.documents:
        if document.look_again():
            look_at(server, document)
