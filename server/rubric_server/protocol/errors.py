"""The errors that a client is answered with."""

from __future__ import annotations

from typing import Any

from lsprotocol.types import ErrorCodes, LSPErrorCodes
from pygls.exceptions import JsonRpcException

PARSE_ERROR = ErrorCodes.ParseError.value
INVALID_REQUEST = ErrorCodes.InvalidRequest.value
METHOD_NOT_FOUND = ErrorCodes.MethodNotFound.value
INVALID_PARAMS = ErrorCodes.InvalidParams.value
INTERNAL_ERROR = ErrorCodes.InternalError.value
NOT_INITIALIZED = ErrorCodes.ServerNotInitialized.value
REQUEST_FAILED = LSPErrorCodes.RequestFailed.value
CANCELLED = LSPErrorCodes.RequestCancelled.value


class RequestError(JsonRpcException):
    """A request that cannot be answered, with a sentence for the user, and data for the client."""

    def __init__(self, message: str, code: int = REQUEST_FAILED, data: Any = None) -> None:
        super().__init__(message, code, data)
