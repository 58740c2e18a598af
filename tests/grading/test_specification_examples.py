"""The examples of the specifications, graded for real: eval file, answers and judgements in, the text's numbers out."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from projects import Project

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from projects import Ran

DIMENSIONS = ("correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency")


def checks(judged: Mapping[str, bool | int]) -> dict[str, Any]:
    """Return a judgement of criteria: a truth value is a checklist verdict, a number a score."""
    entries = [
        {"id": name, "satisfied" if isinstance(value, bool) else "score": value} for name, value in judged.items()
    ]
    return {"checks": entries}


def scorecard(scores: Sequence[int], flags: Sequence[str] = (), bonuses: Sequence[str] = ()) -> dict[str, Any]:
    """Return a judgement of the seven dimensions in the order of the formula."""
    return {
        "dimensions": {name: {"score": score} for name, score in zip(DIMENSIONS, scores, strict=True)},
        "red_flags": [{"id": name, "explanation": f"Saw {name}."} for name in flags],
        "bonuses": [{"id": name, "explanation": f"Saw {name}."} for name in bonuses],
        "overall_reasoning": "Looked at all of it.",
    }


def graded(folder: Path, cases: Mapping[str, tuple[str, Any]], *options: str) -> Ran:
    """Grade cases, each given as the lines behind its id and its judgement."""
    project = Project(folder / "work")
    entries = [
        f"  - id: {name}\n" + "".join(f"    {line}\n" for line in body.splitlines())
        for name, (body, _) in cases.items()
    ]
    project.write("all.eval.yaml", "evalcases:\n" + "".join(entries))
    project.write("judgements.json", {name: judgement for name, (_, judgement) in cases.items()})
    project.write("answers.json", dict.fromkeys(cases, "An answer."))
    return project.grade(
        "all.eval.yaml", "--judge", "replay:judgements.json", "--answers", "answers.json", "--format", "jsonl", *options
    )


def short(result: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Return the score exactly, the verdict and the error of a result."""
    return result["score_exact"], result["verdict"], result["error"]


OBJECTS = """\
expected_outcome: A guide to HTTP status codes
input_messages:
  - role: user
    content: Write a guide to HTTP status codes
rubrics:
  - {id: structure, expected_outcome: Has headings, weight: 1.0, required: true}
  - {id: success-codes, expected_outcome: Covers 2xx, weight: 2.0, required: true}
  - {id: client-errors, expected_outcome: Explains 4xx, weight: 2.0, required: true}
  - {id: server-errors, expected_outcome: Explains 5xx, weight: 1.5, required: false}
  - {id: practical-examples, expected_outcome: Has examples, weight: 1.0, required: false}
"""
RANGES = """\
expected_outcome: A review of correctness and style
input_messages:
  - role: user
    content: Review this function
rubrics:
  - id: correctness
    weight: 2.0
    required_min_score: 7  # Fail if score < 7
    score_ranges:
      - {score_range: [0, 2], expected_outcome: Critical bugs}
      - {score_range: [3, 5], expected_outcome: Edge cases are missing}
      - {score_range: [6, 8], expected_outcome: Correct but for details}
      - {score_range: [9, 10], expected_outcome: Correct throughout}
  - id: style
    weight: 1.0
    score_ranges:
      - {score_range: [0, 3], expected_outcome: Hard to read}
      - {score_range: [4, 6], expected_outcome: Readable with effort}
      - {score_range: [7, 10], expected_outcome: Clean and idiomatic}
"""
COMBINED = f"""\
expected_outcome: A function that validates addresses
input_messages:
  - role: user
    content: Write a function that validates email addresses
rubrics:
  - Uses a regular expression
  - Has type hints
  - Has a docstring
  - Handles None and the empty string
execution:
  evaluators:
    - name: python_syntax
      type: code_judge
      script: [{json.dumps(sys.executable)}, -c, "raise SystemExit(1)"]
"""

REFERENCE_MAP = """\
expected_outcome: Is correct
input: Write it
rubrics:
  - id: correctness
    weight: 2.0
    required_min_score: 7
    score_ranges:
      0: Critical bugs
      3: Minor bugs
      6: Correct but for details
      9: Fully correct
"""
TENTHS = """\
expected_outcome: Is good
input: Write it
rubrics:
  - {id: a, weight: 0.1, score_ranges: {0: Bad, 5: Good}}
  - {id: b, weight: 0.2, score_ranges: {0: Bad, 5: Good}}
  - {id: c, weight: 0.3, score_ranges: {0: Bad, 5: Good}}
"""

Example = tuple[str, Any, tuple[str, str]]
"""The lines of a case, its judgement, and the score and the verdict that the text implies."""

WITHOUT_SERVER_ERRORS = {
    "structure": True,
    "success-codes": True,
    "client-errors": True,
    "server-errors": False,
    "practical-examples": True,
}
# One example of each form; `tests/scoring` has the others.
EXAMPLES: dict[str, Example] = {
    # 6 of 7.5: exactly 0.8, and no gate.
    "objects": (OBJECTS, checks(WITHOUT_SERVER_ERRORS), ("4/5", "pass")),
    "objects-no-structure": (
        OBJECTS,
        checks({**WITHOUT_SERVER_ERRORS, "structure": False, "server-errors": True}),
        ("13/15", "fail"),
    ),
    "ranges-at-the-gate": (RANGES, checks({"correctness": 7, "style": 4}), ("3/5", "borderline")),
    "ranges-below-the-gate": (RANGES, checks({"correctness": 6, "style": 10}), ("11/15", "fail")),
    "combined": (COMBINED, checks({f"rubric-{number}": True for number in range(1, 5)}), ("1/2", "fail")),
    "map": (REFERENCE_MAP, checks({"correctness": 7}), ("7/10", "borderline")),
    # 0.1 + 0.2 is not 0.3 in binary floats.
    "tenths": (TENTHS, checks({"a": 8, "b": 8, "c": 8}), ("4/5", "pass")),
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade the examples of the guide and of the field reference."""
    cases = {name: (body, judgement) for name, (body, judgement, _) in EXAMPLES.items()}
    return graded(tmp_path_factory.mktemp("examples"), cases)


def test_scores_and_verdicts(examples: Ran) -> None:
    """Rubric Evaluator Guide, "Verdict Rules", and Rubric Evaluator, "Scoring": some cases fail, none is an error."""
    expected = {name: (*result, None) for name, (_, _, result) in EXAMPLES.items()}
    assert {name: short(result) for name, result in examples.results.items()} == expected
    assert examples.status == 1


@pytest.mark.parametrize(
    ("name", "gates"),
    [
        ("ranges-at-the-gate", {"correctness": "passed"}),
        ("ranges-below-the-gate", {"correctness": "failed"}),
        ("objects-no-structure", {"structure": "failed", "success-codes": "passed", "client-errors": "passed"}),
    ],
)
def test_gates_are_reported(examples: Ran, name: str, gates: dict[str, str]) -> None:
    """Rubric Evaluator Guide, "Gating": `required: true`, and `required_min_score: N` means a score of N or more."""
    assert {gate["id"]: gate["state"] for gate in examples.results[name]["gates"]} == gates


def test_combined_evaluators_are_each_reported(examples: Ran) -> None:
    """Rubric Evaluator Guide, "Rubric evaluator is auto-added from inline rubrics field"."""
    results = examples.results["combined"]["evaluator_results"]
    reported = [(each["name"], each["type"], each["status"], each["score"]) for each in results]
    assert reported == [("rubric", "llm_judge", "graded", 1), ("python_syntax", "code_judge", "graded", 0)]


def test_map_keys_are_lower_bounds(examples: Ran) -> None:
    """Rubric Evaluator, "Score-Range Mode"."""
    (criterion,) = examples.results["map"]["criteria"]
    assert [band["score_range"] for band in criterion["bands"]] == [[0, 2], [3, 5], [6, 8], [9, 10]]
    assert criterion["outcome"] == "Correct but for details"


OVERLAPPING = """\
expected_outcome: Is correct
input: Write it
rubrics:
  - id: c
    score_ranges: [{score_range: [0, 5], expected_outcome: Bad}, {score_range: [5, 10], expected_outcome: Good}]
"""


def test_invalid_ranges_are_rejected_and_the_output_of_others_is_normalized(tmp_path: Path) -> None:
    """rubric-evaluator Specification, "Invalid range rubrics are rejected" and "Range rubric output schema"."""
    accepted: dict[str, Any] = {
        "checks": [{"id": "correctness", "score": 8, "reasoning": "Two details."}],
        "overall_reasoning": "Good.",
    }
    ran = graded(tmp_path, {"rejected": (OVERLAPPING, checks({"c": 10})), "accepted": (REFERENCE_MAP, accepted)})
    score, verdict, error = short(ran.results["rejected"])
    assert (score, verdict, ran.status) == (None, None, 2)
    assert "both cover score 5" in error
    result = ran.results["accepted"]
    (criterion,) = result["criteria"]
    assert (criterion["score"], criterion["value"], criterion["reasoning"]) == (8, 0.8, "Two details.")
    assert (*short(result), result["reasoning"]) == ("4/5", "pass", None, "Good.")


CARD = """\
expected_outcome: Is good
input: Write it
scorecard:
  skill: writing
  red_flags: [FLAGS]
  bonuses: [BONUSES]
"""
FLAGS = ", ".join(f"{{id: r{number}, expected_outcome: Number {number}}}" for number in range(4))
ADJUSTED = CARD.replace("FLAGS", FLAGS).replace("BONUSES", FLAGS.replace("id: r", "id: b"))
# 3.995 is 4.00.
ROUNDED = """\
expected_outcome: Is good
input: Write it
scorecard:
  weights:
    {correctness: 0.50, completeness: 0.45, adherence: 0.01, actionability: 0.01, efficiency: 0.01, safety: 0.015,
     consistency: 0.005}
"""
CARDS: dict[str, tuple[str, Any]] = {
    "formula": (ADJUSTED, scorecard([10, 9, 8, 7, 6, 5, 4])),
    "rounded": (ROUNDED, scorecard([4, 4, 4, 4, 4, 4, 3])),
    "floor-then-bonuses": (ADJUSTED, scorecard([2] * 7, ["r0", "r1", "r2", "r3"], ["b0", "b1", "b2", "b3"])),
    "a-bonus-after-a-flag": (ADJUSTED, scorecard([8] * 7, ["r0"], ["b0"])),
}


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade scorecards."""
    return graded(tmp_path_factory.mktemp("cards"), CARDS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("formula", [7.85, 0, 0, 7.85, "B", "Above Average"]),
        ("rounded", [4.00, 0, 0, 4.00, "D", "Very Poor"]),
        ("floor-then-bonuses", [2.00, 2.0, 1.0, 2.00, "F", "Failing"]),
        ("a-bonus-after-a-flag", [8.00, 0.5, 0.25, 7.75, "B", "Above Average"]),
    ],
)
def test_score_computation_order(cards: Ran, name: str, expected: list[float | str]) -> None:
    """Scoring Methodology, "Weighted Composite Formula", "Auto-Deductions", "Domain-Specific Bonuses".

    A row has the composite, what was taken off, what was added, the final score, the grade and its label.
    """
    card = cards.results[name]["scorecard"]
    fields = ("composite", "deduction_total", "bonus_total", "final_score", "grade", "label")
    assert [card[field] for field in fields] == expected


def test_reporting_of_deductions(cards: Ran) -> None:
    """Scoring Methodology, "Reporting": the composite before, each flag with its explanation and amount, the final."""
    card = cards.results["a-bonus-after-a-flag"]["scorecard"]
    assert card["deductions"] == [{"id": "r0", "amount": 0.5, "outcome": "Number 0", "explanation": "Saw r0."}]
    assert card["bonuses"] == [{"id": "b0", "amount": 0.25, "outcome": "Number 0", "explanation": "Saw b0."}]
    assert card["overall_reasoning"] == "Looked at all of it."


def test_scorecards_alone_pass_and_fail_nothing(cards: Ran) -> None:
    """They are reported beside a verdict; here there is none, and nothing went wrong."""
    assert cards.status == 0
    assert {short(result) for result in cards.results.values()} == {(None, None, None)}


class TestHistory:
    """Scoring Methodology, "Historical Consistency (Supplementary)" and "Baseline Calibration"."""

    @pytest.fixture
    def project(self, tmp_path: Path) -> Project:
        """Return a project with twelve cases of one skill: eleven alike, the last far below in safety."""
        project = Project(tmp_path / "work")
        cases = [f"grading-{number:02}" for number in range(12)]
        bodies = (
            f"  - {{id: {name}, expected_outcome: Is good, input: Write it, scorecard: {{skill: writing}}}}\n"
            for name in cases
        )
        project.write("all.eval.yaml", "evalcases:\n" + "".join(bodies))
        usual = {name: scorecard([8, 8, 8, 8, 8, 7 + number % 2, 8]) for number, name in enumerate(cases)}
        project.write("judgements.json", {**usual, cases[-1]: scorecard([8, 8, 8, 8, 8, 2, 8])})
        project.write("answers.json", dict.fromkeys(cases, "An answer."))
        return project

    def grade(self, project: Project, *options: str) -> Ran:
        """Grade with the recorded judgements."""
        given = ("--judge", "replay:judgements.json", "--answers", "answers.json", "--format", "jsonl")
        return project.grade("all.eval.yaml", *given, *options)

    def entries(self, project: Project) -> int:
        """Return how many evaluations the history of the skill has."""
        shown = project.run("history", "writing", "--format", "json")
        assert shown.status == 0, shown.stderr
        return len(shown.json["evaluations"])

    def test_a_deviation_is_flagged_and_changes_no_score(self, project: Project) -> None:
        """The twelfth grading deviates in one dimension by more than two standard deviations of the last ten."""
        results = self.grade(project).results
        first, last = (results[name]["scorecard"] for name in ("grading-00", "grading-11"))
        assert (first["history"]["evaluations"], first["history"]["flags"]) == (0, [])
        assert results["grading-10"]["scorecard"]["history"]["flags"] == []
        assert last["history"]["evaluations"] == 10
        assert last["history"]["flags"] == ["safety"]
        assert last["final_score"] == 7.4
        assert self.entries(project) == 12

    @pytest.mark.slow
    @pytest.mark.parametrize("option", ["--resume", "--no-cache"])
    def test_replaying_and_resuming_add_nothing(self, project: Project, option: str) -> None:
        """Each grading enters history once, and says the same again."""
        before = self.grade(project).results
        after = self.grade(project, option).results
        assert self.entries(project) == 12
        told = ("history", "final_score", "grade", "evaluation_id")
        for name, result in before.items():
            assert [result["scorecard"][field] for field in told] == [after[name]["scorecard"][field] for field in told]

    @pytest.mark.slow
    def test_gradings_one_by_one_are_as_gradings_together(self, project: Project) -> None:
        """Several runs, the last ones of one case each; how many are judged at once makes no difference either."""
        alone = {}
        for pattern in ("grading-0?", "grading-10", "grading-11"):
            alone |= self.grade(project, "--case", pattern).results
        assert len(alone) == 12
        other = Project(project.folder.parent / "other" / "work")
        for name in ("all.eval.yaml", "judgements.json", "answers.json"):
            other.write(name, (project.folder / name).read_bytes())
        together = self.grade(other, "--concurrency", "12").results
        for name, result in alone.items():
            assert result["scorecard"]["history"] == together[name]["scorecard"]["history"]
