"""Long work, done in slices on the event loop between messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.document import Document
    from rubric_server.app import RubricServer
    from rubric_server.documents import OpenDocument

T = TypeVar("T")
Work = Generator[None, None, T]
"""Work that may be interrupted at each `yield`; its return value is the result."""

# The length of a slice in seconds, which is how long a message may wait.
SLICE = 0.004
_log = logging.getLogger("rubric")


class _Job(NamedTuple):
    work: Work[Any]
    # The future of the result, for work that is awaited.
    result: asyncio.Future[Any] | None = None


class WorkQueue:
    """The waiting work by key. Newer work replaces older work with the same key."""

    def __init__(self) -> None:
        self._jobs: dict[object, _Job] = {}
        # Called when there is work to do; the message loop sets it.
        self.wake: Callable[[], None] = lambda: None

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def put(self, key: object, work: Work[None]) -> None:
        """Add work before all other work."""
        self.drop(key)
        self._put_first(key, _Job(work))

    async def run(self, work: Work[T]) -> T:
        """Do some work and return its result. Cancelling ends the work."""
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
        """Do a slice of the first work, and put it behind the others; end early when a message has arrived."""
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
    """Work on the current text; stop with None when it changes, since the requested place may be gone then."""
    # An edit may come before the generator takes its first step, so the version is read now.
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
    """Work on the latest text; after an edit, start again. None where the text is not an eval file."""
    while (analysis := document.analysis) is not None:
        text, version = document.text, document.version
        answer = yield from about_this_text(document, work(analysis))
        if document.text is text and document.version == version:
            return answer
    return None


def on_latest_text(
    work: Callable[[RubricServer, Any, OpenDocument, Analysis], Work[T]],
) -> Callable[[RubricServer, Any], Work[T | None]]:
    """Make a feature of work on the latest text of an open eval file; the answer is None for any other document."""

    def feature(server: RubricServer, params: Any) -> Work[T | None]:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return None
        return (yield from about_latest_text(document, partial(work, server, params, document)))

    return feature
