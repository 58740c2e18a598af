"""Messages that are none, and headers that are wrong: what follows is read as if nothing had been."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from grading_session import TEXT
from hostile import (
    CAPABILITIES,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    assert_right,
    error_code,
    numbers,
)
from raw_client import framed, request_of

if TYPE_CHECKING:
    from pathlib import Path

    from raw_client import RawClient

MESSAGES: dict[str, tuple[object, int]] = {
    "a batch": ([request_of(1, "shutdown"), request_of(2, "shutdown")], INVALID_REQUEST),
    "an empty batch": ([], INVALID_REQUEST),
    "null": (None, INVALID_REQUEST),
    "a string": ("shutdown", INVALID_REQUEST),
    "a number": (5, INVALID_REQUEST),
    "a number that is an object": ({"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, INVALID_REQUEST),
    "a number that is a fraction": ({"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}, INVALID_REQUEST),
    "a number that is true": ({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, INVALID_REQUEST),
    "nothing in it": ({}, INVALID_REQUEST),
    "a method that is no string": ({"jsonrpc": "2.0", "method": 5}, INVALID_REQUEST),
}


@pytest.mark.parametrize(("message", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_a_message_of_another_shape_is_refused(client: RawClient, message: object, expected: int) -> None:
    """It has no number that could be answered, so the error has none."""
    client.send(message)
    assert error_code(client.answer(None).message) == expected


BODIES = {
    "braces": b"{{{",
    "bytes": b"\xff\xfe\xfd\xfc",
    "nothing": b"",
    "cut off": framed(request_of(1, "shutdown")).partition(b"\r\n\r\n")[2][:-5],
    "deep": b"[" * 200_000,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_json_is_refused(client: RawClient, body: bytes) -> None:
    """The error is the protocol's own for it, and the next message is read as if nothing had been."""
    client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert error_code(client.answer(None).message) == PARSE_ERROR


def test_a_request_with_text_that_is_not_utf_8_is_answered(client: RawClient) -> None:
    """Whoever asked does not wait for ever."""
    body = b'{"jsonrpc": "2.0", "id": 77, "method": "workspace/executeCommand", "params": {"command": "\xfc"}}'
    client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert error_code(client.answer(77).message) == PARSE_ERROR


@pytest.mark.slow
def test_an_answer_with_text_that_is_not_utf_8_is_an_error(fresh: RawClient, tmp_path: Path) -> None:
    """A grading whose judge gives one comes to its end."""
    fresh.initialize({**CAPABILITIES, "experimental": {"rubric": {"judges": ["manual"]}}})

    def garbled(_params: object) -> None:
        number = json.dumps(fresh.requests[-1].message["id"]).encode()
        body = b'{"jsonrpc": "2.0", "id": %s, "result": {"text": "\xfc"}}' % number
        fresh.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    fresh.replies["rubric/judge"] = garbled
    uri = (tmp_path / "a.eval.yaml").as_uri()
    fresh.open(uri, TEXT)
    about = {"uri": uri, "caseId": "short", "answer": "Hi", "judge": "manual"}
    number = fresh.request("workspace/executeCommand", {"command": "rubric.gradeCase", "arguments": [about]})
    (result,) = fresh.answer(number).message["result"]["results"]
    assert "The message is not JSON" in result["error"]


def test_answers_that_nobody_waits_for_are_ignored(client: RawClient) -> None:
    """Results and errors, with any number."""
    client.send({"jsonrpc": "2.0", "id": 7, "result": None})
    client.send({"jsonrpc": "2.0", "id": "rubric-1", "error": {"code": 1, "message": "?"}})
    client.send({"jsonrpc": "2.0", "id": None, "error": "?"})
    client.send({"jsonrpc": "2.0", "result": {}})


def _asking(number: object) -> bytes:
    return framed(request_of(str(number), "no/such/method", {"é": "🎉"})).partition(b"\r\n\r\n")[2]


HEADERS = {
    "in small letters": b"content-length: %d\r\n\r\n",
    "in capitals": b"CONTENT-LENGTH:%d\r\n\r\n",
    "with a type behind": b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
    "with a type before": b"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: %d\r\n\r\n",
    "with an unknown one": b"X-Anything: yes: no\r\nContent-Length: %d\r\n\r\n",
    "with spaces": b"Content-Length :   %d  \r\n\r\n",
    "with line feeds": b"Content-Length: %d\n\n",
    "with empty lines before": b"\r\n\r\nContent-Length: %d\r\n\r\n",
    "behind a line that is none": b"this is no header\r\nContent-Length: %d\r\n\r\n",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_headers_may_be_written_otherwise(client: RawClient, header: bytes) -> None:
    """Names have no case, their order is free, and what is unknown is passed over."""
    number = f"header-{next(numbers)}"
    body = _asking(number)
    client.send_bytes(header % len(body) + body)
    assert error_code(client.answer(number).message) == METHOD_NOT_FOUND


LENGTHS = {
    "none": b"",
    "negative": b"-5",
    "no number": b"many",
    "too small": b"20",
    "huge": b"9" * 30,
    "a fraction": b"1.5",
}


@pytest.mark.slow
@pytest.mark.parametrize("length", LENGTHS.values(), ids=LENGTHS)
def test_a_wrong_length_costs_its_own_message_only(fresh: RawClient, inverted: str, length: bytes) -> None:
    """The next header is found again, although it is right behind what could not be read."""
    fresh.initialize(CAPABILITIES)
    fresh.send_bytes(b"Content-Length: %s\r\n\r\n%s" % (length, _asking("lost")))
    assert error_code(fresh.response("no/such/method")) == METHOD_NOT_FOUND
    assert_right(fresh, inverted)


@pytest.mark.slow
def test_a_length_that_is_too_large_costs_the_next_message_too(fresh: RawClient, inverted: str) -> None:
    """What it promised is taken from what follows; the one after that is read again."""
    fresh.initialize(CAPABILITIES)
    body = _asking("lost")
    fresh.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body) + 40, body))
    fresh.request("no/such/method")
    assert error_code(fresh.response("no/such/method")) == METHOD_NOT_FOUND
    assert_right(fresh, inverted)
