"""A model whose replies wait until a test lets them go."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from model_server import ModelServer, completion
from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable

    from model_server import Asked
    from scripted_server import Request, Step, Wire


class PausedModel(ModelServer):
    """Answers by a function of the request, but not before `release` was called."""

    def __init__(self, respond: Callable[[Asked], str]) -> None:
        self._let_go = threading.Event()
        super().__init__(lambda asked: self._held(respond(asked)))

    def release(self) -> None:
        """Let every reply go, those to come too."""
        self._let_go.set()

    def _held(self, text: str) -> Step:
        async def step(request: Request, wire: Wire) -> bool:
            await asyncio.to_thread(self._let_go.wait, TIMEOUT)
            return await completion(text)(request, wire)

        return step
