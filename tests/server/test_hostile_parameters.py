"""Parameters that no client should send: an error in a sentence for requests, nothing for notifications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hostile import (
    ANSWERED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    NOBODY,
    NOTED,
    NOTIFICATIONS,
    NUMBERS,
    POSITION,
    REQUEST_FAILED,
    REQUESTS,
    error_code,
    opened,
    published,
)
from raw_client import request_of

from rubric_server.app import FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from raw_client import RawClient

# These give back to us what we made, of which this member is required.
RESOLVED = {"codeAction/resolve": "title", "completionItem/resolve": "label", "inlayHint/resolve": "label"}
# These have no parameters that could be wrong, or a file of tests for themselves.
ELSEWHERE = ("initialize", "initialized", "shutdown", "exit")

MISSING = object()
EMPTY: tuple[object, ...] = (
    None,
    [],
    {"isIncomplete": False, "items": []},
    {"kind": "full", "items": []},
    {"items": []},
)

WRONG: dict[type, tuple[object, ...]] = {
    str: (None, 5, True, [], {}),
    int: (None, "1", 1.5, True, [], {}),
    bool: (None, "true", [], {}),
    dict: (None, 5, "x", True, [1]),
    list: (None, 5, "x", {"0": 1}),
}


def broken(value: Any) -> Iterator[Any]:
    """Give copies of a value, each with one member that is missing or of another kind."""
    yield from WRONG[type(value)]
    if isinstance(value, dict):
        for name, member in value.items():
            yield {other: value[other] for other in value if other != name}
            yield from ({**value, name: wrong} for wrong in broken(member))
    elif isinstance(value, list):
        yield from ([wrong] for item in value for wrong in broken(item))


def test_every_method_is_tried() -> None:
    """A method that is added to the server's table must be added to one of the tables here."""
    methods = {feature.method for feature in FEATURES if not feature.method.startswith("$/")}
    untried = methods - {*REQUESTS, *NOTIFICATIONS, *RESOLVED, *ELSEWHERE}
    assert not untried, "Add these methods to a table of tests/support/clients/hostile.py."


@pytest.mark.parametrize("method", ANSWERED)
def test_a_request_with_a_wrong_parameter_is_refused(client: RawClient, method: str) -> None:
    """Whichever member is missing or of another kind: the answer is an error that says so in a sentence."""
    for params in broken(REQUESTS[method]):
        answer = client.response(method, params)
        assert error_code(answer) == INVALID_PARAMS, (params, answer)
        assert "`params" in answer["error"]["message"]
    without = request_of("without", method)
    del without["params"]
    client.send(without)
    assert error_code(client.answer("without").message) == INVALID_PARAMS


@pytest.mark.parametrize("method", [method for method in ANSWERED if "textDocument" in REQUESTS[method]])
def test_a_request_about_an_unknown_file_is_answered(client: RawClient, method: str) -> None:
    """Nobody opened it, so there is nothing to say of it: an empty answer, or a refusal in a sentence."""
    answer = client.response(method, REQUESTS[method])
    if "error" in answer:
        assert error_code(answer) != INTERNAL_ERROR
    else:
        assert answer["result"] in EMPTY


@pytest.mark.parametrize("method", RESOLVED)
@pytest.mark.parametrize(
    "data", [MISSING, None, 5, "x", [], {}, {"uri": 5}, {"uri": NOBODY}, {"uri": NOBODY, "code": 5}]
)
def test_what_we_did_not_make_is_not_resolved(client: RawClient, method: str, data: object) -> None:
    """An item is given back as it came, or refused in a sentence; it may be of another server or of an older text."""
    item: dict[str, Any] = {"label": "x", "title": "x", "position": POSITION}
    answer = client.response(method, item if data is MISSING else {**item, "data": data})
    if "error" in answer:
        assert error_code(answer) in {INVALID_PARAMS, REQUEST_FAILED}
    else:
        assert answer["result"][RESOLVED[method]] == "x"
    for params in WRONG[dict]:
        assert error_code(client.response(method, params)) == INVALID_PARAMS


@pytest.mark.parametrize("method", NOTED)
def test_a_notification_with_a_wrong_parameter_is_ignored(client: RawClient, inverted: str, method: str) -> None:
    """There is nobody to answer, and nothing else changes."""
    uri = opened(client, inverted)
    for params in broken(NOTIFICATIONS[method]):
        client.notify(method, params)
    client.send({"jsonrpc": "2.0", "method": method})
    client.change(uri, 2, {"text": inverted.replace("[5, 0]", "[0, 5]")})
    assert published(client, uri, 2) == []


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("method", [method for method in ANSWERED if "position" in REQUESTS[method]])
def test_a_position_outside_of_the_text_is_answered(client: RawClient, inverted: str, method: str, number: int) -> None:
    """A line or a column that is not there is taken for the nearest one, or refused."""
    uri = opened(client, inverted)
    for position in ({"line": number, "character": 0}, {"line": 4, "character": number}):
        answer = client.response(method, {**REQUESTS[method], "textDocument": {"uri": uri}, "position": position})
        assert "result" in answer or error_code(answer) in {INVALID_PARAMS, REQUEST_FAILED}


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("method", [method for method in ANSWERED if "range" in REQUESTS[method]])
def test_a_range_outside_of_the_text_is_answered(client: RawClient, inverted: str, method: str, number: int) -> None:
    """The same holds for ranges, those that run backwards included."""
    uri = opened(client, inverted)
    far = {"line": number, "character": number}
    for place in ({"start": POSITION, "end": far}, {"start": far, "end": POSITION}, {"start": far, "end": far}):
        answer = client.response(method, {**REQUESTS[method], "textDocument": {"uri": uri}, "range": place})
        assert "result" in answer or error_code(answer) == INVALID_PARAMS
