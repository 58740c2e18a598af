"""The history of a skill: each grading enters once, in the order of runs and places."""

from __future__ import annotations

from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING

import pytest
from graded import MODEL, a_result, a_scorecard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_core.grading.results import CaseResult, ScorecardResult
from rubric_core.scoring.scorecards import history_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from random import Random

    from rubric_core.grading.store.store import Store
    from rubric_core.scoring.scorecards import HistoryReport


def _run(store: Store, cards: Iterable[ScorecardResult | None], order: Sequence[int] | None = None) -> int:
    """Keep a run with these scorecards, in some order, and return its id."""
    results = [a_result(place, scorecard=card) for place, card in enumerate(cards)]
    run = store.begin_run("rubric grade .", MODEL, len(results))
    for place in order or range(len(results)):
        store.keep_result(run, place, results[place])
    return run


def _ids(store: Store, skill: str = "review") -> list[str]:
    return [each.id for each in store.history_of(skill, 1000)]


def _histories(results: Iterable[CaseResult]) -> list[HistoryReport | None]:
    return [result.scorecard.history if result.scorecard else None for result in results]


def test_an_evaluation_is_kept_with_all_that_history_shows(store: Store) -> None:
    """Who judged what, and when; every dimension; the scores with two places; the grade."""
    run = _run(store, [a_scorecard("first", 8, correctness=3)])
    (kept,) = store.history_of("review", 10)
    assert (kept.id, kept.skill, kept.run, kept.place) == ("first", "review", run, 0)
    assert (kept.file, kept.case_id, kept.judge) == ("suite.eval.yaml", "case-0", MODEL)
    assert kept.timestamp == "2025-11-16T08:00:00Z"
    assert list(kept.dimensions) == [
        *("correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency")
    ]
    assert (kept.dimensions["correctness"], kept.dimensions["safety"]) == (3, 8)
    assert (str(kept.composite), str(kept.final_score), kept.grade) == ("6.75", "6.75", "C+")


def test_the_first_evaluation_of_a_skill_starts_its_history(store: Store) -> None:
    """Baseline Calibration: there is nothing to compare it with, and the next one sees it."""
    first, second, third = _histories(store.settle_history(_run(store, [a_scorecard(id_) for id_ in "abc"])))
    assert first is not None
    assert (first.evaluations, first.dimensions) == (0, ())
    assert second is not None
    assert (second.evaluations, second.dimensions) == (1, ())
    assert third is not None
    assert third.evaluations == 2
    assert [each.mean for each in third.dimensions] == [Decimal("8.00")] * 7


def test_an_evaluation_is_compared_with_the_last_ten_before_it(store: Store) -> None:
    """Historical Consistency: the eleventh before it counts no more."""
    _run(store, [a_scorecard("old", 1), *(a_scorecard(f"usual-{number}", 7 + number % 2) for number in range(10))])
    run = _run(store, [a_scorecard("new", 8, safety=2)])
    (history,) = _histories(store.settle_history(run))
    assert history is not None
    assert history.evaluations == 10
    assert history.flags == ("safety",)
    assert history.dimensions[0].mean == Decimal("7.50")


def test_skills_have_nothing_to_do_with_each_other(store: Store) -> None:
    """Even where a recording gives both the same judgement."""
    run = _run(store, [a_scorecard("same"), a_scorecard("same", skill="write"), a_scorecard("other")])
    assert _ids(store) == ["same", "other"]
    assert _ids(store, "write") == ["same"]
    assert [each.evaluations for each in _histories(store.settle_history(run)) if each] == [0, 0, 1]
    assert [(each.name, each.evaluations, each.latest.id) for each in store.skills()] == [
        ("review", 2, "other"),
        ("write", 1, "same"),
    ]


def test_without_a_skill_the_file_and_the_id_are_the_key(store: Store, project: Path) -> None:
    """Cases of different files that share an id have nothing to do with each other, wherever the user is."""
    run = store.begin_run("rubric grade .", MODEL, 3)
    for place, file in enumerate(("a.eval.yaml", "more/a.eval.yaml", str(project / "a.eval.yaml"))):
        card = a_scorecard(f"evaluation-{place}", 8, skill="")
        kept = store.keep_result(run, place, a_result(1, file=file, scorecard=card))
        assert kept.scorecard is not None
        assert kept.scorecard.skill == ("more/a.eval.yaml:case-1" if place == 1 else "a.eval.yaml:case-1")
    assert [each.evaluations for each in _histories(store.settle_history(run)) if each] == [0, 0, 1]
    assert [(each.name, each.evaluations) for each in store.skills()] == [
        ("a.eval.yaml:case-1", 2),
        ("more/a.eval.yaml:case-1", 1),
    ]


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("no scorecard", a_result(0)),
        ("a scorecard in error", a_result(0, scorecard=ScorecardResult("review", error="No reply."))),
        ("a partial result", a_result(0, scorecard=a_scorecard("part"), partial=True)),
        ("an evaluation without a name", a_result(0, scorecard=a_scorecard(None))),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_whole_evaluation_does_not_enter(store: Store, name: str, result: CaseResult) -> None:
    """It is kept as a result all the same."""
    run = store.begin_run("rubric grade .", MODEL, 1)
    store.keep_result(run, 0, result)
    assert store.skills() == (), name
    assert len(store.settle_history(run)) == 1


def test_a_case_in_error_does_not_take_its_scorecard_with_it(store: Store) -> None:
    """The scorecard is beside the verdict."""
    run = store.begin_run("rubric grade .", MODEL, 1)
    failed = a_result(0, error="rubric: no reply", score=None, verdict=None, scorecard=a_scorecard("whole"))
    store.keep_result(run, 0, failed)
    assert _ids(store) == ["whole"]


def test_a_replayed_or_resumed_evaluation_does_not_enter_again(store: Store) -> None:
    """It is compared with what was there when it was graded first, so it says the same as then."""
    cards = [a_scorecard("a", 7), a_scorecard("b", 8), a_scorecard("c", 2)]
    first = store.settle_history(_run(store, cards))
    _run(store, [a_scorecard("d", 9), a_scorecard("e", 9)])
    again = store.settle_history(_run(store, cards))
    assert _ids(store) == ["a", "b", "c", "d", "e"]
    assert again == first


def test_of_one_evaluation_in_two_places_the_first_place_counts(store: Store) -> None:
    """Whichever of them is judged first."""
    _run(store, [a_scorecard("a"), a_scorecard("b"), a_scorecard("a")], order=(2, 1, 0))
    assert [(each.id, each.place, each.case_id) for each in store.history_of("review", 9)] == [
        ("a", 0, "case-0"),
        ("b", 1, "case-1"),
    ]


def test_settling_again_changes_nothing(store: Store) -> None:
    """A run that was killed can be settled by whoever reports it."""
    run = _run(store, [a_scorecard(id_, 5 + number) for number, id_ in enumerate("abcd")])
    assert _histories(store.results_of(run)) == [None] * 4
    settled = store.settle_history(run)
    assert store.results_of(run) == settled
    assert store.settle_history(run) == settled


_SKILLS = count()


@given(
    st.lists(st.sampled_from([None, 3, 5, 8, 10]), min_size=1, max_size=16),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_history_does_not_depend_on_the_order_of_judging(
    store: Store, scores: list[int | None], earlier: int, random: Random
) -> None:
    """However many cases are judged at once, the report is the one of judging case after case."""
    skill = f"skill-{next(_SKILLS)}"
    order = list(range(len(scores)))
    random.shuffle(order)
    _run(store, [a_scorecard(f"earlier-{number}", 6, skill) for number in range(earlier)])
    cards = [None if score is None else a_scorecard(str(place), score, skill) for place, score in enumerate(scores)]
    reports = _histories(store.settle_history(_run(store, cards, order=order)))
    past = [_dimensions(a_scorecard("", 6))] * earlier
    for card, report in zip(cards, reports, strict=True):
        if card is None:
            assert report is None
        else:
            assert report == history_report(skill, _dimensions(card), past)
            past = [*past, _dimensions(card)]


def _dimensions(card: ScorecardResult) -> dict[str, int]:
    assert card.score is not None
    return {each.name: each.score for each in card.score.dimensions}
