"""Run work in forked copies of this process, so that a slow or crashing item does not delay others."""

import os
import pickle
import select
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Thread
from time import monotonic, sleep
from typing import BinaryIO, TypeVar
from weakref import finalize

from rubric_core.cli.output import STOPPING_SIGNALS

Item = TypeVar("Item")
Result = TypeVar("Result")

# An item that takes longer than this many seconds is late.
PATIENCE = 2.0
# The factor by which the limit of a postponed item grows at its next turn.
_MORE_PATIENCE = 4
_TICK = 0.25


@contextmanager
def _signals_delayed() -> Iterator[None]:
    """Delay the signals that end a process, so that no worker is started or ended without being recorded."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(slots=True, eq=False)
class Worker:
    """A copy of this process, the index of its current item, and when it began."""

    process: int
    orders: BinaryIO
    replies: BinaryIO
    index: int = -1
    since: float = 0.0

    def fileno(self) -> int:
        """Return the file of the replies, for `select`."""
        return self.replies.fileno()

    def take(self, index: int) -> None:
        """Begin to work on an item."""
        self.index, self.since = index, monotonic()
        # If the process has died, its reply is the end of the file.
        with suppress(OSError):
            self.orders.write(b"%d\n" % index)
            self.orders.flush()

    def end(self) -> None:
        """End the process, whatever it does."""
        os.kill(self.process, signal.SIGKILL)
        with suppress(OSError):
            self.orders.close()
        self.replies.close()
        os.waitpid(self.process, 0)


class _Workers:
    """The running copies of this process. Each of them is recorded here, whenever an interrupt comes."""

    def __init__(self, work: Callable[[Item], Result], items: Sequence[Item]) -> None:
        self._start = partial(_start, work, items)
        self._alive: list[Worker] = []

    def start(self) -> Worker | None:
        """Start a process; None if that fails."""
        with _signals_delayed():
            worker = self._start()
            if worker is not None:
                self._alive.append(worker)
        return worker

    def end(self, worker: Worker) -> None:
        """End a process."""
        with _signals_delayed():
            self._alive.remove(worker)
            worker.end()

    def end_all(self) -> None:
        """End all processes."""
        with _signals_delayed():
            while self._alive:
                self._alive.pop().end()


def run_in_workers(
    work: Callable[[Item], Result], lost: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Iterator[tuple[int, Result | None]]:
    """Yield the index and the result of each item when it is done, and once None for an item that is late.

    `lost` returns the result of an item whose process died. If every process works on a late item while others wait,
    the longest-running process is ended; its item is started again after the others, with more time.
    """
    waiting, put_off = deque(range(len(items))), deque[int]()
    workers = _Workers(work, items)
    idle: list[Worker] = []
    busy: list[Worker] = []
    late: set[int] = set()
    patience = PATIENCE
    try:
        while waiting or put_off or busy:
            if not waiting and put_off:
                waiting, put_off = put_off, waiting
                patience *= _MORE_PATIENCE
            while waiting and len(busy) < processes:
                worker = idle.pop() if idle else workers.start()
                if worker is not None:
                    worker.take(waiting.popleft())
                    busy.append(worker)
                elif busy:
                    processes = len(busy)
                else:
                    index = waiting.popleft()
                    yield index, work(items[index])
            ready: list[Worker] = select.select(busy, (), (), _TICK)[0]
            now = monotonic()
            for worker in ready:
                busy.remove(worker)
                try:
                    result: Result = pickle.load(worker.replies)  # noqa: S301 - our own process wrote it.
                    idle.append(worker)
                except (EOFError, pickle.UnpicklingError):
                    result = lost(items[worker.index])
                    workers.end(worker)
                yield worker.index, result
            newly_late = {worker.index for worker in busy if now - worker.since > PATIENCE} - late
            late |= newly_late
            yield from ((index, None) for index in newly_late)
            if waiting and len(busy) == processes and all(now - worker.since > patience for worker in busy):
                slowest = min(busy, key=lambda worker: worker.since)
                busy.remove(slowest)
                workers.end(slowest)
                put_off.append(slowest.index)
    finally:
        workers.end_all()


def in_background(work: Callable[[], Result]) -> Callable[[], Result | None]:
    """Start the work in a copy of this process. The returned function waits for the result; None if the copy failed."""
    workers = _Workers(lambda _item: work(), (None,))
    worker = workers.start()
    if worker is None:
        return lambda: None
    worker.take(0)

    def wait() -> Result | None:
        try:
            result: Result = pickle.load(worker.replies)  # noqa: S301 - our own process wrote it.
        except (EOFError, pickle.UnpicklingError):
            return None
        else:
            return result
        finally:
            end()

    # If nothing waits for the result any more, the process is ended.
    end = finalize(wait, workers.end_all)
    return wait


def _start(work: Callable[[Item], Result], items: Sequence[Item]) -> Worker | None:
    """Start a copy of this process that works on the items whose indices it receives; None if that fails."""
    orders, orders_end = os.pipe()
    replies_end, replies = os.pipe()
    first = os.getpid()
    try:
        process = os.fork()
    except OSError:
        for end in (orders, orders_end, replies_end, replies):
            os.close(end)
        return None
    if process == 0:
        os.close(orders_end)
        Thread(target=_end_after, args=(first,), daemon=True).start()
        _work_and_leave(work, items, orders, replies)
    os.close(orders)
    os.close(replies)
    return Worker(process, os.fdopen(orders_end, "wb"), os.fdopen(replies_end, "rb"))


def _work_and_leave(work: Callable[[Item], Result], items: Sequence[Item], orders: int, replies: int) -> None:
    """Work until the orders end, then end the copy without running any code of the first process."""
    try:
        for number in STOPPING_SIGNALS:
            # The first process ends this one; a Ctrl-C in the terminal reaches both.
            signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING_SIGNALS)
        with os.fdopen(orders, "rb") as lines, os.fdopen(replies, "wb") as pipe:
            for line in lines:
                pipe.write(pickle.dumps(work(items[int(line)])))
                pipe.flush()
    finally:
        os._exit(1)


def _end_after(first: int) -> None:
    """End this copy soon after the first process, which may be killed while an item is worked on."""
    while os.getppid() == first:
        sleep(_TICK)
    os._exit(1)
