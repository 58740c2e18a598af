"""The beginning and the end of a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_server.convert import client_of
from rubric_server.endpoint import INVALID_REQUEST, Refused
from rubric_server.features import watching

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.protocol import InitializeParams, Json


def initialize(server: RubricServer, params: InitializeParams) -> Json:
    """Agree with the client on what both can do."""
    if server.is_initialized:
        raise Refused("The server is initialized already.", INVALID_REQUEST)
    server.client = client_of(params["capabilities"])
    server.is_initialized = True
    return server.introduction()


def initialized(server: RubricServer, _params: Json) -> None:
    """Ask the client for what we want to be told of."""
    watching.watch(server)


def shutdown(server: RubricServer, _params: Json) -> None:
    """Note that the client is about to end us properly."""
    server.was_shut_down = True


def ignored(_server: RubricServer, _params: Json) -> None:
    """Take no notice."""
