"""The examples are what a newcomer sees first: the good ones are clean and gradable, the broken one can be fixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from dialect_suites import example_of
from pages import blocks

from rubric_core import grade, load
from rubric_core.analysis.check import check_text, fix_text
from rubric_core.dialects.json_schema import build_json_schema
from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT
from rubric_core.dialects.registry import DIALECTS as ALL_DIALECTS
from rubric_core.grading.sources import RecordedAnswers
from rubric_core.model.load import load_text
from rubric_core.rules.problem import Severity

if TYPE_CHECKING:
    from decimal import Decimal

    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import EvalCase

EXAMPLES = Path(__file__).parents[1] / "examples"
BROKEN = EXAMPLES / "broken.eval.yaml"
GOOD = [path for path in sorted(EXAMPLES.rglob("*")) if path.suffix in {".yaml", ".jsonl"} and path != BROKEN]
DIALECTS = {dialect: example_of(dialect) for dialect in ALL_DIALECTS}


def read(path: Path) -> str:
    """Return the text of an example as it is on disk."""
    return path.read_bytes().decode("utf-8")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_a_good_example_has_no_problem_at_all(path: Path) -> None:
    """Not even a hint: whoever copies an example starts from something clean."""
    checked = check_text(read(path), path=str(path))
    assert checked.ours
    assert [f"{problem.code} {problem.message}" for problem in checked.problems] == []


def gate_of(criterion: Criterion) -> Decimal | int | None:
    """Return the lowest score that does not fail a criterion."""
    gate: Decimal | int | None = getattr(criterion, "required_min_score", None)
    return gate


def criteria_of(case: EvalCase) -> list[Criterion]:
    """Return the criteria of a case, wherever its dialect has them."""
    return [each for evaluator in case.evaluators for each in getattr(evaluator, "criteria", ())]


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_a_good_example_loads_with_every_case_and_criterion(path: Path) -> None:
    """Python users get models of everything that is in the file."""
    suite = load(path)
    assert suite.cases
    assert suite.left_out == ()
    assert all(criteria_of(case) or case.evaluators for case in suite.cases)


@pytest.mark.parametrize("path", [path for path in GOOD if path.suffix == ".yaml"], ids=lambda path: path.name)
def test_the_json_schema_accepts_a_good_example(path: Path) -> None:
    """A generic YAML server with our schema has nothing to say either."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - only this test wants a second YAML reader.

    data = YAML(typ="safe", pure=True).load(read(path))
    jsonschema.validate(json.loads(json.dumps(data)), build_json_schema(BY_NAME[load(path).dialect]))


def test_the_examples_of_all_dialects_have_the_same_cases() -> None:
    """Whoever knows one of the dialects reads the others beside it; each is recognised by its keys."""
    suites = {dialect: load(path) for dialect, path in DIALECTS.items()}
    assert {dialect.name: suite.dialect for dialect, suite in suites.items()} == {name: name for name in BY_NAME}
    # Criteria of other tools have no ids and no score ranges.
    suites = {dialect: suite for dialect, suite in suites.items() if dialect.tool == DEFAULT_DIALECT.tool}
    first, *others = (
        {
            case.id: [(each.id, each.mode, each.weight, gate_of(each)) for each in criteria_of(case)]
            for case in suite.cases
        }
        for suite in suites.values()
    )
    assert {case: len(criteria) for case, criteria in first.items()} == {"quicksort": 2, "stability": 2}
    assert others == [first] * len(others)


def test_the_first_suite_of_the_readme_is_sound() -> None:
    """The text that a newcomer copies, in the dialect of the guide."""
    text = blocks("README.md", "yaml")[0].text
    assert check_text(text).problems == ()
    assert load_text(text, "README.md")[0].dialect == DEFAULT_DIALECT.name


def test_the_broken_example_shows_every_kind_of_problem_and_can_be_fixed() -> None:
    """Errors, warnings and hints are there; after all fixes no error and no warning is left, and no comment is lost."""
    text = read(BROKEN)
    levels = {problem.severity for problem in check_text(text, path=BROKEN.name).problems}
    assert levels == {Severity.ERROR, Severity.WARNING, Severity.HINT}
    fixed = fix_text(text, path=BROKEN.name, unsafe=True).text
    left = check_text(fixed, path=BROKEN.name).problems
    assert [problem.code for problem in left if problem.severity is not Severity.HINT] == []
    assert fixed.count("#") == text.count("#")


RECORDED = [
    ("scorecard.eval.yaml", "judgements.json", {"lost-parcel": ("pass", "1")}),
    (
        "code-judge/sql.eval.yaml",
        "code-judge/judgements.json",
        {"revenue-by-month": ("pass", "1"), "revenue-by-month-for-a-beginner": ("borderline", "5/7")},
    ),
    *(
        (
            f"dialects/{name}.eval.yaml",
            "dialects/judgements.json",
            {"quicksort": ("pass", "9/10"), "stability": ("pass", "1")},
        )
        for name, dialect in BY_NAME.items()
        if dialect.tool == DEFAULT_DIALECT.tool
    ),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("file", "judgements", "expected"), RECORDED, ids=[file for file, _, _ in RECORDED])
async def test_an_example_with_recordings_can_be_graded_without_a_model(
    file: str, judgements: str, expected: dict[str, tuple[str, str]]
) -> None:
    """Every case has a recorded answer and a recorded judgement, which together give the result that it shows."""
    path = EXAMPLES / file
    answers = RecordedAnswers(str(path))
    found = {}
    for case in load(path).cases:
        answer = answers.of(case.id)
        assert answer is not None
        result = await grade(case, answer, f"replay:{EXAMPLES / judgements}")
        assert result.error is None
        assert result.verdict is not None
        found[case.id] = (result.verdict.value, str(result.score))
    assert found == expected
