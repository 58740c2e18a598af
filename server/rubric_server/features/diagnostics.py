"""Publishing problems: after each change, for the version that they were found in."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_server.encoded import Encoder

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.documents import OpenDocument

_log = logging.getLogger("rubric")


def did_open(server: RubricServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take in a document and publish its problems."""
    item = params.text_document
    document = server.documents.open(item.uri, item.version, item.text)
    server.encoders[item.uri] = Encoder(item.uri, server.client)
    publish_soon(server, document)
    # What was made for the document lives as long as it is open; going through it again and again would cost
    # more than the keystrokes.
    asyncio.get_running_loop().call_soon(gc.freeze)


def did_change(server: RubricServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply an edit and publish what is wrong now."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        # Nobody opened it, so there is no text that the change could speak of.
        return
    document.change(list(params.content_changes), params.text_document.version, server.client)
    publish_soon(server, document)


def did_close(server: RubricServer, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document and take its problems off the screen."""
    uri = params.text_document.uri
    server.documents.close(uri)
    server.encoders.pop(uri, None)
    gc.unfreeze()
    if uri in server.shown:
        _send(server, uri, None, [])


def publish_soon(server: RubricServer, document: OpenDocument) -> None:
    """Publish once the messages that are already here have been taken in."""
    asyncio.get_running_loop().call_soon(publish, server, document, document.version)


def publish(server: RubricServer, document: OpenDocument, version: int) -> None:
    """Publish the problems of a document, unless it has moved on from the version or was closed."""
    if server.documents.get(document.uri) is not document or document.version != version:
        # A newer version has its own turn, and the problems of this one would only flicker.
        return
    try:
        problems = document.problems()
        if document.is_ours() or problems or document.uri in server.shown:
            diagnostics = server.encoders[document.uri].encode(document.text, problems)
            _send(server, document.uri, version, diagnostics)
    except Exception:  # noqa: BLE001 - the next edit is published all the same.
        _log.exception("The problems of %s could not be published.", document.uri)


def _send(server: RubricServer, uri: str, version: int | None, diagnostics: list[str]) -> None:
    """Send diagnostics that are JSON text already; the way through the library would decode and encode them again."""
    (server.shown.add if diagnostics else server.shown.discard)(uri)
    about = f'"uri": {json.dumps(uri)}' + ("" if version is None else f', "version": {version}')
    params = f'{{{about}, "diagnostics": [{", ".join(diagnostics)}]}}'
    server.send_text(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
