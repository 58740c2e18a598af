"""An OpenAI-compatible server in a thread, for tests whose subject is a process of its own."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model_calls import chat_reply
from scripted_server import ScriptedServer, answer
from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from scripted_server import Request, Step, Wire
    from typing_extensions import Self


@dataclass(frozen=True)
class Asked:
    """One request for a completion; `number` counts them from 1."""

    number: int
    request: Request

    @property
    def messages(self) -> list[dict[str, str]]:
        """Return the turns."""
        found: list[dict[str, str]] = self.request.json["messages"]
        return found

    @property
    def prompt(self) -> str:
        """Return the first turn of the user."""
        return next(turn["content"] for turn in self.messages if turn["role"] == "user")

    @property
    def is_repair(self) -> bool:
        """Return whether an earlier reply is complained about."""
        return any(turn["role"] == "assistant" for turn in self.messages)


class ModelServer:
    """Answers each request by what `respond` says of it: the text of a completion, or a step of a scripted server."""

    def __init__(self, respond: Callable[[Asked], str | Step]) -> None:
        self.respond = respond
        self.asked: list[Asked] = []
        self.closed_early = 0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="model-server")
        self._ready = threading.Event()
        self._server = ScriptedServer(self._step)
        self._stop: Callable[[], object] = lambda: None

    @property
    def base_url(self) -> str:
        """Return the address that a judge is given."""
        return f"{self._server.url}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(TIMEOUT)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._thread.join(TIMEOUT)

    def wait_until(self, reached: Callable[[ModelServer], bool]) -> None:
        """Wait until the requests, or the connections that were closed early, are as a test wants them."""
        with self._changed:
            assert self._changed.wait_for(lambda: reached(self), TIMEOUT)

    def hang(self) -> Step:
        """Never answer, and count when the client has closed the connection."""

        async def step(_request: Request, wire: Wire) -> bool:
            await wire.until_closed()
            with self._changed:
                self.closed_early += 1
                self._changed.notify_all()
            return False

        return step

    async def _serve(self) -> None:
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        async with self._server:
            self._stop = lambda: loop.call_soon_threadsafe(stopped.set)
            self._ready.set()
            await stopped.wait()

    async def _step(self, request: Request, wire: Wire) -> bool:
        with self._changed:
            asked = Asked(len(self.asked) + 1, request)
            self.asked.append(asked)
            self._changed.notify_all()
        said = self.respond(asked)
        step = answer(chat_reply(said)) if isinstance(said, str) else said
        return await step(request, wire)


def completion(text: str, **members: Any) -> Step:
    """Answer with a completion; `members` take the place of those of the usual reply."""
    return answer({**chat_reply(text), **members})
