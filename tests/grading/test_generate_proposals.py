"""What a judge proposes is taken as it is meant or refused with everything that is wrong with it."""

from __future__ import annotations

import json
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.grading.generation.proposals import read_proposal
from rubric_core.grading.judgements import InvalidJudgement
from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion


def _entry(number: int, **changes: Any) -> dict[str, Any]:
    entry = {"id": f"c-{number}", "expected_outcome": f"Does {number}", "weight": 1, "required": True}
    return {**entry, **changes}


def _bands(*bounds: tuple[Any, Any]) -> list[dict[str, Any]]:
    return [{"score_range": list(each), "expected_outcome": f"From {each[0]}"} for each in bounds]


def _reply(*entries: Any) -> str:
    return json.dumps({"reasoning": "...", "criteria": list(entries)})


SOUND = [_entry(1), _entry(2), _entry(3)]
SOUND_BANDS = _bands((0, 3), (4, 7), (8, 10))


def test_checklist_criteria_are_read() -> None:
    """Weights stay as they are written, white space becomes single spaces, and what is absent has its default."""
    reply = _reply(
        {"id": "names-it", "expected_outcome": "  Names\n  it ", "weight": 2.50, "required": False, "more": 1},
        {"id": "says-why", "expected_outcome": "Says why", "weight": None, "required": None, "score_ranges": None},
        {"id": "3", "expected_outcome": "Half a pair \ud83d"},
    )
    assert read_proposal(f"Here it is:\n```json\n{reply}\n```", ranges=False) == (
        ChecklistCriterion(id="names-it", expected_outcome="Names it", weight=Decimal("2.5"), required=False),
        ChecklistCriterion(id="says-why", expected_outcome="Says why"),
        ChecklistCriterion(id="3", expected_outcome="Half a pair \ufffd"),
    )


def test_score_ranges_of_either_form_are_read() -> None:
    """A range of the short form runs up to the next one; they come from low to high."""
    text = {"0": "None", "7": "All", "4": "Some"}
    entries = [
        _entry(1, score_ranges=SOUND_BANDS[::-1], required=False),
        _entry(2, score_ranges=text, required_min_score=7),
        _entry(3, score_ranges=_bands((0.0, 4), (5, 10))) | {"expected_outcome": None},
    ]
    first, second, third = read_proposal(_reply(*entries), ranges=True)
    assert isinstance(second, ScoreRangeCriterion)
    assert second.score_ranges == (
        ScoreRange(minimum=0, maximum=3, expected_outcome="None"),
        ScoreRange(minimum=4, maximum=6, expected_outcome="Some"),
        ScoreRange(minimum=7, maximum=10, expected_outcome="All"),
    )
    assert isinstance(first, ScoreRangeCriterion)
    assert [band.minimum for band in first.score_ranges] == [0, 4, 8]
    assert [getattr(each, "required_min_score", None) for each in (first, second, third)] == [None, 7, 5]
    assert third.expected_outcome is None


@pytest.mark.parametrize(
    ("bounds", "gate"), [([0, 4, 8], 4), ([0, 6, 8], 6), ([0, 3], 3), ([0, 7, 9], 7), ([0, 2, 5, 6], 6)]
)
def test_a_required_criterion_with_ranges_has_a_gate(bounds: list[int], gate: int) -> None:
    """It starts the range of score 6, the least that is no failure by itself, or the first range above 0."""
    ranges = {str(bound): f"From {bound}" for bound in bounds}
    criteria = read_proposal(_reply(*(_entry(number, score_ranges=ranges) for number in range(3))), ranges=True)
    assert {getattr(each, "required_min_score", None) for each in criteria} == {gate}


WRONG = {
    "no JSON": ("I cannot do that.", "The reply holds no JSON object."),
    "no criteria": ('{"rubrics": []}', "`criteria` is missing."),
    "criteria that are no list": ('{"criteria": {}}', "`criteria` is a JSON object, not a list."),
    "a repeated key": ('{"criteria": [], "criteria": []}', "The key `criteria` stands twice in one object."),
    "a string": (_reply(*SOUND, "Names it"), "Criterion 4 is a JSON string, not an object."),
    "too few": (_reply(*SOUND[:2]), "There are 2 criteria; propose 3 to 7."),
    "too many": (_reply(*map(_entry, range(8))), "There are 8 criteria; propose 3 to 7."),
    "no id": (
        _reply(*SOUND, {"expected_outcome": "x"}),
        "Criterion 4 has no id; write one in lower case with hyphens, such as names-the-port.",
    ),
    "an id of another form": (
        _reply(*SOUND, _entry(4, id="Names it")),
        "Criterion 4 has the id `Names it`; write one in lower case with hyphens, such as names-the-port.",
    ),
    "an id twice": (_reply(*SOUND, _entry(4, id="c-1")), "Two criteria have the id `c-1`; each needs one of its own."),
    "a text twice": (
        _reply(*SOUND, _entry(4, expected_outcome="does  1.")),
        "Two criteria have the text `does 1.`; each needs one of its own.",
    ),
    "no text": (_reply(*SOUND, {"id": "d"}), "Criterion 4 (d): `expected_outcome` has no text."),
    "blank text": (
        _reply(*SOUND, _entry(4, expected_outcome=" \n")),
        "Criterion 4 (c-4): `expected_outcome` has no text.",
    ),
    "a text that is none": (
        _reply(*SOUND, _entry(4, expected_outcome=5)),
        "Criterion 4 (c-4): `expected_outcome` is a JSON number, not a string.",
    ),
    "a weight of zero": (
        _reply(*SOUND, _entry(4, weight=0)),
        "Criterion 4 (c-4): the weight is `0`, not a number above 0 (at least 0.001, at most 1000).",
    ),
    "a weight beyond measure": (
        _reply(*SOUND, _entry(4, weight=float("inf"))),
        "Criterion 4 (c-4): the weight is `Infinity`, not a number above 0 (at least 0.001, at most 1000).",
    ),
    "a weight in words": (
        _reply(*SOUND, _entry(4, weight=True)),
        "Criterion 4 (c-4): the weight is a JSON boolean, not a number above 0 (at least 0.001, at most 1000).",
    ),
    "required in words": (
        _reply(*SOUND, _entry(4, required="yes")),
        "Criterion 4 (c-4): `required` is a JSON string, not true or false.",
    ),
    "ranges that nobody asked for": (
        _reply(*SOUND, _entry(4, score_ranges=SOUND_BANDS)),
        "Criterion 4 (c-4) has score_ranges, but criteria that are met or not were asked for.",
    ),
}


@pytest.mark.parametrize(("reply", "problem"), WRONG.values(), ids=WRONG)
def test_a_wrong_reply_is_refused(reply: str, problem: str) -> None:
    """With a sentence that the judge can act upon."""
    with pytest.raises(InvalidJudgement) as refused:
        read_proposal(reply, ranges=False)
    assert refused.value.problems == (problem,)


_NO_BOUNDS = ", range {}: `score_range` is not a list of two integers from 0 to 10, the lower one first."
WRONG_RANGES = {
    "none": (None, " has no score_ranges; give at least 2 that cover 0 to 10."),
    "one": (_bands((0, 10)), " has too few score ranges; give at least 2."),
    "a gap": (_bands((0, 4), (6, 10)), ": the score 5 is in no range; each score from 0 to 10 belongs to one."),
    "an overlap": (_bands((0, 5), (5, 10)), ": the score 5 is in 2 ranges; each score from 0 to 10 belongs to one."),
    "a score beyond 10": (_bands((0, 4), (5, 11)), _NO_BOUNDS.format(2)),
    "a fraction": (_bands((0, 4.5), (5, 10)), _NO_BOUNDS.format(1)),
    "an inverted range": (_bands((4, 0), (5, 10)), _NO_BOUNDS.format(1)),
    "one bound": ([{"score_range": [0], "expected_outcome": "x"}], _NO_BOUNDS.format(1)),
    "a word as key": ({"low": "x", "5": "y"}, _NO_BOUNDS.format(1)),
    "no text": (
        [{"score_range": [0, 4]}, {"score_range": [5, 10], "expected_outcome": "x"}],
        ", range 1: `expected_outcome` has no text.",
    ),
    "a text twice": (
        [{"score_range": [0, 4], "expected_outcome": "x"}, {"score_range": [5, 10], "expected_outcome": "X."}],
        ": two score ranges have the same text; say what sets them apart.",
    ),
}


@pytest.mark.parametrize(("ranges", "problem"), WRONG_RANGES.values(), ids=WRONG_RANGES)
def test_wrong_score_ranges_are_refused(ranges: object, problem: str) -> None:
    """They cover each score from 0 to 10 once, with a text for each."""
    entries = [_entry(number, score_ranges=SOUND_BANDS) for number in range(1, 4)]
    with pytest.raises(InvalidJudgement) as refused:
        read_proposal(_reply(*entries, _entry(4, score_ranges=ranges)), ranges=True)
    assert refused.value.problems == (f"Criterion 4 (c-4){problem}",)


def test_a_gate_is_where_a_range_starts() -> None:
    """Anywhere else the same text would both pass and fail; at 0 it would never fail."""
    entries = [
        _entry(number, score_ranges=SOUND_BANDS, required_min_score=gate) for number, gate in enumerate((0, 5, "8"))
    ]
    with pytest.raises(InvalidJudgement) as refused:
        read_proposal(_reply(*entries), ranges=True)
    assert refused.value.problems == tuple(
        f"Criterion {place + 1} (c-{place}): `required_min_score` is `{gate}`, not where a range starts (4, 8)."
        for place, gate in enumerate((0, 5, 8))
    )


def test_everything_that_is_wrong_is_reported_at_once() -> None:
    """The judge gets one round to mend it all."""
    with pytest.raises(InvalidJudgement) as refused:
        read_proposal(_reply({"id": "A", "expected_outcome": "", "weight": -1, "required": 1}), ranges=True)
    assert len(refused.value.problems) == 6


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
_ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "id": _JSON | st.just("a"),
        "expected_outcome": _JSON,
        "weight": _JSON,
        "required": _JSON,
        "required_min_score": _JSON,
        "score_ranges": _JSON | st.just(SOUND_BANDS) | st.dictionaries(st.sampled_from("0459"), _JSON),
    },
)


@given(entries=st.lists(_ENTRIES | _JSON, max_size=4), ranges=st.booleans())
def test_whatever_a_judge_says_is_read_or_refused(entries: list[Any], *, ranges: bool) -> None:
    """No reply does anything else, and a valid one keeps all rules."""
    with suppress(InvalidJudgement):
        criteria = read_proposal(_reply(*entries), ranges=ranges)
        assert 3 <= len({each.id for each in criteria}) == len(criteria) <= 7
