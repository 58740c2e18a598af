"""From the text of an eval file to models."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import check_text
from rubric_core.config.config import DEFAULT
from rubric_core.dialects.agentv.records import CASE
from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.evaluators import CodeJudge, CompositeEvaluator, LlmJudge, OtherEvaluator, PromptScript
from rubric_core.model.load import CannotLoad, load_text
from rubric_core.model.suite import DEFAULT_WEIGHTS, ContentPart, Message
from rubric_core.schema.fields import FieldType

if TYPE_CHECKING:
    from rubric_core.model.suite import EvalCase, Suite

HEAD = """\
evalcases:
  - id: a
    expected_outcome: Answers
    input: Hello
"""


def load_one(text: str, path: str = "folder/basic.eval.yaml") -> Suite:
    """Build the only suite of a text."""
    (suite,) = load_text(text, path)
    return suite


def case_with(lines: str) -> EvalCase:
    """Build one case that has these lines besides the usual ones."""
    return load_one(HEAD + lines).cases[0]


def written(text: str, suite: Suite, *path: str | int) -> str:
    """Return the text at the place of a model."""
    span = suite.span_of(*path)
    assert span is not None
    return text[span.start : span.end]


def ranges(*bands: tuple[int, int, str]) -> tuple[ScoreRange, ...]:
    """Make score ranges from (minimum, maximum, text)."""
    return tuple(ScoreRange(minimum=low, maximum=high, expected_outcome=text) for low, high, text in bands)


class TestSuite:
    """What holds for the whole file."""

    def test_the_suites_own_fields(self) -> None:
        """They are taken over; the dataset's name comes from the file where none is given."""
        suite = load_one("name: n\ndescription: d\nversion: 1.0\nmetadata: {a: [1, null]}\n" + HEAD)
        assert (suite.name, suite.description, suite.version) == ("n", "d", 1.0)
        assert suite.metadata == {"a": [1, None]}
        assert suite.dataset == "basic"
        assert load_one("dataset: mine\n" + HEAD).dataset == "mine"

    @pytest.mark.parametrize("name", ["evalcases", "eval_cases", "cases", "tests"])
    def test_the_case_list_has_four_names(self, name: str) -> None:
        """All of them are read."""
        assert [case.id for case in load_one(HEAD.replace("evalcases", name)).cases] == ["a"]

    @pytest.mark.parametrize(
        ("lines", "target"),
        [
            ("", None),
            ("target: old\n", "old"),
            ("execution: {target: new}\n", "new"),
            ("target: old\nexecution: {target: new}\n", "new"),
            ("target: old\nexecution: {evaluators: []}\n", "old"),
        ],
    )
    def test_the_target_of_the_suite_reaches_its_cases(self, lines: str, target: str | None) -> None:
        """`execution.target` goes before the older `target`."""
        assert load_one(lines + HEAD).cases[0].target == target

    def test_a_case_may_name_its_own_target(self) -> None:
        """It goes before the suite's."""
        suite = load_one("execution: {target: shared}\n" + HEAD + "    execution: {target: own}\n")
        assert suite.cases[0].target == "own"

    def test_flow_style_and_quotes(self) -> None:
        """The whole file on one line is read like any other."""
        suite = load_one('{"evalcases": [{"id": "a", "criteria": "x", "input": "y"}]}')
        assert suite.cases[0].expected_outcome == "x"

    def test_json_lines_hold_one_case_a_line(self) -> None:
        """Blank lines are passed over."""
        text = (
            '{"id": "a", "expected_outcome": "x", "input": "y"}\n\n{"id": "b", "expected_outcome": "z", "input": "y"}\n'
        )
        suite = load_one(text, "data.jsonl")
        assert [case.id for case in suite.cases] == ["a", "b"]
        assert written(text, suite, "cases", 1) == text.splitlines()[2]

    def test_every_yaml_document_is_a_suite(self) -> None:
        """Documents without a list of cases are none."""
        suites = load_text(f"{HEAD}---\nother: 1\n---\n{HEAD.replace('id: a', 'id: b')}", "x.yaml")
        assert [suite.cases[0].id for suite in suites] == ["a", "b"]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "no list of cases"),
            ("services: {web: 1}\n", "no list of cases"),
            ("evalcases: many\n", "no list of cases"),
            ("- a\n- b\n", "no list of cases"),
        ],
    )
    def test_a_file_without_cases_cannot_be_loaded(self, text: str, reason: str) -> None:
        """The exception names the file and says what it needs."""
        with pytest.raises(CannotLoad, match=reason) as caught:
            load_text(text, "x.yaml")
        assert caught.value.path == "x.yaml"

    def test_text_that_is_no_yaml_says_so(self) -> None:
        """The parser's own words are the reason."""
        with pytest.raises(CannotLoad) as caught:
            load_text("a: [1\nb: }\n", "x.yaml")
        assert "no list of cases" not in caught.value.reason

    def test_a_broken_case_is_left_out_with_its_reason(self) -> None:
        """The cases around it are loaded."""
        text = HEAD + "  - id: b\n    input: [\n  - id: c\n    expected_outcome: x\n    input: y\n"
        suite = load_one(text)
        assert "a" in [case.id for case in suite.cases]
        assert suite.left_out
        assert suite.left_out[0].path == ("cases",)

    def test_the_first_of_two_equal_keys_counts(self) -> None:
        """Also for lists of cases and for values of the suite."""
        text = f"description: first\n{HEAD}description: second\n{HEAD.replace('id: a', 'id: b')}"
        suite = load_one(text)
        assert (suite.description, [case.id for case in suite.cases]) == ("first", ["a"])
        flow = load_one("evalcases: []\n" + HEAD)
        assert flow.cases == ()
        again = load_one(HEAD + "evalcases: []\n")
        assert len(again.cases) == 1


class TestCase:
    """One case."""

    @pytest.mark.parametrize("key", ["expected_outcome", "criteria", "outcome"])
    def test_the_outcome_has_aliases(self, key: str) -> None:
        """A block scalar's last line break is not part of the outcome."""
        suite = load_one(f"evalcases:\n  - id: a\n    {key}: |\n      Answers well\n    input: x\n")
        assert suite.cases[0].expected_outcome == "Answers well"

    def test_what_is_missing_does_not_make_a_case_vanish(self) -> None:
        """A case without id, outcome and input is there, with a name by its place."""
        suite = load_one("evalcases:\n  - rubrics: [x]\n  - id: 5\n")
        assert [case.id for case in suite.cases] == ["case-1", "5"]
        assert suite.cases[0].expected_outcome == ""
        assert suite.cases[0].input_messages == ()

    def test_further_fields(self) -> None:
        """Texts and data are kept."""
        case = case_with(
            "    conversation_id: c\n    description: d\n    question: q\n    note: n\n"
            "    reference_answer: {a: 1.5}\n    metadata: {b: yes}\n"
        )
        assert (case.conversation_id, case.description, case.question, case.note) == ("c", "d", "q", "n")
        assert case.reference_answer == {"a": 1.5}
        assert case.metadata == {"b": "yes"}

    def test_a_case_that_is_no_mapping_is_left_out(self) -> None:
        """The numbering by place goes on as written."""
        suite = load_one("evalcases:\n  - just text\n  - {input: x}\n")
        assert [case.id for case in suite.cases] == ["case-2"]
        assert [(left.path, left.reason) for left in suite.left_out] == [(("cases", 0), "A case is a mapping.")]


class TestMessages:
    """What is sent and what is expected."""

    def test_a_string_is_one_message_of_the_user(self) -> None:
        """Under `expected_output` it is one of the assistant."""
        case = case_with("    expected_output: Hi\n")
        assert case.input_messages == (Message(role="user", content="Hello"),)
        assert case.expected_messages == (Message(role="assistant", content="Hi"),)

    def test_structured_output_is_one_message_of_the_assistant(self) -> None:
        """Unless it is a message itself."""
        assert case_with("    expected_output: {answer: 4}\n").expected_messages[0].content == {"answer": 4}
        message = case_with("    expected_output: {role: tool, content: x}\n").expected_messages[0]
        assert message == Message(role="tool", content="x")

    def test_content_parts_names_and_tool_calls(self) -> None:
        """All shapes of a message."""
        case = case_with(
            """\
    expected_messages:
      - role: system
        content:
          - {type: text, value: Be short}
          - {type: file, value: ./a.md}
      - {role: tool, name: search, content: {hits: 3}}
      - role: assistant
        content:
        tool_calls: [{tool: search, input: {q: x}}]
"""
        )
        parts = (ContentPart(type="text", value="Be short"), ContentPart(type="file", value="./a.md"))
        assert case.expected_messages == (
            Message(role="system", content=parts),
            Message(role="tool", name="search", content={"hits": 3}),
            Message(role="assistant", tool_calls=({"tool": "search", "input": {"q": "x"}},)),
        )

    @pytest.mark.parametrize(
        "message",
        [
            "5",
            "{role: bot, content: x}",
            "{content: x}",
            "{role: user}",
            "{role: user, content: [{type: url, value: x}]}",
            "{role: user, content: [text]}",
        ],
    )
    def test_a_message_that_is_none_is_left_out(self, message: str) -> None:
        """The others stay, and nothing is left of its parts."""
        text = HEAD + f"    expected_messages: [{message}, {{role: user, content: y}}]\n"
        suite = load_one(text)
        assert [each.content for each in suite.cases[0].expected_messages] == ["y"]
        assert ("cases", 0, "expected_messages", 0) in [left.path for left in suite.left_out]
        assert not [path for path in suite.spans if path[2:] == ("expected_messages", 0, "content", 0)]

    def test_the_canonical_name_goes_before_the_alias(self) -> None:
        """Where both are, `input_messages` counts."""
        case = case_with("    input_messages: [{role: user, content: canonical}]\n")
        assert case.input_messages[0].content == "canonical"


class TestCriteria:
    """Criteria of both modes."""

    def test_checklist_criteria(self) -> None:
        """A string is required with weight 1; ids are made from the place as written."""
        case = case_with(
            """\
    rubrics:
      - Is polite
      - {expected_outcome: Is short, weight: 2.50, required: false}
      - {id: old, description: An older file}
"""
        )
        assert case.criteria == (
            ChecklistCriterion(id="rubric-1", expected_outcome="Is polite"),
            ChecklistCriterion(id="rubric-2", expected_outcome="Is short", weight=Decimal("2.50"), required=False),
            ChecklistCriterion(id="old", expected_outcome="An older file"),
        )

    def test_a_score_map_is_expanded(self) -> None:
        """Each range runs to the next key minus 1 in score order, the last one to 10; quoted keys count."""
        case = case_with('    rubrics: [{id: s, required_min_score: 7, score_ranges: {5: b, 0: a, "10": c}}]\n')
        assert case.criteria == (
            ScoreRangeCriterion(
                id="s", required_min_score=7, score_ranges=ranges((0, 4, "a"), (5, 9, "b"), (10, 10, "c"))
            ),
        )

    def test_a_score_list_is_taken_over(self) -> None:
        """With text under either name, beside an outcome of the criterion itself."""
        case = case_with(
            """\
    rubrics:
      - expected_outcome: Overall
        weight: 3
        required: true
        score_ranges:
          - {score_range: [6, 10], description: good}
          - {score_range: [0, 5], expected_outcome: bad}
"""
        )
        assert case.criteria == (
            ScoreRangeCriterion(
                id="rubric-1",
                expected_outcome="Overall",
                weight=Decimal(3),
                score_ranges=ranges((0, 5, "bad"), (6, 10, "good")),
            ),
        )

    @pytest.mark.parametrize("empty", ["[]", "{}", "", "nonsense"])
    def test_without_a_single_range_it_stays_a_score_range_criterion(self, empty: str) -> None:
        """Whoever grades sees that the ranges are missing."""
        case = case_with(f"    rubrics:\n      - id: s\n        score_ranges: {empty}\n")
        assert case.criteria == (ScoreRangeCriterion(id="s", score_ranges=()),)

    def test_overlaps_and_gaps_can_be_represented(self) -> None:
        """They are problems of the file, not of the model."""
        case = case_with(
            "    rubrics:\n      - score_ranges:\n"
            "          - {score_range: [0, 5], expected_outcome: a}\n"
            "          - {score_range: [5, 8], expected_outcome: b}\n"
        )
        assert [len(criterion.score_ranges) for criterion in case.criteria if criterion.mode == "score-range"] == [2]

    @pytest.mark.parametrize(
        ("criterion", "reason"),
        [
            ("5", "A criterion is a string or a mapping."),
            ("", "A criterion is a string or a mapping."),
            ("[a]", "A criterion is a string or a mapping."),
            ("{id: x}", "`expected_outcome` is missing."),
            ("{expected_outcome: x, weight: -1}", "`weight` must be at least 0."),
            ("{expected_outcome: x, weight: .nan}", "`weight` must be a finite number."),
            ("{expected_outcome: x, required: no}", "`required` must be true or false."),
            (
                "{required_min_score: 0.7, score_ranges: {0: x}}",
                "`required_min_score` must be an integer.",
            ),
        ],
    )
    def test_a_criterion_that_cannot_be_represented_is_left_out(self, criterion: str, reason: str) -> None:
        """Its reason is kept, and the ids of the others do not move."""
        text = HEAD + f"    rubrics:\n      - {criterion}\n      - Is polite\n"
        suite = load_one(text)
        assert suite.cases[0].criteria == (ChecklistCriterion(id="rubric-2", expected_outcome="Is polite"),)
        assert [(left.path, left.reason) for left in suite.left_out] == [(("cases", 0, "criteria", 0), reason)]
        assert not [path for path in suite.spans if "score_ranges" in path]

    @pytest.mark.parametrize(
        ("band", "reason"),
        [
            ("text", "A score range is a mapping."),
            ("{expected_outcome: x}", "score_range is not a list of two integers from 0 to 10."),
            ("{score_range: 3-5, expected_outcome: x}", "score_range is not a list of two integers from 0 to 10."),
            ("{score_range: [3, 4.5], expected_outcome: x}", "A bound of the range is not an integer."),
            ("{score_range: [9, 7], expected_outcome: x}", "The range runs from 9 down to 7."),
            ("{score_range: [5, 12], expected_outcome: x}", "`maximum` must be at most 10."),
            ("{score_range: [5, 7]}", "`expected_outcome` is blank."),
        ],
    )
    def test_a_range_that_cannot_be_represented_is_left_out(self, band: str, reason: str) -> None:
        """The criterion stays with the ranges that can."""
        text = HEAD + (
            "    rubrics:\n      - score_ranges:\n"
            f"          - {{score_range: [0, 4], expected_outcome: low}}\n          - {band}\n"
        )
        suite = load_one(text)
        (criterion,) = suite.cases[0].criteria
        assert isinstance(criterion, ScoreRangeCriterion)
        assert criterion.score_ranges == ranges((0, 4, "low"))
        assert [left.reason for left in suite.left_out] == [reason]

    def test_yaml_1_1_is_honoured(self) -> None:
        """There, `no` is a boolean."""
        suite = load_one("%YAML 1.1\n---\n" + HEAD + "    rubrics: [{expected_outcome: x, required: no}]\n")
        assert suite.cases[0].criteria == (ChecklistCriterion(id="rubric-1", expected_outcome="x", required=False),)

    def test_criteria_behind_an_anchor(self) -> None:
        """Aliases and merge keys are resolved."""
        case = case_with(
            "    rubrics:\n      - &polite {expected_outcome: Is polite, weight: 2}\n"
            "      - {<<: *polite, id: again}\n      - *polite\n"
        )
        assert [(each.id, each.expected_outcome, each.weight) for each in case.criteria] == [
            ("rubric-1", "Is polite", Decimal(2)),
            ("again", "Is polite", Decimal(2)),
            ("rubric-3", "Is polite", Decimal(2)),
        ]


class TestEvaluators:
    """Evaluators and where they come from."""

    SHARED = "execution:\n  evaluators:\n    - {name: shared, type: latency, threshold: 5}\n"

    @pytest.mark.parametrize(
        ("lines", "names"),
        [
            ("", ["shared"]),
            ("    execution: {target: x}\n", ["shared"]),
            ("    evaluators: [{name: own, type: cost, budget: 1}]\n", ["own"]),
            ("    evaluators: []\n", []),
            ("    evaluators:\n", ["shared"]),
            (
                "    evaluators: [{name: own, type: cost}]\n    execution: {evaluators: [{name: near, type: cost}]}\n",
                ["near"],
            ),
            ("    rubrics: [Is polite]\n", ["rubric", "shared"]),
            ("    rubrics: []\n", ["shared"]),
            ("    rubrics: [Is polite]\n    evaluators: [{name: own, type: cost}]\n", ["rubric", "own"]),
        ],
    )
    def test_precedence(self, lines: str, names: list[str]) -> None:
        """The case's `execution.evaluators`, else its `evaluators`, else the suite's; inline rubrics first."""
        suite = load_one(self.SHARED + HEAD + lines)
        case = suite.cases[0]
        assert [evaluator.name for evaluator in case.evaluators] == names
        assert all(suite.span_of("cases", 0, "evaluators", place) for place in range(len(names)))

    def test_inline_rubrics_are_an_evaluator(self) -> None:
        """It is called `rubric` and has weight 1."""
        case = case_with("    rubrics: [Is polite]\n")
        assert case.evaluators == (LlmJudge(name="rubric", weight=Decimal(1), criteria=case.criteria),)

    @pytest.mark.parametrize(
        ("written_as", "expected"),
        [
            (
                "{name: a, type: code, script: check.py --fast, weight: 0.5}",
                CodeJudge(name="a", script="check.py --fast", weight=Decimal("0.5")),
            ),
            (
                "{name: a, type: code_judge, script: [python, check.py, 3], cwd: .., target: {max_calls: 3}, own: [1]}",
                CodeJudge(
                    name="a",
                    script=("python", "check.py", "3"),
                    cwd="..",
                    target={"max_calls": 3},
                    config={"own": [1]},
                ),
            ),
            (
                "{name: a, type: llm_judge, prompt: judge.md, model: m, target: t, config: {k: v}, weight: }",
                LlmJudge(name="a", prompt="judge.md", model="m", target="t", config={"k": "v"}),
            ),
            (
                "{name: a, type: llm_judge, prompt: {script: [node, p.js], config: {k: 1}}}",
                LlmJudge(name="a", prompt=PromptScript(script=("node", "p.js"), config={"k": 1})),
            ),
            (
                "{name: a, type: rubric, rubrics: [Is polite]}",
                LlmJudge(
                    name="a",
                    type="rubric",
                    criteria=(ChecklistCriterion(id="rubric-1", expected_outcome="Is polite"),),
                ),
            ),
            (
                "{name: a, type: expected_tool_calls, mode: exact}",
                OtherEvaluator(name="a", type="tool_trajectory", config={"mode": "exact"}),
            ),
            (
                "{name: a, type: composite, evaluators: [{name: b, type: cost, budget: 1}], aggregator: {type: x}}",
                CompositeEvaluator(
                    name="a",
                    evaluators=(OtherEvaluator(name="b", type="cost", config={"budget": 1}),),
                    config={"aggregator": {"type": "x"}},
                ),
            ),
            ("{name: a, type: composite}", CompositeEvaluator(name="a")),
        ],
    )
    def test_each_type(self, written_as: str, expected: object) -> None:
        """Old names become the names of today, and keys that are not ours become configuration."""
        assert case_with(f"    evaluators: [{written_as}]\n").evaluators == (expected,)

    @pytest.mark.parametrize(
        ("evaluator", "reason"),
        [
            ("5", "An evaluator is a mapping with name and type."),
            ("{name: a}", "The type is missing."),
            ("{name: a, type: llm_jugde}", "There is no evaluator type llm_jugde."),
            ("{type: cost}", "`name` must be a string."),
            ("{name: a, type: cost, weight: -1}", "`weight` must be at least 0."),
        ],
    )
    def test_an_evaluator_that_cannot_be_represented_is_left_out(self, evaluator: str, reason: str) -> None:
        """The others stay."""
        suite = load_one(HEAD + f"    evaluators: [{evaluator}, {{name: b, type: cost}}]\n")
        assert [each.name for each in suite.cases[0].evaluators] == ["b"]
        assert [left.reason for left in suite.left_out] == [reason]

    def test_a_code_judge_without_script_is_left_out(self) -> None:
        """There is nothing to run."""
        suite = load_one(HEAD + "    evaluators: [{name: a, type: code}, {name: b, type: code, script: {a: 1}}]\n")
        assert suite.cases[0].evaluators == ()
        assert [left.path for left in suite.left_out] == [("cases", 0, "evaluators", 0)] * 2


class TestScorecards:
    """Scorecards, inline and by name."""

    SHARED = "scorecards:\n  review:\n    red_flags: [Invents facts]\n"

    def test_an_inline_scorecard(self) -> None:
        """Strings get ids by their place, and there is no skill where none is given."""
        case = case_with(
            """\
    scorecard:
      red_flags:
        - Invents facts
        - {id: leak, expected_outcome: Prints a secret, deduction: 1.50}
      bonuses: [Measures]
"""
        )
        card = case.scorecard
        assert card is not None
        assert card.skill == ""
        assert card.weights == dict(DEFAULT_WEIGHTS)
        assert [(flag.id, flag.expected_outcome, flag.deduction) for flag in card.red_flags] == [
            ("red-flag-1", "Invents facts", Decimal("0.5")),
            ("leak", "Prints a secret", Decimal("1.50")),
        ]
        assert [bonus.id for bonus in card.bonuses] == ["bonus-1"]

    def test_weights_are_exact(self) -> None:
        """Ten times 0.1 style sums would fail with binary fractions."""
        card = case_with(
            "    scorecard: {skill: s, weights: {correctness: 0.4, completeness: 0.1, adherence: 0.1,"
            " actionability: 0.1, efficiency: 0.1, safety: 0.1, consistency: 0.1}}\n"
        ).scorecard
        assert card is not None
        assert (card.skill, card.weights["correctness"]) == ("s", Decimal("0.4"))

    def test_a_named_scorecard(self) -> None:
        """It is found among the suite's, and its place is there."""
        text = self.SHARED + HEAD + "    scorecard: review\n"
        suite = load_one(text)
        card = suite.cases[0].scorecard
        assert card is not None
        assert card.skill == ""
        assert written(text, suite, "cases", 0, "scorecard") == "red_flags: [Invents facts]"

    @pytest.mark.parametrize(
        ("head", "scorecard", "reason"),
        [
            ("", "review", "There is no scorecard named review."),
            (SHARED, "rewiev", "There is no scorecard named rewiev."),
            ("", "[1]", "A scorecard is a mapping, or the name of one."),
            (
                "",
                "{weights: {correctness: 1.0}}",
                "`weights`: the weights do not name each of the seven dimensions once.",
            ),
            ("", "{weights: 5}", "`weights` must be a mapping."),
        ],
    )
    def test_a_scorecard_that_cannot_be_represented_is_left_out(self, head: str, scorecard: str, reason: str) -> None:
        """The case goes without."""
        suite = load_one(head + HEAD + f"    scorecard: {scorecard}\n")
        assert suite.cases[0].scorecard is None
        assert [left.reason for left in suite.left_out] == [reason]

    def test_adjustments_that_cannot_be_represented_are_left_out(self) -> None:
        """A deduction of nothing, and a flag without text."""
        suite = load_one(
            HEAD + "    scorecard: {red_flags: [{expected_outcome: x, deduction: 0}, {id: y}, ok], bonuses: [[1]]}\n"
        )
        card = suite.cases[0].scorecard
        assert card is not None
        assert [flag.id for flag in card.red_flags] == ["red-flag-3"]
        assert len(suite.left_out) == 3


class TestPlaces:
    """The spans beside the models."""

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_every_model_has_its_place(self, newline: str) -> None:
        """Counted in code points of the whole text, whatever the line breaks."""
        text = (
            "description: naïve 🎯\n"
            + HEAD
            + "    rubrics:\n      - Is polite\n      - score_ranges: {0: bad, 5: good}\n"
        )
        text = text.replace("\n", newline)
        suite = load_one(text)
        assert written(text, suite, "cases", 0, "criteria", 0) == "Is polite"
        assert written(text, suite, "cases", 0, "criteria", 1, "score_ranges", 1) == "5: good"
        assert written(text, suite, "cases", 0, "input_messages", 0) == "Hello"
        assert written(text, suite, "cases", 0).startswith("id: a")
        assert suite.span_of("cases", 9) is None

    def test_what_an_alias_repeats_has_the_place_of_the_alias(self) -> None:
        """That is where the case uses it."""
        text = "shared: &shared\n  - Is polite\n" + HEAD + "    rubrics: *shared\n"
        suite = load_one(text)
        assert suite.cases[0].criteria == (ChecklistCriterion(id="rubric-1", expected_outcome="Is polite"),)
        assert written(text, suite, "cases", 0, "criteria", 0) == "*shared"


def test_every_field_of_a_case_reaches_the_model() -> None:
    """As an attribute, among the evaluators, or in `other_fields`: nothing that the table accepts is lost."""
    values = {
        "id": "a",
        "expected_outcome": "Answers",
        "input_messages": "[{role: user, content: Hello}]",
        "expected_messages": "[{role: assistant, content: Hello}]",
        "rubrics": "[Is kind]",
        "scorecard": "{skill: greeting}",
        "execution": "{target: local}",
        "evaluators": "[{name: same, type: code_judge, script: [cmp]}]",
        "metadata": "{k: v}",
    }
    # The type of an evaluator by itself says nothing without the evaluator.
    others = [field for field in CASE.fields if field.name not in {*values, "evaluator"}]
    values |= {field.name: "some text" for field in others if field.accepts(FieldType.STRING)}
    without_value = {field.name for field in CASE.fields} - {*values, "evaluator"}
    assert not without_value, f"Add a value for {without_value} to `values` above; only strings are filled in."
    elsewhere = {"rubrics": "evaluators", "execution": "target"}
    for name, value in values.items():
        required = {key: values[key] for key in ("id", "expected_outcome", "input_messages")}
        text = ", ".join(f"{key}: {written}" for key, written in {**required, name: value}.items())
        (case,) = load_one(f"evalcases:\n  - {{{text}}}\n").cases
        assert getattr(case, elsewhere.get(name, name), None) or case.other_fields.get(name), name


@pytest.mark.parametrize(
    "text",
    [
        "requires: {agentv: '>=5.1'}\ntests:\n  - {id: a, input: b, criteria: c}\n",
        "prompts: ['{{x}}']\nproviders: [echo]\ntests: [{id: a, vars: {x: b}, assert: [{type: contains}]}]\n",
    ],
    ids=["by what it requires", "by its name"],
)
def test_a_text_is_loaded_in_the_dialect_in_which_it_is_checked(text: str) -> None:
    """One recogniser reads the same words of it."""
    (suite,) = load_text(text, "a.eval.yaml", config=DEFAULT)
    assert suite.dialect == check_text(text, path="a.eval.yaml").dialect.name
