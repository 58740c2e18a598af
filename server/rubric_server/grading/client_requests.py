"""Requests to the client from the worker thread: they are sent, and answered, on the server's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from rubric_server.grading.cancellation import Token

if TYPE_CHECKING:
    from rubric_server.app import RubricServer


class RequestRefused(Exception):  # noqa: N818 - the client refuses; nothing went wrong here.
    """The client answered a request with an error, whose message this is."""


class ClientRequests:
    """Sends requests to the client. Made on the server's loop, used on the worker's.

    `grading` is the progress token of the work, by which the client knows what a question belongs to.
    """

    def __init__(self, server: RubricServer, grading: Token | None) -> None:
        self.grading = grading
        self.judges = server.client.judges
        self._keeps_secrets = server.client.secrets
        self._protocol = server.protocol
        self._loop = asyncio.get_running_loop()

    async def secrets(self, names: Sequence[str]) -> dict[str, str]:
        """Return the values of those of the variables that the client keeps."""
        if not self._keeps_secrets or not names:
            return {}
        try:
            answer = await self.ask("rubric/secrets", {"names": list(names)})
        except RequestRefused:
            return {}
        kept = answer if isinstance(answer, dict) else {}
        return {name: value for name, value in kept.items() if name in names and isinstance(value, str)}

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Return the client's answer; being cancelled cancels the request. Raise RequestRefused."""
        answer = asyncio.run_coroutine_threadsafe(self._protocol.ask(method, params), self._loop)
        try:
            return await asyncio.wrap_future(answer)
        except JsonRpcException as error:
            raise RequestRefused(error.message) from None
