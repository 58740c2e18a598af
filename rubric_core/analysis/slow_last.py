"""Work on many files in small steps in one thread: a file that is slow or fails delays no other one."""

import logging
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# An item that takes longer than this many seconds is put off.
PATIENCE = 0.5
_log = logging.getLogger("rubric")


def slow_last(items: Iterable[Item], work: Callable[[Item], Iterator[Result | None]]) -> Iterator[Result | None]:
    """Yield what the work on each item yields; None is a step without a result.

    An item that takes long is started again after all others, so that it needs no memory meanwhile. A failure is logged
    and affects its item only.
    """
    put_off: list[Item] = []
    for item in items:
        yield None
        end = perf_counter() + PATIENCE
        for result in _logged(item, work):
            yield result
            if result is None and perf_counter() > end:
                put_off.append(item)
                break
    for item in put_off:
        yield from _logged(item, work)


def _logged(item: Item, work: Callable[[Item], Iterator[Result | None]]) -> Iterator[Result | None]:
    try:
        yield from work(item)
    except Exception:  # noqa: BLE001 - whatever goes wrong with one file, the others are checked.
        _log.exception("%s could not be checked", item)
