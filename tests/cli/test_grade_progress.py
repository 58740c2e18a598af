"""The line that tells how far a grading is, and what ends a run."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from graded import a_result

from rubric_core.cli.grade_run import Progress, until_stopped
from rubric_core.grading.failures import CannotGrade, PersonStopped
from rubric_core.grading.usage import Usage
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from rubric_core.grading.results import CaseResult

PASSED = replace(a_result(0), usage=Usage(1, 0, 900, 120))
RESULTS = {
    "pass": PASSED,
    "borderline": replace(PASSED, verdict=Verdict.BORDERLINE),
    "fail": replace(PASSED, verdict=Verdict.FAIL),
    "error": replace(PASSED, score=None, verdict=None, error="No."),
    "no verdict": replace(PASSED, score=None, verdict=None),
}


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let somebody look at standard error."""
    monkeypatch.setattr("rubric_core.cli.output.stderr_is_terminal", lambda: True)


def progress_after(*results: CaseResult, total: int = 8, unpaid: int = 0) -> Progress:
    """Return the progress after some results."""
    progress = Progress(total, shown=True, unpaid=unpaid)
    for result in results:
        progress.add(result)
    return progress


def test_the_line_counts_states_tokens_and_the_time_left() -> None:
    """The four states that a person looks for are always there; a scorecard alone has none of them."""
    line = progress_after(RESULTS["pass"], RESULTS["pass"], RESULTS["fail"], RESULTS["error"]).line(elapsed=12.0)
    assert line == "4 of 8 cases: 2 pass, 0 borderline, 1 fail, 1 error; 4,080 tokens; 12 s left"
    line = progress_after(RESULTS["borderline"], RESULTS["no verdict"]).line(elapsed=1.0)
    assert line == "2 of 8 cases: 0 pass, 1 borderline, 0 fail, 0 error, 1 no verdict; 2,040 tokens; 3 s left"


@pytest.mark.parametrize(
    ("elapsed", "left"),
    [(1.0, "7 s"), (59.0 / 7, "59 s"), (59.7 / 7, "1 min 0 s"), (119.8 / 7, "2 min 0 s"), (1000.0, "1 h 56 min")],
)
def test_the_time_left_is_reported_in_the_units_of_a_person(elapsed: float, left: str) -> None:
    """From seconds to hours."""
    assert progress_after(PASSED).line(elapsed).endswith(f"; {left} left")


def test_no_time_is_left_at_both_ends() -> None:
    """Nothing is known before the first result, and nothing is to wait for behind the last."""
    assert "left" not in progress_after().line(elapsed=5.0)
    assert "left" not in progress_after(PASSED, total=1).line(elapsed=5.0)


def test_what_is_taken_over_says_nothing_about_the_time() -> None:
    """Two came at once; the third took ten seconds, and five more are to come."""
    assert "left" not in progress_after(PASSED, PASSED, unpaid=2).line(elapsed=0.1)
    assert progress_after(PASSED, PASSED, PASSED, unpaid=2).line(elapsed=10.0).endswith("; 50 s left")


def test_the_line_is_written_over_itself_and_erased(capsys: pytest.CaptureFixture[str]) -> None:
    """It is there from the start, and the last result is always shown, however soon it comes."""
    with Progress(8, shown=True) as progress:
        for _ in range(8):
            progress.add(PASSED)
    written = capsys.readouterr().err
    first, *_, last = written.split("\r")
    assert "0 of 8 cases: 0 pass, 0 borderline, 0 fail, 0 error; 0 tokens" in " ".join(first.split())
    assert "8 of 8 cases: 8 pass" in written
    assert last == "\x1b[1A\x1b[2K" * (written.rpartition("8 of 8")[2].count("\n"))


def test_nothing_is_written_where_nobody_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where quiet is asked for, or into a file; it is counted all the same."""
    for shown in (False, True):
        with Progress(1, shown=shown) as progress:
            progress.add(PASSED)
        assert (capsys.readouterr().err, progress.done) == ("", 1)
        monkeypatch.setattr("rubric_core.cli.output.stderr_is_terminal", lambda: False)


async def _work() -> None:
    await asyncio.sleep(0)


async def _until_cancelled() -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.Event().wait()


async def _person() -> None:
    raise PersonStopped


async def _keyboard() -> None:
    raise KeyboardInterrupt


def test_a_run_ends_by_itself_or_is_stopped() -> None:
    """A signal, the person who judges, and Ctrl-C where there are no handlers."""
    assert until_stopped(_work())
    assert not until_stopped(_until_cancelled())
    assert not until_stopped(_person())
    assert not until_stopped(_keyboard())


def test_a_failure_is_no_stop() -> None:
    """It is passed on."""

    async def fail() -> None:
        raise CannotGrade("The disk is full.")

    with pytest.raises(CannotGrade):
        until_stopped(fail())
