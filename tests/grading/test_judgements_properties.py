"""Whatever a judge writes, reading it gives exactly what was asked for or says that it is invalid."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from scoring_values import item, ranged, scorecard

from rubric_core.grading.judgements import InvalidJudgement, read_checks, read_free_form, read_scorecard
from rubric_core.schema.scorecards import DIMENSIONS

CRITERIA = (item("a"), ranged("b"), item("c"))
SCORECARD = scorecard(red_flags=["0.5"], bonuses=1)

_names = st.sampled_from(
    ["a", "b", "c", "d", "id", "checks", "satisfied", "score", "reasoning", "dimensions", "red_flags", *DIMENSIONS]
)
_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 12), st.floats(), st.sampled_from([0.5, 7.0, 1e300]), st.text(), _names
)
_values: st.SearchStrategy[Any] = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_names, inner, max_size=5), max_leaves=20
)
_checks = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from(["a", "b", "c"])},
        optional={
            "satisfied": st.booleans() | _scalars,
            "score": st.integers(0, 10) | _scalars,
            "reasoning": st.text(),
        },
    ),
    max_size=4,
)
_judgements = st.fixed_dictionaries({"checks": _checks | _values}, optional={"overall_reasoning": st.text() | _values})
_around = st.sampled_from(["", "```json\n", "\n```", "So: ", "{", "}", "[", '"', "\x00", "\ud800"])


@st.composite
def replies(draw: st.DrawFn) -> str:
    """Draw a reply that is often close to a judgement: whole, cut off, or with something around it."""
    text = json.dumps(draw(_judgements | _values), ensure_ascii=draw(st.booleans()))
    start, end = sorted(
        (draw(st.just(0) | st.integers(0, len(text))), draw(st.just(len(text)) | st.integers(0, len(text))))
    )
    return draw(_around) + text[start:end] + draw(_around)


@given(replies() | st.text())
def test_a_reply_gives_one_check_for_each_criterion_or_is_invalid(reply: str) -> None:
    """Each check is of its criterion's mode and in range, and nothing else is ever raised."""
    problems: tuple[str, ...] | None = None
    try:
        judged = read_checks(reply, CRITERIA)
    except InvalidJudgement as invalid:
        problems = invalid.problems
    if problems is not None:
        assert problems
        assert all(problem.endswith(".") and "\n" not in problem for problem in problems)
        return
    assert [check.id for check in judged.checks] == ["a", "b", "c"]
    for criterion, check in zip(CRITERIA, judged.checks, strict=True):
        if criterion.mode == "checklist":
            assert (type(check.satisfied), check.score) == (bool, None)
        else:
            assert check.satisfied is None
            assert check.score in range(11)


@given(replies() | st.text())
def test_other_readers_raise_nothing_else_either(reply: str) -> None:
    """A scorecard has all dimensions in range, a free-form judgement a score from 0 to 1."""
    with suppress(InvalidJudgement):
        judged = read_scorecard(reply, SCORECARD)
        assert [dimension.score in range(1, 11) for dimension in judged.dimensions.values()] == [True] * 7
    with suppress(InvalidJudgement):
        score = read_free_form(reply).score
        assert type(score) is Fraction
        assert 0 <= score <= 1


@given(st.booleans(), st.integers(0, 10), st.booleans(), st.text(), st.permutations([0, 1, 2]), st.booleans())
def test_a_judgement_that_was_written_is_read_back(  # noqa: PLR0913, PLR0917 - one parameter for each thing that varies.
    first: bool,  # noqa: FBT001 - Hypothesis gives it by position.
    score: int,
    last: bool,  # noqa: FBT001 - the same.
    reasoning: str,
    order: list[int],
    by_id: bool,  # noqa: FBT001 - the same.
) -> None:
    """In any order, as a list or by id, with any reasoning that text can hold."""
    entries = [
        {"id": "a", "satisfied": first, "reasoning": reasoning},
        {"id": "b", "score": score},
        {"id": "c", "satisfied": last},
    ]
    shuffled = [entries[place] for place in order]
    checks: object = {entry["id"]: entry for entry in shuffled} if by_id else shuffled
    judged = read_checks(json.dumps({"checks": checks}), CRITERIA).checks
    assert [(check.satisfied, check.score) for check in judged] == [(first, None), (None, score), (last, None)]
    assert judged[0].reasoning == reasoning.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
