"""The desk where grading happens: a thread of its own, so that no edit ever waits for a judge."""

from __future__ import annotations

import asyncio
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from rubric_server.protocol.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

_PATIENCE = 5.0
"""How many seconds the end of the server waits for work that is called off."""

T = TypeVar("T")


class Desk:
    """A thread with an event loop, made when it is first needed. Grading happens here, and nothing else does."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ready: Future[None] | None = None

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin some work. Cancelling what is returned ends it: calls are closed and processes killed."""
        return asyncio.run_coroutine_threadsafe(work, self._running())

    async def make_ready(self) -> None:
        """Import what grading needs, on the desk's thread. Raise RequestError where a part is missing."""
        if self._ready is None:
            self._ready = self.begin(_import())
        try:
            await asyncio.shield(asyncio.wrap_future(self._ready))
        except ImportError as missing:
            raise RequestError(
                f"This Python cannot grade, because a part of the server is missing ({missing.msg}); "
                "choose a CPython 3.10 to 3.14, or install rubric-lsp for this one."
            ) from None

    def close(self) -> None:
        """Call all work off, and wait until it has ended, but not for ever."""
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(_end_all(), self._loop)
        self._thread.join(_PATIENCE)

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._run, args=(self._loop,), name="desk", daemon=True)
            self._thread.start()
        return self._loop

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()
        loop.close()


async def _import() -> None:
    import_module("rubric_server.grading_orders")


async def _end_all() -> None:
    own = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not own]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    asyncio.get_running_loop().stop()
