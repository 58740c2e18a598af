"""Templates of suites: what is sent, what is judged, ids of copies, the environment, and what fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loaded_suites import reasons, sent, sent_by, suite_of

from rubric_core.model.evaluators import CodeJudge, LlmJudge
from rubric_core.model.load import load

if TYPE_CHECKING:
    from pathlib import Path

TEST = "tests:\n  - id: a\n    assert: [One]\n"


class TestPrompts:
    """AgentV 5: what is sent."""

    @pytest.mark.parametrize(
        ("prompts", "messages"),
        [
            ("'Say {{ x }}'", [("user", "Say b")]),
            ("['Say {{ x | upper }}']", [("user", "Say B")]),
            ("['{{ x }}']", [("user", "b")]),
            (
                "[{role: system, content: Be {{ x }}}, {role: user, content: Go}]".replace(
                    "Be {{ x }}", "'Be {{ x }}'"
                ),
                [("system", "Be b"), ("user", "Go")],
            ),
            ("[{prompt: 'Say {{ x }}'}]", [("user", "Say b")]),
            ("[{raw: 'Say {{ x }}', id: p}]", [("user", "Say b")]),
            ("[{messages: [{role: user, content: '{{ x }}'}]}]", [("user", "b")]),
            ("[[{role: user, content: '{{ x }}'}]]", [("user", "b")]),
            ("'{{ chat }}'", [("assistant", "c")]),
            ("""'[{"role": "system", "content": "{{ x }}"}]'""", [("system", "b")]),
            ("'[not messages, {{ x }}]'", [("user", "[not messages, b]")]),
            ("'{{ again }}'", [("user", "twice b")]),
        ],
    )
    def test_what_is_sent(self, prompts: str, messages: list[tuple[str, str]]) -> None:
        """Prompts of every form; what a value holds is rendered once more, as AgentV does."""
        values = "{x: b, again: 'twice {{ x }}', chat: [{role: assistant, content: c}]}"
        assert sent_by(f"prompts: {prompts}\n{TEST}    vars: {values}\n") == messages

    def test_without_vars_nothing_is_rendered(self) -> None:
        """Not even with those of an empty default test."""
        assert sent_by(f"prompts: 'Say {{{{ x }}}}'\ndefault_test: {{vars: {{}}}}\n{TEST}") == [("user", "Say {{ x }}")]
        assert sent_by(f"prompts: 'Say {{{{ x }}}}'\ndefault_test: {{vars: {{x: c}}}}\n{TEST}") == [("user", "Say c")]

    def test_prompts_see_whole_lists_and_assertions_one_text(self) -> None:
        """A prompt that is the list and nothing else cannot be sent."""
        asserted = TEST.replace("One", "'Is {{ x }}'")
        copies = f"prompts: PROMPT\n{asserted}    vars: {{x: [b, c]}}\n"
        cases = suite_of(copies.replace("PROMPT", "'Say {{ x }}'")).cases
        assert [(case.id, sent(case)) for case in cases] == [
            ("a__x_b", [("user", "Say b,c")]),
            ("a__x_c", [("user", "Say b,c")]),
        ]
        assert [each.evaluators[0].criteria[0].expected_outcome for each in cases] == ["Is b", "Is c"]  # type: ignore[union-attr]
        alone = suite_of(copies.replace("PROMPT", "'{{ x }}'")).cases
        assert all("A message is a mapping with role and content." in reasons(case) for case in alone)

    def test_the_input_of_a_case_in_another_file_is_a_variable_beside_prompts(self, tmp_path: Path) -> None:
        """Without prompts it is sent itself, behind its files."""
        (tmp_path / "cases.yaml").write_text("- {id: a, input: Go, input_files: [b.md], assert: [One]}\n")
        (tmp_path / "with.eval.yaml").write_text("prompts: 'Now: {{ input }}'\ntests: file://cases.yaml\n")
        (tmp_path / "bare.eval.yaml").write_text("tests: file://cases.yaml\nproviders: [x]\n")
        assert sent(load(tmp_path / "with.eval.yaml").cases[0]) == [("user", "Now: Go")]
        assert sent(load(tmp_path / "bare.eval.yaml").cases[0]) == [("user", [("file", "b.md"), ("text", "Go")])]

    def test_prompts_from_files(self, tmp_path: Path) -> None:
        """They are templates too; one that cannot be read, or that a program makes, is an error of each case."""
        (tmp_path / "p.md").write_bytes(b"Say\r\n{{ x }}\r\n")
        prompts = (
            "[file://p.md, {id: q, file: p.md}, file://none.md, {command: [node, p.js]}, {function: p.js}, {id: x}]"
        )
        (tmp_path / "a.eval.yaml").write_text(f"prompts: {prompts}\n{TEST}    vars: {{x: b}}\n")
        cases = load(tmp_path / "a.eval.yaml").cases
        assert [sent(case) for case in cases] == [[("user", "Say\nb\n")]] * 2 + [[]] * 4
        assert [reasons(case) for case in cases] == [
            [],
            [],
            ["The prompt none.md cannot be read."],
            ["The prompt is made by its `command`, which is not run."],
            ["The prompt is made by its `function`, which is not run."],
            ["The prompt has no text to send."],
        ]


class TestFailures:
    """What cannot be rendered is reported, and nothing is lost."""

    def test_a_template_that_fails_is_a_reason_with_its_place(self) -> None:
        """The text stays as it is written, and other cases are not touched."""
        text = "prompts: p\ntests:\n  - {id: a, vars: {x: 1}, assert: ['{{ x | mine }}']}\n  - {id: b, assert: [Two]}\n"
        first, second = suite_of(text).cases
        reason = "A template cannot be rendered: Nunjucks has no filter `mine`, and filters of a project are not run."
        assert [(each.reason, each.place) for each in first.left_out] == [(reason, "x.eval.yaml:3, criterion rubric-1")]
        assert second.left_out == ()
        judge = first.evaluators[0]
        assert isinstance(judge, LlmJudge)
        assert judge.criteria[0].expected_outcome == "{{ x | mine }}"

    def test_a_prompt_that_fails_is_an_error_of_each_case(self) -> None:
        """With the line inside of the text."""
        text = 'prompts: "a\\n{% if %}"\ntests:\n  - {id: a, vars: {x: [b, c]}, assert: [One]}\n'
        expected = "A template cannot be rendered: `%}` is not expected there in line 2 of the text."
        assert [set(reasons(case)) for case in suite_of(text).cases] == [{expected}] * 2


class TestReserved:
    """`{{ answer_file }}` in a script."""

    @pytest.mark.parametrize("extra", ["", ", answer_file: no"])
    def test_it_survives_in_a_command(self, extra: str) -> None:
        """It is filled in when the script runs; elsewhere it is a name like any other."""
        listed = "[{type: script, command: [run, '{{ answer_file }}', '--x={{ x }} {{ answer_file }}']}]"
        (case,) = suite_of(f"prompts: p\ntests: [{{id: a, vars: {{x: b{extra}}}, assert: {listed}}}]\n").cases
        (script,) = case.evaluators
        assert isinstance(script, CodeJudge)
        assert script.script == ("run", "{{ answer_file }}", "--x=b {{ answer_file }}")

    def test_it_survives_beside_filters(self) -> None:
        """There, too."""
        listed = "[{type: script, command: 'run {{ x | upper }} {{ answer_file }}'}]"
        (case,) = suite_of(f"prompts: p\ntests: [{{id: a, vars: {{x: b}}, assert: {listed}}}]\n").cases
        assert "{{ answer_file }}" in str(case.evaluators[0])


class TestEnvironment:
    """`{{ env.X }}`, of which the configuration names those that are allowed."""

    TEXT = "prompts: '{{ env.RUBRIC_A }}/{{ x }}'\ntests: [{id: a, vars: {x: b}, assert: ['Is {{ env.RUBRIC_B }}.']}]\n"

    def test_an_allowed_variable_is_replaced(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Filters work, and one that is not set is undefined."""
        monkeypatch.setenv("RUBRIC_A", "one")
        text = self.TEXT.replace("env.RUBRIC_B", 'env.RUBRIC_B | default("two") | upper')
        (case,) = suite_of(text, template_env=("RUBRIC_A", "RUBRIC_B")).cases
        assert (sent(case), reasons(case)) == ([("user", "one/b")], [])
        judge = case.evaluators[0]
        assert isinstance(judge, LlmJudge)
        assert judge.criteria[0].expected_outcome == "Is TWO."

    def test_another_is_empty_and_says_what_to_allow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its value is nowhere in the model."""
        monkeypatch.setenv("RUBRIC_A", "secret-value")
        monkeypatch.setenv("RUBRIC_B", "secret-value")
        shared = "assert: ['{{ env.RUBRIC_A }}']\ndefault_test: {vars: {y: '{{ env.C }}'}}\n"
        suite = suite_of(self.TEXT + shared)
        (case,) = suite.cases
        assert "secret-value" not in suite.model_dump_json()
        assert set(reasons(case)) == {
            f"`env.{name}` is not allowed and so empty; add {name} to `template-env` in rubric.toml."
            for name in ("RUBRIC_A", "RUBRIC_B", "C")
        }
        assert sent(case) == [("user", "/b")]

    def test_a_value_alone_may_be_a_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """And the syntax of earlier releases stays as it is."""
        monkeypatch.setenv("RUBRIC_A", "0.5")
        listed = "[{type: contains, value: v, weight: W}]"
        text = f"prompts: '${{{{ X }}}} {{{{ env.RUBRIC_A }}}}'\ntests: [{{id: a, assert: {listed}}}]\n"
        (case,) = suite_of(text.replace("W", "'{{ env.RUBRIC_A }}'"), template_env=("RUBRIC_A",)).cases
        assert (str(case.evaluators[0].weight), sent(case)) == ("0.5", [("user", "${{ X }} {{ env.RUBRIC_A }}")])


class TestIds:
    """Ids of copies differ, since answers are recorded by them."""

    def test_a_template_in_the_id_is_enough(self) -> None:
        """Copies get no more where it tells them apart."""
        text = "prompts: [p, q]\ntests: [{id: 'a-{{ x }}', vars: {x: [b, c], y: [d]}, assert: [One]}]\n"
        ids = [case.id for case in suite_of(text).cases]
        assert [each.partition("__prompt_")[0] for each in ids] == ["a-b", "a-c", "a-b", "a-c"]
        assert len(set(ids)) == 4

    def test_texts_in_ids_are_safe_and_copies_of_the_same_text_are_numbered(self) -> None:
        """Long texts are cut."""
        text = f"prompts: [p]\ntests: [{{id: a, vars: {{x: [b c/d, b-c-d, b.c, {'e' * 60}]}}, assert: [One]}}]\n"
        ids = ["a__x_b-c-d", "a__x_b-c-d-2", "a__x_b.c", f"a__x_{'e' * 48}"]
        assert [case.id for case in suite_of(text).cases] == ids

    def test_two_tests_with_one_id_keep_it(self) -> None:
        """That is a mistake of the author, which a check reports."""
        assert [case.id for case in suite_of(f"prompts: p\n{TEST}  - {{id: a, assert: [Two]}}\n").cases] == ["a", "a"]


@given(st.text(st.characters(codec="utf-8", exclude_characters="{}#", exclude_categories=("Cc", "Cs")), min_size=1))
def test_a_text_without_templates_is_the_same_in_every_dialect(text: str) -> None:
    """Whether there are variables or not."""
    quoted = text.replace("'", "''")
    five = f"prompts: '{quoted}'\ntests: [{{id: a, vars: {{x: 1}}, assert: [One]}}]\n"
    four = f"tests: [{{id: a, criteria: c, assertions: [One], vars: {{x: 1}}, input: '{quoted}'}}]\n"
    for suite in (five, four):
        (case,) = suite_of(suite).cases
        (message,) = case.input_messages
        assert message.content == text
