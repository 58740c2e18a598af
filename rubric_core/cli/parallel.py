"""Work on many files, in this process or in several if that is faster."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Result = TypeVar("Result")

# Starting a process costs as much as checking about this many bytes.
WORTH_A_POOL = 500_000

_COLLECTION_THRESHOLDS = (50_000, 20, 100)


def processes_for(sizes: Sequence[int], jobs: int | None) -> int:
    """Return how many processes to use for files of these sizes; `jobs` is the limit of the user."""
    allowed = processors(jobs)
    worthwhile = sum(sizes) // WORTH_A_POOL + 1
    return max(1, min(allowed, len(sizes), worthwhile))


def can_fork() -> bool:
    """Return whether this system can copy a running process."""
    return hasattr(os, "fork")


def run_all(
    work: Callable[[Item], Result], lost: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[tuple[int, Result | None]]:
    """Yield the index and the result of each item when it is known, and None before for an item that is late.

    `lost` returns the result of an item whose process died. A single item is worked on in this process, and so are all
    with RUBRIC_DEBUG, which shows errors with their traceback.
    """
    if len(items) > 1 and can_fork() and not os.environ.get("RUBRIC_DEBUG"):
        from rubric_core.cli.workers import run_in_workers  # noqa: PLC0415 - a single file needs no workers.

        yield from run_in_workers(work, lost, items, processes)
    elif processes == 1 or os.environ.get("RUBRIC_DEBUG"):
        yield from enumerate(map(work, items))
    else:
        yield from enumerate(_run_in_pool(work, lost, items, processes))


def _run_in_pool(
    work: Callable[[Item], Result], lost: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[Result]:
    """Yield the result of each item, in order, on systems that cannot fork."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - small runs need no pool.
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - the same.

    with ProcessPoolExecutor(processes, initializer=_start_worker) as pool:

        def result_of(item: Item) -> Callable[[], Result]:
            # A worker may have died already, and then the pool accepts no further items.
            try:
                return pool.submit(work, item).result
            except BrokenProcessPool:
                return partial(lost, item)

        results = [result_of(item) for item in items]
        try:
            for item, result in zip(items, results, strict=True):
                try:
                    yield result()
                except BrokenProcessPool:  # noqa: PERF203 - the files of other processes are still reported.
                    yield lost(item)
        finally:
            # After an interrupt, waiting items are cancelled.
            pool.shutdown(wait=False, cancel_futures=True)


def collect_seldom() -> None:
    """Run the garbage collector less often: trees of nodes are large, live long and have hardly any cycles."""
    gc.set_threshold(*_COLLECTION_THRESHOLDS)


def _start_worker() -> None:
    """Let Ctrl-C and the end of the first process end a worker, without a traceback."""
    import signal  # noqa: PLC0415 - only workers need it.
    from multiprocessing import parent_process  # noqa: PLC0415 - the same.
    from threading import Thread  # noqa: PLC0415 - the same.

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    collect_seldom()
    Thread(target=_end_after, args=(parent_process(),), daemon=True).start()


def _end_after(first: "BaseProcess | None") -> None:
    """End this process after the first one, which may be killed while an item is worked on."""
    if first is not None:
        first.join()
        os._exit(1)


def processors(jobs: int | None) -> int:
    """Return how many processes may work at once; `jobs` is the limit of the user."""
    if jobs:
        return jobs
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
