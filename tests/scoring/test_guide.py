"""The guide of the rubric evaluator: its examples, run for real, and its rules."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from scoring_values import checks, item, only_case

from rubric_core.analysis.check import check_text
from rubric_core.model.evaluators import CodeJudge, LlmJudge
from rubric_core.rules.problem import Severity
from rubric_core.scoring.grades import EvaluatorScore, Verdict, combine
from rubric_core.scoring.rubrics import score_rubric

PASS, BORDERLINE, FAIL = Verdict.PASS, Verdict.BORDERLINE, Verdict.FAIL

_STRINGS = """\
evalcases:
  - id: quicksort-explanation
    expected_outcome: Explain how quicksort works

    input_messages:
      - role: user
        content: Explain how the quicksort algorithm works

    rubrics:
      - Mentions divide-and-conquer approach
      - Explains the partition step
      - States time complexity correctly
"""

_OBJECTS = """\
evalcases:
  - id: technical-guide
    expected_outcome: Write a comprehensive HTTP status codes guide

    input_messages:
      - role: user
        content: Write a guide explaining HTTP status codes

    rubrics:
      - id: structure
        expected_outcome: Has clear headings and organization
        weight: 1.0
        required: true

      - id: success-codes
        expected_outcome: Covers 2xx success codes with examples
        weight: 2.0
        required: true

      - id: client-errors
        expected_outcome: Explains 4xx client error codes
        weight: 2.0
        required: true

      - id: server-errors
        expected_outcome: Explains 5xx server error codes
        weight: 1.5
        required: false

      - id: practical-examples
        expected_outcome: Includes practical use case examples
        weight: 1.0
        required: false
"""

_RANGES = """\
evalcases:
  - id: code-review
    expected_outcome: Review the code for correctness and style

    input_messages:
      - role: user
        content: Review this Python function for issues

    rubrics:
      - id: correctness
        weight: 2.0
        required_min_score: 7  # Fail if score < 7
        score_ranges:
          - score_range: [0, 2]
            expected_outcome: Contains critical bugs or errors
          - score_range: [3, 5]
            expected_outcome: Has minor bugs or edge case issues
          - score_range: [6, 8]
            expected_outcome: Functionally correct with minor issues
          - score_range: [9, 10]
            expected_outcome: Fully correct implementation

      - id: style
        weight: 1.0
        score_ranges:
          - score_range: [0, 3]
            expected_outcome: Poor style, hard to read
          - score_range: [4, 6]
            expected_outcome: Acceptable style with issues
          - score_range: [7, 10]
            expected_outcome: Clean, idiomatic code
"""

_COMBINED = """\
evalcases:
  - id: email-validator
    expected_outcome: Python function to validate email addresses

    input_messages:
      - role: user
        content: Write a Python function to validate email addresses

    # Semantic evaluation via rubrics
    rubrics:
      - Uses regular expressions for validation
      - Includes type hints
      - Has docstring documentation
      - Handles edge cases (None, empty string)

    execution:
      evaluators:
        # Rubric evaluator is auto-added from inline rubrics field

        # Additional code evaluator for syntax checking
        - name: python_syntax
          type: code_judge
          script: uv run python -m py_compile
"""


@pytest.mark.parametrize(
    "text", [_STRINGS, _OBJECTS, _RANGES, _COMBINED], ids=["strings", "objects", "ranges", "combined"]
)
def test_the_examples_are_valid(text: str) -> None:
    """Basic Usage. Nothing in an example is in the way of grading it."""
    assert not [each for each in check_text(text, path="a.eval.yaml").problems if each.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("said", "score", "verdict"),
    [
        ((True, True, True), Fraction(1), PASS),
        ((True, True, False), Fraction(2, 3), FAIL),
        ((False, False, False), Fraction(0), FAIL),
    ],
)
def test_strings(said: tuple[bool, ...], score: Fraction, verdict: Verdict) -> None:
    """Simple String Rubrics.

    Each becomes a required criterion with weight 1.0, so that two of three are not borderline.
    """
    criteria = only_case(_STRINGS).criteria
    assert [(each.weight, each.mode == "checklist" and each.required) for each in criteria] == [(1, True)] * 3
    result = score_rubric(criteria, checks(criteria, said))
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("missed", "score", "verdict"),
    [
        ((), Fraction(1), PASS),
        (("practical-examples",), Fraction("6.5") / Fraction("7.5"), PASS),
        (("server-errors",), Fraction("6") / Fraction("7.5"), PASS),
        (("server-errors", "practical-examples"), Fraction("5") / Fraction("7.5"), BORDERLINE),
        (("structure",), Fraction("6.5") / Fraction("7.5"), FAIL),
        (("success-codes", "server-errors"), Fraction("4") / Fraction("7.5"), FAIL),
    ],
)
def test_objects(missed: tuple[str, ...], score: Fraction, verdict: Verdict) -> None:
    """Detailed Rubric Objects (Checklist Mode).

    Without the server errors the score is 6 of 7.5, which is exactly 0.8: a pass.
    """
    criteria = only_case(_OBJECTS).criteria
    result = score_rubric(criteria, checks(criteria, [each.id not in missed for each in criteria]))
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("said", "score", "verdict"),
    [
        ((7, 10), Fraction(4, 5), PASS),
        ((10, 4), Fraction(4, 5), PASS),
        ((8, 7), Fraction(23, 30), BORDERLINE),
        ((7, 4), Fraction(3, 5), BORDERLINE),
        ((7, 3), Fraction(17, 30), FAIL),
        ((6, 10), Fraction(22, 30), FAIL),
        ((10, 0), Fraction(2, 3), BORDERLINE),
    ],
)
def test_ranges(said: tuple[int, int], score: Fraction, verdict: Verdict) -> None:
    """Score-Range Rubrics (Analytic Mode).

    Correctness weighs twice as much as style, and below 7 it fails the case.
    """
    criteria = only_case(_RANGES).criteria
    result = score_rubric(criteria, checks(criteria, said))
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("light", "heavy", "score"),
    [("1", "1", Fraction(1, 2)), ("1", "3", Fraction(3, 4)), ("0.5", "2", Fraction(4, 5)), ("0", "5", Fraction(1))],
)
def test_a_higher_weight_has_more_impact(light: str, heavy: str, score: Fraction) -> None:
    """Rubric Object Fields: weight. Relative importance (higher = more impact on score)."""
    criteria = [item("light", light, required=False), item("heavy", heavy, required=False)]
    assert score_rubric(criteria, checks(criteria, [False, True])).score == score


@pytest.mark.parametrize(
    ("said", "syntax", "score", "verdict"),
    [
        ((True, True, True, True), "1", Fraction(1), PASS),
        ((True, True, True, True), "0.6", Fraction(4, 5), PASS),
        ((True, True, True, True), "0.2", Fraction(3, 5), BORDERLINE),
        ((True, True, True, True), "0", Fraction(1, 2), FAIL),
        # A required criterion is missed: three quarters and a perfect syntax are not enough.
        ((True, True, True, False), "1", Fraction(7, 8), FAIL),
    ],
)
def test_combining(said: tuple[bool, ...], syntax: str, score: Fraction, verdict: Verdict) -> None:
    """Combining Rubrics with Other Evaluators.

    The inline rubrics are an evaluator of their own, first in the list, and all evaluators are weighed together.
    """
    rubric, code = only_case(_COMBINED).evaluators
    assert isinstance(rubric, LlmJudge)
    assert isinstance(code, CodeJudge)
    assert (rubric.name, code.name, rubric.weight, code.weight) == ("rubric", "python_syntax", 1, 1)
    scored = score_rubric(rubric.criteria, checks(rubric.criteria, said))
    parts = [
        EvaluatorScore(rubric.name, rubric.weight, scored.score, scored.gates_hold),
        EvaluatorScore(code.name, code.weight, Fraction(Decimal(syntax))),
    ]
    assert combine(parts) == (score, verdict)
