"""The texts of open documents, as the editor changes them."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from rubric_server.features import diagnostics

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.protocol import DidChangeParams, DidOpenParams, TextDocumentParams


def did_open(server: RubricServer, params: DidOpenParams) -> None:
    """Take in a document and look for its problems."""
    document = server.documents.open(params["textDocument"], server.settings.overrides)
    diagnostics.look_at(server, document)


def did_change(server: RubricServer, params: DidChangeParams) -> None:
    """Apply an edit and look for what is wrong now."""
    identifier = params["textDocument"]
    document = server.documents.get(identifier["uri"])
    if document is None:
        # Nobody opened it, so there is no text that the change could speak of.
        return
    version = identifier["version"]
    document.change(params["contentChanges"], document.version if version is None else version, server.client)
    diagnostics.look_at(server, document)


def did_close(server: RubricServer, params: TextDocumentParams) -> None:
    """Forget a document and take its problems off the screen."""
    uri = params["textDocument"]["uri"]
    document = server.documents.close(uri)
    if document is not None:
        diagnostics.look_away(server, document)
        server.gradings.recalled.pop(uri, None)
        gc.unfreeze()
