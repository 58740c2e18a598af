"""The prompt of a judge of AgentV 4 is moved to a file and back."""

from __future__ import annotations

import pytest
from prompt_files import Done, done_by

from rubric_core.analysis.project import KnownProject
from rubric_core.assist.refactors.refactor import NewFile

FOUR = """\
tests:
  - id: Web port
    input: Which port?
    criteria: Names the port
    assertions:
      - type: llm-grader
        prompt: |
          Is it polite?
          $0{{ output }}
        target: judge
"""


def test_a_text_becomes_a_file_in_agentv_4() -> None:
    """It is called like the test, and other keys stay."""
    done = done_by(FOUR, "extract-prompt")
    assert done is not None
    assert done.new_file == NewFile("prompts/web-port.md", "Is it polite?\n{{ output }}\n")
    assert "        prompt: file://prompts/web-port.md\n        target: judge\n" in done.text
    back = KnownProject(frozenset({"prompts/web-port.md"}), contents=dict([done.new_file]))
    again = done_by(done.text.replace("prompt: file", "prompt: $0file"), "inline-prompt", back)
    assert again == Done(FOUR.replace("$0", ""), None)


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("One line {{ output }}", "prompt: One line {{ output }}\n"),
        ("a\n\n{{ output }}", "prompt: |-\n          a\n\n          {{ output }}\n"),
        (" a\n{{ output }}\n", 'prompt: " a\\n{{ output }}\\n"\n'),
        ("a\n{{ output }}\n\n", 'prompt: "a\\n{{ output }}\\n\\n"\n'),
    ],
)
def test_a_file_is_copied_as_it_is(content: str, written: str) -> None:
    """As a block of lines where it can be one."""
    text = FOUR[: FOUR.index("        prompt:")] + "        prompt: $0file://a.md\n"
    done = done_by(text, "inline-prompt", KnownProject(frozenset({"a.md"}), contents={"a.md": content}))
    assert done is not None
    assert done.text.endswith(written)


def test_in_brackets_the_text_is_quoted() -> None:
    """JSON stays JSON."""
    text = "tests:\n  - {id: a, input: x, criteria: y, assertions: [{type: llm-grader, prompt: $0file://a.md}]}\n"
    done = done_by(text, "inline-prompt", KnownProject(frozenset({"a.md"}), contents={"a.md": "Is\n{{ output }}\n"}))
    assert done is not None
    assert 'prompt: "Is\\n{{ output }}"}' in done.text
    marked = done.text.replace('prompt: "', 'prompt: "$0')
    moved = done_by(marked, "extract-prompt")
    assert moved is not None
    assert "prompt: file://prompts/a.md}" in moved.text or 'prompt: "file://prompts/a.md"}' in moved.text


@pytest.mark.parametrize("judged", ["the answer", "{{ output }} and {{ port }}"], ids=["no-answer", "unknown-variable"])
def test_it_is_not_offered_where_the_file_would_mean_something_else(judged: str) -> None:
    """AgentV refuses a file without the answer, and fills in no variable there."""
    assert done_by(FOUR.replace("{{ output }}", judged), "extract-prompt") is None
