"""Long work, done in slices on the event loop between messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.document import Document
    from rubric_server.documents import OpenDocument

T = TypeVar("T")
Work = Generator[None, None, T]
"""Work that lets others go first at each `yield`; its return value is the result."""

# The seconds that a slice takes, so that no message waits longer.
SLICE = 0.004
_log = logging.getLogger("rubric")


class _Job(NamedTuple):
    work: Work[Any]
    # The future of the result, for work that is awaited.
    result: asyncio.Future[Any] | None = None


class WorkQueue:
    """The work that waits, by key. Newer work takes the place of older work with the same key."""

    def __init__(self) -> None:
        self._jobs: dict[object, _Job] = {}
        # Called when there is work to do; the message loop sets it.
        self.wake: Callable[[], None] = lambda: None

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def put(self, key: object, work: Work[None]) -> None:
        """Do some work, before all that waits already."""
        self.drop(key)
        self._put_first(key, _Job(work))

    async def run(self, work: Work[T]) -> T:
        """Do some work and return its result. Being cancelled ends the work."""
        key = object()
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put_first(key, _Job(work, result))
        try:
            return await result
        finally:
            self.drop(key)

    def drop(self, key: object) -> None:
        """End the work with a key, if there is any."""
        job = self._jobs.pop(key, None)
        if job is not None:
            job.work.close()

    def do_slice(self, is_wanted_elsewhere: Callable[[], object] = lambda: False) -> None:
        """Do a slice of the first work, and put it behind the others; end early where a message has arrived."""
        key, job = next(iter(self._jobs.items()))
        del self._jobs[key]
        end = perf_counter() + SLICE
        try:
            next(job.work)
            while perf_counter() < end and not is_wanted_elsewhere():
                next(job.work)
        except StopIteration as done:
            if job.result is not None and not job.result.done():
                job.result.set_result(done.value)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the server goes on.
            if job.result is None:
                _log.exception("Some work failed: %r", key)
            elif not job.result.done():
                job.result.set_exception(error)
        else:
            self._jobs[key] = job

    def _put_first(self, key: object, job: _Job) -> None:
        self._jobs = {key: job, **self._jobs}
        self.wake()


# Work about a text that may be edited in between


def about_this_text(document: OpenDocument, work: Work[T]) -> Work[T | None]:
    """Work on the text as it is now; give up when it changes, since the place that was asked about is gone then."""
    # A generator begins when it is first asked to go on, and an edit may come before that.
    return _while_same(document, document.text, document.version, work)


def _while_same(document: OpenDocument, text: Document, version: int, work: Work[T]) -> Work[T | None]:
    try:
        while document.text is text and document.version == version:
            next(work)
            yield
    except StopIteration as done:
        answer: T = done.value
        return answer
    work.close()
    return None


def about_latest_text(document: OpenDocument, work: Callable[[Analysis], Work[T]]) -> Work[T | None]:
    """Work on the latest text; when it changes in between, start again with what is remembered of the chunks."""
    while (analysis := document.analysis) is not None:
        text, version = document.text, document.version
        answer = yield from about_this_text(document, work(analysis))
        if document.text is text and document.version == version:
            return answer
    return None
