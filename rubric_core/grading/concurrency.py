"""Running several coroutines at once; when one fails, the others are cancelled."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


async def all_of(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return the results in order. A failure ends all the others before it is passed on, and so does a cancellation."""
    waiting = list(works)
    if len(waiting) == 1:
        # Most often there is one question alone, and it needs no task of its own.
        return [await waiting[0]]
    tasks = [asyncio.ensure_future(work) for work in waiting]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        # A task that is still ending must not outlive the one who asked for it.
        await asyncio.gather(*tasks, return_exceptions=True)


async def for_each(items: Sequence[T], work: Callable[[int, T], Coroutine[Any, Any, None]], concurrency: int) -> None:
    """Do some work for each item, with its place among them, for so many at once."""
    waiting = iter(enumerate(items))

    async def worker() -> None:
        for place, item in waiting:
            await work(place, item)

    await all_of(worker() for _ in range(min(concurrency, len(items))))
