"""Templates of AgentV 4: names are replaced, everything else stays."""

from __future__ import annotations

from typing import Any

import pytest
from loaded_suites import reasons, sent, sent_by, suite_of

from rubric_core.model.evaluators import LlmJudge


class TestAgentV4:
    """Names are replaced, everything else stays."""

    def test_names_are_replaced(self) -> None:
        """Lists and mappings become JSON, and ids and assertions are not touched."""
        values = "{x: b, deep: {er: [1, 2.0]}, n: null}"
        text = (
            "tests:\n  - id: 'a-{{ x }}'\n"
            "    criteria: 'Is {{ x }} {{ none }} {{ x | upper }} {{ deep }} {{deep.er}} {{ n }}'\n"
            f"    input: '{{{{ x }}}}'\n    vars: {values}\n    assertions: ['{{{{ x }}}}']\n"
        )
        (case,) = suite_of(text).cases
        assert case.id == "a-{{ x }}"
        assert case.expected_outcome == 'Is b {{ none }} {{ x | upper }} {"er":[1,2.0]} [1,2.0] null'
        assert sent(case) == [("user", "b")]
        judge = case.evaluators[0]
        assert isinstance(judge, LlmJudge)
        assert judge.criteria[0].expected_outcome == "{{ x }}"

    @pytest.mark.parametrize(
        ("suite", "test", "messages"),
        [
            ("", "input: Go", [("user", "Go")]),
            ("input: First\n", "input: Go", [("user", "First"), ("user", "Go")]),
            ("input: First\n", "input: Go\n    execution: {skip_defaults: true}", [("user", "Go")]),
            (
                "input: [{role: system, content: 'Be {{ x }}'}]\n",
                "input: [{role: user, content: Go}]\n    vars: {x: b}",
                [("system", "Be b"), ("user", "Go")],
            ),
            ("input_files: [a.md]\n", "input: Go", [("user", [("file", "a.md"), ("text", "Go")])]),
            (
                "input_files: [a.md]\n",
                "input: Go\n    input_files: ['{{ x }}.md']\n    vars: {x: b}",
                [("user", [("file", "b.md"), ("text", "Go")])],
            ),
        ],
    )
    def test_what_is_sent(self, suite: str, test: str, messages: list[tuple[str, Any]]) -> None:
        """The suite's input, then the test's behind its files."""
        assert sent_by(f"{suite}tests:\n  - id: a\n    criteria: c\n    assertions: [One]\n    {test}\n") == messages

    def test_files_need_a_text(self) -> None:
        """AgentV does not run such a test."""
        text = (
            "tests: [{id: a, criteria: c, assertions: [One], input: [{role: user, content: b}], input_files: [c.md]}]\n"
        )
        (case,) = suite_of(text).cases
        assert reasons(case) == ["Beside `input_files` the input must be a text, so AgentV does not run the test."]

    def test_a_reference_is_rendered(self) -> None:
        """As text and as a whole value."""
        text = "tests: [{id: a, input: i, vars: {x: {y: 1}, z: w}, expected_output: EXPECTED}]\n"
        (mapping,) = suite_of(text.replace("EXPECTED", "'{{ x }}'")).cases[0].expected_messages
        (shown,) = suite_of(text.replace("EXPECTED", "'It is {{ z }}'")).cases[0].expected_messages
        assert (mapping.content, shown.content) == ({"y": 1}, "It is w")
