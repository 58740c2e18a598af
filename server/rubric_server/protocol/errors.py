"""The error that a client is answered with, beside those of pygls."""

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException


class RequestError(JsonRpcException):
    """A request that cannot be answered, with a sentence for the user, and data for the client."""

    CODE = LSPErrorCodes.RequestFailed.value
