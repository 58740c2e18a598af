"""Suites of AgentV 4 and 5 as models: what AgentV makes of each."""

from __future__ import annotations

from decimal import Decimal

import pytest
from loaded_suites import case_of, ids_of, suite_of

from rubric_core.model.criteria import ChecklistCriterion, ScoreRangeCriterion
from rubric_core.model.evaluators import CodeJudge, CompositeEvaluator, LlmJudge, OtherEvaluator

FOUR = "tests:\n  - id: a\n    input: x\n    criteria: y\n"
FIVE = 'prompts: ["{{ x }}"]\ntests:\n  - id: a\n    vars: {x: y}\n'
STARTS = {"agentv-4": FOUR, "agentv-5": FIVE}


def judged(text: str) -> list[tuple[str, str, list[str]]]:
    """Return name, type and criterion ids of each evaluator of the only case."""
    return [(each.name, each.type, ids_of(each)) for each in case_of(text).evaluators]


@pytest.mark.parametrize(
    ("dialect", "text", "dataset"),
    [
        ("agentv-4", "name: mine\ntests: [{id: a, criteria: c, input: i}]", "mine"),
        ("agentv-4", "tests: [{id: a, criteria: c, input: i}]", "x"),
        ("agentv-5", "name: mine\nprompts: [p]\ntests: [{id: a, assert: [Is polite]}]", "mine"),
        ("agentv-2", "name: mine\nevalcases: [{id: a, expected_outcome: c, input_messages: []}]", "x"),
    ],
)
def test_results_name_the_suite_by_its_name(dialect: str, text: str, dataset: str) -> None:
    """As AgentV 4 and 5 do; AgentV 2 has `dataset` for it."""
    case = case_of(text)
    assert (case.dialect, case.dataset) == (dialect, dataset)


class TestLists:
    """What judges a case, in its order."""

    @pytest.mark.parametrize(
        ("dialect", "key", "kind"), [("agentv-4", "assertions", "rubrics"), ("agentv-5", "assert", "llm-rubric")]
    )
    def test_the_strings_of_a_list_are_one_evaluator_at_the_place_of_the_first(
        self, dialect: str, key: str, kind: str
    ) -> None:
        """It counts as much as there are strings."""
        case = case_of(f"{STARTS[dialect]}    {key}: [{{type: is-json}}, One, {{type: is-json}}, ' ', Two]\n")
        first, strings, third = case.evaluators
        assert (first.name, third.name) == ("is-json", "is-json-2")
        assert strings == LlmJudge(
            name="rubric",
            type=kind,
            weight=Decimal(2),
            criteria=(
                ChecklistCriterion(id="rubric-1", expected_outcome="One"),
                ChecklistCriterion(id="rubric-2", expected_outcome="Two"),
            ),
        )

    @pytest.mark.parametrize(
        ("dialect", "text"),
        [
            ("agentv-4", "    assertions: [Own]\nassertions: [All, {type: is-json}]\n"),
            ("agentv-4", "    assertions: [Own]\nexecution: {assertions: [All, {type: is-json}]}\n"),
            ("agentv-5", "    assert: [Own]\nassert: [All, {type: is-json}]\n"),
            ("agentv-5", "    assert: [Own]\ndefault_test: {assert: [All]}\nassert: [{type: is-json}]\n"),
            ("agentv-5", "    execution: {assert: [Own]}\nassert: [All, {type: is-json}]\n"),
        ],
    )
    def test_the_lists_of_the_suite_follow(self, dialect: str, text: str) -> None:
        """Their generated names get a number where the case has them already."""
        names = [(name, ids) for name, _, ids in judged(STARTS[dialect] + text)]
        assert names == [("rubric", ["rubric-1"]), ("rubric-2", ["rubric-1"]), ("is-json", [])]

    @pytest.mark.needs("agentv-5")
    def test_the_strings_of_a_default_test_and_of_the_suite_are_one_evaluator(self) -> None:
        """AgentV joins the two lists first."""
        text = f"{FIVE}    assert: [Own]\ndefault_test: {{assert: [One, {{type: is-json}}]}}\nassert: [Two]\n"
        assert [ids for _, _, ids in judged(text)] == [["rubric-1"], ["rubric-1", "rubric-2"], []]

    @pytest.mark.needs("agentv-5")
    def test_a_case_can_do_without_the_lists_of_the_suite(self) -> None:
        """That is what `skip_defaults` says."""
        text = f"{FIVE}    assert: [Own]\n    execution: {{skip_defaults: true}}\nassert: [{{type: is-json}}]\n"
        assert [name for name, _, _ in judged(text)] == ["rubric"]

    @pytest.mark.needs("agentv-4")
    def test_inline_rubrics_of_agentv_4_come_first(self) -> None:
        """They are an evaluator of weight 1, whatever their number is."""
        case = case_of(f"{FOUR}    rubrics: [One, {{id: two, outcome: Two}}]\n    assertions: [Three]\n")
        assert [(each.name, each.weight, ids_of(each)) for each in case.evaluators] == [
            ("rubric", 1, ["rubric-1", "two"]),
            ("rubric-2", 1, ["rubric-1"]),
        ]

    @pytest.mark.needs("agentv-4", "agentv-5")
    def test_the_text_of_a_case_judges_where_nothing_else_does(self) -> None:
        """AgentV 5 makes it a criterion; beside a list of the suite nobody grades it."""
        alone = f"{FIVE}    criteria: It works\n"
        assert judged(alone) == [("rubric", "llm-rubric", ["rubric-1"])]
        assert [kind for _, kind, _ in judged(f"{alone}assert: [{{type: is-json}}]\n")] == ["is-json"]
        assert case_of(FOUR).evaluators == ()

    @pytest.mark.needs("agentv-5")
    def test_members_of_a_set_are_built_like_any_list(self) -> None:
        """A set without one that can be used is left out, as AgentV does."""
        members = "[One, {type: contains, value: x, metric: said}, {type: assert-set, assert: [Two]}]"
        (whole,) = case_of(f"{FIVE}    assert: [{{type: assert-set, threshold: 0.5, assert: {members}}}]\n").evaluators
        assert isinstance(whole, CompositeEvaluator)
        assert [each.name for each in whole.evaluators] == ["rubric", "said", "assert-set-2"]
        assert whole.config == {"threshold": 0.5}
        empty = suite_of(f"{FIVE}    assert: [{{type: assert-set, assert: [{{type: llm-rubric}}]}}]\n")
        assert empty.cases[0].evaluators == ()
        assert [each.reason for each in empty.left_out] == [
            "It does not define what to judge.",
            "None of its assertions can be used.",
        ]

    @pytest.mark.needs("agentv-4")
    def test_names_commands_and_gates(self) -> None:
        """A name is `name` in AgentV 4, where a number under `required` is the `min_score` too."""
        listed = "[{name: run, type: code-grader, command: [a, b], required: 0.6}, {type: my-own, deep: 1}]"
        command, own = case_of(f"{FOUR}    assertions: {listed}\n").evaluators
        assert isinstance(command, CodeJudge)
        assert (command.name, command.script, command.required) == ("run", ("a", "b"), True)
        assert command.min_score == Decimal("0.6")
        assert own == OtherEvaluator(name="my-own", type="my-own", config={"deep": 1})
        assert "min_score" not in own.model_dump()

    @pytest.mark.needs("agentv-5")
    def test_removed_types_are_left_out(self) -> None:
        """What AgentV refuses is no type of the project's own."""
        suite = suite_of(f"{FIVE}    assert: [{{type: rubrics, criteria: [One]}}]\n")
        assert [each.reason for each in suite.left_out] == ["There is no evaluator type rubrics."]


class TestCriteria:
    """The forms of a rubric."""

    @pytest.mark.needs("agentv-5")
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("[One, {id: b, outcome: Two, weight: 0.5, required: false}]", [("rubric-1", "One"), ("b", "Two")]),
            ("{outcome: One}", [("rubric-1", "One")]),
            ("One, score_ranges: {0: bad, 5: good}", [("rubric-1", "One")]),
            ("Free text for the judge", []),
        ],
    )
    def test_a_value_is_a_list_a_mapping_or_a_text(self, value: str, expected: list[tuple[str, str]]) -> None:
        """A text alone is no criterion but the judge's prompt."""
        (judge,) = case_of(f"{FIVE}    assert: [{{type: llm-rubric, value: {value}}}]\n").evaluators
        assert isinstance(judge, LlmJudge)
        assert [(each.id, each.expected_outcome) for each in judge.criteria] == expected
        assert judge.prompt == (None if expected else value)

    @pytest.mark.needs("agentv-5")
    @pytest.mark.parametrize(("share", "gate"), [("0.7", 7), ("0.65", Decimal("6.5")), ("1", 10)])
    def test_a_gate_is_exact(self, share: str, gate: int | Decimal) -> None:
        """A share of the scale becomes a score, through no binary float."""
        value = f"[{{min_score: {share}, required: true, score_ranges: {{0: bad, 5: good}}}}]"
        (judge,) = case_of(f"{FIVE}    assert: [{{type: llm-rubric, value: {value}}}]\n").evaluators
        assert isinstance(judge, LlmJudge)
        (criterion,) = judge.criteria
        assert isinstance(criterion, ScoreRangeCriterion)
        assert (criterion.required_min_score, type(criterion.required_min_score)) == (gate, type(gate))

    @pytest.mark.needs("agentv-4", "agentv-5")
    def test_required_ranges_demand_all_in_agentv_4_only(self) -> None:
        """In AgentV 5 the word has no effect beside ranges."""
        criterion = "{required: true, score_ranges: {0: bad, 5: good}}"
        four = case_of(f"{FOUR}    assertions: [{{type: rubrics, criteria: [{criterion}]}}]\n")
        five = case_of(f"{FIVE}    assert: [{{type: llm-rubric, value: [{criterion}]}}]\n")
        gates = [
            each.required_min_score
            for case in (four, five)
            for judge in case.evaluators
            if isinstance(judge, LlmJudge)
            for each in judge.criteria
            if isinstance(each, ScoreRangeCriterion)
        ]
        assert gates == [10, None]

    @pytest.mark.needs("agentv-4")
    def test_the_gate_of_earlier_releases_is_still_read_by_agentv_4(self) -> None:
        """It counts in scores."""
        criterion = "{required_min_score: 6, required: true, score_ranges: {0: bad, 5: good}}"
        (judge,) = case_of(f"{FOUR}    assertions: [{{type: rubrics, criteria: [{criterion}]}}]\n").evaluators
        assert isinstance(judge, LlmJudge)
        assert [each.model_dump()["required_min_score"] for each in judge.criteria] == [6]

    @pytest.mark.needs("agentv-5")
    def test_a_bad_gate_leaves_the_criterion_out(self) -> None:
        """The reason is in the words of the dialect."""
        suite = suite_of(
            f"{FIVE}    assert: [{{type: llm-rubric, value: [{{min_score: 7, score_ranges: {{0: x}}}}]}}]\n"
        )
        assert [each.reason for each in suite.left_out] == ["`min_score` must be a number above 0 and up to 1."]
