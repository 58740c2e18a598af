"""The prompt of a judge of AgentV 4 is moved to a file and back."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from assistance import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.actions import refactors_in
from rubric_core.assist.refactors.refactor import NewFile
from rubric_core.text.spans import Span, apply_edits

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


class Done(NamedTuple):
    """What a refactor makes of a text."""

    text: str
    new_file: NewFile | None


NO_FILES = KnownProject(frozenset())


def _done(marked: str, name: str, project: KnownProject = NO_FILES) -> Done | None:
    text, at = cut_cursor(marked)
    offered = next(refactors_in(analyse(text, path="a.eval.yaml", project=project), Span(at, at), name), None)
    edits = offered.edits() if offered is not None else None
    return Done(apply_edits(text, edits), offered.new_file) if offered is not None and edits is not None else None


def test_a_text_becomes_a_file_in_agentv_4() -> None:
    """It is called like the test, and other keys stay."""
    done = _done(FOUR, "extract-prompt")
    assert done is not None
    assert done.new_file == NewFile("prompts/web-port.md", "Is it polite?\n{{ output }}\n")
    assert "        prompt: file://prompts/web-port.md\n        target: judge\n" in done.text
    back = KnownProject(frozenset({"prompts/web-port.md"}), contents=dict([done.new_file]))
    again = _done(done.text.replace("prompt: file", "prompt: $0file"), "inline-prompt", back)
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
    done = _done(text, "inline-prompt", KnownProject(frozenset({"a.md"}), contents={"a.md": content}))
    assert done is not None
    assert done.text.endswith(written)


def test_in_brackets_the_text_is_quoted() -> None:
    """JSON stays JSON."""
    text = "tests:\n  - {id: a, input: x, criteria: y, assertions: [{type: llm-grader, prompt: $0file://a.md}]}\n"
    done = _done(text, "inline-prompt", KnownProject(frozenset({"a.md"}), contents={"a.md": "Is\n{{ output }}\n"}))
    assert done is not None
    assert 'prompt: "Is\\n{{ output }}"}' in done.text
    marked = done.text.replace('prompt: "', 'prompt: "$0')
    moved = _done(marked, "extract-prompt")
    assert moved is not None
    assert "prompt: file://prompts/a.md}" in moved.text or 'prompt: "file://prompts/a.md"}' in moved.text
