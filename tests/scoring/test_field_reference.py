"""The field reference of rubrics: defaults, both modes, scores and verdicts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from scoring_values import checks, item, only_case, ranged

from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import score_rubric

PASS, BORDERLINE, FAIL = Verdict.PASS, Verdict.BORDERLINE, Verdict.FAIL


def _case(rubrics: str) -> str:
    return f"evalcases:\n  - id: one\n    expected_outcome: An answer\n    input: A question\n    {rubrics}"


_CHECKLIST = _case("""\
rubrics:
      - Mentions divide-and-conquer approach
      - id: complexity
        expected_outcome: States time complexity correctly
        weight: 2.0
        required: true
      - id: examples
        expected_outcome: Includes code examples
        weight: 1.0
        required: false
""")

_MAP = _case("""\
rubrics:
      - id: correctness
        weight: 2.0
        required_min_score: 7
        score_ranges:
          0: Critical bugs
          3: Minor bugs
          6: Correct with minor issues
          9: Fully correct
""")

_ARRAY = _case("""\
rubrics:
      - id: correctness
        weight: 2.0
        required_min_score: 7
        score_ranges:
          - score_range: [0, 2]
            expected_outcome: Critical bugs
          - score_range: [3, 5]
            expected_outcome: Minor bugs
          - score_range: [6, 8]
            expected_outcome: Correct with minor issues
          - score_range: [9, 10]
            expected_outcome: Fully correct
""")


def test_defaults() -> None:
    """Field Reference.

    The id is generated, the weight is 1.0, a checklist criterion is required; a range has no gate unless it says so.
    """
    criteria = only_case(_case("rubrics:\n      - Names it\n      - {score_ranges: {0: No, 5: Yes}}\n")).criteria
    result = score_rubric(criteria, checks(criteria, [False, 10]))
    first, second = result.criteria
    assert (first.id, first.weight, first.gate) == ("rubric-1", 1, "failed")
    assert (second.id, second.weight, second.gate) == ("rubric-2", 1, None)
    assert (result.score, result.verdict) == (Fraction(1, 2), FAIL)


@pytest.mark.parametrize(
    ("said", "score", "verdict"),
    [
        ((True, True, True), Fraction(1), PASS),
        ((True, True, False), Fraction(3, 4), BORDERLINE),
        ((False, True, True), Fraction(3, 4), FAIL),
        ((True, False, True), Fraction(1, 2), FAIL),
    ],
)
def test_checklist_example(said: tuple[bool, ...], score: Fraction, verdict: Verdict) -> None:
    """Checklist Mode."""
    criteria = only_case(_CHECKLIST).criteria
    result = score_rubric(criteria, checks(criteria, said))
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize("text", [_MAP, _ARRAY], ids=["map", "array"])
@pytest.mark.parametrize(
    ("score", "outcome", "verdict"),
    [
        (0, "Critical bugs", FAIL),
        (2, "Critical bugs", FAIL),
        (3, "Minor bugs", FAIL),
        (5, "Minor bugs", FAIL),
        (6, "Correct with minor issues", FAIL),
        (7, "Correct with minor issues", BORDERLINE),
        (8, "Correct with minor issues", PASS),
        (9, "Fully correct", PASS),
        (10, "Fully correct", PASS),
    ],
)
def test_score_range_example(text: str, score: int, outcome: str, verdict: Verdict) -> None:
    """Score-Range Mode.

    Map keys are lower bounds; each range extends to the next key minus 1, the last one to 10. Both forms are the same.
    A 6 would be borderline by its score, and fails by the gate of 7.
    """
    criteria = only_case(text).criteria
    result = score_rubric(criteria, checks(criteria, [score]))
    assert (result.criteria[0].outcome, result.verdict) == (outcome, verdict)


@pytest.mark.parametrize(
    ("weights", "said", "score"),
    [
        (("1", "2", "1"), (True, False, True), Fraction(2, 4)),
        (("1.5", "0.5", "2"), (True, True, False), Fraction(1, 2)),
        (("0.1", "0.2", "0.3"), (False, False, True), Fraction(1, 2)),
        (("1", "1", "1"), (True, True, False), Fraction(2, 3)),
    ],
)
def test_checklist_score(weights: tuple[str, ...], said: tuple[bool, ...], score: Fraction) -> None:
    """Scoring: Checklist. The sum of satisfied weights by the sum of all weights."""
    criteria = [item(f"c{place}", weight, required=False) for place, weight in enumerate(weights)]
    assert score_rubric(criteria, checks(criteria, said)).score == score


@pytest.mark.parametrize(
    ("weights", "said", "score", "verdict"),
    [
        (("2", "1"), (7, 10), Fraction(4, 5), PASS),
        (("0.1", "0.2", "0.3"), (8, 8, 8), Fraction(4, 5), PASS),
        (("0.1", "0.2", "0.3"), (6, 6, 6), Fraction(3, 5), BORDERLINE),
        (("0.1", "0.2", "0.3"), (5, 6, 6), Fraction(35, 60), FAIL),
        (("1", "3"), (10, 6), Fraction(7, 10), BORDERLINE),
        (("1", "1", "1"), (8, 8, 7), Fraction(23, 30), BORDERLINE),
        (("1e-9", "1e9"), (0, 10), Fraction(10**18, 10**18 + 1), PASS),
        # Seventy digits of weight decide here, and no float and no usual decimal could tell.
        (("4." + "0" * 69 + "1", "1"), (10, 0), 1 - Fraction(1, 5 + Fraction(1, 10**70)), PASS),
        (("3." + "9" * 70, "1"), (10, 0), 1 - Fraction(1, 5 - Fraction(1, 10**70)), BORDERLINE),
    ],
)
def test_score_range_score(weights: tuple[str, ...], said: tuple[int, ...], score: Fraction, verdict: Verdict) -> None:
    """Scoring: Score-range.

    The weighted average of raw score / 10 is exact, so that a score on a mark has the verdict of the mark.
    """
    criteria = [ranged(f"c{place}", weight) for place, weight in enumerate(weights)]
    result = score_rubric(criteria, checks(criteria, said))
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("said", "score", "verdict"),
    [
        ((True, 10, True), Fraction(1), PASS),
        ((True, 8, False), Fraction(13, 20), BORDERLINE),
        ((True, 7, True), Fraction(17, 20), PASS),
        ((True, 4, True), Fraction(7, 10), FAIL),
        ((False, 10, True), Fraction(3, 4), FAIL),
    ],
)
def test_mixed_list(said: tuple[bool | int, ...], score: Fraction, verdict: Verdict) -> None:
    """Scoring.

    Both kinds may be in one list: each is scored in its own mode, and the sum runs over all of them.
    """
    criteria = [item("a"), ranged("b", "2", minimum=5), item("c", required=False)]
    result = score_rubric(criteria, checks(criteria, said))
    assert (result.score, result.verdict) == (score, verdict)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ((10, True), PASS),
        ((8, True), PASS),
        ((7, True), BORDERLINE),
        ((6, True), BORDERLINE),
        ((5, True), FAIL),
        ((10, False), FAIL),
        ((6, False), FAIL),
    ],
)
def test_verdicts(said: tuple[int, bool], verdict: Verdict) -> None:
    """Verdicts.

    A pass needs 0.8, a borderline 0.6, and both all gates. The gate here weighs nothing, so that the score is the rest.
    """
    criteria = [ranged("style"), item("codes", "0")]
    assert score_rubric(criteria, checks(criteria, said)).verdict == verdict


@pytest.mark.parametrize(
    ("fields", "said", "gate"),
    [
        ("expected_outcome: It, required: true", False, "failed"),
        ("expected_outcome: It, required: true", True, "passed"),
        ("expected_outcome: It, required: false", False, None),
        ("expected_outcome: It, required: false, required_min_score: 10", False, None),
        ("expected_outcome: It, required_min_score: 10, required: true", True, "passed"),
        ("score_ranges: {0: No, 5: Yes}, required: true", 0, None),
        ("score_ranges: {0: No, 5: Yes}, required_min_score: 5", 4, "failed"),
        ("score_ranges: {0: No, 5: Yes}, required_min_score: 5, required: false", 5, "passed"),
    ],
)
def test_gating(fields: str, said: bool | int, gate: str | None) -> None:  # noqa: FBT001 - a table.
    """Verdicts: Gating.

    Checklist uses `required`, score-range uses `required_min_score`, and neither ever gates the other kind.
    """
    criteria = only_case(_case(f"rubrics:\n      - {{id: one, {fields}}}\n")).criteria
    assert score_rubric(criteria, checks(criteria, [said])).criteria[0].gate == gate
