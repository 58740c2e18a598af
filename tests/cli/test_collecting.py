"""In which order the reports of a check are shown."""

from __future__ import annotations

import pytest

from rubric_core.cli.check_file import CheckOutcome
from rubric_core.cli.check_run import in_turn

DONE, LATE = CheckOutcome(), None


@pytest.mark.parametrize(
    ("events", "turns"),
    [
        ([(0, DONE), (1, DONE)], [[0], [1]]),
        ([(1, DONE), (0, DONE)], [[], [0, 1]]),
        ([(1, DONE), (0, LATE), (2, DONE), (0, DONE)], [[], [1], [2], [0]]),
        ([(1, LATE), (2, DONE), (0, DONE), (1, DONE)], [[], [], [0, 2], [1]]),
        ([(1, LATE), (1, DONE), (0, DONE)], [[], [], [0, 1]]),
    ],
)
def test_reports_come_in_order_without_waiting_for_late_ones(
    events: list[tuple[int, CheckOutcome | None]], turns: list[list[int]]
) -> None:
    """A late one comes when it is there, or in its place where that is not yet passed."""
    known: dict[int, CheckOutcome] = {}
    late: set[int] = set()
    assert list(in_turn(events, known, late)) == turns
    assert (known.keys(), late) == ({index for index, _ in events}, set())
