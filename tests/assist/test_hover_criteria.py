"""Hover on criteria: what they count, and what failing them does to the verdict."""

from __future__ import annotations

import pytest
from hovers import SUITE, inside, said_at

GATED = "failing it is a fail, whatever the score."
CRITERIA = (
    ("Names the port\n      - id: short", ["Weight 1 of 3.5, 2/7 or 28.6 % of the score.", GATED, "give 0.714."]),
    ("- Names the port\n", ["`rubric-1` (a generated id): checklist criterion", "Required, which is the default:"]),
    ("short", ["Weight 0.5 of 3.5, 1/7 or 14.3 % of the score.", "the score is 0.857: pass (0.8 or more)."]),
    ("false", ["If only it fails, the score is 0.857: pass"]),
    ("0.5", ["1/7 or 14.3 %"]),
    ("- id: short", ["`short`: checklist criterion, met or not."]),
    (
        "depth",
        [
            "Gate: a score below 3 here is a fail",
            "0-2 fail, 3-6 borderline, 7-10 pass. A 0 leaves 0.429; pass starts at 0.8,",
        ],
    ),
)


@pytest.mark.parametrize(("stretch", "sentences"), CRITERIA)
def test_a_criterion_says_what_it_counts_and_decides(stretch: str, sentences: list[str]) -> None:
    """On its string, its dash, its id, its weight and its gate. A 3 of `depth` gives exactly 0.6."""
    at = SUITE.index(stretch)
    said = said_at(f"{SUITE[:at]}$0{SUITE[at:]}")
    assert "Criterion `" in said
    for sentence in sentences:
        assert sentence in said


def test_a_list_of_criteria_shows_all_shares_and_gates() -> None:
    """On its key, below the documentation."""
    assert said_at(inside("rubrics:")).endswith(
        "--\n\n- `rubric-1`: 28.6 %, required\n- `short`: 14.3 %\n- `depth`: 57.1 %, 3 or more required"
    )
    free = said_at("evalcases: [{id: a, rub$0rics: [{id: a, weight: x, score_ranges: {0: y}}, 7]}]")
    assert free.endswith("--\n\n- `a`: no share")
    assert said_at(f"evalcases: [{{id: a, rub$0rics: [{', '.join(map(str, 'abcdefghijklmno'))}]}}]").endswith(
        "- 3 more"
    )
    assert "--" not in said_at("evalcases: [{id: a, rub$0rics: []}]")


LISTS = (
    ("[{i$0d: , expected_outcome: a}]", "Criterion `rubric-1` (a generated id): checklist criterion, met or not."),
    ("[{i$0d: a, weight: 1e900}, {weight: 1e-900}]", ", over 99.9 % of the score."),
    ("[{id: a, requ$0ired: true}]", "Required: failing it is a fail, whatever the score. All others alone give 0."),
    ("[{i$0d: a, weight: 0}, b]", "No effect on the score: its weight is 0."),
    ("[{i$0d: a, weight: 0, required: false}, b]", "If only it fails, the score is 1: pass"),
    ("[{i$0d: a, weight: 0, required: false}]", "No effect on the score: its weight is 0."),
    (
        "[{i$0d: a, weight: much}, b]",
        "Its share is unknown: a criterion or a weight of its list cannot be read.",
    ),
    ("[{i$0d: a, weight: 2}, 7]", "Its share is unknown: a criterion or a weight of its list cannot be read."),
    ("[{i$0d: a, required: false}, b, c, d]", "the score is 0.75: borderline (from 0.6 to below 0.8)."),
    ("[{i$0d: a, required: false}, b]", "the score is 0.5: fail (below 0.6)."),
    ("[{i$0d: a, score_ranges: {0: x}, weight: 2}, b]", "With all else perfect: 0-3 fail, 4-6 borderline, 7-10 pass."),
    ("[{i$0d: a, score_ranges: {0: x}, weight: bad, required_min_score: 4}]", "Gate: a score below 4 here is a fail"),
)


@pytest.mark.parametrize(("criteria", "sentence"), LISTS)
def test_verdicts_are_exact(criteria: str, sentence: str) -> None:
    """2 of 3 with a 7 is exactly 0.8, which passes; what cannot be computed is not guessed."""
    assert sentence in said_at(f"evalcases: [{{id: a, rubrics: {criteria}}}]")


OTHERS = "Other evaluators of the case count beside this list"


@pytest.mark.parametrize(
    ("suite", "is_told"),
    [
        ("evalcases: [{id: a, rubrics: [$0a], evaluators: [{name: x, type: cost}]}]", True),
        ("execution: {evaluators: [{name: x, type: cost}]}\nevalcases:\n  - id: a\n    rubrics: [$0a]\n", True),
        ("evalcases: [{id: a, evaluators: [{name: x, type: rubric, rubrics: [$0a]}]}]", False),
        ("evalcases: [{id: a, rubrics: [$0a]}]", False),
        ("execution: {evaluators: [{name: x, type: rubric, rubrics: [$0a]}]}\nevalcases: []", False),
    ],
)
def test_other_evaluators_are_reported(suite: str, is_told: bool) -> None:  # noqa: FBT001 - a column of the table.
    """The case's score is a mean, so a criterion moves it less than it moves its own list."""
    said = said_at(suite)
    assert "Criterion" in said
    assert (OTHERS in said) is is_told
