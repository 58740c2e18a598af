"""The models by themselves: what they accept, refuse and can tell."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.evaluators import CodeJudge, LlmJudge
from rubric_core.model.suite import DEFAULT_WEIGHTS, ContentPart, EvalCase, Message, RedFlag, Scorecard, Suite
from rubric_core.model.targets import Target

if TYPE_CHECKING:
    from rubric_core.model.base import Model


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (ScoreRange, {"minimum": 5, "maximum": 4, "expected_outcome": "x"}),
        (ScoreRange, {"minimum": -1, "maximum": 4, "expected_outcome": "x"}),
        (ScoreRange, {"minimum": 0, "maximum": 11, "expected_outcome": "x"}),
        (ScoreRange, {"minimum": 0, "maximum": 10, "expected_outcome": " "}),
        (ScoreRange, {"minimum": True, "maximum": 10, "expected_outcome": "x"}),
        (ChecklistCriterion, {"id": "a"}),
        (ChecklistCriterion, {"id": "", "expected_outcome": "x"}),
        (ChecklistCriterion, {"id": "a", "expected_outcome": "x", "weight": Decimal(-1)}),
        (ChecklistCriterion, {"id": "a", "expected_outcome": "x", "weight": Decimal("NaN")}),
        (ChecklistCriterion, {"id": "a", "expected_outcome": "x", "weight": Decimal("Infinity")}),
        (ChecklistCriterion, {"id": "a", "expected_outcome": "x", "required": "no"}),
        (ChecklistCriterion, {"id": "a", "expected_outcome": "x", "unknown": 1}),
        (ScoreRangeCriterion, {"id": "a", "score_ranges": (), "required_min_score": 11}),
        (ScoreRangeCriterion, {"id": "a", "score_ranges": (), "required_min_score": 7.5}),
        (Message, {"role": "bot", "content": "x"}),
        (Message, {"role": "user"}),
        (CodeJudge, {"name": "a"}),
        (RedFlag, {"id": "a", "expected_outcome": "x", "deduction": Decimal(0)}),
        (RedFlag, {"id": "a", "expected_outcome": "x", "deduction": Decimal("2.1")}),
        (Scorecard, {"skill": "s", "weights": {"correctness": Decimal(1)}}),
        (Scorecard, {"skill": "s", "weights": {**DEFAULT_WEIGHTS, "safety": Decimal("0.11")}}),
        (Target, {"provider": "cli"}),
    ],
)
def test_what_the_format_forbids_is_refused(model: type[Model], values: dict[str, Any]) -> None:
    """A model that exists is a model that can be graded with."""
    with pytest.raises(ValidationError):
        model(**values)


def test_models_are_values() -> None:
    """They cannot be changed, and equal content makes them equal."""
    first = ChecklistCriterion(id="a", expected_outcome="x")
    assert first == ChecklistCriterion(id="a", expected_outcome="x", weight=Decimal(1), required=True)
    with pytest.raises(ValidationError):
        first.required = False


def test_a_score_finds_its_band() -> None:
    """Both ends belong to a band; a score in a gap has none."""
    low = ScoreRange(minimum=0, maximum=4, expected_outcome="low")
    high = ScoreRange(minimum=6, maximum=10, expected_outcome="high")
    criterion = ScoreRangeCriterion(id="a", score_ranges=(low, high))
    assert [criterion.band(score) for score in (0, 4, 5, 6, 10)] == [low, low, None, high, high]


def test_a_message_gives_its_parts_whatever_its_content_is() -> None:
    """A string is one text part, a tuple is itself, and structured data has no parts."""
    part = ContentPart(type="file", value="a.md")
    assert Message(role="user", content="hello").parts == (ContentPart(type="text", value="hello"),)
    assert Message(role="user", content=(part,)).parts == (part,)
    assert Message(role="assistant", content={"answer": 4}).parts == ()


def test_decimal_weights_stay_as_written() -> None:
    """0.10 and 0.2 add up to exactly 0.30, which binary fractions do not."""
    judge = LlmJudge(name="a", weight=Decimal("0.10"))
    assert str(judge.weight + Decimal("0.2")) == "0.30"


def test_weights_are_kept_in_the_order_of_the_dimensions() -> None:
    """Whatever order the file has, results show the dimensions alike."""
    shuffled = dict(reversed(list(DEFAULT_WEIGHTS.items())))
    assert list(Scorecard(skill="s", weights=shuffled).weights) == list(DEFAULT_WEIGHTS)


def test_a_suite_is_plain_data_when_dumped() -> None:
    """Places and problems stay out of what is written to a file."""
    suite = Suite(cases=(EvalCase(id="a"),))
    assert {"problems", "spans", "left_out"}.isdisjoint(suite.model_dump())
    assert Suite.model_validate_json(suite.model_dump_json()) == suite


def test_the_settings_of_a_target_are_not_printed() -> None:
    """They may hold a key."""
    target = Target(name="a", settings={"api_key": "s3cret"})
    assert "s3cret" not in repr(target)
