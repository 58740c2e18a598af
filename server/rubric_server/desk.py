"""The desk where grading happens: a thread of its own, so that no edit ever waits for a judge."""

from __future__ import annotations

import asyncio
import threading
from importlib import import_module
from time import sleep
from typing import TYPE_CHECKING, Any, TypeVar

from rubric_server.endpoint import Refused

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator
    from concurrent.futures import Future

_PATIENCE = 5.0
"""How many seconds the end of the server waits for work that is called off."""

_MOMENT = 0.001
"""How many seconds pass between two looks at whether the desk is ready: nobody notices them."""

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

    def made_ready(self) -> Generator[None, None, None]:
        """Import what grading needs, on the desk's thread; others go first until it is done. Raises Refused."""
        if self._ready is None:
            self._ready = self.begin(_import())
        while not self._ready.done():
            sleep(_MOMENT)
            yield
        missing = self._ready.exception()
        if isinstance(missing, ImportError):
            raise Refused(
                f"This Python cannot grade, because a part of the server is missing ({missing.msg}); "
                "choose a CPython 3.10 to 3.14, or install rubric-lsp for this one."
            )

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
