"""What the engine logs about rules that failed: the command line tells it in one line, with the file's name."""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rubric_core.analysis.engine import forget_failures

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def failed_rules() -> Iterator[list[str]]:
    """Collect what is logged meanwhile; with RUBRIC_DEBUG the log goes where it always goes, with the traceback."""
    collector = _Collector()
    if os.environ.get("RUBRIC_DEBUG"):
        yield collector.messages
        return
    forget_failures()
    log = logging.getLogger("rubric")
    log.addHandler(collector)
    try:
        yield collector.messages
    finally:
        log.removeHandler(collector)


def told(messages: list[str]) -> str | None:
    """Return the messages as one line, or None where there are none."""
    if not messages:
        return None
    return f"{'; '.join(messages)}. The other rules ran. RUBRIC_DEBUG=1 shows where; please report it."
