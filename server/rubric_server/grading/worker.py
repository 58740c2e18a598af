"""The background thread for grading, so that no edit waits for a judge."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from importlib import import_module
from typing import Any, TypeVar

from rubric_server.protocol.converter import RequestError

_CLOSING_SECONDS = 5.0
"""How long the end of the server waits for work that is cancelled."""

T = TypeVar("T")


class GradingWorker:
    """A background thread with its own event loop, started when it is first needed."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._imports: dict[str, Future[None]] = {}

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start some work. Cancelling the returned future ends it: calls are closed and processes killed."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._run, args=(self._loop,), name="grading", daemon=True)
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def import_module(self, name: str) -> None:
        """Import a module, with the libraries of grading, on the thread. Raise RequestError if one is missing."""
        if name not in self._imports:
            self._imports[name] = self.submit(_import(name))
        try:
            await asyncio.shield(asyncio.wrap_future(self._imports[name]))
        except ImportError as missing:
            raise RequestError(
                f"This Python cannot grade, because a part of the server is missing ({missing.msg}); "
                "choose a CPython 3.10 to 3.14, or install rubric-lsp for this one."
            ) from None

    def close(self) -> None:
        """Cancel all work, and wait for its end, but not for ever."""
        if self._loop is not None and self._thread is not None:
            asyncio.run_coroutine_threadsafe(_end_all(), self._loop)
            self._thread.join(_CLOSING_SECONDS)

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()
        loop.close()


async def _import(name: str) -> None:
    import_module(name)


async def _end_all() -> None:
    own = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not own]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    asyncio.get_running_loop().stop()
