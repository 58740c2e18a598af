"""A second process may look at half of a large file; what is reported does not depend on it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis import analysis
from rubric_core.analysis.check import analyse, check_text
from rubric_core.cli.parallel import can_fork
from rubric_core.cli.workers import in_background

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.analysis.analysis import FactsByNumber

pytestmark = pytest.mark.skipif(not can_fork(), reason="This system cannot copy a process.")

GOOD = "  - {id: case-%d, expected_outcome: Names it, input: Which?, rubrics: [Names port 8080, Names host local]}\n"
BAD = "  - {id: case-%d, expected_outcome: Names it, input: Which?, rubrics: [Names port 8080, Names port 8080]}\n"
QUOTED = '  - {id: case-%d, expected_outcome: "Names\n  - id: no case", input: Which?, rubrics: [Names port 8080]}\n'
ALIASED = "  - {id: case-%d, expected_outcome: Names it, input: Which?, rubrics: *shared}\n"
MARKED = "  - {id: case-%d, expected_outcome: Names it, input: Which?, assert: []}\n"
HEAD = "shared: &shared [Names port 8080, Names port 8080]\nevalcases:\n"


@pytest.fixture(autouse=True)
def _share_small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "_WORTH_SHARING", 2)


@pytest.mark.parametrize(
    "odd", [GOOD, BAD, QUOTED, ALIASED, MARKED], ids=["good", "bad", "quoted", "aliased", "marked"]
)
@pytest.mark.parametrize("place", [0, 3, 9])
def test_the_same_problems_are_found_with_and_without_a_second_process(odd: str, place: int) -> None:
    """Wherever the odd case is, and whatever it does to the file as a whole."""
    text = HEAD + "".join((odd if number == place else GOOD) % number for number in range(10))
    alone = check_text(text).problems
    shared = check_text(text, background=in_background).problems
    assert [(problem.code, problem.span) for problem in shared] == [(problem.code, problem.span) for problem in alone]
    assert [fix.title for problem in shared if problem.fixes for fix in problem.fixes()] == [
        fix.title for problem in alone if problem.fixes for fix in problem.fixes()
    ]


def test_the_cases_that_a_second_process_found_sound_are_not_read_again() -> None:
    """All that it found, marks of the dialect too, comes back and is used."""
    text = HEAD + "".join(GOOD % number for number in range(10))
    taken: list[int] = []

    def noted(work: Callable[[], FactsByNumber | None]) -> Callable[[], FactsByNumber | None]:
        wait = in_background(work)

        def note() -> FactsByNumber | None:
            outlines = wait()
            taken.append(len(outlines or ()))
            return outlines

        return note

    analyse(text, background=noted).refresh()
    assert taken == [5]


@pytest.mark.parametrize(
    "work",
    [lambda: sys.exit(3), lambda: os.kill(os.getpid(), 9), lambda: (number for number in ())],
    ids=["exits", "dies", "cannot be sent"],
)
def test_work_that_does_not_finish_gives_nothing(work: Callable[[], object], capfd: pytest.CaptureFixture[str]) -> None:
    """Whoever asked does the work themselves; the user sees nothing of it."""
    assert in_background(work)() is None
    assert "Error" not in capfd.readouterr().out


def test_a_copy_that_cannot_be_made_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full process table costs time, not the check."""
    monkeypatch.setattr(os, "fork", lambda: (_ for _ in ()).throw(OSError("no more processes")))
    assert in_background(lambda: 1)() is None


def test_finished_work_comes_back() -> None:
    """The outcome travels from one process to the other."""
    assert in_background(lambda: {"answer": os.getpid()})() != {"answer": os.getpid()}
