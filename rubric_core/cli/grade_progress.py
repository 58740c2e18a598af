"""The line on standard error that tells how far a grading is."""

from __future__ import annotations

import time
from collections import Counter

from rubric_core.cli.progress import ProgressLine
from rubric_core.grading.results import CaseResult
from rubric_core.grading.usage import NOTHING_SPENT
from rubric_core.report.results.summary import STATES, state_of

_ALWAYS_TOLD = frozenset({"pass", "borderline", "fail", "error"})
_MINUTE = 60
_HOUR = 3600


class Progress:
    """Counts results, and shows the counts on a terminal.

    `unpaid` of the results take no time, because nobody is asked for them: how long the others take tells what is left.
    """

    def __init__(self, total: int, *, shown: bool, unpaid: int = 0) -> None:
        self.total = total
        self.counts: Counter[str] = Counter()
        self.usage = NOTHING_SPENT
        self._unpaid = unpaid
        self._line = ProgressLine(total, shown=shown)
        self._started = time.monotonic()

    @property
    def done(self) -> int:
        """Return how many cases have a result."""
        return self.counts.total()

    def __enter__(self) -> Progress:  # noqa: PYI034 - `Self` is not in the library of Python 3.10.
        self._show()
        return self

    def __exit__(self, *_error: object) -> None:
        self._line.erase()

    def add(self, result: CaseResult) -> None:
        """Count one result."""
        self.counts[state_of(result)] += 1
        self.usage += result.usage
        self._show()

    def line(self, elapsed: float) -> str:
        """Return the counts, the tokens and the time that is left, as one line."""
        told = [f"{self.counts[state]} {state}" for state in STATES if self.counts[state] or state in _ALWAYS_TOLD]
        tokens = self.usage.input_tokens + self.usage.output_tokens
        parts = [f"{self.done} of {self.total} cases: {', '.join(told)}", f"{tokens:,} tokens"]
        paid = self.done - self._unpaid
        if paid > 0 and self.done < self.total:
            parts.append(f"{_span(elapsed / paid * (self.total - self.done))} left")
        return "; ".join(parts)

    def _show(self) -> None:
        self._line.show(self.done, self.line(time.monotonic() - self._started))


def _span(time_left: float) -> str:
    """Return a length of time in the units that a person would use."""
    seconds = round(time_left)
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min {seconds % _MINUTE} s"
    return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min"
