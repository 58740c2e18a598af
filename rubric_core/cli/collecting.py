"""Collecting what a check finds, and showing it as soon as it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.cli.progress import ProgressLine
from rubric_core.cli.run import FileFailure
from rubric_core.signals import interrupted_by_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rubric_core.cli.checking import CheckOutcome
    from rubric_core.cli.run import Examination
    from rubric_core.report.reports import FileReport

# Fewer files are done before anybody could read a counter.
_FEW = 20
_MOST_NAMED = 3


class Examined(NamedTuple):
    """The result of a check in the order of the paths; `is_stopped` tells that the user did not wait for all of it."""

    reports: tuple[FileReport, ...] = ()
    failures: tuple[FileFailure, ...] = ()
    is_stopped: bool = False


def collect(examination: Examination, show: Callable[[FileReport], None], *, quiet: bool) -> Examined:
    """Wait for all files, or until the user interrupts; each report is shown as soon as it is its turn."""
    sources = examination.sources
    known: dict[int, CheckOutcome] = {}
    late: set[int] = set()
    shown: set[int] = set()
    line = ProgressLine(len(sources), shown=not quiet and len(sources) >= _FEW)

    def show_outcomes(indices: Iterable[int]) -> None:
        for index in indices:
            shown.add(index)
            report = known[index].report
            if report is not None and report.problems:
                line.erase()
                show(report)

    for report in examination.reports:
        show(report)
    is_stopped = False
    try:
        with interrupted_by_signals():
            turns = in_turn(examination.outcomes, known, late)
            for indices in turns:
                show_outcomes(indices)
                line.show(len(known), _progress(len(known), len(sources), [sources[each].shown for each in late]))
    except KeyboardInterrupt:
        is_stopped = True
        show_outcomes(sorted(known.keys() - shown))
    finally:
        line.erase()
    outcomes = [(sources[index].shown, known[index]) for index in sorted(known)]
    unchecked = [source.shown for index, source in enumerate(sources) if index not in known]
    return Examined(
        (*examination.reports, *(outcome.report for _, outcome in outcomes if outcome.report is not None)),
        (
            *examination.failures,
            *(FileFailure(shown, outcome.failure) for shown, outcome in outcomes if outcome.failure is not None),
            *([FileFailure("", _interruption(unchecked, len(sources)))] if unchecked else []),
        ),
        is_stopped,
    )


def in_turn(
    outcomes: Iterable[tuple[int, CheckOutcome | None]], known: dict[int, CheckOutcome], late: set[int]
) -> Iterator[list[int]]:
    """Give, for each event, the indices whose turn has come: in order, without waiting for those that are late.

    `known` and `late` are kept up to date, so that whoever stops early has all that was found.
    """
    position = 0
    for index, outcome in outcomes:
        if outcome is None:
            late.add(index)
        else:
            known[index] = outcome
            late.discard(index)
        turn = [index] if outcome is not None and index < position else []
        while position in known or position in late:
            turn += [position] if position in known else []
            position += 1
        yield turn


def _progress(done: int, total: int, late: Sequence[str]) -> str:
    words = f"Checked {done:,} of {total:,} files"
    return f"{words}; still checking {_some(late)}" if late else words


def _interruption(unchecked: Sequence[str], total: int) -> str:
    return f"Stopped before {len(unchecked):,} of {total:,} files {_was(unchecked)} checked: {_some(unchecked)}."


def _was(files: Sequence[str]) -> str:
    return "was" if len(files) == 1 else "were"


def _some(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
