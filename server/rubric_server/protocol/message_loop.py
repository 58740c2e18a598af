"""The order of work on the event loop: one message a round, and long work only while no message waits."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_server.app import RubricServer

# A request without long work is answered within this number of rounds, before the next message is handled.
_ROUNDS_FOR_AN_ANSWER = 2
# Cancelling a task and answering take this number; then long work goes on.
_ROUNDS_BEFORE_WORK = 4


class MessageLoop:
    """Hands messages to the server in their order. Must be made on the event loop."""

    def __init__(self, server: RubricServer) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._incoming: deque[bytes | None] = deque()
        self._rounds = 0
        self._is_scheduled = False
        server.work.wake = self._schedule

    def put(self, body: bytes | None) -> None:
        """Take a message from any thread; None is the end of the connection."""
        self._incoming.append(body)
        with suppress(RuntimeError):
            # The loop may be closed, because the server has ended.
            self._loop.call_soon_threadsafe(self._schedule)

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._do_round)

    def _do_round(self) -> None:
        self._is_scheduled = False
        self._rounds += 1
        is_answering = self._server.protocol.is_answering
        if self._incoming and (self._rounds > _ROUNDS_FOR_AN_ANSWER or not is_answering):
            self._rounds = 0
            body = self._incoming.popleft()
            if body is None:
                self._server.stopped.set()
            else:
                self._server.protocol.receive(body)
        elif self._server.work and (self._rounds > _ROUNDS_BEFORE_WORK or not is_answering):
            self._server.work.do_slice(self._incoming.__len__)
        if self._incoming or self._server.work:
            self._schedule()
