"""Requests to the client from the worker thread: they are sent, and answered, on the server's loop."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

from pygls.exceptions import JsonRpcException

from rubric_core.config.config import Config
from rubric_core.grading.targets.targets import Targets
from rubric_server.app import RubricServer
from rubric_server.progress import Token


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

    async def environment(self, path: str, config: Config) -> dict[str, str]:
        """Return the environment, with those of the variables that a file's targets lack and the client keeps."""
        missing = Targets(path, config).missing_variables
        answer: Any = None
        if self._keeps_secrets and missing:
            with suppress(JsonRpcException):
                answer = await self.ask("rubric/secrets", {"names": list(missing)})
        secrets = answer if isinstance(answer, dict) else {}
        return {**os.environ, **{name: secrets[name] for name in missing if isinstance(secrets.get(name), str)}}

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Return the client's answer; being cancelled cancels the request. Raise JsonRpcException."""
        return await asyncio.wrap_future(
            asyncio.run_coroutine_threadsafe(self._protocol.ask(method, params), self._loop)
        )
