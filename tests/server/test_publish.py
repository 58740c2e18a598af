"""When problems are published and when not, without a process."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from rubric_server.app import FEATURES, RubricServer, create_server
from rubric_server.documents import OpenDocument
from rubric_server.encoded import Encoder
from rubric_server.features.diagnostics import publish

if TYPE_CHECKING:
    from rubric_core.rules.problem import Problem

URI = "file:///nowhere/a.eval.yaml"


class Wire:
    """The sending end of a connection."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Keep what is sent."""
        self.sent.append(data)

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def wire() -> Wire:
    """Give a connection."""
    return Wire()


@pytest.fixture
def server(wire: Wire) -> RubricServer:
    """Give a server that talks to the connection."""
    made = create_server()
    made.protocol.set_writer(wire)
    return made


def opened(server: RubricServer, text: str) -> OpenDocument:
    """Open a document at version 3."""
    server.encoders[URI] = Encoder(URI, server.client)
    return server.documents.open(URI, 3, text)


def test_a_version_that_is_over_is_not_published(server: RubricServer, wire: Wire, inverted: str) -> None:
    """Problems of an older text, or of a document that was closed or opened anew, never reach the editor."""
    document = opened(server, inverted)
    publish(server, document, 2)
    assert wire.sent == []
    publish(server, document, 3)
    assert b'"version": 3' in wire.sent.pop()
    opened(server, inverted)
    publish(server, document, 3)
    server.documents.close(URI)
    publish(server, document, 3)
    assert wire.sent == []


def test_an_error_of_ours_costs_one_publication(
    server: RubricServer,
    wire: Wire,
    inverted: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is logged, and the next edit is published as if nothing had been."""

    def fail(_document: OpenDocument) -> list[Problem]:
        raise RuntimeError("a mistake")

    document = opened(server, inverted)
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "rubric"):
        patch.setattr(OpenDocument, "problems", fail)
        publish(server, document, 3)
    assert "could not be published" in caplog.text
    publish(server, document, 3)
    assert len(wire.sent) == 1


def test_nothing_is_sent_before_there_is_a_connection(inverted: str) -> None:
    """A server without a writer stays silent."""
    server = create_server()
    publish(server, opened(server, inverted), 3)
    assert server.shown == {URI}


def test_every_answer_stands_in_the_table() -> None:
    """The table is the one place that registers; nothing else is answered by us."""
    methods = [feature.method for feature in FEATURES]
    assert len(methods) == len(set(methods))
    assert set(create_server().protocol.fm.features) == set(methods)
