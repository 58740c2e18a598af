"""Suites of AgentV 4 and 5 as models: what AgentV makes of each."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rubric_core.model.criteria import ChecklistCriterion, ScoreRangeCriterion
from rubric_core.model.evaluators import CodeJudge, CompositeEvaluator, Evaluator, LlmJudge, OtherEvaluator
from rubric_core.model.load import load, load_text

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.model.suite import EvalCase, Suite

FOUR = "tests:\n  - id: a\n    input: x\n    criteria: y\n"
FIVE = 'prompts: ["{{ x }}"]\ntests:\n  - id: a\n    vars: {x: y}\n'


def suite_of(text: str) -> Suite:
    """Return the only suite of a text."""
    (suite,) = load_text(text, "x.eval.yaml")
    return suite


def case_of(text: str) -> EvalCase:
    """Return the only case of a text, of which nothing is left out."""
    suite = suite_of(text)
    assert not suite.left_out
    (case,) = suite.cases
    return case


def judged(text: str) -> list[tuple[str, str, list[str]]]:
    """Return name, type and criterion ids of each evaluator of the only case."""
    return [(each.name, each.type, _ids(each)) for each in case_of(text).evaluators]


def _ids(evaluator: Evaluator) -> list[str]:
    return [each.id for each in evaluator.criteria] if isinstance(evaluator, LlmJudge) else []


def written(folder: Path, **files: str) -> Suite:
    """Return the suite `suite_yaml` of a folder with these files; two underscores stand for a slash."""
    for name, text in files.items():
        place = folder / "/".join(name.split("__")).replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return load(folder / "suite.yaml")


@pytest.mark.parametrize(
    ("text", "dataset"),
    [
        ("name: mine\ntests: [{id: a, criteria: c, input: i}]", "mine"),
        ("tests: [{id: a, criteria: c, input: i}]", "x"),
        ("name: mine\nprompts: [p]\ntests: [{id: a, assert: [Is polite]}]", "mine"),
        ("name: mine\nevalcases: [{id: a, expected_outcome: c, input_messages: []}]", "x"),
    ],
)
def test_results_name_the_suite_by_its_name(text: str, dataset: str) -> None:
    """As AgentV 4 and 5 do; AgentV 2 has `dataset` for it."""
    assert case_of(text).dataset == dataset


class TestLists:
    """What judges a case, in its order."""

    @pytest.mark.parametrize(
        ("text", "kind"), [(f"{FOUR}    assertions:", "rubrics"), (f"{FIVE}    assert:", "llm-rubric")]
    )
    def test_the_strings_of_a_list_are_one_evaluator_at_the_place_of_the_first(self, text: str, kind: str) -> None:
        """It counts as much as there are strings."""
        case = case_of(f"{text} [{{type: is-json}}, One, {{type: is-json}}, ' ', Two]\n")
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
        "text",
        [
            FOUR + "    assertions: [Own]\nassertions: [All, {type: is-json}]\n",
            FOUR + "    assertions: [Own]\nexecution: {assertions: [All, {type: is-json}]}\n",
            FIVE + "    assert: [Own]\nassert: [All, {type: is-json}]\n",
            FIVE + "    assert: [Own]\ndefault_test: {assert: [All]}\nassert: [{type: is-json}]\n",
            FIVE + "    execution: {assert: [Own]}\nassert: [All, {type: is-json}]\n",
        ],
    )
    def test_the_lists_of_the_suite_follow(self, text: str) -> None:
        """Their generated names get a number where the case has them already."""
        names = [(name, ids) for name, _, ids in judged(text)]
        assert names == [("rubric", ["rubric-1"]), ("rubric-2", ["rubric-1"]), ("is-json", [])]

    def test_the_strings_of_a_default_test_and_of_the_suite_are_one_evaluator(self) -> None:
        """AgentV joins the two lists first."""
        text = f"{FIVE}    assert: [Own]\ndefault_test: {{assert: [One, {{type: is-json}}]}}\nassert: [Two]\n"
        assert [ids for _, _, ids in judged(text)] == [["rubric-1"], ["rubric-1", "rubric-2"], []]

    def test_a_case_can_do_without_the_lists_of_the_suite(self) -> None:
        """That is what `skip_defaults` says."""
        text = f"{FIVE}    assert: [Own]\n    execution: {{skip_defaults: true}}\nassert: [{{type: is-json}}]\n"
        assert [name for name, _, _ in judged(text)] == ["rubric"]

    def test_inline_rubrics_of_agentv_4_come_first(self) -> None:
        """They are an evaluator of weight 1, whatever their number is."""
        case = case_of(f"{FOUR}    rubrics: [One, {{id: two, outcome: Two}}]\n    assertions: [Three]\n")
        assert [(each.name, each.weight, _ids(each)) for each in case.evaluators] == [
            ("rubric", 1, ["rubric-1", "two"]),
            ("rubric-2", 1, ["rubric-1"]),
        ]

    def test_the_text_of_a_case_judges_where_nothing_else_does(self) -> None:
        """AgentV 5 makes it a criterion; beside a list of the suite nobody grades it."""
        alone = f"{FIVE}    criteria: It works\n"
        assert judged(alone) == [("rubric", "llm-rubric", ["rubric-1"])]
        assert [kind for _, kind, _ in judged(f"{alone}assert: [{{type: is-json}}]\n")] == ["is-json"]
        assert case_of(FOUR).evaluators == ()

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

    def test_names_commands_and_gates(self) -> None:
        """A name is `name` in AgentV 4, where a number under `required` is the `min_score` too."""
        listed = "[{name: run, type: code-grader, command: [a, b], required: 0.6}, {type: my-own, deep: 1}]"
        command, own = case_of(f"{FOUR}    assertions: {listed}\n").evaluators
        assert isinstance(command, CodeJudge)
        assert (command.name, command.script, command.required) == ("run", ("a", "b"), True)
        assert command.min_score == Decimal("0.6")
        assert own == OtherEvaluator(name="my-own", type="my-own", config={"deep": 1})
        assert "min_score" not in own.model_dump()

    def test_removed_types_are_left_out(self) -> None:
        """What AgentV refuses is no type of the project's own."""
        suite = suite_of(f"{FIVE}    assert: [{{type: rubrics, criteria: [One]}}]\n")
        assert [each.reason for each in suite.left_out] == ["There is no evaluator type rubrics."]


class TestCriteria:
    """The forms of a rubric."""

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

    @pytest.mark.parametrize(("share", "gate"), [("0.7", 7), ("0.65", Decimal("6.5")), ("1", 10)])
    def test_a_gate_is_exact(self, share: str, gate: int | Decimal) -> None:
        """A share of the scale becomes a score, through no binary float."""
        value = f"[{{min_score: {share}, required: true, score_ranges: {{0: bad, 5: good}}}}]"
        (judge,) = case_of(f"{FIVE}    assert: [{{type: llm-rubric, value: {value}}}]\n").evaluators
        assert isinstance(judge, LlmJudge)
        (criterion,) = judge.criteria
        assert isinstance(criterion, ScoreRangeCriterion)
        assert (criterion.required_min_score, type(criterion.required_min_score)) == (gate, type(gate))

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

    def test_the_gate_of_earlier_releases_is_still_read_by_agentv_4(self) -> None:
        """It counts in scores."""
        criterion = "{required_min_score: 6, required: true, score_ranges: {0: bad, 5: good}}"
        (judge,) = case_of(f"{FOUR}    assertions: [{{type: rubrics, criteria: [{criterion}]}}]\n").evaluators
        assert isinstance(judge, LlmJudge)
        assert [each.model_dump()["required_min_score"] for each in judge.criteria] == [6]

    def test_a_bad_gate_leaves_the_criterion_out(self) -> None:
        """The reason is in the words of the dialect."""
        suite = suite_of(
            f"{FIVE}    assert: [{{type: llm-rubric, value: [{{min_score: 7, score_ranges: {{0: x}}}}]}}]\n"
        )
        assert [each.reason for each in suite.left_out] == ["`min_score` must be a number above 0 and up to 1."]


RAW = "- {id: one, vars: {x: y}, assert: [One]}\n- {id: two, input: y, criteria: Two}\n"


class TestOtherFiles:
    """Cases, scenarios, defaults and assertions from other files."""

    @pytest.mark.parametrize("reference", ["./cases.yaml", "file://cases.yaml", "[file://cases.yaml]", "'*ses.yaml'"])
    def test_cases_of_a_file(self, tmp_path: Path, reference: str) -> None:
        """Their place is the reference, and relative paths start from the suite."""
        suite = written(tmp_path, suite_yaml=f"prompts: [p]\ntests: {reference}\n", cases_yaml=RAW)
        assert [(case.id, len(case.evaluators)) for case in suite.cases] == [("one", 1), ("two", 1)]
        assert {case.source for case in suite.cases} == {str(tmp_path / "suite.yaml")}
        place = suite.span_of("cases", 1)
        assert place is not None
        assert f"prompts: [p]\ntests: {reference}\n"[place.start : place.end].strip("'") in reference

    def test_lines_rows_and_folders(self, tmp_path: Path) -> None:
        """A case in a folder of its own is called like it."""
        suite = written(
            tmp_path,
            suite_yaml="prompts: [p]\ntests: [file://a.jsonl, ./b.csv, ./dir/]\n",
            a_jsonl='{"id": "line", "vars": {"x": 1}, "assert": ["One"]}\n',
            b_csv='id,word,__expected1,__expected2\nrow,"a, b","contains-any: x, y",not-equals(0.5): z\n,c,plain,\n',
            dir__named__case_yaml="input: x\nassert: [One]\n",
            dir__other__case_yml="id: own\ninput: x\nassert: [One]\n",
        )
        assert [case.id for case in suite.cases] == ["line", "row", "row-2", "named", "own"]
        any_of, differs = suite.cases[1].evaluators
        assert (any_of.type, any_of.model_dump()["config"]) == ("contains-any", {"value": ["x", "y"]})
        assert differs.model_dump()["config"] == {"negate": True, "value": "z", "min_score": 0.5}
        assert suite.cases[1].other_fields["vars"] == {"word": "a, b"}

    def test_what_cannot_be_read_is_left_out_with_the_reason(self, tmp_path: Path) -> None:
        """Files outside of the workspace are not looked at."""
        (tmp_path / "outside.yaml").write_text(RAW, encoding="utf-8")
        folder = tmp_path / "inside"
        folder.mkdir()
        suite = written(folder, suite_yaml="prompts: [p]\ntests: [file://none.yaml, file://../outside.yaml]\n")
        assert suite.cases == ()
        assert [each.reason for each in suite.lost_cases] == [
            "none.yaml cannot be read.",
            "No file of file://../outside.yaml can be read.",
        ]

    def test_without_files_nothing_is_read(self) -> None:
        """A text alone has no folder."""
        suite = suite_of("prompts: [p]\ntests: ./cases.yaml\n")
        assert [each.reason for each in suite.lost_cases] == ["No file of ./cases.yaml can be read."]

    def test_a_default_test_and_assertions_from_files(self, tmp_path: Path) -> None:
        """An include stands for the assertions of its file, also in the middle of a list."""
        suite = written(
            tmp_path,
            suite_yaml=f"default_test: file://defaults.yaml\n{FIVE}    assert: [One, {{include: more}}, Three]\n",
            defaults_yaml="assert: [{type: is-json}]\n",
        )
        assert [each.reason for each in suite.left_out] == ["The assertions of more cannot be read."]
        (tmp_path / ".agentv/templates").mkdir(parents=True)
        (tmp_path / ".agentv/templates/more.yaml").write_text("assert: [Two, {type: contains, value: x}]\n")
        (case,) = load(tmp_path / "suite.yaml").cases
        assert [(each.name, _ids(each)) for each in case.evaluators] == [
            ("rubric", ["rubric-1", "rubric-2", "rubric-3"]),
            ("contains", []),
            ("is-json", []),
        ]

    def test_what_is_wrong_in_another_file_names_it(self, tmp_path: Path) -> None:
        """Its place is the reference, so the name says where to look."""
        suite = written(
            tmp_path,
            suite_yaml="prompts: [p]\ntests: ./cases.yaml\n",
            cases_yaml="- {id: a, assert: [{type: rubrics}]}\n",
        )
        assert [each.reason for each in suite.left_out] == ["cases.yaml: There is no evaluator type rubrics."]


class TestCopies:
    """One test that is written once and runs several times."""

    def test_scenarios_run_each_test_in_each_setting(self) -> None:
        """Lists of assertions are joined, and values of the test go before those of the setting."""
        suite = suite_of(
            "prompts: [p]\nscenarios:\n  - config:\n      - {id: s, vars: {x: 1, y: 1}, assert: [One]}\n      - {}\n"
            "    tests:\n      - {vars: {x: 2}, assert: [{type: is-json}]}\n      - {id: own, assert: [Two]}\n"
        )
        assert [case.id for case in suite.cases] == [
            "s__scenario_test_1",
            "own__config_1",
            "scenario-1-2-1",
            "own__config_2",
        ]
        first = suite.cases[0]
        assert first.other_fields["vars"] == {"x": 2, "y": 1}
        assert [each.name for each in first.evaluators] == ["rubric", "is-json"]

    def test_lists_of_texts_multiply_a_test(self) -> None:
        """Lists of anything else are values, and an empty one leaves nothing of the test."""
        text = "prompts: [p]\ntests:\n  - {id: a, vars: {x: [b, c], y: [d, e, f], z: [{g: 1}]}, assert: [One]}\n"
        assert [case.id for case in suite_of(text).cases] == [f"a__x_{x}__y_{y}" for x in "bc" for y in "def"]
        empty = suite_of("prompts: [p]\ntests:\n  - {id: a, vars: {x: []}, assert: [One]}\n")
        assert empty.cases == ()
        assert [each.reason for each in empty.lost_cases] == ["A list in vars is empty, so the test never runs."]

    @pytest.mark.parametrize(
        ("text", "rendered"),
        [
            ("Says {{ x }} and {{vars.deep.er}}.", "Says b and 1."),
            ("Has {{ none }}nothing", "Has nothing"),
            ("{{ x }}", "b"),
            ("{{ x | upper }} {{ x }}", "B b"),
            ("{% if x %}{{ x }}{% endif %}", "b"),
            ("Is {{ deep }}", "Is [object Object]"),
        ],
    )
    def test_names_in_texts_are_replaced(self, text: str, rendered: str) -> None:
        """So is everything else that Nunjucks knows."""
        case = case_of(
            f"prompts: [p]\ntests:\n  - {{id: 'a-{{{{ x }}}}', vars: {{x: b, deep: {{er: 1}}}}, assert: ['{text}']}}\n"
        )
        (judge,) = case.evaluators
        assert isinstance(judge, LlmJudge)
        assert (case.id, judge.criteria[0].expected_outcome) == ("a-b", rendered)

    def test_a_text_that_is_one_name_becomes_its_value(self) -> None:
        """A list stays a list, and copies of a test have their own value."""
        asserted = "[{type: contains-any, value: '{{ words }}'}, {type: contains, value: '{{ x }}'}]"
        text = f"prompts: [p]\ntests:\n  - {{id: a, vars: {{x: [b, c], words: [{{d: [e, 1]}}]}}, assert: {asserted}}}\n"
        values = [[each.model_dump()["config"]["value"] for each in case.evaluators] for case in suite_of(text).cases]
        assert values == [[[{"d": ["e", 1]}], "b"], [[{"d": ["e", 1]}], "c"]]

    def test_lists_of_the_suite_are_not_rendered(self) -> None:
        """The judge sees the braces, as in AgentV."""
        (judge,) = case_of(f"{FIVE}assert: ['Says {{{{ x }}}}']\n").evaluators
        assert isinstance(judge, LlmJudge)
        assert judge.criteria[0].expected_outcome == "Says {{ x }}"

    def test_agentv_4_multiplies_nothing(self) -> None:
        """A list is a value there."""
        assert len(suite_of(f"{FOUR}    vars: {{x: [b, c]}}\n    assertions: [One]\n").cases) == 1

    def test_several_prompts_are_named_in_the_ids(self) -> None:
        """A prompt without a name is called by its hash, as AgentV does."""
        prompts = "prompts: ['{{ x }}', {id: my own, prompt: q}, file://p/q.md]\n"
        text = f"{prompts}tests:\n  - {{id: a, vars: {{x: 1}}, assert: [One]}}\n"
        assert [case.id for case in suite_of(text).cases] == [
            "a__prompt_prompt-71d11b5a93b8",
            "a__prompt_my-own",
            "a__prompt_p-q.md",
        ]
