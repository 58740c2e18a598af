"""Lines that a person types, read so that waiting for one can be cancelled at any moment."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import suppress
from typing import TypeVar

_MOST_BYTES = 65_536

Value = TypeVar("Value")


class Keyboard:
    """Reads lines from a terminal without blocking the event loop."""

    def __init__(self, descriptor: int, encoding: str = "utf-8") -> None:
        self._descriptor = descriptor
        self._encoding = encoding
        self._typed = b""
        self._ended = False

    async def line(self) -> str | None:
        """Return the next line without its end; None where the person ends the input (Ctrl-D)."""
        while b"\n" not in self._typed and not self._ended:
            data = await self._read()
            self._typed += data
            self._ended = not data
        if self._ended:
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(self._encoding, "replace").rstrip("\r")

    async def _read(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        try:
            loop.add_reader(self._descriptor, lambda: _settle(ready, None))
        except NotImplementedError:
            return await self._read_in_thread(loop)
        try:
            await ready
        finally:
            loop.remove_reader(self._descriptor)
        return os.read(self._descriptor, _MOST_BYTES)

    async def _read_in_thread(self, loop: asyncio.AbstractEventLoop) -> bytes:
        """Read where the loop cannot wait for a terminal, as on Windows. The thread does not keep the process alive."""
        ready: asyncio.Future[bytes] = loop.create_future()

        def work() -> None:
            data = os.read(self._descriptor, _MOST_BYTES)
            # The loop may be closed by the time that somebody types.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: _settle(ready, data))

        threading.Thread(target=work, name="rubric-keyboard", daemon=True).start()
        return await ready


def _settle(future: asyncio.Future[Value], value: Value) -> None:
    if not future.done():
        future.set_result(value)
