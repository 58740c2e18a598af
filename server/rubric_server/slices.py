"""Work about a text that may be edited in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.document import Document
    from rubric_server.documents import OpenDocument
    from rubric_server.work_queue import Work

Answer = TypeVar("Answer")


def about_this_text(document: OpenDocument, work: Work[Answer]) -> Work[Answer | None]:
    """Work on the text as it is now; give up when it changes, since the place that was asked about is gone then."""
    # A generator begins when it is first asked to go on, and an edit may come before that.
    return _while_same(document, document.text, document.version, work)


def _while_same(document: OpenDocument, text: Document, version: int, work: Work[Answer]) -> Work[Answer | None]:
    try:
        while document.text is text and document.version == version:
            next(work)
            yield
    except StopIteration as done:
        answer: Answer = done.value
        return answer
    work.close()
    return None


def about_latest_text(document: OpenDocument, work: Callable[[Analysis], Work[Answer]]) -> Work[Answer | None]:
    """Work on the latest text; when it changes in between, start again with what is remembered of the chunks."""
    while (analysis := document.analysis) is not None:
        text, version = document.text, document.version
        answer = yield from about_this_text(document, work(analysis))
        if document.text is text and document.version == version:
            return answer
    return None
