"""Changes, texts, addresses and numbers that no client should send: the server stays alive and goes on to be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hostile import (
    ANSWERED,
    CANCELLED,
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    NOBODY,
    NUMBERS,
    POSITION,
    RANGE,
    REQUESTS,
    codes,
    error_code,
    many_cases,
    numbers,
    opened,
    published,
)
from raw_client import framed, notification_of, request_of

if TYPE_CHECKING:
    from raw_client import RawClient

# Changes


@pytest.mark.parametrize("version", [2, 1, 0, -7, 2**31 - 1, 10**30])
def test_the_text_follows_whatever_the_version_is(client: RawClient, inverted: str, version: int) -> None:
    """Versions are the client's own: changes count in the order in which they come, and its number is given back."""
    uri = opened(client, inverted)
    client.change(uri, version, {"text": inverted.replace("[6, 10]", "[6, 12]")})
    # What is still to be said of the first text may have the same version.
    while codes(published(client, uri, version)) != ["RB104", "RB102"]:
        assert version == 1


@pytest.mark.parametrize("number", NUMBERS)
def test_a_change_outside_of_the_text_is_moved_into_it(client: RawClient, inverted: str, number: int) -> None:
    """It lands at the nearest end, and the next change of the whole text is right again."""
    uri = opened(client, inverted)
    far = {"line": number, "character": number}
    for version, (start, end) in enumerate([(far, far), (POSITION, far), (far, POSITION)], start=2):
        client.change(uri, version, {"range": {"start": start, "end": end}, "text": "# x\n"})
        published(client, uri, version)
        client.change(uri, version + 10, {"text": inverted})
        assert codes(published(client, uri, version + 10)) == ["RB104"]


def test_a_change_that_runs_backwards_deletes_nothing(client: RawClient, inverted: str) -> None:
    """Its text is put where it starts."""
    uri = opened(client, inverted)
    place = {"start": {"line": 1, "character": 0}, "end": {"line": 0, "character": 0}}
    client.change(uri, 2, {"range": place, "text": "  # a remark\n"})
    (found,) = published(client, uri, 2)
    assert found["code"] == "RB104"
    assert found["range"]["start"]["line"] == inverted[: inverted.index("[5, 0]")].count("\n") + 1


def test_one_wrong_change_spoils_all_of_its_notification(client: RawClient, inverted: str) -> None:
    """Half of an edit would be worse than none."""
    uri = opened(client, inverted)
    client.change(uri, 2, {"text": "x: 1\n"}, {"text": 5})
    client.change(uri, 3, {"range": RANGE, "text": "# a remark\n"})
    assert codes(published(client, uri, 3)) == ["RB104"]


def test_a_change_without_changes_is_a_version(client: RawClient, inverted: str) -> None:
    """The text is the same and so are its problems."""
    uri = opened(client, inverted)
    client.change(uri, 2)
    assert codes(published(client, uri, 2)) == ["RB104"]


def test_a_request_about_a_torn_text_does_not_spoil_the_document(client: RawClient, inverted: str) -> None:
    """A bracket that reaches over what looked like another key joins both as soon as somebody looks closely."""
    uri = f"file:///torn/{next(numbers)}.eval.yaml"
    burst = [
        notification_of(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": "s:\n- d:\n  s:\n  s: {\n8: }"}},
        ),
        request_of("torn", "textDocument/selectionRange", {"textDocument": {"uri": uri}, "positions": [POSITION]}),
    ]
    client.send_bytes(b"".join(map(framed, burst)))
    assert "result" in client.answer("torn").message
    client.change(uri, 2, {"text": inverted})
    assert codes(published(client, uri, 2)) == ["RB104"]


def test_changes_of_files_that_are_not_open_are_ignored(client: RawClient) -> None:
    """There is no text that they could name, before a file is opened and after it was closed."""
    client.change(NOBODY, 2, {"text": "evalcases: [{}]\n"})
    client.notify("textDocument/didSave", {"textDocument": {"uri": NOBODY}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": NOBODY}})
    client.response("no/such/method")
    assert not [incoming for incoming in client.notifications if incoming.params.get("uri") == NOBODY]


def test_a_file_that_is_opened_twice_has_its_second_text(client: RawClient, inverted: str, good: str) -> None:
    """The client must have lost track; what it says last counts."""
    uri = opened(client, good)
    client.open(uri, inverted, version=1)
    assert codes(published(client, uri, 1)) == ["RB104"]
    client.open(uri, good, version=1)
    assert published(client, uri, 1) == []


# Texts and addresses

TEXTS = {
    "a lone surrogate": ("Greets \ud83d the user", ["RB001", "RB104"]),
    "a reversed pair of surrogates": ("Greets \udc00\ud800 the user", ["RB001", "RB104"]),
    "a character that is not one": ("Greets \uffff the user", ["RB001", "RB104"]),
    "a separator of lines elsewhere": ("Greets\u2028the\x85user", ["RB104", "RB104"]),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_odd_characters_do_no_harm(client: RawClient, inverted: str, text: str, expected: list[str]) -> None:
    """What YAML forbids is reported, once and at its place, and the problem of the next case stays where it is."""
    uri = f"file:///odd/{next(numbers)}.eval.yaml"
    cases = many_cases(inverted, 2)
    client.open(uri, cases.replace("Greets the user by name", text, 1))
    # While a text is looked at, what is found by then may be published already.
    while codes(found := published(client, uri, 1)) != expected:
        assert len(found) < len(expected)
    assert found[1]["range"]["start"]["line"] == cases[: cases.rindex("[5, 0]")].count("\n")


def test_a_nul_character_is_a_problem_of_its_own(client: RawClient, inverted: str) -> None:
    """YAML forbids it; what is said of it has a place in the text."""
    uri = f"file:///odd/{next(numbers)}.eval.yaml"
    client.open(uri, inverted.replace("Hello", "He\0llo"))
    assert published(client, uri, 1)
    client.change(uri, 2, {"text": "\0" * 1_000})
    published(client, uri, 2)


ADDRESSES = (
    "untitled:Untitled-1.eval.yaml",
    "vscode-notebook-cell:/home/me/a.ipynb#W0.eval.yaml",
    "https://example.org/a.eval.yaml",
    "git:/home/me/a.eval.yaml?ref=HEAD",
    "file:///c%3A/Users/me/a%20b.eval.yaml",
    "file:///C:/Users/me/a.eval.yaml",
    "file://server/share/a.eval.yaml",
    "file:///home/me/%F0%9F%8E%89%2Fb.eval.yaml",
    "file:///home/me/%FF%00.eval.yaml",
    "file:///home/me/%zz.eval.yaml",
    "file:///" + "x" * 5_000 + ".eval.yaml",
    "a.eval.yaml",
    "http://[.eval.yaml",
    "",
    "\0",
    "🎉.eval.yaml",
)


@pytest.mark.parametrize("uri", ADDRESSES, ids=range(len(ADDRESSES)))
def test_any_address_is_given_back_as_it_came(client: RawClient, inverted: str, uri: str) -> None:
    """Documents that are no files have problems too, under the very address that the client uses."""
    client.open(uri, inverted)
    assert codes(published(client, uri, 1)) == ["RB104"]
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert published(client, uri) == []


# Requests and their numbers


def test_an_unknown_request_is_answered_as_such(client: RawClient) -> None:
    """The error is the protocol's own for it; a `$/` method that is a request gets it too."""
    assert error_code(client.response("textDocument/noSuchThing", {})) == METHOD_NOT_FOUND
    assert error_code(client.response("$/noSuchThing", {})) == METHOD_NOT_FOUND


def test_a_method_without_a_name_is_unknown(client: RawClient) -> None:
    """It is a request all the same, and somebody waits for its answer."""
    assert error_code(client.response("", {})) == METHOD_NOT_FOUND


def test_unknown_notifications_are_ignored(client: RawClient) -> None:
    """They may be of a later version of the protocol."""
    before = len(client.answers.get(None, ()))
    client.notify("textDocument/noSuchThing", {})
    client.notify("$/noSuchThing", [1, 2])
    client.notify("window/noSuchThing", "x")
    client.response("no/such/method")
    assert len(client.answers.get(None, ())) == before


@pytest.mark.parametrize("params", [{"id": 987_654}, {"id": "a string"}, {"id": None}, {"id": 1.5}, {}, [], None, "x"])
def test_cancelling_nothing_does_nothing(client: RawClient, params: object) -> None:
    """The number may be unknown, of any kind, or missing."""
    client.notify("$/cancelRequest", params)


def test_an_answer_that_cannot_be_written_is_an_error(client: RawClient) -> None:
    """What comes back from the client may be nested deeper than it can be sent again; somebody waits all the same."""
    deep: list[object] = []
    for _ in range(700):
        deep = [deep]
    answer = client.response("completionItem/resolve", {"label": "x", "data": deep})
    assert "result" in answer or error_code(answer) == INTERNAL_ERROR


@pytest.mark.parametrize("number", [{}, [1], True])
def test_odd_numbers_can_be_cancelled(client: RawClient, number: object) -> None:
    """They are none that a request can have."""
    client.notify("$/cancelRequest", {"id": number})


def test_an_answer_under_the_number_of_a_request_does_no_harm(client: RawClient, inverted: str) -> None:
    """A client that mixes up its own numbers and ours still gets its answer."""
    uri = opened(client, many_cases(inverted, 200))
    burst = [
        request_of("mixed up", "textDocument/documentSymbol", {"textDocument": {"uri": uri}}),
        {"jsonrpc": "2.0", "id": "mixed up", "result": None},
    ]
    client.send_bytes(b"".join(map(framed, burst)))
    assert "result" in client.answer("mixed up").message


def test_a_finished_request_can_be_cancelled(client: RawClient) -> None:
    """It is answered once, and its number can be used again."""
    number = client.request("textDocument/codeAction", REQUESTS["textDocument/codeAction"])
    client.answer(number)
    client.notify("$/cancelRequest", {"id": number})
    client.send(request_of(number, "textDocument/codeAction", REQUESTS["textDocument/codeAction"]))
    assert "result" in client.answer(number).message
    assert not client.answers[number]


def test_a_cancelled_request_is_answered_once(client: RawClient) -> None:
    """It may have been too late, but there is exactly one answer, and numbers that are strings are not mixed up."""
    asked = REQUESTS["textDocument/codeAction"]
    burst = []
    for number in range(50):
        burst.append(request_of(f"{number}", "textDocument/codeAction", asked))
        burst.append(request_of(10_000 + number, "textDocument/codeAction", asked))
        burst.append(notification_of("$/cancelRequest", {"id": f"{number}"}))
    client.send_bytes(b"".join(map(framed, burst)))
    for number in range(50):
        answer = client.answer(f"{number}").message
        assert "result" in answer or error_code(answer) == CANCELLED
        assert "result" in client.answer(10_000 + number).message
    assert not any(client.answers[f"{number}"] for number in range(50))


def test_a_number_that_is_used_twice_is_answered_twice(client: RawClient) -> None:
    """The client has made a mistake; it gets what it asked for."""
    asked = framed(request_of("twice", "textDocument/codeAction", REQUESTS["textDocument/codeAction"]))
    client.send_bytes(asked + asked)
    assert "result" in client.answer("twice").message
    assert "result" in client.answer("twice").message


@pytest.mark.slow
def test_a_thousand_requests_at_once_are_all_answered(client: RawClient, inverted: str) -> None:
    """In between the text changes, and nothing is lost."""
    uri = opened(client, inverted)
    burst = b""
    for number in range(1_000):
        method = ANSWERED[number % len(ANSWERED)]
        params = REQUESTS[method]
        if "textDocument" in params:
            params = {**params, "textDocument": {"uri": uri}}
        burst += framed(request_of(f"burst-{number}", method, params))
        if number % 100 == 0:
            identifier = {"uri": uri, "version": number + 2}
            changes = {"textDocument": identifier, "contentChanges": [{"range": RANGE, "text": "# x\n"}]}
            burst += framed(notification_of("textDocument/didChange", changes))
    client.send_bytes(burst)
    for number in range(1_000):
        answer = client.answer(f"burst-{number}").message
        assert "result" in answer or error_code(answer) != INTERNAL_ERROR, answer
    assert codes(published(client, uri, 902)) == ["RB104"]
