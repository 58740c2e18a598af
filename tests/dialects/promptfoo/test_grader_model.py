"""Random tests of promptfoo, graded by the product and by a second account of the rules."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from judges import AnsweringJudge
from promptfoo_verdicts import Assertion, ours, promptfoo

from rubric_core import grade
from rubric_core.dialects.promptfoo import DIALECT as PROMPTFOO
from rubric_core.model.load import load_text
from rubric_core.scoring.exact import decimal_text

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Question
    from rubric_core.grading.results import CaseResult

ANSWER = "present"
_WEIGHTS = ("1", "1", "1", "2", "3", "0", "0.1", "0.2", "0.3", "0.7", "0.9")
_SHARES = ("0", "0.1", "0.3", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
_MOST_DIGITS = 12
_GRADINGS = 1_000
_PER_SUITE = 10


class Writer:
    """Makes random tests."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - nothing secret.

    def assertion(self, *, is_member: bool = False) -> Assertion:
        """Return an assertion; a set has no sets."""
        kind = self.random.random()
        made = Assertion(self.random.choice(_WEIGHTS), negated=self.random.random() < 0.2)
        threshold = self.random.choice(_SHARES) if self.random.random() < 0.5 else None
        if kind < 0.45:
            return replace(made, holds=self.random.random() < 0.8)
        if kind < 0.75:
            return replace(made, score=self.random.choice(_SHARES), threshold=threshold)
        if kind < 0.95 and not is_member:
            members = tuple(self.assertion(is_member=True) for _ in range(self.random.randint(1, 3)))
            return replace(made, members=members, threshold=threshold, negated=False)
        return replace(made, negated=False)

    def listed(self) -> tuple[Assertion, ...]:
        """Return some assertions."""
        return tuple(self.assertion() for _ in range(self.random.randint(1, 4)))

    def threshold(self, assertions: tuple[Assertion, ...]) -> str | None:
        """Return a threshold or none; often it is exactly what is reached."""
        said = ours(assertions, None)
        reached = None if said is None else decimal_text(said[0])
        if reached is not None and len(reached) < _MOST_DIGITS and self.random.random() < 0.3:
            return reached
        return self.random.choice(_SHARES) if self.random.random() < 0.4 else None


def written(assertion: Assertion) -> dict[str, Any]:
    """Return an assertion as it is written; the text of a rubric is the score that the judge gives."""
    common: dict[str, Any] = {"weight": float(assertion.weight)}
    common |= {} if assertion.threshold is None else {"threshold": float(assertion.threshold)}
    negation = "not-" if assertion.negated else ""
    if assertion.members:
        return {**common, "type": "assert-set", "assert": [written(each) for each in assertion.members]}
    if assertion.score is not None:
        return {**common, "type": f"{negation}llm-rubric", "value": assertion.score}
    if assertion.holds is not None:
        value = ANSWER if assertion.holds else "absent"
        return {**common, "type": f"{negation}contains", "value": value}
    return {**common, "type": "javascript", "value": "true"}


def said(question: Question) -> str:
    """Reply with the score that the rubric is."""
    return f'{{"hits": [], "misses": [], "reasoning": "", "score": {question.instructions}}}'


async def graded(
    tests: list[tuple[tuple[Assertion, ...], str | None]], shared: tuple[Assertion, ...], default: str | None
) -> list[CaseResult]:
    """Grade tests of one configuration."""
    rest: list[dict[str, Any]] = [
        {} if threshold is None else {"threshold": float(threshold)} for _, threshold in tests
    ]
    start: dict[str, Any] = {"assert": [written(each) for each in shared]}
    config = {
        "prompts": ["x"],
        "providers": ["echo"],
        "defaultTest": start if default is None else {**start, "threshold": float(default)},
        "tests": [
            {"assert": [written(each) for each in own], **more} for (own, _), more in zip(tests, rest, strict=True)
        ],
    }
    (suite,) = load_text(json.dumps(config), "promptfooconfig.yaml", dialect=PROMPTFOO)
    assert (suite.left_out, len(suite.cases)) == ((), len(tests))
    judge = AnsweringJudge(said)
    return [await grade(case, ANSWER, judge) for case in suite.cases]


@pytest.mark.slow
def test_a_thousand_random_gradings_agree_with_the_second_account() -> None:
    """Score, verdict, and what promptfoo would have said, with thresholds that are exactly reached."""
    differing = at_the_threshold = unrun = weightless = 0
    for seed in range(_GRADINGS // _PER_SUITE):
        writer = Writer(seed)
        shared = writer.listed() if writer.random.random() < 0.4 else ()
        default = writer.random.choice(_SHARES) if writer.random.random() < 0.2 else None
        lists = [writer.listed() for _ in range(_PER_SUITE)]
        tests = [(own, writer.threshold((*shared, *own))) for own in lists]
        results = asyncio.run(graded(tests, shared, default))
        for (own, threshold), result in zip(tests, results, strict=True):
            everything, counted = (*shared, *own), default if threshold is None else threshold
            expected = ours(everything, counted)
            if expected is None:
                unrun += 1
                assert "was run" in (result.error or "")
                continue
            assert (result.error, result.score) == (None, expected[0]), everything
            assert result.verdict is not None
            assert (result.verdict.value == "pass") is expected[1], everything
            weightless += all(float(each.weight) == 0 for each in everything)
            at_the_threshold += counted is not None and decimal_text(expected[0]) == counted
            if not all(each.is_run_whole for each in everything):
                assert result.upstream is None
                continue
            score, passes = promptfoo(everything, counted)
            is_other = passes is not expected[1]
            differing += is_other
            assert (result.upstream is not None) is is_other, everything
            if result.upstream is not None:
                assert (float(result.upstream.score), result.upstream.verdict.value) == (
                    score,
                    "pass" if passes else "fail",
                )
    # The boundaries are among them.
    assert min(differing, at_the_threshold, unrun, weightless) > 0
