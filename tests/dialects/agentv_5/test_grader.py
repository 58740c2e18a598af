"""How tests of AgentV 5 are graded."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING
from unittest.mock import ANY

from graded_cases import graded, says
from judges import checks, suite_of

from rubric_core.grading import exact_json
from rubric_core.grading.options import Options
from rubric_core.grading.questions import questions
from rubric_core.grading.result_json import from_json, json_line
from rubric_core.grading.results import Upstream
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from rubric_core.model.suite import EvalCase

START = "prompts: ['{{ input }}']\ntests:\n  - id: a\n    vars: {input: Which port?}\n"


def case_of(rest: str) -> EvalCase:
    """Return the case of a suite whose last lines are given."""
    return suite_of(START + rest).cases[0]


def test_names_are_those_of_the_file_or_of_types_with_numbers() -> None:
    """Members of sets are counted too, so that a recording names each assertion once."""
    text = (
        "    assert:\n      - One\n      - {type: contains, value: '80'}\n      - {type: contains, value: P}\n"
        "      - {type: assert-set, assert: [{type: contains, value: o}, {type: is-json, metric: data}]}\n      - Two\n"
        "      - {type: llm-rubric, value: It is good, score_ranges: {0: bad, 5: good}, metric: all}\n"
    )
    case = case_of(text)
    result = graded(case)
    names = [part.name for evaluator in result.evaluators for part in evaluator.parts]
    assert names == ["rubric", "contains", "contains-2", "contains-3", "data", "all"]
    assert [each.id for each in result.criteria] == ["rubric-1", "rubric-2", "rubric-1"]
    assert result.evaluators[0].weight == 2


def test_a_judge_that_leaves_a_criterion_out_makes_the_test_an_error() -> None:
    """AgentV would let it pass."""
    result = graded(case_of("    assert: [One, Two]\n"), reply=lambda _: checks(rubric_1=True))
    assert result.score is None
    assert "rubric-2" in (result.error or "")


def test_an_operator_is_given_to_the_judge() -> None:
    """With what it means; a criterion without one is asked about as ever."""
    criteria = "[{id: a, outcome: Port 80, operator: contradiction}, {id: b, outcome: Short}]"
    case = case_of(f"    assert: [{{type: llm-rubric, value: {criteria}}}]\n")
    (asked,) = questions(case, "Port 80.", Options())
    prompt = asked.questions[0].prompt.user
    assert '- "a", met or not (against contradiction): Port 80' in prompt
    assert '- "b", met or not: Short' in prompt
    assert "the answer need not mention it" in prompt
    assert "for correctness" not in prompt


def test_what_agentv_would_have_said_is_kept_where_it_is_something_else() -> None:
    """Weights 0.1, 0.2 and 0.3 with 8 of 10 each are 0.8; binary floats say a little less."""
    ranges = "score_ranges: {0: bad, 5: good}"
    listed = ", ".join(f"{{id: {name}, weight: {weight}, {ranges}}}" for name, weight in zip("xyz", (0.1, 0.2, 0.3)))  # noqa: B905
    text = f"    assert: [{{type: llm-rubric, value: [{listed}]}}]\n"
    result = graded(case_of(text), reply=lambda _: checks(x=8, y=8, z=8))
    assert says(result) == ("4/5", "pass")
    assert result.upstream == Upstream(Decimal("0.7999999999999999"), Verdict.FAIL)
    assert from_json(exact_json.read(json_line(result))) == replace(result, other_fields=ANY)


def test_a_result_with_members_is_written_and_read_without_loss() -> None:
    """With what is turned around, and what is below its minimum."""
    members = "[{type: contains, value: no}, {type: llm-rubric, value: [One]}]"
    text = f"    assert: [{{type: assert-set, negate: true, required: true, assert: {members}}}]\n"
    text += "    run: {threshold: 0.9}\n"
    result = graded(case_of(text))
    written = exact_json.read(json_line(result))
    assert from_json(written).evaluators == result.evaluators
    assert (written["evaluator_results"][0]["gate"], written["gates"]) == ("failed", [])


def test_a_conversation_is_not_graded_as_one_answer() -> None:
    """Its turns are judged one by one by AgentV."""
    text = "    mode: conversation\n    turns: [{input: Hello, assert: [Greets]}]\n    assert: [Is polite]\n"
    assert graded(case_of(text)).error == (
        "The turns of a conversation are not graded; grade each turn as a test of its own."
    )
