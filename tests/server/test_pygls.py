# ruff: noqa: SLF001 - private names are what this is about.
"""The names of pygls and lsprotocol that are overridden or used, some of them private: an upgrade must not lose one."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback
from lsprotocol import _hooks, types
from pygls.io_ import StdoutWriter
from pygls.protocol import JsonRPCProtocol, LanguageServerProtocol

import rubric_server.protocol
from rubric_server.app import FEATURES, RubricServer

if TYPE_CHECKING:
    from collections.abc import Callable

# The method of pygls, its parameters, and what upstream would have to do to make our use of it needless.
METHODS: dict[str, tuple[Callable[..., Any], list[str], str]] = {
    "_register_builtin_features": (LanguageServerProtocol._register_builtin_features, [], "bring your own documents"),
    "_execute_handler": (
        JsonRPCProtocol._execute_handler,
        ["msg_id", "handler", "callback", "args", "kwargs"],
        "forget the futures of notifications",
    ),
    "_send_handler_result": (JsonRPCProtocol._send_handler_result, ["future", "msg_id"], "keep tracebacks in the log"),
    "_check_handler_result": (JsonRPCProtocol._check_handler_result, ["future"], "keep tracebacks in the log"),
    "_send_data": (JsonRPCProtocol._send_data, ["data"], "send JSON text as it is"),
    "_send_response": (JsonRPCProtocol._send_response, ["msg_id", "result", "error"], "send JSON text as it is"),
    "_handle_response": (
        JsonRPCProtocol._handle_response,
        ["msg_id", "result", "error"],
        "structure messages strictly",
    ),
    "handle_message": (JsonRPCProtocol.handle_message, ["message"], "structure messages strictly"),
    "send_request": (
        JsonRPCProtocol.send_request,
        ["method", "params", "callback", "msg_id"],
        "cancel requests, and forget those that nobody answers (pygls#608)",
    ),
    "StdoutWriter.write": (StdoutWriter.write, ["data"], "serve one client over TCP"),
}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_of_pygls_is_there(name: str) -> None:
    """It has the parameters that it is called with."""
    method, parameters, needless_when = METHODS[name]
    assert list(inspect.signature(method).parameters)[1:] == parameters, f"needless if pygls can {needless_when}"


def test_the_attributes_of_pygls_are_there() -> None:
    """What the protocol's overrides read and write."""
    protocol = RubricServer().protocol
    assert protocol._request_futures == protocol._result_types == {}
    assert protocol.writer is None
    assert protocol._include_headers is False
    assert isinstance(_hooks._resolved_forward_references, bool)


def test_pygls_answers_nothing_by_itself() -> None:
    """The table has all that the server answers, and each row is registered with pygls."""
    manager = RubricServer().protocol.fm
    assert manager.builtin_features == {}
    assert sorted(manager.features) == sorted(feature.method for feature in FEATURES)


def test_every_method_of_the_table_is_in_the_protocol() -> None:
    """All but our own have a type in lsprotocol."""
    ours = {feature.method for feature in FEATURES if feature.method.startswith("rubric/")}
    assert {feature.method for feature in FEATURES} - ours <= types.METHOD_TO_TYPES.keys()


def test_every_override_has_its_reason() -> None:
    """The docstring of the package names each method of pygls that is overridden."""
    overridden = set(METHODS) & vars(type(RubricServer().protocol)).keys()
    assert overridden
    assert not [name for name in overridden if name not in (rubric_server.protocol.__doc__ or "")]


def test_nothing_is_left_of_messages() -> None:
    """Neither of requests, nor of notifications, nor of requests of ours that nobody answers."""
    client = Loopback({"workspace": {"codeLens": {"refreshSupport": True}, "configuration": True}})
    protocol = client.server.protocol
    before = len(protocol._request_futures)
    for number in range(50):
        client.request("textDocument/hover", {"textDocument": {"uri": "x"}, "position": {"line": 0, "character": 0}})
        client.notify("rubric/didChangeTrust", {"trusted": True})
        client.notify("$/cancelRequest", {"id": number})
        client.notify("textDocument/didSave", {"textDocument": {"uri": "x"}})
    assert len(client.of("workspace/codeLens/refresh")) == 50
    assert len(protocol._request_futures) == len(protocol._result_types) == before
