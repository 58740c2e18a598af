"""Noticing that files around the open documents changed: configurations, targets, files that cases refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.files.walk import SUFFIXES
from rubric_server.features.diagnostics import look_at_all_again

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.protocol import (
        DidChangeWatchedFilesParams,
        DidChangeWorkspaceFoldersParams,
        TextDocumentParams,
    )

_WATCHED = ("rubric.toml", "pyproject.toml", ".gitignore", f"*.{{{','.join(suffix[1:] for suffix in SUFFIXES)}}}")


def watch(server: RubricServer) -> None:
    """Ask the client to tell when a file that we depend on changes. Targets and eval files are YAML too."""
    if server.client.watches_files:
        watchers = [{"globPattern": f"**/{name}"} for name in _WATCHED]
        server.register("workspace/didChangeWatchedFiles", {"watchers": watchers})


def did_save(server: RubricServer, _params: TextDocumentParams) -> None:
    """Look whether the saved file changes what is true of the others."""
    look_at_all_again(server)


def did_change_watched_files(server: RubricServer, _params: DidChangeWatchedFilesParams) -> None:
    """Look whether files that came, went or changed make a difference to the open ones."""
    look_at_all_again(server)


def did_change_folders(server: RubricServer, params: DidChangeWorkspaceFoldersParams) -> None:
    """Follow the folders of the workspace."""
    event = params["event"]
    server.workspace.close([folder["uri"] for folder in event["removed"]])
    server.workspace.open([folder["uri"] for folder in event["added"]])
