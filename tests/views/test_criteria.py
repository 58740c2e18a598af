"""Criteria are read from strings and mappings, with what their fields mean."""

from __future__ import annotations

from decimal import Decimal

import pytest
from plain_trees import mapping_of

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode, read_criteria


def _criteria(rubrics: str, version: YamlVersion = YamlVersion.V1_2) -> CriteriaView:
    root = mapping_of(f"id: a\nrubrics: {rubrics}\n")
    view = read_criteria(root, DEFAULT_DIALECT.case, version, DEFAULT_DIALECT)
    assert view is not None
    assert (view.owner, view.pair) == (root, root.index["rubrics"])
    return view


def _criterion(text: str, version: YamlVersion = YamlVersion.V1_2) -> CriterionView:
    (only,) = _criteria(f"[{text}]", version).criteria
    return only


@pytest.mark.parametrize(
    ("text", "is_readable", "outcome"),
    [
        ("Names the port", True, "Names the port"),
        ("'5'", True, "5"),
        ("{expected_outcome: ' Names it '}", True, "Names it"),
        ("{description: Names it}", True, "Names it"),
        ("{description: Old, expected_outcome: New}", True, "New"),
        ("{expected_outcome: ~, description: Old}", True, "Old"),
        ("{id: a}", True, ""),
        ("{expected_outcome: [a]}", True, ""),
        ("''", True, ""),
        ("5", False, "5"),
        ("~", False, ""),
        ("[a]", False, ""),
    ],
)
def test_a_criterion_is_a_string_or_a_mapping(text: str, is_readable: bool, outcome: str) -> None:  # noqa: FBT001 - a column.
    """`expected_outcome` counts before its older name, unless it is left empty."""
    criterion = _criterion(text)
    assert (criterion.is_readable, criterion.text) == (is_readable, outcome)
    assert (criterion.outcome is None) == (outcome == "")
    assert (criterion.fields is not None) == text.startswith("{")


@pytest.mark.parametrize("text", ["*a", "{expected_outcome: *a}"])
def test_an_alias_without_its_anchor_is_a_text_without_words(text: str) -> None:
    """Nobody knows what it means, so nothing is said of it but that the anchor is missing."""
    criterion = _criterion(text)
    assert (criterion.is_readable, criterion.text, criterion.first_word) == (True, "", "")


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("words", "rubric-1"),
        ("{id: tone}", "tone"),
        ("{id: ''}", "rubric-1"),
        ("{id: [x]}", "rubric-1"),
        ("{id: 7}", "7"),
    ],
)
def test_a_criterion_without_an_id_gets_one(text: str, identifier: str) -> None:
    """From its place in the list as written."""
    assert _criterion(text).identifier == identifier


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        *(("0.1", Decimal("0.1")), ("2", Decimal(2)), ("0", Decimal(0)), ("1e-3", Decimal("0.001"))),
        *(("", Decimal(1)), ("~", Decimal(1)), ("''", Decimal(1))),
        *(("-1", None), (".inf", None), (".nan", None), ("word", None), ("[1]", None)),
    ],
)
def test_a_weight_is_exactly_what_is_written(weight: str, expected: Decimal | None) -> None:
    """1 where none is; None where it is no number of 0 or more."""
    assert _criterion(f"{{weight: {weight} }}").weight == expected


@pytest.mark.parametrize(
    ("text", "version", "expected"),
    [
        *(("words", YamlVersion.V1_2, True), ("{id: a}", YamlVersion.V1_2, True)),
        *(("{required: false}", YamlVersion.V1_2, False), ("{required: true}", YamlVersion.V1_2, True)),
        *(("{required: no}", YamlVersion.V1_2, True), ("{required: no}", YamlVersion.V1_1, False)),
        ("{required: 'false'}", YamlVersion.V1_2, True),
    ],
)
def test_a_criterion_is_required_unless_it_says_otherwise(text: str, version: YamlVersion, expected: bool) -> None:  # noqa: FBT001 - a column.
    """What a word means depends on the version of YAML."""
    assert _criterion(text, version).is_required is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("0", 0), ("10", 10), ("7", 7), ("11", None), ("-1", None), ("7.5", None), ("word", None), ("", None)),
    ],
)
def test_the_minimum_is_a_score(text: str, expected: int | None) -> None:
    """An integer from 0 to 10, or none."""
    assert _criterion(f"{{required_min_score: {text} }}").minimum == expected
    assert _criterion("{id: a}").minimum is None


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("words", Mode.CHECKLIST),
        ("{required: true}", Mode.CHECKLIST),
        ("{score_ranges: {0: a}}", Mode.SCORE_RANGE),
        ("{score_ranges: [], required_min_score: 3}", Mode.SCORE_RANGE),
        ("{score_ranges: ~}", Mode.SCORE_RANGE),
    ],
)
def test_ranges_make_the_mode(text: str, mode: Mode) -> None:
    """Also empty ones."""
    assert _criterion(text).mode is mode


def test_what_is_no_criterion_keeps_its_number() -> None:
    """Generated ids count the list as written."""
    view = _criteria("[a, 5, b]")
    assert [criterion.identifier for criterion in view.readable] == ["rubric-1", "rubric-3"]


@pytest.mark.parametrize("rubrics", ["words", "{a: b}", ""])
def test_what_is_no_list_has_no_criteria(rubrics: str) -> None:
    """The rule about types names it."""
    assert _criteria(rubrics).criteria == []


def test_there_may_be_no_criteria_at_all() -> None:
    """A case can be judged by its expected outcome alone."""
    root = mapping_of("id: a\n")
    assert read_criteria(root, DEFAULT_DIALECT.case, YamlVersion.V1_2, DEFAULT_DIALECT) is None
