"""Scorecards are read with exact numbers, and what is not there is distinguished from what is wrong."""

from __future__ import annotations

from decimal import Decimal

import pytest
from plain_trees import mapping_of

from rubric_core.model.suite import DEFAULT_DEDUCTION as MODEL_DEDUCTION
from rubric_core.model.suite import DEFAULT_WEIGHTS as MODEL_WEIGHTS
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.scorecards import (
    DEFAULT_DEDUCTION,
    DEFAULT_WEIGHTS,
    LARGEST_DEDUCTION,
    MOST_BONUSES,
    ScorecardView,
    find_repeats,
    read_named_scorecards,
)


def _read(text: str) -> ScorecardView:
    return ScorecardView(mapping_of(text), YamlVersion.V1_2)


def test_the_methodology_s_numbers() -> None:
    """They are those of the models, too."""
    assert sum(DEFAULT_WEIGHTS.values()) == 1
    assert dict(MODEL_WEIGHTS) == DEFAULT_WEIGHTS
    assert DEFAULT_DEDUCTION == MODEL_DEDUCTION == Decimal("0.5")
    assert (LARGEST_DEDUCTION, MOST_BONUSES) == (2, 4)


def test_dimensions_are_unknown_missing_or_given() -> None:
    """A repeated key is unknown once, and a weight that holds nothing is missing."""
    view = _read("weights: {correctness: 0.5, tone: 1, tone: 2, safety: , [a]: 1, consistency: ''}\n")
    assert [pair.name for pair in view.unknown_dimensions] == ["tone", None]
    assert view.missing_dimensions == [name for name in DIMENSIONS if name != "correctness"]
    assert view.given_weights == {"correctness": Decimal("0.5")}


@pytest.mark.parametrize("weights", ["", "[0.5]", "text"])
def test_weights_that_are_no_mapping_say_nothing(weights: str) -> None:
    """Nothing is missing where no weights are given."""
    view = _read(f"weights: {weights}\n")
    assert (view.unknown_dimensions, view.missing_dimensions, view.given_weights) == ([], [], {})


@pytest.mark.parametrize("weight", ["'0.5'", ".nan", ".inf", "much", "[1]"])
def test_one_weight_that_is_no_finite_number_makes_all_unreadable(weight: str) -> None:
    """There is no sum then."""
    assert _read(f"weights: {{safety: {weight}, correctness: 1}}\n").given_weights is None


@pytest.mark.parametrize(
    ("deduction", "counted"),
    [
        ("1", "1"),
        ("2.0", "2"),
        ("0.001", "0.001"),
        ("", "0.5"),
        ("0", None),
        ("-1", None),
        ("2.1", None),
        (".nan", None),
        ("'1'", None),
        ("[1]", None),
    ],
)
def test_what_a_red_flag_takes_away(deduction: str, counted: str | None) -> None:
    """Where it does not say it is 0.5; what is not allowed is no number."""
    (flag,) = _read(f"red_flags: [{{expected_outcome: a, deduction: {deduction}}}]\n").red_flags
    assert flag.counted == (Decimal(counted) if counted is not None else None)


@pytest.mark.parametrize(
    ("item", "place"),
    [
        ("Prints a key", "Prints a key"),
        ("{expected_outcome: a, id: b}", "b"),
        ("{deduction: 1, expected_outcome: a}", "a"),
        ("{deduction: 1}", "deduction"),
        ("{}", "{}"),
    ],
)
def test_an_adjustment_is_pointed_at_by_its_most_telling_part(item: str, place: str) -> None:
    """Its id, else its text, else its first key."""
    text = f"bonuses: [{item}]\n"
    (bonus,) = _read(text).bonuses
    assert text[bonus.place.start : bonus.place.end] == place


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("[a b, A  B.]", [(2, 1, False, True)]),
        ("[{id: x, expected_outcome: a}, {id: x, expected_outcome: b}]", [(2, 1, True, False)]),
        ("[{id: x, expected_outcome: a}, {id: x, description: a}]", [(2, 1, True, True)]),
        ("[{id: x}, {id: X}]", []),
        ("[a, b, a, b]", [(3, 1, False, True), (4, 2, False, True)]),
        ("['', '', ~, [a], {}, '.', '.']", []),
        ("[a]", []),
        ("a", []),
    ],
)
def test_repeats_by_id_and_by_text(items: str, expected: list[tuple[int, int, bool, bool]]) -> None:
    """Ids are compared as they are, texts by what they say."""
    repeats = find_repeats(_read(f"bonuses: {items}\n").bonuses)
    assert [(each.later.number, each.earlier.number, each.by_id, each.by_text) for each in repeats] == expected


def test_named_scorecards_are_mappings_under_names() -> None:
    """What is no mapping has the wrong type, which another rule says."""
    root = mapping_of("scorecards: {a: {skill: x}, b: text}\nother: text\n")
    assert [named.name for named, _ in read_named_scorecards(root.index["scorecards"], YamlVersion.V1_2)] == ["a"]
    assert read_named_scorecards(root.index["other"], YamlVersion.V1_2) == []
