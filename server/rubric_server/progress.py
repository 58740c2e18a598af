"""The progress of long work, which the client shows, and the tokens by which it can cancel the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from rubric_server.app import RubricServer

Token = int | str
# The seconds between two messages; users cannot read faster.
_INTERVAL = 0.1


def _send(server: RubricServer, token: Token | None, value: Any) -> None:
    if token is not None:
        server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))


@contextmanager
def progress(
    server: RubricServer, token: Token | None, title: str, *, cancellable: bool = True
) -> Iterator[Callable[[str], None]]:
    """Report the start and the end of work, if there is a token; yield the function that reports progress."""
    sent_at = 0.0

    def report(message: str) -> None:
        nonlocal sent_at
        if perf_counter() - sent_at > _INTERVAL:
            sent_at = perf_counter()
            _send(server, token, types.WorkDoneProgressReport(message=message))

    _send(server, token, types.WorkDoneProgressBegin(title, cancellable=cancellable))
    try:
        yield report
    finally:
        _send(server, token, types.WorkDoneProgressEnd())


class GradingProgress:
    """The progress of one grading, under the client's token or a new one; none if the client shows none."""

    def __init__(self, server: RubricServer, token: Token | None, title: str, total: int) -> None:
        self._server = server
        self.token = server.new_progress() if token is None and server.client.progress else token
        self.total = total
        self._done = 0
        _send(server, self.token, types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def step(self, message: str) -> None:
        """Report that one more case has a result."""
        self._done += 1
        share = 100 * self._done // max(self.total, self._done)
        text = f"{self._done} of {self.total}: {message}"
        _send(self._server, self.token, types.WorkDoneProgressReport(message=text, percentage=share))

    def end(self, message: str) -> None:
        """Report the end of the grading, which can no longer be cancelled."""
        self._server.cancellations.end(self.token)
        _send(self._server, self.token, types.WorkDoneProgressEnd(message=message))


class Cancellations:
    """The work that can be cancelled, by token, also before it begins; its future is cancelled to stop it."""

    def __init__(self) -> None:
        self._futures: dict[Token | None, Future[None]] = {}

    def expect(self, token: Token | None) -> None:
        """Accept a token under which work will begin; None is one that is never cancelled."""
        self._futures.setdefault(token, Future())

    def begin(self, token: Token | None, stop: Callable[[], object]) -> None:
        """Register what stops the work of a token; it is called at once where the token was cancelled before."""
        self.expect(token)
        self._futures[token].add_done_callback(lambda _: stop())

    def cancel(self, token: Token) -> None:
        """Stop the work of a token, now or as soon as it begins; an unknown token is ignored."""
        if token in self._futures:
            self._futures[token].cancel()

    def end(self, token: Token | None) -> None:
        """Remove a token whose work has ended."""
        self._futures.pop(token, None)
