"""Runs and their results: kept at once, in order, found again by what went into them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

import pytest
from graded import MODEL, a_result, a_scorecard
from hypothesis import HealthCheck, given, settings
from result_strategies import case_results

from rubric_core.grading.results import CaseKey, CaseResult, ScorecardResult

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.store.store import Store


def test_the_results_of_a_run_are_in_the_order_of_their_places(store: Store) -> None:
    """Not in the order in which they were there."""
    run = store.begin_run("rubric grade .", MODEL, 3)
    for place in (2, 0, 1):
        store.keep_result(run, place, a_result(place))
    assert store.results_of(run) == (a_result(0), a_result(1), a_result(2))
    assert store.results_of(run + 1) == ()


def test_a_later_result_of_a_place_replaces_the_earlier_one(store: Store) -> None:
    """A case that is graded again within a run has one result."""
    run = store.begin_run("rubric grade .", MODEL, 1)
    store.keep_result(run, 0, a_result(1, error="No answer.", score=None, verdict=None))
    store.keep_result(run, 0, a_result(1))
    assert store.results_of(run) == (a_result(1),)


def test_a_run_shows_how_far_it_came(store: Store) -> None:
    """One that never ended was killed, or still runs."""
    first = store.begin_run("rubric grade a.yaml", MODEL, 2)
    second = store.begin_run("rubric grade b.yaml", None, 1)
    store.keep_result(first, 0, a_result(0))
    store.keep_result(second, 0, a_result(1))
    store.end_run(second, finished=True)
    newest, oldest = store.runs()
    assert (newest.id, newest.command, newest.judge, newest.kept, newest.total) == (
        second,
        "rubric grade b.yaml",
        None,
        1,
        1,
    )
    assert newest.finished
    assert newest.ended is not None
    assert newest.began <= newest.ended
    assert (oldest.id, oldest.judge, oldest.kept, oldest.total) == (first, MODEL, 1, 2)
    assert (oldest.finished, oldest.ended) == (False, None)


def test_a_run_that_was_stopped_has_ended_unfinished(store: Store) -> None:
    """As Ctrl-C leaves it."""
    run = store.begin_run("rubric grade .", MODEL, 5)
    store.end_run(run, finished=False)
    assert store.runs()[0].ended is not None
    assert not store.runs()[0].finished


def test_the_latest_run_is_the_newest_with_a_result(store: Store, project: Path) -> None:
    """Of any file, or of the named ones, however they are named."""
    assert store.latest_run() is None
    first = store.begin_run("rubric grade a.yaml", MODEL, 1)
    store.keep_result(first, 0, a_result(0, file=str(project / "a.yaml")))
    second = store.begin_run("rubric grade b.yaml", MODEL, 1)
    store.keep_result(second, 0, a_result(0, file="b.yaml"))
    store.begin_run("rubric grade c.yaml", MODEL, 1)
    expected = {(): second, ("a.yaml",): first, ("./b.yaml",): second, ("c.yaml", "a.yaml"): first, ("c.yaml",): None}
    for files, run in expected.items():
        found = store.latest_run(files)
        assert (found.id if found else None) == run, files


def test_the_history_of_a_case_is_its_last_scores(store: Store, project: Path) -> None:
    """The oldest first, in whichever run; errors, parts of a case and other files do not count."""
    scores = [Fraction(1, 10), Fraction(2, 10), Fraction(3, 10)]
    kept = [
        *(a_result(0, file=str(project / "a.yaml"), score=score) for score in scores),
        a_result(0, file=str(project / "a.yaml"), score=Fraction(1), partial=True),
        a_result(0, file=str(project / "a.yaml"), score=None, verdict=None, error="No."),
        a_result(0, file=str(project / "b.yaml"), score=Fraction(1)),
    ]
    for result in kept:
        store.keep_result(store.begin_run("rubric grade", MODEL, 1), 0, result)
    past = store.result_history(kept[:1])
    assert [each.score for each in past.cases[CaseKey(kept[0].file, kept[0].eval_id)]] == scores
    assert past.skills == {}


FAILED = ScorecardResult("review", error="The judge is out of reach.")


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        pytest.param([a_result(1)], 0, id="one that is done"),
        pytest.param([a_result(1), a_result(1, dataset="again")], 1, id="the newest of several"),
        pytest.param([a_result(1, error="No.", score=None, verdict=None)], None, id="an error is judged again"),
        pytest.param([a_result(1), a_result(1, error="No.", score=None, verdict=None)], 0, id="an error hides nothing"),
        pytest.param([a_result(1, scorecard=FAILED)], None, id="a scorecard in error is judged again"),
        pytest.param([a_result(1, scorecard=a_scorecard("e"))], 0, id="a scorecard that is done"),
        pytest.param([a_result(2)], None, id="another fingerprint"),
    ],
)
def test_a_resumed_run_finds_what_is_done(store: Store, kept: list[CaseResult], found: int | None) -> None:
    """By the fingerprint of everything that went in, in whichever run it was."""
    for result in kept:
        run = store.begin_run("rubric grade .", MODEL, 1)
        store.keep_result(run, 0, result)
    assert store.finished("fingerprint-1") == (None if found is None else kept[found])


def test_a_result_without_a_fingerprint_is_never_found(store: Store) -> None:
    """Nothing is known of what went in, so nothing is equal to it."""
    run = store.begin_run("rubric grade .", MODEL, 1)
    store.keep_result(run, 0, a_result(1, fingerprint=""))
    assert store.finished("") is None


_PLACES = count()


@given(case_results())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_result_comes_back(store: Store, result: CaseResult) -> None:
    """To the last bit; a fingerprint is plain text."""
    result = replace(result, fingerprint="")
    run = store.begin_run("rubric grade .", MODEL, 1)
    kept = store.keep_result(run, next(_PLACES), result)
    assert store.results_of(run) == (kept,)
    if result.scorecard is None or result.scorecard.skill:
        assert kept == result
