"""The life of a server: what it answers before it is initialized, while it works, and after it was shut down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hostile import (
    CAPABILITIES,
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_INITIALIZED,
    PUBLISH,
    RANGE,
    assert_right,
    codes,
    error_code,
    many_cases,
    published,
)
from raw_client import framed, notification_of, request_of

if TYPE_CHECKING:
    from raw_client import RawClient

pytestmark = pytest.mark.slow  # Together these take longer than the quick run has.


def test_nothing_is_answered_before_initialize(fresh: RawClient, inverted: str) -> None:
    """Requests get the protocol's own error, notifications are dropped, and then all goes on as usual."""
    fresh.open("file:///early.eval.yaml", inverted)
    assert error_code(fresh.response("textDocument/codeAction", {})) == NOT_INITIALIZED
    assert error_code(fresh.response("shutdown")) == NOT_INITIALIZED
    assert error_code(fresh.response("no/such/method")) == NOT_INITIALIZED
    fresh.initialize(CAPABILITIES)
    assert_right(fresh, inverted)
    assert not fresh.notifications


@pytest.mark.parametrize("params", [None, {}, {"capabilities": None}, {"capabilities": []}, [], "x"])
def test_initialize_can_be_tried_again(fresh: RawClient, inverted: str, params: object) -> None:
    """One that cannot be read counts as none."""
    assert error_code(fresh.response("initialize", params)) == INVALID_PARAMS
    fresh.initialize(CAPABILITIES)
    assert_right(fresh, inverted)


@pytest.mark.parametrize(
    "capabilities",
    [
        {"general": None, "textDocument": [], "workspace": "x", "window": 5},
        {"general": {"positionEncodings": "utf-8"}},
        {"general": {"positionEncodings": [5, None, "utf-7"]}},
        {"general": {"positionEncodings": [{}, ["utf-8"]]}},
        {"textDocument": {"hover": {"contentFormat": [{}, []]}, "foldingRange": {"rangeLimit": {}}}},
        {
            "textDocument": {
                "publishDiagnostics": 5,
                "completion": {"completionItem": []},
                "hover": {"contentFormat": 5},
            }
        },
        {"workspace": {"workspaceEdit": True, "didChangeWatchedFiles": [True]}},
    ],
)
def test_capabilities_of_other_kinds_count_as_missing(
    fresh: RawClient, inverted: str, capabilities: dict[str, Any]
) -> None:
    """A client that describes itself wrongly is treated as one that says nothing."""
    others = {"rootUri": 5, "workspaceFolders": "x", "initializationOptions": [1], "clientInfo": 5, "trace": {}}
    assert fresh.initialize(capabilities, **others)["capabilities"]["positionEncoding"] == "utf-16"
    assert_right(fresh, inverted)


def test_initialize_counts_once(fresh: RawClient, inverted: str) -> None:
    """The second one is refused and changes nothing."""
    fresh.initialize({"general": {"positionEncodings": ["utf-16"]}})
    again = {"capabilities": {"general": {"positionEncodings": ["utf-8"]}}}
    assert error_code(fresh.response("initialize", again)) == INVALID_REQUEST
    assert_right(fresh, inverted)


def test_nothing_is_done_after_shutdown(fresh: RawClient, inverted: str) -> None:
    """Requests are refused, notifications are ignored, and `exit` ends the process with 0."""
    fresh.initialize(CAPABILITIES)
    fresh.ask("shutdown")
    fresh.open("file:///late.eval.yaml", inverted)
    assert error_code(fresh.response("textDocument/codeAction", {})) == INVALID_REQUEST
    assert error_code(fresh.response("shutdown")) == INVALID_REQUEST
    assert error_code(fresh.response("initialize", {"capabilities": {}})) == INVALID_REQUEST
    assert not fresh.notifications
    fresh.notify("exit")
    assert fresh.wait_for_end() == 0


def test_exit_without_shutdown_has_status_1(fresh: RawClient) -> None:
    """The protocol asks for it; the client's end of the pipe is still open."""
    fresh.initialize(CAPABILITIES)
    fresh.notify("exit")
    assert fresh.wait_for_end() == 1


def test_exit_before_initialize_ends_it(fresh: RawClient) -> None:
    """A client may change its mind."""
    fresh.notify("exit")
    assert fresh.wait_for_end() == 1


@pytest.mark.parametrize("sent", [b"", b"Content-Le", b"Content-Length: 500\r\n\r\n{", b"garbage"])
def test_the_end_of_the_input_ends_it(fresh: RawClient, inverted: str, sent: bytes) -> None:
    """An editor that died sends no `exit`; nothing of the server is left behind."""
    fresh.initialize(CAPABILITIES)
    assert_right(fresh, inverted)
    fresh.send_bytes(sent)
    fresh.close_input()
    assert fresh.wait_for_end() == 1


def test_a_shutdown_in_the_middle_of_work_is_answered(fresh: RawClient, inverted: str) -> None:
    """It does not wait until a large file has been looked at, and the end is orderly."""
    cases = 8_000
    item = {"uri": "file:///large.eval.yaml", "languageId": "yaml", "version": 1, "text": many_cases(inverted, cases)}
    fresh.initialize(CAPABILITIES)
    opened = framed(notification_of("textDocument/didOpen", {"textDocument": item}))
    fresh.send_bytes(opened + framed(request_of("last", "shutdown")) + framed(notification_of("exit")))
    assert "error" not in fresh.answer("last").message
    assert fresh.wait_for_end() == 0
    lists = [sent.params["diagnostics"] for sent in fresh.notifications if sent.message["method"] == PUBLISH]
    assert all(len(found) < cases for found in lists)


def test_an_edit_in_the_middle_of_work_is_not_lost(fresh: RawClient, inverted: str) -> None:
    """What is published in the end is of the last version, and nothing of an older one comes after a newer one."""
    fresh.initialize(CAPABILITIES)
    uri = "file:///large.eval.yaml"
    fresh.open(uri, many_cases(inverted, 1_000))
    for version in range(2, 12):
        fresh.change(uri, version, {"range": RANGE, "text": f"# {version}\n"})
    versions: list[int] = []
    problems = 0
    while problems != 1_000 or versions[-1] != 11:
        incoming = fresh.take(PUBLISH)
        versions.append(incoming.params["version"])
        problems = len(incoming.params["diagnostics"])
    assert versions == sorted(versions)


def test_a_file_of_sixty_megabytes_is_looked_at(fresh: RawClient, inverted: str) -> None:
    """It is below the limit; meanwhile other files are answered, and one above the limit is told so."""
    fresh.initialize(CAPABILITIES)
    remarks = "# A remark that is of no use to anybody at all.\n"
    megabyte = remarks * ((1 << 20) // len(remarks))
    fresh.open("file:///huge.eval.yaml", megabyte * 60 + inverted)
    assert_right(fresh, inverted)
    assert codes(published(fresh, "file:///huge.eval.yaml", 1)) == ["RB104"]
    fresh.open("file:///huger.eval.yaml", megabyte * 66 + inverted)
    assert codes(published(fresh, "file:///huger.eval.yaml", 1)) == ["RB008"]
    assert_right(fresh, inverted)
