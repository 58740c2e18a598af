"""The texts of open documents, as the editor changes them."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from rubric_server.features import diagnostics

if TYPE_CHECKING:
    from lsprotocol import types

    from rubric_server.app import RubricServer


def did_open(server: RubricServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take in a document and look for its problems."""
    document = server.documents.open(params.text_document, server.overrides)
    diagnostics.look_at(server, document)


def did_change(server: RubricServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply an edit and look for what is wrong now."""
    identifier = params.text_document
    document = server.documents.get(identifier.uri)
    if document is None:
        # Nobody opened it, so there is no text that the change could speak of.
        return
    version: int | None = identifier.version
    document.change(params.content_changes, document.version if version is None else version, server.client)
    diagnostics.look_at(server, document)


def did_close(server: RubricServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document and take its problems off the screen."""
    uri = params.text_document.uri
    document = server.documents.close(uri)
    if document is not None:
        diagnostics.look_away(server, document)
        server.grades.recalled.pop(uri, None)
        gc.unfreeze()
