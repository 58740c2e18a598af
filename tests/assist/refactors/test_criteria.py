"""A criterion that is a string becomes a mapping, and generated ids are written down."""

from __future__ import annotations

import pytest
from refactoring import CASE, criteria, refactored, titles_at

STRINGS = {
    "plain": ("- $0Names it  # c\n", "- expected_outcome: Names it  # c\n"),
    "the dash counts": ("$0- Names it\n", "- expected_outcome: Names it\n"),
    "in quotes": ('- $0"Names: it"\n', '- expected_outcome: "Names: it"\n'),
    "over several lines": ("- $0Names it\n  and more\n", "- expected_outcome: Names it\n    and more\n"),
    "a block": (
        "- $0|\n  Names it\n\n  and more\n- Other\n",
        "- expected_outcome: |\n    Names it\n\n    and more\n- Other\n",
    ),
    "a block with its own indentation": ("- $0>2-\n    Names it\n", "- expected_outcome: >2-\n      Names it\n"),
    "below its dash": ("-\n  $0Names it\n   and more\n", "-\n  expected_outcome: Names it\n     and more\n"),
    "a wide dash": ("-   $0Names it\n    and more\n", "-   expected_outcome: Names it\n        and more\n"),
}


@pytest.mark.parametrize(("before", "after"), STRINGS.values(), ids=list(STRINGS))
def test_a_string_becomes_a_mapping(before: str, after: str) -> None:
    """The text stays as it is written, only further in."""
    assert refactored(criteria(before), "string-to-mapping") == criteria(after)


def test_a_string_in_brackets_gets_braces() -> None:
    """JSON stays JSON."""
    before = CASE + '    rubrics: [$0Names it, "Shows it"]\n'
    assert refactored(before, "string-to-mapping") == CASE + '    rubrics: [{expected_outcome: Names it}, "Shows it"]\n'
    before = CASE + '    rubrics: [Names it, $0"Shows it"]\n'
    assert (
        refactored(before, "string-to-mapping") == CASE + '    rubrics: [Names it, {"expected_outcome": "Shows it"}]\n'
    )


@pytest.mark.parametrize(
    "lines",
    ["- &same $0Names it\n- *same\n", '- $0""\n', "- $0expected_outcome: Names it\n", "- $012\n"],
    ids=["repeated elsewhere", "empty", "a mapping", "a number"],
)
def test_what_is_no_string_of_its_own_is_left_alone(lines: str) -> None:
    """There is nothing to rewrite, or others would notice."""
    assert refactored(criteria(lines), "string-to-mapping") is None


IDS = {
    "mappings and strings": (
        "- $0expected_outcome: Names it\n  weight: 2\n- id: own\n  expected_outcome: Shows it\n- Links it  # c\n",
        (
            "- id: rubric-1\n  expected_outcome: Names it\n  weight: 2\n- id: own\n  expected_outcome: Shows it\n"
            "- id: rubric-3\n  expected_outcome: Links it  # c\n"
        ),
        "Add ids to 2 criteria",
    ),
    "only one": ("- $0Names it\n", "- id: rubric-1\n  expected_outcome: Names it\n", "Add the id `rubric-1`"),
    "in braces": (
        "- {$0expected_outcome: Names it}\n",
        "- {id: rubric-1, expected_outcome: Names it}\n",
        "Add the id `rubric-1`",
    ),
    "not behind an alias": (
        "- &same\n  expected_outcome: Names it\n- $0Shows it\n",
        "- &same\n  expected_outcome: Names it\n- id: rubric-2\n  expected_outcome: Shows it\n",
        "Add the id `rubric-2`",
    ),
}


@pytest.mark.parametrize(("before", "after", "title"), IDS.values(), ids=list(IDS))
def test_generated_ids_are_written_down(before: str, after: str, title: str) -> None:
    """Every criterion keeps the id under which its results were stored."""
    assert refactored(criteria(before), "add-ids") == criteria(after)
    assert title in titles_at(criteria(before))


@pytest.mark.parametrize(
    "lines",
    [
        "- $0Names it\n- id: rubric-1\n  expected_outcome: Shows it\n",
        "- $0id: own\n  expected_outcome: Names it\n",
        "- $0id:\n  expected_outcome: Names it\n",
    ],
    ids=["the id is taken", "it has one", "it has an empty one"],
)
def test_ids_are_not_added_where_they_would_clash(lines: str) -> None:
    """Or where there is one already."""
    assert refactored(criteria(lines), "add-ids") is None


def test_ids_are_offered_on_the_key_of_the_list() -> None:
    """There they are meant for all of it."""
    assert "Add ids to 2 criteria" in titles_at(criteria("- Names it\n- Shows it\n").replace("rubrics", "rub$0rics"))


def test_nothing_is_offered_in_other_yaml() -> None:
    """Lists called `rubrics` are also found elsewhere."""
    assert titles_at("rubrics:\n  - $0Names it\n", "other.yaml") == []
