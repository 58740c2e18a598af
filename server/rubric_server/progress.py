"""Telling the client how far some work has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from rubric_server.grading.cancellation import Token

if TYPE_CHECKING:
    from rubric_server.app import RubricServer

# Nobody reads faster than this.
_INTERVAL = 0.1


def _tell(server: RubricServer, token: Token | None, value: Any) -> None:
    if token is not None:
        server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))


@contextmanager
def progress(
    server: RubricServer, token: Token | None, title: str, *, cancellable: bool = True
) -> Iterator[Callable[[str], None]]:
    """Tell that some work begins, and at last that it is over, also where it is cancelled or fails.

    What is given tells in between how far it is. Without a token from the client nothing is told at all.
    """
    told_at = 0.0

    def report(message: str) -> None:
        nonlocal told_at
        if perf_counter() - told_at > _INTERVAL:
            told_at = perf_counter()
            _tell(server, token, types.WorkDoneProgressReport(message=message))

    _tell(server, token, types.WorkDoneProgressBegin(title, cancellable=cancellable))
    try:
        yield report
    finally:
        _tell(server, token, types.WorkDoneProgressEnd())


class GradingProgress:
    """The progress of one grading, under the client's token or one of ours; silent where the client shows none."""

    def __init__(self, server: RubricServer, token: Token | None, title: str, total: int) -> None:
        self._server = server
        self.token = server.new_progress() if token is None and server.client.progress else token
        self.total = total
        self._done = 0
        _tell(server, self.token, types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def step(self, message: str) -> None:
        """Tell that one more case has a result."""
        self._done += 1
        share = 100 * self._done // max(self.total, self._done)
        said = f"{self._done} of {self.total}: {message}"
        _tell(self._server, self.token, types.WorkDoneProgressReport(message=said, percentage=share))

    def end(self, message: str) -> None:
        """Tell that it is over."""
        _tell(self._server, self.token, types.WorkDoneProgressEnd(message=message))
