"""Suites of AgentV 5 as models: other files, and copies of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from loaded_suites import case_of, ids_of, suite_of, written

from rubric_core.analysis.check import check_text
from rubric_core.config.config import DEFAULT
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.load import load, load_text

if TYPE_CHECKING:
    from pathlib import Path


FOUR = "tests:\n  - id: a\n    input: x\n    criteria: y\n"
FIVE = 'prompts: ["{{ x }}"]\ntests:\n  - id: a\n    vars: {x: y}\n'
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
        """An include means the assertions of its file, also in the middle of a list."""
        suite = written(
            tmp_path,
            suite_yaml=f"default_test: file://defaults.yaml\n{FIVE}    assert: [One, {{include: more}}, Three]\n",
            defaults_yaml="assert: [{type: is-json}]\n",
        )
        assert [each.reason for each in suite.left_out] == ["The assertions of more cannot be read."]
        (tmp_path / ".agentv/templates").mkdir(parents=True)
        (tmp_path / ".agentv/templates/more.yaml").write_text("assert: [Two, {type: contains, value: x}]\n")
        (case,) = load(tmp_path / "suite.yaml").cases
        assert [(each.name, ids_of(each)) for each in case.evaluators] == [
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

    @pytest.mark.needs("agentv-4")
    def test_a_scenario_outweighs_keys_of_its_tests(self) -> None:
        """A text is loaded in the dialect in which it is checked, of which one key is enough."""
        tests = "[{id: a, input: b, assertions: [{type: contains}]}]"
        text = f"scenarios:\n  - config: [{{vars: {{x: y}}}}]\n    tests: {tests}\n"
        (suite,) = load_text(text, "a.eval.yaml", config=DEFAULT)
        assert suite.dialect == check_text(text, path="a.eval.yaml").dialect.name == "agentv-5"

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

    @pytest.mark.needs("agentv-4")
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
