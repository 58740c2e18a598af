"""What the profiles of AgentV 4 and 5 do, one rule at a time; `test_grader_model.py` tries them together."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from graded_cases import graded, says
from judges import checks, suite_of

from rubric_core.grading.answers import Answer, AnswerFacts
from rubric_core.grading.options import Options
from rubric_core.grading.questions import questions
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from rubric_core.model.suite import EvalCase

STARTS = {
    "agentv-4": "tests:\n  - id: a\n    input: Which port?\n    criteria: Names the port\n",
    "agentv-5": "prompts: ['{{ input }}']\ntests:\n  - id: a\n    vars: {input: Which port?}\n",
}


def case_of(dialect: str, rest: str) -> EvalCase:
    """Return the case of a suite whose last lines are given."""
    return suite_of(STARTS[dialect] + rest).cases[0]


class TestThresholds:
    """The first of the command line, the test, what all tests dialect from, and the suite."""

    @pytest.mark.needs("agentv-5")
    @pytest.mark.parametrize(
        ("given", "verdict"),
        [
            ({}, "fail"),
            ({"suite": "0.5"}, "pass"),
            ({"suite": "0.5", "default_test": "0.6"}, "fail"),
            ({"suite": "0.9", "default_test": "0.5"}, "pass"),
            ({"default_test": "0.5", "execution": "0.51"}, "fail"),
            ({"default_test": "0.9", "execution": "0.5"}, "pass"),
            ({"execution": "0.5", "run": "0.51"}, "fail"),
            ({"execution": "0.9", "run": "0.5"}, "pass"),
            ({"run": "0.5", "command": "0.51"}, "fail"),
            ({"run": "0.9", "command": "0.5"}, "pass"),
        ],
    )
    def test_of_agentv_5(self, given: dict[str, str], verdict: str) -> None:
        """A threshold that is reached exactly is reached."""
        text = "    assert: [{type: contains, value: '80'}, {type: contains, value: '81'}]\n"
        text += "".join(f"    {key}: {{threshold: {given[key]}}}\n" for key in ("run", "execution") if key in given)
        text += f"default_test: {{threshold: {given['default_test']}}}\n" if "default_test" in given else ""
        text += f"threshold: {given['suite']}\n" if "suite" in given else ""
        options = Options(threshold=Decimal(given["command"])) if "command" in given else None
        assert says(graded(case_of("agentv-5", text), options=options)) == ("1/2", verdict)

    @pytest.mark.needs("agentv-4")
    @pytest.mark.parametrize(
        ("suite", "test", "command", "verdict"),
        [
            (None, None, None, "fail"),
            ("0.5", None, None, "pass"),
            ("0.5", "0.51", None, "fail"),
            ("0.9", "0.5", None, "pass"),
            ("0.9", "0.5", "0.51", "fail"),
        ],
    )
    def test_of_agentv_4(self, suite: str | None, test: str | None, command: str | None, verdict: str) -> None:
        """They are under `execution`."""
        text = "    assertions: [{type: contains, value: '80'}, {type: contains, value: '81'}]\n"
        text += f"    execution: {{threshold: {test}}}\n" if test else ""
        text += f"execution: {{threshold: {suite}}}\n" if suite else ""
        options = Options(threshold=Decimal(command)) if command else None
        assert says(graded(case_of("agentv-4", text), options=options)) == ("1/2", verdict)

    @pytest.mark.needs("agentv-5")
    def test_skip_defaults_leaves_out_assertions_and_no_threshold(self) -> None:
        """Both of `default_test` and of the suite."""
        text = "    assert: [{type: contains, value: '80'}]\n    execution: {skip_defaults: true}\nthreshold: 1\n"
        text += "assert: [{type: contains, value: no}]\ndefault_test: {assert: [{type: contains, value: no}]}\n"
        result = graded(case_of("agentv-5", text))
        assert says(result) == ("1", "pass")
        assert result.threshold == 1

    @pytest.mark.needs("agentv-5")
    @pytest.mark.parametrize(
        "text", ["    run: {threshold: 80}\n", "threshold: 80\n", "default_test: {threshold: x}\n"]
    )
    def test_one_that_is_no_share_is_an_error(self, text: str) -> None:
        """It could pass everything, or nothing."""
        case = case_of("agentv-5", f"    assert: [{{type: contains, value: '80'}}]\n{text}")
        assert "threshold" in (graded(case).error or "")


class TestGates:
    """Of criteria and of assertions."""

    @pytest.mark.parametrize(
        ("dialect", "key", "kind", "name"),
        [("agentv-4", "assertions", "rubrics", "criteria"), ("agentv-5", "assert", "llm-rubric", "value")],
    )
    @pytest.mark.parametrize(("gate", "score", "holds"), [("0.75", 8, True), ("0.75", 7, False), ("0.7", 7, True)])
    def test_a_min_score_is_compared_exactly(  # noqa: PLR0913, PLR0917 - a table.
        self,
        dialect: str,
        key: str,
        kind: str,
        name: str,
        gate: str,
        score: int,
        holds: bool,  # noqa: FBT001
    ) -> None:
        """0.75 of 10 is 7.5, which 7 does not reach."""
        criterion = f"{{id: c, min_score: {gate}, score_ranges: {{0: bad, 5: good}}}}"
        text = f"    {key}: [{{type: {kind}, {name}: [{criterion}]}}, {{type: is-json, weight: 0}}]\n"
        result = graded(
            case_of(dialect, text), reply=lambda _: checks(c=score), options=Options(threshold=Decimal("0.1"))
        )
        assert (result.score, not result.failed_gates) == (Fraction(score, 10), holds)
        assert (result.verdict is Verdict.PASS) is holds

    @pytest.mark.parametrize(("dialect", "verdict"), [("agentv-4", "fail"), ("agentv-5", "pass")])
    def test_required_ranges_need_the_highest_score_in_agentv_4_alone(self, dialect: str, verdict: str) -> None:
        """AgentV 5 does not read it; RB205 says so."""
        criterion = "{id: c, outcome: d, required: true, score_ranges: {0: bad, 5: good}}"
        four, five = f"    assertions: [{{type: rubrics, criteria: [{criterion}]}}]\n", ""
        five = f"    assert: [{{type: llm-rubric, value: [{criterion}]}}]\n"
        result = graded(case_of(dialect, four if dialect == "agentv-4" else five), reply=lambda _: checks(c=9))
        assert says(result) == ("9/10", verdict)

    @pytest.mark.needs("agentv-5")
    @pytest.mark.parametrize(
        ("assertion", "expected"),
        [
            ("{type: contains, value: no, weight: 0.1, required: true}", ("0", "fail")),
            ("{type: contains, value: no, weight: 0.1}", ("10/11", "pass")),
            ("{type: contains, value: no, weight: 0.1, negate: true, required: true}", ("1", "pass")),
            ("{type: contains, value: '80', weight: 0.1, negate: true, required: true, min_score: 0.1}", ("0", "fail")),
        ],
    )
    def test_a_required_assertion_below_its_minimum_makes_the_score_0(
        self, assertion: str, expected: tuple[str, str]
    ) -> None:
        """Its minimum is its `min_score`, or the threshold; `negate` comes before."""
        result = graded(case_of("agentv-5", f"    assert: [{{type: contains, value: '80'}}, {assertion}]\n"))
        assert says(result) == expected

    @pytest.mark.needs("agentv-5")
    def test_a_criterion_that_fails_below_negate_does_not_fail_the_test(self) -> None:
        """What it asks for must not be there."""
        text = "    assert: [{type: llm-rubric, value: [Insults the reader], negate: true}]\n"
        result = graded(case_of("agentv-5", text), reply=lambda _: checks(rubric_1=False))
        assert says(result) == ("1", "pass")
        assert (result.failed_gates, result.evaluators[0].negated, result.upstream) == ((), True, None)


class TestSets:
    """`assert-set` of AgentV 5 and `composite` of AgentV 4."""

    @pytest.mark.needs("agentv-5")
    def test_a_set_has_a_verdict_of_its_own(self) -> None:
        """Its score goes into the mean, whatever the verdict is."""
        members = "[{type: contains, value: '80', weight: 3}, {type: contains, value: no}]"
        for threshold, verdict in (("0.75", "pass"), ("0.76", "fail")):
            text = f"    assert: [{{type: assert-set, threshold: {threshold}, assert: {members}}}]\nthreshold: 0.7\n"
            result = graded(case_of("agentv-5", text))
            assert says(result) == ("3/4", "pass")
            assert result.evaluators[0].verdict is Verdict(verdict)
        rest = f"    assert: [{{type: assert-set, assert: {members}}}]\nthreshold: 0.7\n"
        without = graded(case_of("agentv-5", rest))
        assert without.evaluators[0].verdict is Verdict.FAIL

    @pytest.mark.needs("agentv-5")
    def test_what_is_not_run_takes_no_part(self) -> None:
        """A set of nothing else is not run either, and a test of nothing else is an error."""
        unrun = "{type: similar, value: x}"
        text = f"    assert: [{{type: assert-set, assert: [{{type: contains, value: '80'}}, {unrun}]}}, {unrun}]\n"
        result = graded(case_of("agentv-5", text))
        assert says(result) == ("1", "pass")
        assert [each.status for each in result.evaluators] == ["graded", "not run"]
        assert result.upstream is None
        nothing = graded(case_of("agentv-5", f"    assert: [{{type: assert-set, assert: [{unrun}]}}]\n"))
        assert nothing.error == "None of the evaluators of this case was run: assert-set (assert-set)."

    @pytest.mark.needs("agentv-4")
    def test_the_weights_of_a_composite_are_those_of_its_aggregator(self) -> None:
        """By name; one that has none counts 1, and `weight` of a member nothing."""
        members = "[{name: x, type: contains, value: '80', weight: 7}, {name: y, type: contains, value: no}]"
        aggregator = "{type: weighted_average, weights: {x: 3}}"
        text = f"    assertions: [{{name: c, type: composite, aggregator: {aggregator}, assertions: {members}}}]\n"
        assert graded(case_of("agentv-4", text)).score == Fraction(3, 4)

    @pytest.mark.needs("agentv-4")
    def test_another_aggregator_is_not_run(self) -> None:
        """And says so."""
        members = "[{name: x, type: contains, value: '80'}]"
        text = (
            f"    assertions: [{{name: c, type: composite, aggregator: {{type: threshold}}, assertions: {members}}}]\n"
        )
        (result,) = graded(case_of("agentv-4", text)).evaluators
        expected = "Its `aggregator` is of the type threshold; this grader runs `weighted_average` alone."
        assert (result.status, result.error) == ("not run", expected)

    @pytest.mark.needs("agentv-5")
    def test_an_error_of_a_member_is_one_of_the_test(self) -> None:
        """Here a pattern that JavaScript reads, and that Python cannot express."""
        text = "    assert: [{type: assert-set, assert: [{type: regex, value: '(?<=a+)b'}]}]\n"
        assert "assert-set: regex: The pattern /(?<=a+)b/" in (graded(case_of("agentv-5", text)).error or "")


@pytest.mark.parametrize(("dialect", "key"), [("agentv-4", "assertions"), ("agentv-5", "assert")])
def test_a_prompt_of_its_own_uses_the_names_of_the_dialect(dialect: str, key: str) -> None:
    """`{{ output }}` is the answer, so that it is not shown twice."""
    kind = "llm-grader" if dialect == "agentv-4" else "llm-rubric"
    prompt = (
        "{% raw %}Is {{ output }} right? {{ criteria }}{% endraw %}"
        if dialect == "agentv-5"
        else "Is {{ output }} right?"
    )
    value = "" if dialect == "agentv-4" else ", value: Be strict"
    case = case_of(dialect, f'    {key}: [{{type: {kind}{value}, prompt: "{prompt}"}}]\n')
    (asked,) = questions(case, "Port 80.", Options())
    assert asked.questions[0].prompt.user.count("Port 80.") == 1


@pytest.mark.parametrize(
    ("dialect", "reply", "expected"),
    [
        ("agentv-4", {"assertions": [{"text": "a", "passed": True}, {"text": "b", "passed": False}]}, "1/2"),
        (
            "agentv-5",
            {"checks": [{"text": "a", "pass": True, "reason": "r"}, {"text": "b", "pass": False, "score": 0.5}]},
            "3/4",
        ),
        ("agentv-5", {"pass": True, "reason": "fine"}, "1"),
        ("agentv-5", {"score": 0.25, "checks": [{"text": "a", "pass": True}]}, "1/4"),
        ("agentv-5", {"reason": "none"}, None),
    ],
)
def test_a_command_is_given_the_payload_of_its_dialect(dialect: str, reply: object, expected: str | None) -> None:
    """And may print the checks of its dialect."""
    script = (
        "import json, sys; given = json.load(sys.stdin); "
        "assert (given['output'], given['duration_ms'], given['config']) == ('Port 80.', 7, {'k': 1}), given; "
        f"print({json.dumps(json.dumps(reply))})"
    )
    kind, key = ("code-grader", "assertions") if dialect == "agentv-4" else ("script", "assert")
    command = json.dumps([sys.executable, "-c", script])
    case = case_of(dialect, f"    {key}: [{{type: {kind}, command: {command}, config: {{k: 1}}}}]\n")
    (result,) = graded(case, Answer("Port 80.", facts=AnswerFacts(duration_ms=Decimal(7)))).evaluators
    assert (None if result.score is None else str(result.score)) == expected, result.error
