"""Telling the client how far some work has come."""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rubric_server.app import RubricServer

# Nobody reads faster than this.
_INTERVAL = 0.1


@contextmanager
def progress(
    server: RubricServer, token: int | str | None, title: str, *, cancellable: bool = True
) -> Iterator[Callable[[str], None]]:
    """Tell that some work begins, and at last that it is over, also where it is cancelled or fails.

    What is given tells in between how far it is. Without a token from the client nothing is told at all.
    """
    told_at = 0.0

    def tell(value: Any) -> None:
        if token is not None:
            server.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))

    def report(message: str) -> None:
        nonlocal told_at
        if perf_counter() - told_at > _INTERVAL:
            told_at = perf_counter()
            tell(types.WorkDoneProgressReport(message=message))

    tell(types.WorkDoneProgressBegin(title, cancellable=cancellable))
    try:
        yield report
    finally:
        tell(types.WorkDoneProgressEnd())
