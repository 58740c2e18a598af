"""The server: its state, and the table of all that it answers."""

from __future__ import annotations

import json
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from rubric_core import __version__
from rubric_server.convert import Client, client_of
from rubric_server.documents import OpenDocuments
from rubric_server.features import code_actions, diagnostics, watching

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_server.encoded import Encoder

_log = logging.getLogger("rubric")


class AnsweringProtocol(LanguageServerProtocol):
    """Answers requests that cannot be read too; pygls only logs them, and the editor would wait for ever."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; a request that is wrong gets its error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), (int, str)):
                answer = json.dumps({"code": error.code, "message": error.message})
                send(self.writer, f'"id": {json.dumps(data["id"])}, "error": {answer}')
            raise


def send(writer: Any, members: str) -> None:
    """Send a message whose members are JSON text already, all of it ASCII."""
    body = f'{{"jsonrpc": "2.0", {members}}}'
    if writer is not None:
        writer.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))


class RubricServer(LanguageServer):
    """The state that the features share."""

    def __init__(self) -> None:
        super().__init__("rubric-lsp", __version__, protocol_cls=AnsweringProtocol)
        self.documents = OpenDocuments()
        self.client = Client()
        self.encoders: dict[str, Encoder] = {}
        # The documents that have problems on the client's screen.
        self.shown: set[str] = set()
        self.was_shut_down = False

    def send_text(self, method: str, params: str) -> None:
        """Send a notification whose parameters are JSON text already."""
        send(self.protocol.writer, f'"method": "{method}", "params": {params}')

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Log an error; a message box at every keystroke would only be in the way."""
        _log.error("%s: %s", source.__name__, error)


def initialize(server: RubricServer, params: types.InitializeParams) -> None:
    """Note what the client can take; pygls has agreed on the position encoding before this."""
    server.client = client_of(params.capabilities, server.workspace.position_encoding)


def shutdown(server: RubricServer, _params: None) -> None:
    """Note that the client is about to end us properly."""
    server.was_shut_down = True


class Feature(NamedTuple):
    """A method of the protocol and the function that answers it."""

    method: str
    answer: Callable[..., Any]
    options: Any = None


FEATURES = (
    Feature(types.INITIALIZE, initialize),
    Feature(types.INITIALIZED, watching.initialized),
    Feature(types.SHUTDOWN, shutdown),
    Feature(types.TEXT_DOCUMENT_DID_OPEN, diagnostics.did_open),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, diagnostics.did_change),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, diagnostics.did_close),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, watching.did_save),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watching.did_change_watched_files),
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, code_actions.code_action, code_actions.OPTIONS),
)

# These keep pygls's own copy of each text, which we do not read.
_REPLACED = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE)


def create_server() -> RubricServer:
    """Return a server that answers everything in the table."""
    server = RubricServer()
    for method in _REPLACED:
        del server.protocol.fm.builtin_features[method]
    for feature in FEATURES:
        server.feature(feature.method, feature.options)(partial(feature.answer, server))
    return server
