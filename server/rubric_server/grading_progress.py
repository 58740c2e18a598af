"""Telling the client how far a grading has come, and letting it stop the grading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.stops import Token


class GradingProgress:
    """The progress of one grading, under the client's token or one of ours; silent where the client shows none."""

    def __init__(self, server: RubricServer, token: Token | None, title: str, total: int) -> None:
        self._server = server
        self.token = token
        if token is None and server.client.progress:
            self.token = server.new_progress()
        self.total = total
        self._done = 0
        self._tell(types.WorkDoneProgressBegin(title, cancellable=True, percentage=0))

    def step(self, message: str) -> None:
        """Tell that one more case has a result."""
        self._done += 1
        share = 100 * self._done // max(self.total, self._done)
        self._tell(types.WorkDoneProgressReport(message=f"{self._done} of {self.total}: {message}", percentage=share))

    def end(self, message: str) -> None:
        """Tell that it is over."""
        self._tell(types.WorkDoneProgressEnd(message=message))

    def _tell(self, value: Any) -> None:
        if self.token is not None:
            self._server.protocol.notify(types.PROGRESS, types.ProgressParams(self.token, value))
