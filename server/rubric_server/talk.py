"""Talking with the client from the desk: requests to it go through the server's thread, and so do its answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_server.app import RubricServer
    from rubric_server.protocol import Json
    from rubric_server.stops import Token


class Refusal(Exception):  # noqa: N818 - the client refuses; nothing went wrong here.
    """The client's answer to a request was an error, with this message."""


class Talk:
    """What the desk may ask the client. Made on the server's thread, used on the desk's.

    `grading` is the token of the progress of what is done, by which the client knows what a question belongs to.
    """

    def __init__(self, server: RubricServer, grading: Token | None) -> None:
        self.grading = grading
        self._post = server.endpoint.post
        self._endpoint = server.endpoint
        self.judges = server.client.judges
        self._keeps_secrets = server.client.secrets

    async def secrets(self, names: Sequence[str]) -> dict[str, str]:
        """Return the values of those of the variables that the client keeps."""
        if not self._keeps_secrets or not names:
            return {}
        try:
            answer = await self.ask("rubric/secrets", {"names": list(names)})
        except Refusal:
            return {}
        kept = answer if isinstance(answer, dict) else {}
        return {name: value for name, value in kept.items() if name in names and isinstance(value, str)}

    async def ask(self, method: str, params: Json) -> Any:
        """Ask the client and wait for its answer; being cancelled calls the request off. Raises Refusal."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        number: list[str] = []

        def settle(set_outcome: Any, outcome: object) -> None:
            loop.call_soon_threadsafe(lambda: None if answer.done() else set_outcome(outcome))

        def send() -> None:
            number.append(
                self._endpoint.request(
                    method,
                    params,
                    lambda result: settle(answer.set_result, result),
                    lambda message: settle(answer.set_exception, Refusal(message)),
                )
            )

        self._post(send)
        try:
            return await answer
        except asyncio.CancelledError:
            self._post(lambda: self._endpoint.call_off(number[0]))
            raise
