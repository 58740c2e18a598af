"""Evaluators are read from every place that holds a list of them."""

from __future__ import annotations

import pytest
from plain_trees import mapping_of

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators


def _read(text: str) -> list[EvaluatorsView]:
    return read_evaluators(mapping_of(text), DEFAULT_DIALECT.case, YamlVersion.V1_2, DEFAULT_DIALECT)


def _names(lists: list[EvaluatorsView]) -> list[list[str | None]]:
    return [[each.name.value if each.name else None for each in one.evaluators] for one in lists]


def test_the_list_of_the_execution_comes_before_the_own_one() -> None:
    """The order is that of precedence, not that of the text."""
    lists = _read("evaluators: [{name: b, type: cost}]\nexecution:\n  evaluators: [{name: a, type: cost}]\n")
    assert _names(lists) == [["a"], ["b"]]


def test_members_of_a_composite_follow_its_list() -> None:
    """Composites inside of composites are read level by level."""
    lists = _read(
        "evaluators:\n"
        "  - {name: outer, type: composite, evaluators: [{name: inner, type: composite, evaluators: [{name: leaf}]}]}\n"
        "  - {name: second, type: composite, evaluators: [{name: other}]}\n"
    )
    assert _names(lists) == [["outer", "second"], ["inner"], ["other"], ["leaf"]]


def test_only_a_composite_has_members() -> None:
    """The key `evaluators` of a code judge is the script's own configuration."""
    assert _names(_read("evaluators: [{name: a, type: code_judge, evaluators: [{name: b}]}]\n")) == [["a"]]


@pytest.mark.parametrize(
    ("written", "kind", "is_checked"),
    [
        ("llm_judge", "llm_judge", True),
        ("code", "code_judge", True),
        ("expected_tool_calls", "tool_trajectory", True),
        ("llm-judge", None, False),
        ("[llm_judge]", None, False),
        ("", None, True),
        ("''", None, True),
    ],
)
def test_the_type_decides_whether_the_inside_is_looked_at(written: str, kind: str | None, is_checked: bool) -> None:  # noqa: FBT001 - a column of the table.
    """A missing type hides nothing, an unknown one hides all."""
    (only,) = _read(f"evaluators:\n  - name: a\n    type: {written}\n    rubrics: [Names the port]\n")[0].evaluators
    has_criteria = is_checked and kind in {None, "llm_judge"}
    assert (only.kind, only.is_checked, only.criteria is not None) == (kind, is_checked, has_criteria)


@pytest.mark.parametrize("name", ["", "' '", "[a]", "{a: 1}"])
def test_what_names_nothing_is_no_name(name: str) -> None:
    """Only text that can be seen is a name."""
    (only,) = _read(f"evaluators:\n  - type: cost\n    name: {name}\n")[0].evaluators
    assert only.name is None


@pytest.mark.parametrize(
    ("rubrics", "is_inline"), [("[Names the port]", True), ("[]", False), ("", False), ("text", False)]
)
def test_criteria_of_the_case_are_beside_the_list_that_is_used(rubrics: str, is_inline: bool) -> None:  # noqa: FBT001 - a column of the table.
    """The second list is not used, so nothing is beside it."""
    lists = _read(f"rubrics: {rubrics}\nexecution: {{evaluators: [{{name: a}}]}}\nevaluators: [{{name: b}}]\n")
    assert [one.inline is not None for one in lists] == [is_inline, False]


@pytest.mark.parametrize(
    "text", ["evaluators: 7\n", "evaluators:\n", "evaluators: [a, [b]]\n", "execution: 7\nevaluators: []\n"]
)
def test_what_is_no_evaluator_is_left_out(text: str) -> None:
    """Wrong shapes give an empty list."""
    assert _names(_read(text)) == [[]]
