"""The prompt of a judge of AgentV 5 is moved to a file and back."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from assistance import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.actions import refactors_in
from rubric_core.assist.refactors.refactor import NewFile
from rubric_core.text.spans import Span, apply_edits

FIVE = """\
prompts: ["{{ q }}"]
tests:
  - id: web
    vars: {q: Which port?}
    assert:
      - metric: tone
        type: llm-rubric
        value: Is polite
        prompt: "$0Is {{ output }} polite?"
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


def test_a_text_becomes_a_file_in_agentv_5() -> None:
    """It is called like the assertion. On the way back it is kept from being rendered with the test's variables."""
    done = _done(FIVE, "extract-prompt")
    assert done is not None
    assert done.new_file == NewFile("prompts/tone.md", "Is {{ output }} polite?\n")
    assert done.text.endswith("        prompt: file://prompts/tone.md\n")
    back = KnownProject(frozenset({"prompts/tone.md"}), contents=dict([done.new_file]))
    again = _done(done.text.replace("prompt: file", "prompt: $0file"), "inline-prompt", back)
    assert again is not None
    assert again.text.endswith('prompt: "{% raw %}Is {{ output }} polite?{% endraw %}"\n')
    once_more = _done(again.text.replace('prompt: "', 'prompt: "$0'), "extract-prompt", KnownProject(frozenset()))
    assert once_more == done


def test_a_name_that_is_taken_gets_a_number_and_a_folder_that_is_there_is_used() -> None:
    """So nothing is written over."""
    project = KnownProject(frozenset({"graders/tone.md", "graders/tone-2.md"}))
    done = _done(FIVE, "extract-prompt", project)
    assert done is not None
    assert done.new_file is not None
    assert done.new_file.path == "graders/tone-3.md"


@pytest.mark.parametrize("content", [None, "", "{% raw %}{{ output }}{% endraw %}"])
def test_a_file_that_cannot_be_copied_stays(content: str | None) -> None:
    """It cannot be read, is empty, or cannot be protected."""
    text = FIVE.replace('"$0Is {{ output }} polite?"', "$0file://a.md")
    contents = {} if content is None else {"a.md": content}
    assert _done(text, "inline-prompt", KnownProject(frozenset({"a.md"}), contents=contents)) is None
