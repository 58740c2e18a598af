"""What holds for the score of every rubric and every judgement."""

from __future__ import annotations

from dataclasses import replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_values import checks, item, ranged

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.scoring.grades import Verdict, standing, verdict_of
from rubric_core.scoring.rubrics import score_rubric

if TYPE_CHECKING:
    import random

    from rubric_core.model.criteria import Criterion
    from rubric_core.scoring.rubrics import Check

_WEIGHTS = st.one_of(
    st.sampled_from(["0", "0.1", "0.2", "0.3", "1", "1.5", "2.0", "1e9", "1e-9", "3." + "1" * 50]),
    st.decimals("0", "100", places=3).map(str),
)


@st.composite
def _judged(draw: st.DrawFn) -> tuple[list[Criterion], list[bool | int]]:
    """Return a list of criteria of both kinds, with at least one weight, and what a judge says of each."""
    criteria: list[Criterion] = []
    said: list[bool | int] = []
    for place in range(draw(st.integers(1, 6))):
        name, weight = f"c{place}", draw(_WEIGHTS)
        if draw(st.booleans()):
            criteria.append(item(name, weight, required=draw(st.booleans())))
            said.append(draw(st.booleans()))
        else:
            criteria.append(ranged(name, weight, minimum=draw(st.none() | st.integers(0, 10))))
            said.append(draw(st.integers(0, 10)))
    if not any(criterion.weight for criterion in criteria):
        criteria.append(item("last", "1", required=False))
        said.append(draw(st.booleans()))
    return criteria, said


def _value(said: bool | int) -> Fraction:  # noqa: FBT001 - what a judge said.
    return Fraction(said) if isinstance(said, bool) else Fraction(said, 10)


def _scaled(criterion: Criterion, factor: Decimal) -> Criterion:
    weight = Context(prec=200).multiply(criterion.weight, factor)
    return criterion.model_copy(update={"weight": weight})


@given(_judged())
def test_the_score_is_the_exact_weighted_mean(judged: tuple[list[Criterion], list[bool | int]]) -> None:
    """It equals the plainest computation on fractions, lies in 0..1, and has its verdict by exact comparison."""
    criteria, said = judged
    result = score_rubric(criteria, checks(criteria, said))
    total = sum(Fraction(criterion.weight) for criterion in criteria)
    earned = sum(Fraction(criterion.weight) * _value(each) for criterion, each in zip(criteria, said, strict=True))
    assert result.score == earned / total
    assert 0 <= result.score <= 1
    assert result.verdict == verdict_of(result.score, gates_hold=result.gates_hold)
    assert [each.id for each in result.criteria] == [criterion.id for criterion in criteria]


@given(_judged())
def test_a_gate_is_failed_exactly_where_its_criterion_says_so(
    judged: tuple[list[Criterion], list[bool | int]],
) -> None:
    """A failed gate fails the whole, whatever the score."""
    criteria, said = judged
    result = score_rubric(criteria, checks(criteria, said))
    failed = []
    for criterion, each in zip(criteria, said, strict=True):
        if criterion.mode == "checklist":
            failed.append(criterion.required and each is False)
        else:
            failed.append(criterion.required_min_score is not None and each < criterion.required_min_score)
    assert [each.gate == "failed" for each in result.criteria] == failed
    assert result.gates_hold == (not any(failed))
    if any(failed):
        assert result.verdict is Verdict.FAIL


@given(_judged(), st.randoms(use_true_random=False))
def test_the_order_of_the_checks_is_irrelevant(
    judged: tuple[list[Criterion], list[bool | int]], shuffle: random.Random
) -> None:
    """A judge may answer in any order."""
    criteria, said = judged
    given_checks = checks(criteria, said)
    shuffled: list[Check] = list(given_checks)
    shuffle.shuffle(shuffled)
    assert score_rubric(criteria, shuffled) == score_rubric(criteria, given_checks)


@given(_judged(), st.data())
def test_a_better_judgement_never_lowers_the_score_or_the_verdict(
    judged: tuple[list[Criterion], list[bool | int]], data: st.DataObject
) -> None:
    """Meeting one criterion more, or scoring one higher, can only help."""
    criteria, said = judged
    place = data.draw(st.integers(0, len(said) - 1))
    better = list(said)
    better[place] = True if isinstance(said[place], bool) else data.draw(st.integers(said[place], 10))
    before, after = (score_rubric(criteria, checks(criteria, each)) for each in (said, better))
    assert after.score >= before.score
    assert standing(after.verdict) >= standing(before.verdict)


@given(_judged(), st.sampled_from(["0.1", "3", "7.77", "1e-20", "1e20"]))
def test_scaling_all_weights_changes_nothing(judged: tuple[list[Criterion], list[bool | int]], factor: str) -> None:
    """Weights are relative."""
    criteria, said = judged
    scaled = [_scaled(criterion, Decimal(factor)) for criterion in criteria]
    before, after = (score_rubric(each, checks(each, said)) for each in (criteria, scaled))
    assert (after.score, after.verdict) == (before.score, before.verdict)


@given(_judged())
def test_the_decimal_context_of_the_caller_changes_nothing(judged: tuple[list[Criterion], list[bool | int]]) -> None:
    """A notebook may have set any precision."""
    criteria, said = judged
    usual = score_rubric(criteria, checks(criteria, said))
    with localcontext() as context:
        context.prec = 1
        assert score_rubric(criteria, checks(criteria, said)) == usual


@given(st.fractions(0, 1), st.booleans())
def test_the_verdict_follows_from_the_marks_alone(score: Fraction, holds: bool) -> None:  # noqa: FBT001 - drawn.
    """The better mark that is reached counts, and none does without the gates."""
    verdict = verdict_of(score, gates_hold=holds)
    assert (verdict is Verdict.PASS) == (holds and score >= PASS_MARK)
    assert (verdict is Verdict.BORDERLINE) == (holds and BORDERLINE_MARK <= score < PASS_MARK)


def test_words_of_the_judge_do_not_matter_to_the_score() -> None:
    """Reasoning explains a score and never makes one."""
    criteria = [item("a"), ranged("b")]
    plain = checks(criteria, [True, 7])
    told = [replace(each, reasoning="Give it 10.") for each in plain]
    assert score_rubric(criteria, told).score == score_rubric(criteria, plain).score


@pytest.mark.parametrize(
    ("criterion", "said", "met"),
    [
        (item("a"), True, True),
        (item("a"), False, False),
        # Without a gate a score is met from the pass mark on, with one from the gate on.
        (ranged("a"), 8, True),
        (ranged("a"), 7, False),
        (ranged("a", minimum=3), 3, True),
        (ranged("a", minimum=3), 2, False),
        (ranged("a", minimum=9), 8, False),
    ],
)
def test_a_criterion_is_met(criterion: Criterion, said: bool | int, met: bool) -> None:  # noqa: FBT001 - a table.
    """Whoever asks for one criterion alone wants to know this."""
    (scored,) = score_rubric([criterion], checks([criterion], [said])).criteria
    assert scored.is_met is met
