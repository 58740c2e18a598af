"""The requirements of the rubric evaluator, scenario by scenario."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from scoring_values import check, checks, item, only_case, ranged

from rubric_core.analysis.check import check_text
from rubric_core.model.criteria import ScoreRange, ScoreRangeCriterion
from rubric_core.rules.problem import Severity
from rubric_core.scoring.exact import exact
from rubric_core.scoring.grades import Verdict, verdict_of
from rubric_core.scoring.rubrics import Check, score_rubric

if TYPE_CHECKING:
    from rubric_core.model.criteria import Criterion

PASS, BORDERLINE, FAIL = Verdict.PASS, Verdict.BORDERLINE, Verdict.FAIL

_LEGACY = """\
evalcases:
  - id: legacy
    expected_outcome: An answer
    input: A question
    rubrics:
      - {id: structure, description: Has headings, weight: 1.0, required: true}
      - {id: codes, description: Covers the codes, weight: 2.0, required: true}
      - {id: examples, description: Has examples, weight: 1.0, required: false}
"""


@pytest.mark.parametrize(
    ("said", "score", "verdict"),
    [
        ((True, True, True), Fraction(1), PASS),
        ((True, True, False), Fraction(3, 4), BORDERLINE),
        ((False, True, True), Fraction(3, 4), FAIL),
        ((True, False, True), Fraction(1, 2), FAIL),
        ((False, False, True), Fraction(1, 4), FAIL),
        ((False, False, False), Fraction(0), FAIL),
    ],
)
def test_checklist(said: tuple[bool, ...], score: Fraction, verdict: Verdict) -> None:
    """Scenario: Checklist rubrics continue to work.

    Criteria with the old `description` are graded by boolean checks, and the score is in 0..1.
    """
    criteria = only_case(_LEGACY).criteria
    result = score_rubric(criteria, checks(criteria, said))
    assert (result.score, result.verdict) == (score, verdict)
    assert [each.satisfied for each in result.criteria] == list(said)
    assert [each.outcome for each in result.criteria] == ["Has headings", "Covers the codes", "Has examples"]


@pytest.mark.parametrize("score", range(11))
def test_every_score_is_divided_by_ten(score: int) -> None:
    """Scenario: Range rubrics constrain scoring."""
    result = score_rubric([ranged("style")], [check("style", score)])
    assert result.score == Fraction(score, 10)
    (criterion,) = result.criteria
    assert (criterion.mode, criterion.score, criterion.satisfied) == ("score-range", score, None)
    assert criterion.outcome == ("Poor" if score <= 4 else "Fine")
    assert [(band.minimum, band.maximum) for band in criterion.bands] == [(0, 4), (5, 10)]


@pytest.mark.parametrize("score", [-1, 11, 100, 7.0, "7", True, None], ids=repr)
def test_a_score_outside_of_the_scale_never_becomes_a_value(score: object) -> None:
    """Scenario: Range rubrics constrain scoring.

    Only integers from 0 to 10 are scores; a boolean is none.
    """
    with pytest.raises(ValueError, match="'style' must have an integer score from 0 to 10"):
        score_rubric([ranged("style")], [Check("style", score=score)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("second", "rule", "told"),
    [
        ("[5, 10]", "overlapping-score-ranges", "both cover score 5"),
        ("[6, 11]", "score-out-of-bounds", "11"),
        ("[7, 10]", "uncovered-scores", "6"),
    ],
)
def test_invalid_ranges_are_rejected(second: str, rule: str, told: str) -> None:
    """Scenario: Invalid range rubrics are rejected.

    The message says which rule is violated: overlap, bounds, or coverage.
    """
    text = f"""\
evalcases:
  - id: ranges
    expected_outcome: An answer
    input: A question
    rubrics:
      - id: style
        score_ranges:
          - {{score_range: [0, 5], expected_outcome: Low}}
          - {{score_range: {second}, expected_outcome: High}}
"""
    (problem,) = [each for each in check_text(text, path="a.eval.yaml").problems if each.severity is Severity.ERROR]
    assert problem.name == rule
    assert told in problem.message


@pytest.mark.parametrize(
    ("minimum", "score", "gate", "verdict"),
    [
        (9, 8, "failed", FAIL),
        (8, 8, "passed", PASS),
        (7, 8, "passed", PASS),
        (None, 8, None, PASS),
        (0, 0, "passed", FAIL),
        (10, 10, "passed", PASS),
    ],
)
def test_a_score_below_the_minimum_fails(minimum: int | None, score: int, gate: str | None, verdict: Verdict) -> None:
    """Requirement: Static Rubric Evaluation MUST support checklist and score-range rubrics.

    `required_min_score` gates: below it the verdict is `fail`, whatever the overall score.
    """
    result = score_rubric([ranged("style", minimum=minimum)], [check("style", score)])
    assert result.verdict == verdict
    assert result.gates_hold == (gate != "failed")
    (criterion,) = result.criteria
    assert (criterion.gate, criterion.required_min_score) == (gate, minimum)


_BOTH: list[Criterion] = [item("codes"), ranged("style")]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([check("codes", True)], "no check left for 'style'"),
        ([check("codes", True), check("style", 7), check("tone", 7)], "a check of 'tone', which is no criterion"),
        ([check("codes", True), check("style", 7), check("style", 7)], "two checks of 'style'"),
        ([check("codes", 7), check("style", 7)], "'codes' must say whether it is satisfied"),
        ([check("codes", True), check("style", True)], "'style' must have an integer score"),
        ([Check("codes"), check("style", 7)], "'codes' must say whether it is satisfied"),
        ([Check("codes", satisfied=True, score=7), check("style", 7)], "'codes' must say .* and nothing else"),
        ([check("codes", True), Check("style", satisfied=True, score=7)], "'style' must have .* and nothing else"),
        ([], "no check left for 'codes'"),
    ],
)
def test_checks_and_criteria_are_one_to_one(given: list[Check], message: str) -> None:
    """Requirement: Structured Grading MUST produce validated results.

    What is missing, repeated, unknown or in the other mode is never left out of the sum in silence.
    """
    with pytest.raises(ValueError, match=message):
        score_rubric(_BOTH, given)


def test_two_criteria_cannot_share_a_check() -> None:
    """Scenario: Range rubric output schema.

    A check names its criterion by id, so that ids are unique in their list.
    """
    with pytest.raises(ValueError, match="no check left for 'style'"):
        score_rubric([ranged("style"), ranged("style")], [check("style", 7)])


def test_a_list_without_criteria_or_without_weight_has_no_score() -> None:
    """Requirement: Structured Grading MUST produce validated results.

    Nothing divided by nothing is not a pass and not a 0.
    """
    for criteria in ([], [item("codes", "0")]):
        with pytest.raises(ValueError, match="The weights sum to 0"):
            score_rubric(criteria, checks(criteria, [True] * len(criteria)))


def test_reasoning_is_optional_and_kept() -> None:
    """Scenario: Range rubric output schema."""
    said = [check("codes", True), replace(check("style", 7), reasoning="Reads well.")]
    assert [each.reasoning for each in score_rubric(_BOTH, said).criteria] == ["", "Reads well."]


def test_a_criterion_of_weight_0_can_still_be_a_gate() -> None:
    """Requirement: Verdict Logic MUST be applied.

    It adds nothing to the score, and yet it is required.
    """
    criteria = [item("codes", "0"), ranged("style")]
    result = score_rubric(criteria, checks(criteria, [False, 10]))
    assert (result.score, result.verdict) == (1, FAIL)


def test_a_score_that_no_range_covers_is_reported_by_the_text_of_its_criterion() -> None:
    """Scenario: Range rubrics constrain scoring.

    Files with such ranges are refused before any grading; a model made in Python may have them.
    """
    bands = (ScoreRange(minimum=0, maximum=3, expected_outcome="Poor"),)
    for text, outcome in (("Reads well", "Reads well"), (None, "")):
        criterion = ScoreRangeCriterion(id="style", expected_outcome=text, weight=Decimal(1), score_ranges=bands)
        assert score_rubric([criterion], [check("style", 7)]).criteria[0].outcome == outcome


@pytest.mark.parametrize(
    ("score", "holds", "verdict"),
    [
        ("0.8", True, PASS),
        ("1", True, PASS),
        ("0.8000000000000000000000000000001", True, PASS),
        ("0.7999999999999999999999999999999", True, BORDERLINE),
        ("0.7", True, BORDERLINE),
        ("0.6", True, BORDERLINE),
        ("0.5999999999999999999999999999999", True, FAIL),
        ("0", True, FAIL),
        ("1", False, FAIL),
        ("0.8", False, FAIL),
        ("0.6", False, FAIL),
        ("0", False, FAIL),
    ],
)
def test_verdict(score: str, holds: bool, verdict: Verdict) -> None:  # noqa: FBT001 - a table.
    """Scenario: Pass Verdict. Scenario: Fail Verdict. Scenario: Borderline Verdict.

    The marks belong to the better verdict, and nothing is rounded before they are compared.
    """
    assert verdict_of(exact(Decimal(score)), gates_hold=holds) is verdict
