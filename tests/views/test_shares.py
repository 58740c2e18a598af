"""What the rules say about shares agrees with the grades that a judge's answers would give."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_trees import mapping_of

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.criteria import (
    CriteriaView,
    describe_score,
    dominating,
    is_optional,
    may_gate,
    needed_shares,
    place_of_weight,
    read_criteria,
    shares_of,
)


def _criteria(text: str) -> CriteriaView:
    root = mapping_of(text)
    criteria = read_criteria(root, DEFAULT_DIALECT.case, YamlVersion.V1_2, DEFAULT_DIALECT)
    assert criteria is not None
    return criteria


_WEIGHTS = st.sampled_from(
    ["0", "0.1", "0.3", "1", "1.5", "2", "4", "8", "8.0000000000000000000000000000001", "1e9", "1e-9"]
)
_LISTS = st.lists(st.tuples(_WEIGHTS, st.booleans()), min_size=1, max_size=4)


def _written(entries: list[tuple[str, bool]]) -> CriteriaView:
    lines = [
        f"  - {{expected_outcome: text {number}, weight: {weight}, required: {str(required).lower()}}}\n"
        for number, (weight, required) in enumerate(entries)
    ]
    return _criteria("rubrics:\n" + "".join(lines))


def _verdict(entries: list[tuple[str, bool]], met: tuple[bool, ...]) -> str:
    """Grade a checklist in the plainest way, as the specification says it."""
    total = sum(Fraction(weight) for weight, _ in entries)
    score = sum(Fraction(weight) for (weight, _), is_met in zip(entries, met, strict=True) if is_met) / total
    if (
        any(required and not is_met for (_, required), is_met in zip(entries, met, strict=True))
        or score < BORDERLINE_MARK
    ):
        return "fail"
    return "pass" if score >= PASS_MARK else "borderline"


@given(_LISTS.filter(lambda entries: any(Fraction(weight) for weight, _ in entries)))
def test_a_needed_criterion_is_one_without_which_the_score_does_not_pass(entries: list[tuple[str, bool]]) -> None:
    """A share is needed by the exact comparison of the score left with the threshold; one alone has no others."""
    total = sum(Fraction(weight) for weight, _ in entries)
    criteria = _written(entries)
    shares = shares_of(criteria)
    assert sum(share.part for share in shares) == 1
    parts = {share.criterion.number: Fraction(entries[share.criterion.number - 1][0]) / total for share in shares}
    needed = [share.criterion.number for share in needed_shares(criteria)]
    assert needed == [number for number, part in parts.items() if 1 - part < PASS_MARK and part < 1]


@given(_LISTS.filter(lambda entries: sum(bool(Fraction(weight)) for weight, _ in entries) > 1))
def test_a_dominating_criterion_decides_every_verdict(entries: list[tuple[str, bool]]) -> None:
    """Met it passes and missed it fails in all combinations; where none is named, no criterion does that."""
    criteria = _written(entries)
    found = dominating(criteria, needed_shares(criteria))
    deciding = {
        number
        for number in range(len(entries))
        if all(
            _verdict(entries, met) == ("pass" if met[number] else "fail")
            for met in product((True, False), repeat=len(entries))
        )
    }
    assert deciding == ({found.criterion.number - 1} if found is not None else set())


@pytest.mark.parametrize("weight", ["-1", ".nan", ".inf", "heavy", "[1]"])
def test_a_weight_that_cannot_be_read_leaves_no_shares(weight: str) -> None:
    """Nothing can be said of a score that cannot be computed."""
    assert shares_of(_criteria(f"rubrics: [One, {{expected_outcome: Two, weight: {weight}}}]\n")) == []


@pytest.mark.parametrize(
    ("item", "gates", "optional"),
    [
        ("Names the port", True, False),
        ("{required: false}", False, True),
        ("{required: maybe}", True, False),
        ("{score_ranges: {0: No, 5: Yes}}", False, True),
        ("{required: true, score_ranges: {0: No, 5: Yes}}", False, False),
        ("{required: false, score_ranges: {0: No, 5: Yes}}", False, True),
        ("{required_min_score: 0, score_ranges: {0: No, 5: Yes}}", False, False),
        ("{required_min_score: 5, score_ranges: {0: No, 5: Yes}}", True, False),
        ("{required_min_score: high, score_ranges: {0: No, 5: Yes}}", True, False),
        ("{required_min_score: , score_ranges: {0: No, 5: Yes}}", True, False),
        ("{score_ranges: {1: No, 5: Yes}}", False, False),
        ("~", True, False),
    ],
)
def test_gates_and_options(item: str, gates: bool, optional: bool) -> None:  # noqa: FBT001 - a table.
    """What cannot be read may be a gate and is not called optional, so that the rules stay silent about it."""
    (criterion,) = _criteria(f"rubrics:\n  - {item}\n").criteria
    assert (may_gate(criterion), is_optional(criterion)) == (gates, optional)


@pytest.mark.parametrize(
    ("item", "place"),
    [
        ("Names the port", "Names the port"),
        ("{}", "{}"),
        ("{id: port, weight: 2}", "2"),
        ("{id: port, weight: }", "port"),
        ("{required: false}", "required"),
    ],
)
def test_a_weight_has_a_place_even_where_it_is_not_written(item: str, place: str) -> None:
    """The weight itself, else the id, else the first key or the whole text."""
    text = f"rubrics:\n  - {item}\n"
    node = place_of_weight(_criteria(text).criteria[0])
    assert text[node.start : node.end] == place


@pytest.mark.parametrize(
    ("score", "written"),
    [
        (Fraction(5, 7), "0.71"),
        (Fraction(2, 3), "0.67"),
        (Fraction(1, 2), "0.5"),
        (Fraction(0), "0"),
        (Fraction(7999, 10000), "0.7999"),
        (Fraction(79999999, 100000000), "just under 0.8"),
    ],
)
def test_a_score_below_the_threshold_never_looks_like_the_threshold(score: Fraction, written: str) -> None:
    """Two decimals are enough where they tell the difference."""
    assert describe_score(score, PASS_MARK) == written
