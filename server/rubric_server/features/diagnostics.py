"""Publishing problems: after each change, for the version that they were found in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rubric_server.encoded import Encoder

if TYPE_CHECKING:
    from rubric_server.app import RubricServer, Work
    from rubric_server.documents import OpenDocument


def look_at(server: RubricServer, document: OpenDocument) -> None:
    """Publish the problems of a document once the messages that are already here have been taken in."""
    server.later(("publish", document.uri), _publish(server, document))


def look_away(server: RubricServer, document: OpenDocument) -> None:
    """Take the problems of a closed document off the screen."""
    server.drop(("publish", document.uri))
    server.encoders.pop(document.uri, None)
    if document.uri in server.shown:
        _send(server, document.uri, None, [])


def _publish(server: RubricServer, document: OpenDocument) -> Work:
    yield
    problems = document.problems()
    if document.is_ours() or problems or document.uri in server.shown:
        encoder = server.encoders.setdefault(document.uri, Encoder(document.uri, server.client))
        _send(server, document.uri, document.version, encoder.encode(document.text, problems))


def _send(server: RubricServer, uri: str, version: int | None, diagnostics: list[str]) -> None:
    """Send diagnostics that are JSON text already."""
    (server.shown.add if diagnostics else server.shown.discard)(uri)
    about = f'"uri": {json.dumps(uri)}' + ("" if version is None else f', "version": {version}')
    params = f'{{{about}, "diagnostics": [{", ".join(diagnostics)}]}}'
    method = "textDocument/publishDiagnostics"
    server.endpoint.send_text(f'{{"jsonrpc": "2.0", "method": "{method}", "params": {params}}}')
