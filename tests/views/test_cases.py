"""A case is recognised by its keys and read into its parts."""

from __future__ import annotations

import pytest
from plain_trees import mapping_of

from rubric_core.dialects.eval_files import is_case
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.cases import CaseView


def _case(text: str) -> CaseView:
    return CaseView(mapping_of(text), YamlVersion.V1_2, DEFAULT_DIALECT)


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("rubrics: []\n", "tests", True),
        ("input_messages: []\n", "tests", True),
        ("expected_outcome: x\n", "cases", True),
        ("input: x\n", "evalcases", True),
        ("input: x\n", "tests", False),
        ("id: x\n", "evalcases", False),
        ("- rubrics\n", "evalcases", False),
        ("rubrics\n", "evalcases", False),
    ],
)
def test_a_case_is_known_by_its_keys(text: str, key: str, expected: bool) -> None:  # noqa: FBT001 - a column.
    """Files of other tools have lists called `tests`, too; `input` tells only under a name that is ours."""
    assert is_case(parse(text).root, key) is expected


def test_a_case_is_read_into_its_parts() -> None:
    """Id, outcome, criteria, evaluators and scorecard."""
    case = _case(
        "id: port\noutcome: Names the port\nrubrics: [a]\n"
        "execution: {evaluators: [{name: e, type: llm_judge, rubrics: [b, c]}, {name: f, type: cost}]}\n"
        "scorecard: {dimensions: {tone: 1}}\n"
    )
    assert case.identifier is not None
    assert case.outcome is not None
    assert (case.identifier.value, case.outcome.value) == ("port", "Names the port")
    assert [[criterion.text for criterion in criteria.criteria] for criteria in case.all_criteria()] == [
        ["a"],
        ["b", "c"],
    ]
    assert case.scorecard is not None


@pytest.mark.parametrize("text", ["id:\noutcome: ''\n", "id: [a]\nexpected_outcome: {b: c}\n", "x: y\n"])
def test_parts_that_are_missing_or_of_another_shape_are_none(text: str) -> None:
    """Rules look no further."""
    case = _case(text + "scorecard: word\n")
    assert (case.identifier, case.outcome, case.criteria, case.scorecard) == (None, None, None, None)
    assert list(case.all_criteria()) == []


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("outcome: c\ncriteria: b\nexpected_outcome: a\n", "a"),
        ("outcome: c\ncriteria: b\n", "b"),
        ("outcome: c\ncriteria: ' '\n", "c"),
    ],
)
def test_the_first_name_with_text_is_the_outcome(text: str, outcome: str) -> None:
    """Older names are read in its place."""
    found = _case(text).outcome
    assert found is not None
    assert found.value == outcome
