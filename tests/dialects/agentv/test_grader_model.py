"""Random tests of AgentV 4 and 5, graded by the product and by a second account of the rules."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from agentv_verdicts import ORDER, Assertion, Check, Test, agentv, grade, threshold_of
from judges import AnsweringJudge

from rubric_core import grade as grade_case
from rubric_core.grading.options import Options
from rubric_core.model.load import load_text
from rubric_core.scoring.exact import decimal_text

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Question
    from rubric_core.grading.results import CaseResult

ANSWER = "present"
_WEIGHTS = ("1", "1", "1", "2", "3", "0.1", "0.2", "0.3", "0.7", "0.9")
_SHARES = ("0", "0.1", "0.2", "0.25", "0.5", "0.6", "0.7", "0.75", "0.8", "0.9", "1")
_MOST_DIGITS = 12
_GRADINGS = 1_000


class Writer:
    """Makes random tests, and writes them as suites."""

    def __init__(self, seed: int, dialect: str) -> None:
        self.random = random.Random(seed)  # noqa: S311 - nothing secret.
        self.dialect = dialect

    def share(self) -> str:
        """Return a number above 0 and up to 1."""
        return self.random.choice(_SHARES[1:])

    def check(self) -> Check:
        """Return a criterion."""
        weight = self.random.choice(_WEIGHTS)
        required = self.random.choice((None, True, False))
        if self.random.random() < 0.5:
            return Check(self.random.random() < 0.8, weight, required)
        gate = self.share() if self.random.random() < 0.4 else None
        return Check(self.random.choice((0, 3, 5, 7, 8, 8, 9, 10, 10)), weight, required, gate)

    def assertion(self, *, is_member: bool = False) -> Assertion:
        """Return an assertion; members of sets have no `negate` and `required`."""
        kind = self.random.random()
        made = Assertion(weight=self.random.choice(_WEIGHTS))
        if kind < 0.45:
            made = replace(made, checks=tuple(self.check() for _ in range(self.random.randint(1, 4))))
        elif kind < 0.75:
            made = replace(made, holds=self.random.random() < 0.8)
        elif kind < 0.9 and not is_member:
            members = tuple(self.assertion(is_member=True) for _ in range(self.random.randint(1, 3)))
            made = replace(made, members=members)
        elif kind < 0.95:
            made = replace(made, holds=True)
        if is_member:
            return made
        required = self.random.random() < 0.25
        return replace(
            made,
            negate=self.random.random() < 0.15,
            required=required,
            min_score=self.share() if required and self.random.random() < 0.5 else None,
        )

    def strings(self) -> Assertion:
        """Return what the strings of a list are together."""
        checks = tuple(Check(self.random.random() < 0.8) for _ in range(self.random.randint(1, 3)))
        return Assertion(checks=checks, is_strings=True, weight=str(len(checks)))

    def listed(self) -> tuple[Assertion, ...]:
        """Return a list of assertions, perhaps with strings in it."""
        found = [self.assertion() for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.3:
            found.append(self.strings())
        return tuple(found)

    def test(self, shared: tuple[Assertion, ...], thresholds: dict[str, str]) -> Test:
        """Return a test; often its threshold or a minimum is exactly what is reached."""
        own = {place: self.random.choice(_SHARES) for place in ("run", "execution") if self.random.random() < 0.3}
        own = {place: own[place] for place in own if place in ORDER[self.dialect]}
        made = Test(self.listed(), shared, self.random.random() < 0.2, {**thresholds, **own})
        graded = grade(made, self.dialect)
        reached = None if graded is None else decimal_text(graded[0])
        if reached is not None and len(reached) < _MOST_DIGITS and self.random.random() < 0.4:
            made = replace(made, thresholds={**made.thresholds, "execution": reached})
        return made


def written(assertion: Assertion, dialect: str, name: str) -> Any:
    """Return an assertion as it is written in a suite; the text of a criterion says what the judge will say."""
    common: dict[str, Any] = {"weight": float(assertion.weight), "name" if dialect == "agentv-4" else "metric": name}
    common |= {"negate": True} if assertion.negate else {}
    common |= {"required": True} if assertion.required else {}
    common |= {} if assertion.min_score is None else {"min_score": float(assertion.min_score)}
    if assertion.members:
        members = [written(each, dialect, f"{name}-{place}") for place, each in enumerate(assertion.members)]
        if dialect == "agentv-5":
            return {**common, "type": "assert-set", "assert": members}
        weights = {f"{name}-{place}": float(each.weight) for place, each in enumerate(assertion.members)}
        aggregator = {"type": "weighted_average", "weights": weights}
        return {**common, "type": "composite", "assertions": members, "aggregator": aggregator}
    if assertion.holds is not None:
        return {**common, "type": "contains", "value": ANSWER if assertion.holds else "absent"}
    if not assertion.checks:
        return {**common, "type": "made-up-type"}
    criteria = [written_check(each, place) for place, each in enumerate(assertion.checks)]
    if dialect == "agentv-5":
        return {**common, "type": "llm-rubric", "value": criteria}
    return {**common, "type": "rubrics", "criteria": criteria}


def written_check(check: Check, place: int) -> dict[str, Any]:
    """Return a criterion as it is written."""
    made: dict[str, Any] = {"id": f"c{place}", "outcome": json.dumps(check.said), "weight": float(check.weight)}
    made |= {} if check.required is None else {"required": check.required}
    made |= {} if check.min_score is None else {"min_score": float(check.min_score)}
    return {**made, "score_ranges": {0: "poor", 5: "good"}} if check.is_range else made


def written_list(assertions: tuple[Assertion, ...], dialect: str, name: str) -> list[Any]:
    """Return a list of assertions as it is written."""
    found: list[Any] = []
    for place, each in enumerate(assertions):
        if each.is_strings:
            found += [json.dumps(check.said) for check in each.checks]
        else:
            found.append(written(each, dialect, f"{name}{place}"))
    return found


def suite_text(tests: list[Test], dialect: str) -> str:
    """Return a suite of tests that share what the suite gives to all; JSON is YAML."""
    key = "assert" if dialect == "agentv-5" else "assertions"
    first = tests[0]
    cases = []
    for place, test in enumerate(tests):
        execution = {"skip_defaults": True} if test.skip_defaults else {}
        execution |= {"threshold": float(test.thresholds["execution"])} if "execution" in test.thresholds else {}
        case = {"id": f"t{place}", key: written_list(test.assertions, dialect, "own"), "execution": execution}
        case |= {"run": {"threshold": float(test.thresholds["run"])}} if "run" in test.thresholds else {}
        case |= {"vars": {"x": "y"}} if dialect == "agentv-5" else {"input": "x", "criteria": "y"}
        cases.append(case)
    suite: dict[str, Any] = {"tests": cases, key: written_list(first.shared, dialect, "shared")}
    given = {place: float(first.thresholds[place]) for place in first.thresholds}
    if dialect == "agentv-5":
        suite["prompts"] = ["{{ x }}"]
        suite |= {"threshold": given["suite"]} if "suite" in given else {}
        suite |= {"default_test": {"threshold": given["default_test"]}} if "default_test" in given else {}
    elif "suite execution" in given:
        suite["execution"] = {"threshold": given["suite execution"]}
    return json.dumps(suite)


def said(question: Question) -> str:
    """Judge each criterion as its text says."""
    checks = []
    for each in question.criteria:
        value = json.loads(each.expected_outcome or "")
        checks.append({"id": each.id, "satisfied" if isinstance(value, bool) else "score": value})
    return json.dumps({"checks": checks})


async def graded(tests: list[Test], dialect: str) -> list[CaseResult]:
    """Grade tests of one suite."""
    (suite,) = load_text(suite_text(tests, dialect), "some.eval.yaml")
    assert (suite.dialect, suite.left_out, len(suite.cases)) == (dialect, (), len(tests))
    given = tests[0].thresholds.get("command line")
    options = Options(threshold=None if given is None else Decimal(given))
    judge = AnsweringJudge(said)
    return [await grade_case(case, ANSWER, judge, options=options) for case in suite.cases]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ORDER)
def test_a_thousand_random_gradings_agree_with_the_second_account(dialect: str) -> None:
    """Score, verdict, and what AgentV would have said, with thresholds and minimums that are exactly reached."""
    count = differing = at_the_threshold = unrun = 0
    for seed in range(_GRADINGS // 10):
        writer = Writer(seed, dialect)
        shared = writer.listed() if writer.random.random() < 0.5 else ()
        places = [place for place in ORDER[dialect] if place not in {"run", "execution"}]
        thresholds = {place: writer.random.choice(_SHARES) for place in places if writer.random.random() < 0.2}
        tests = [writer.test(shared, thresholds) for _ in range(10)]
        for test, result in zip(tests, asyncio.run(graded(tests, dialect)), strict=True):
            expected = grade(test, dialect)
            count += 1
            if expected is None:
                unrun += 1
                assert result.score is None
                assert "was run" in (result.error or "")
                continue
            assert (result.error, result.score) == (None, expected[0]), test
            assert result.verdict is not None
            assert result.verdict.value == expected[1], test
            at_the_threshold += expected[0] == Fraction(threshold_of(test, dialect))
            theirs = agentv(test, dialect)
            is_other = theirs is not None and theirs[1] != expected[1]
            differing += is_other
            assert (result.upstream is not None) == is_other, test
            if result.upstream is not None and theirs is not None:
                assert (float(result.upstream.score), result.upstream.verdict.value) == theirs
    # The boundaries are among them.
    assert count == _GRADINGS
    assert min(differing, at_the_threshold, unrun) > 0
