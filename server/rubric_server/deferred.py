"""Answers that come later, from work on another thread: no message waits for it, and it can be called off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future


class Deferred(NamedTuple):
    """Work that was begun, and whose outcome will be the answer of a request.

    `finish` turns the work that has ended into the answer, on the server's own thread; it may refuse.
    """

    future: Future[Any]
    finish: Callable[[Future[Any]], Any]
