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


STRINGS = """\
expected_outcome: Explain how quicksort works
input_messages:
  - role: user
    content: Explain how the quicksort algorithm works
rubrics:
  - Names divide and conquer
  - Explains how the array is partitioned
  - States the time complexity
"""
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
      script: [{json.dumps(sys.executable)}, -c, "raise SystemExit({{status}})"]
"""

ALL_OBJECTS = ("structure", "success-codes", "client-errors", "server-errors", "practical-examples")


def but(missed: str = "", names: Sequence[str] = ALL_OBJECTS) -> dict[str, bool]:
    """Return that all are satisfied but one."""
    return {name: name != missed for name in names}


THIRDS = ("rubric-1", "rubric-2", "rubric-3")
QUARTERS = (*THIRDS, "rubric-4")

Example = tuple[str, Any, tuple[str, str]]
"""The lines of a case, its judgement, and the score and the verdict that the text implies."""

GUIDE: dict[str, Example] = {
    "strings-all-met": (STRINGS, checks(but(names=THIRDS)), ("1", "pass")),
    "strings-one-missed": (STRINGS, checks(but("rubric-2", THIRDS)), ("2/3", "fail")),
    "objects-all-met": (OBJECTS, checks(but()), ("1", "pass")),
    # 6.5 of 7.5 without the examples, 6 of 7.5 without the server errors: exactly 0.8, and no gate.
    "objects-no-examples": (OBJECTS, checks(but("practical-examples")), ("13/15", "pass")),
    "objects-no-server-errors": (OBJECTS, checks(but("server-errors")), ("4/5", "pass")),
    "objects-neither": (
        OBJECTS,
        checks({**but("server-errors"), "practical-examples": False}),
        ("2/3", "borderline"),
    ),
    "objects-no-structure": (OBJECTS, checks(but("structure")), ("13/15", "fail")),
    "ranges-best": (RANGES, checks({"correctness": 10, "style": 10}), ("1", "pass")),
    "ranges-at-the-gate": (RANGES, checks({"correctness": 7, "style": 10}), ("4/5", "pass")),
    "ranges-below-the-gate": (RANGES, checks({"correctness": 6, "style": 10}), ("11/15", "fail")),
    "ranges-borderline": (RANGES, checks({"correctness": 7, "style": 4}), ("3/5", "borderline")),
    "ranges-low": (RANGES, checks({"correctness": 7, "style": 3}), ("17/30", "fail")),
    "combined-both": (COMBINED.replace("{status}", "0"), checks(but(names=QUARTERS)), ("1", "pass")),
    "combined-no-syntax": (COMBINED.replace("{status}", "1"), checks(but(names=QUARTERS)), ("1/2", "fail")),
}


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade the examples of the guide."""
    cases = {name: (body, judgement) for name, (body, judgement, _) in GUIDE.items()}
    return graded(tmp_path_factory.mktemp("guide"), cases)


@pytest.mark.parametrize("name", GUIDE)
def test_scoring_and_verdicts_of_the_guide(guide: Ran, name: str) -> None:
    """Rubric Evaluator Guide, "Basic Usage" and "Combining Rubrics with Other Evaluators", under "Verdict Rules"."""
    assert short(guide.results[name]) == (*GUIDE[name][2], None)


def test_the_run_of_the_guide_ends_as_its_worst_case(guide: Ran) -> None:
    """Some cases fail, none is an error."""
    assert guide.status == 1
    assert list(guide.results) == list(GUIDE)


def test_gating_of_the_guide_is_reported(guide: Ran) -> None:
    """Rubric Evaluator Guide, "Gating": `required: true`, and `required_min_score: N` means a score of N or more."""

    def gates(name: str) -> dict[str, str]:
        return {gate["id"]: gate["state"] for gate in guide.results[name]["gates"]}

    assert gates("ranges-at-the-gate") == {"correctness": "passed"}
    assert gates("ranges-below-the-gate") == {"correctness": "failed"}
    assert gates("objects-no-structure") == {
        "structure": "failed",
        "success-codes": "passed",
        "client-errors": "passed",
    }


def test_combined_evaluators_are_each_reported(guide: Ran) -> None:
    """Rubric Evaluator Guide, "Rubric evaluator is auto-added from inline rubrics field"."""
    result = guide.results["combined-no-syntax"]
    told = [(each["name"], each["type"], each["status"], each["score"]) for each in result["evaluator_results"]]
    assert told == [("rubric", "llm_judge", "graded", 1), ("python_syntax", "code_judge", "graded", 0)]


REFERENCE_CHECKLIST = """\
expected_outcome: Explains the algorithm
input: Explain the algorithm
rubrics:
  - Names divide and conquer
  - {id: complexity, expected_outcome: States the complexity, weight: 2.0, required: true}
  - {id: examples, expected_outcome: Has code, weight: 1.0, required: false}
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
REFERENCE_ARRAY = """\
expected_outcome: Is correct
input: Write it
rubrics:
  - id: correctness
    weight: 2.0
    required_min_score: 7
    score_ranges:
      - {score_range: [0, 2], expected_outcome: Critical bugs}
      - {score_range: [3, 5], expected_outcome: Minor bugs}
      - {score_range: [6, 8], expected_outcome: Correct but for details}
      - {score_range: [9, 10], expected_outcome: Fully correct}
"""
WEIGHTED = """\
expected_outcome: Is good
input: Write it
rubrics:
  - {id: a, weight: WA, score_ranges: {0: Bad, 5: Good}}
  - {id: b, weight: WB, score_ranges: {0: Bad, 5: Good}}
  - {id: c, weight: WC, score_ranges: {0: Bad, 5: Good}}
"""
TENTHS = WEIGHTED.replace("WA", "0.1").replace("WB", "0.2").replace("WC", "0.3")
TWO_AND_ONE = WEIGHTED.replace("WA", "2").replace("WB", "1").replace("  - {id: c, weight: WC,", "  # {id: c,")

REFERENCE: dict[str, Example] = {
    "all-met": (REFERENCE_CHECKLIST, checks({"rubric-1": True, "complexity": True, "examples": True}), ("1", "pass")),
    "no-examples": (
        REFERENCE_CHECKLIST,
        checks({"rubric-1": True, "complexity": True, "examples": False}),
        ("3/4", "borderline"),
    ),
    "no-complexity": (
        REFERENCE_CHECKLIST,
        checks({"rubric-1": True, "complexity": False, "examples": True}),
        ("1/2", "fail"),
    ),
    "strings-are-required": (
        REFERENCE_CHECKLIST,
        checks({"rubric-1": False, "complexity": True, "examples": True}),
        ("3/4", "fail"),
    ),
    **{
        f"{form}-{score}": (body, checks({"correctness": score}), (exact, verdict))
        for form, body in (("map", REFERENCE_MAP), ("array", REFERENCE_ARRAY))
        for score, exact, verdict in (
            (6, "3/5", "fail"),
            (7, "7/10", "borderline"),
            (8, "4/5", "pass"),
            (9, "9/10", "pass"),
        )
    },
    # What binary floats get wrong: 0.1 + 0.2 is not 0.3 there, and (1.4 + 1) / 3 lies below 0.8.
    "tenths-of-eights": (TENTHS, checks({"a": 8, "b": 8, "c": 8}), ("4/5", "pass")),
    "tenths-of-sixes": (TENTHS, checks({"a": 6, "b": 6, "c": 6}), ("3/5", "borderline")),
    "seven-and-ten": (TWO_AND_ONE, checks({"a": 7, "b": 10}), ("4/5", "pass")),
}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade the examples of the field reference, and the scores that only exact arithmetic gets right."""
    cases = {name: (body, judgement) for name, (body, judgement, _) in REFERENCE.items()}
    return graded(tmp_path_factory.mktemp("reference"), cases)


@pytest.mark.parametrize("name", REFERENCE)
def test_scoring_and_verdicts_of_the_field_reference(reference: Ran, name: str) -> None:
    """Rubric Evaluator, "Checklist Mode", "Score-Range Mode", "Scoring" and "Verdicts"."""
    assert short(reference.results[name]) == (*REFERENCE[name][2], None)


def test_map_keys_are_lower_bounds(reference: Ran) -> None:
    """Rubric Evaluator, "Score-Range Mode": a map and an array of the same ranges are the same criterion."""
    (from_map,), (from_array,) = (reference.results[f"{form}-7"]["criteria"] for form in ("map", "array"))
    assert from_map == from_array
    assert [band["score_range"] for band in from_map["bands"]] == [[0, 2], [3, 5], [6, 8], [9, 10]]
    assert from_map["outcome"] == "Correct but for details"


def broken(ranges: str) -> str:
    """Return a case whose ranges break a rule."""
    return f"expected_outcome: Is correct\ninput: Write it\nrubrics:\n  - {{id: c, score_ranges: {ranges}}}\n"


REJECTED = {
    "overlap": (
        broken("[{score_range: [0, 5], expected_outcome: Bad}, {score_range: [5, 10], expected_outcome: Good}]"),
        "both cover score 5",
    ),
    "bounds": (broken("{0: Bad, 5: Fair, 11: Good}"), "0 to 10"),
    "coverage": (
        broken("[{score_range: [0, 4], expected_outcome: Bad}, {score_range: [6, 10], expected_outcome: Good}]"),
        "not covered",
    ),
    "no-text": (
        broken("[{score_range: [0, 4], expected_outcome: ''}, {score_range: [5, 10], expected_outcome: Good}]"),
        "has no text",
    ),
}


@pytest.fixture(scope="module")
def requirements(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade what must be rejected, beside the judge output that must be accepted."""
    accepted: dict[str, Any] = {
        "checks": [{"id": "correctness", "score": 8, "reasoning": "Two details."}],
        "overall_reasoning": "Good.",
    }
    accepted["overall_reasoning"] = "Good."
    cases = {name: (body, checks({"c": 10})) for name, (body, _) in REJECTED.items()}
    return graded(tmp_path_factory.mktemp("requirements"), {**cases, "accepted": (REFERENCE_MAP, accepted)})


@pytest.mark.parametrize("name", REJECTED)
def test_invalid_range_rubrics_are_rejected(requirements: Ran, name: str) -> None:
    """rubric-evaluator Specification, "Scenario: Invalid range rubrics are rejected": the message tells the rule."""
    score, verdict, error = short(requirements.results[name])
    assert (score, verdict) == (None, None)
    assert REJECTED[name][1] in error


def test_range_rubric_output_schema(requirements: Ran) -> None:
    """rubric-evaluator Specification, "Scenario: Range rubric output schema": it is accepted and normalized."""
    result = requirements.results["accepted"]
    assert short(result) == ("4/5", "pass", None)
    (criterion,) = result["criteria"]
    assert (criterion["score"], criterion["value"], criterion["reasoning"]) == (8, 0.8, "Two details.")
    assert result["reasoning"] == "Good."
    assert requirements.status == 2


# Correctness has half of the weight, so that it moves the composite by 0.50; consistency moves it by 0.01.
FINE = "0.50, completeness: 0.45, adherence: 0.01, actionability: 0.01, efficiency: 0.01, safety: {0}, consistency: {1}"
HALVES = FINE.format("0.01", "0.01")


def carded(weights: str = "", adjustments: int = 0) -> str:
    """Return a case with a scorecard: with these weights, and with so many red flags and bonuses."""
    lines = ["expected_outcome: Is good", "input: Write it", "scorecard:", "  skill: writing"]
    if weights:
        lines.append(f"  weights: {{correctness: {weights}}}")
    for name in ("red_flags", "bonuses") if adjustments else ():
        lines.append(f"  {name}:")
        lines += [
            f"    - {{id: {name[0]}{number}, expected_outcome: Number {number}}}" for number in range(adjustments)
        ]
    return "\n".join(lines)


def around(mark: str) -> tuple[list[int], list[int]]:
    """Return the scores whose composite is a mark such as 5.50, and those whose composite lies 0.01 below it."""
    whole, _, half = mark.partition(".")
    base = int(whole)
    at = [base + (half == "50"), *[base] * 6]
    return at, [*at[:-1], base - 1]


GRADES = {
    "4.00": ("D", "F"),
    "5.00": ("D+", "D"),
    "5.50": ("C-", "D+"),
    "6.00": ("C", "C-"),
    "6.50": ("C+", "C"),
    "7.00": ("B-", "C+"),
    "7.50": ("B", "B-"),
    "8.00": ("B+", "B"),
    "8.50": ("A-", "B+"),
    "9.00": ("A", "A-"),
    "9.50": ("A+", "A"),
}
LABELS = {
    "A+": "Exceptional",
    "A": "Excellent",
    "A-": "Very Good",
    "B+": "Good",
    "B": "Above Average",
    "B-": "Satisfactory",
    "C+": "Adequate",
    "C": "Mediocre",
    "C-": "Below Average",
    "D+": "Poor",
    "D": "Very Poor",
    "F": "Failing",
}


def boundary_cases() -> dict[str, tuple[str, Any]]:
    """Return a case at each mark of the table, and one just below."""
    cases = {}
    for mark in GRADES:
        at, below = around(mark)
        cases[f"at-{mark}"] = (carded(HALVES), scorecard(at))
        cases[f"below-{mark}"] = (carded(HALVES), scorecard(below))
    return cases


OTHERS: dict[str, tuple[str, Any]] = {
    "formula": (carded(), scorecard([10, 9, 8, 7, 6, 5, 4])),
    # 3.995 is 4.00, and 3.994 is 3.99.
    "rounded-up": (carded(FINE.format("0.015", "0.005")), scorecard([4, 4, 4, 4, 4, 4, 3])),
    "rounded-down": (carded(FINE.format("0.014", "0.006")), scorecard([4, 4, 4, 4, 4, 4, 3])),
    "one-flag-twice": (carded(adjustments=5), scorecard([8] * 7, ["r0", "r0"])),
    "five-flags": (carded(adjustments=5), scorecard([8] * 7, [f"r{number}" for number in range(5)])),
    "floor": (carded(adjustments=5), scorecard([2] * 7, ["r0", "r1", "r2", "r3"])),
    "five-bonuses": (carded(adjustments=5), scorecard([8] * 7, (), [f"b{number}" for number in range(5)])),
    "ceiling": (carded(adjustments=5), scorecard([10] * 7, (), ["b0"])),
    "floor-then-bonuses": (
        carded(HALVES, adjustments=4),
        scorecard([3, *[2] * 6], ["r0", "r1", "r2", "r3"], ["b0", "b1", "b2", "b3"]),
    ),
    "a-bonus-after-a-flag": (carded(adjustments=4), scorecard([8] * 7, ["r0"], ["b0"])),
}


@pytest.fixture(scope="module")
def methodology(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade scorecards at every boundary and for every rule."""
    return graded(tmp_path_factory.mktemp("methodology"), {**boundary_cases(), **OTHERS})


@pytest.mark.parametrize("mark", GRADES)
def test_grade_thresholds(methodology: Ran, mark: str) -> None:
    """Scoring Methodology, "Grade Thresholds" and "Boundary Rules": the lower bound belongs to its grade."""
    for name, grade, final in (
        ("at", GRADES[mark][0], float(mark)),
        ("below", GRADES[mark][1], round(float(mark) - 0.01, 2)),
    ):
        card = methodology.results[f"{name}-{mark}"]["scorecard"]
        assert (card["composite"], card["final_score"]) == (final, final)
        assert (card["grade"], card["label"]) == (grade, LABELS[grade])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("formula", [7.85, 0, 0, 7.85, "B"]),
        ("rounded-up", [4.00, 0, 0, 4.00, "D"]),
        ("rounded-down", [3.99, 0, 0, 3.99, "F"]),
        ("one-flag-twice", [8.00, 0.5, 0, 7.50, "B"]),
        ("five-flags", [8.00, 2.0, 0, 6.00, "C"]),
        ("floor", [2.00, 2.0, 0, 1.00, "F"]),
        ("five-bonuses", [8.00, 0, 1.0, 9.00, "A"]),
        ("ceiling", [10.00, 0, 0.25, 10.00, "A+"]),
        ("floor-then-bonuses", [2.50, 2.0, 1.0, 2.00, "F"]),
        ("a-bonus-after-a-flag", [8.00, 0.5, 0.25, 7.75, "B"]),
    ],
)
def test_score_computation_order(methodology: Ran, name: str, told: list[float | str]) -> None:
    """Scoring Methodology, "Weighted Composite Formula", "Auto-Deductions", "Domain-Specific Bonuses".

    A row tells the composite, what was taken off, what was added, the final score and the grade.
    """
    card = methodology.results[name]["scorecard"]
    assert [card[field] for field in ("composite", "deduction_total", "bonus_total", "final_score", "grade")] == told


def test_reporting_of_deductions(methodology: Ran) -> None:
    """Scoring Methodology, "Reporting": the composite before, each flag with its explanation and amount, the final."""
    card = methodology.results["a-bonus-after-a-flag"]["scorecard"]
    assert card["deductions"] == [{"id": "r0", "amount": 0.5, "outcome": "Number 0", "explanation": "Saw r0."}]
    assert card["bonuses"] == [{"id": "b0", "amount": 0.25, "outcome": "Number 0", "explanation": "Saw b0."}]
    assert card["overall_reasoning"] == "Looked at all of it."


def test_scorecards_alone_pass_and_fail_nothing(methodology: Ran) -> None:
    """They are reported beside a verdict; here there is none, and nothing went wrong."""
    assert methodology.status == 0
    assert {short(result) for result in methodology.results.values()} == {(None, None, None)}


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
        """Twelve runs of one case each; how many are judged at once makes no difference either."""
        alone = {}
        for number in range(12):
            alone |= self.grade(project, "--case", f"grading-{number:02}").results
        other = Project(project.folder.parent / "other" / "work")
        for name in ("all.eval.yaml", "judgements.json", "answers.json"):
            other.write(name, (project.folder / name).read_bytes())
        together = self.grade(other, "--concurrency", "12").results
        for name, result in alone.items():
            assert result["scorecard"]["history"] == together[name]["scorecard"]["history"]
