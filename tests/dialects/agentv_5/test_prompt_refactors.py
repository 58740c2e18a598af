"""The prompt of a judge of AgentV 5 is moved to a file and back."""

from __future__ import annotations

import pytest
from prompt_files import done_by

from rubric_core.analysis.project import KnownProject
from rubric_core.assist.refactors.refactor import NewFile

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


def test_a_text_becomes_a_file_in_agentv_5() -> None:
    """It is called like the assertion. On the way back it is kept from being rendered with the test's variables."""
    done = done_by(FIVE, "extract-prompt")
    assert done is not None
    assert done.new_file == NewFile("prompts/tone.md", "Is {{ output }} polite?\n")
    assert done.text.endswith("        prompt: file://prompts/tone.md\n")
    back = KnownProject(frozenset({"prompts/tone.md"}), contents=dict([done.new_file]))
    again = done_by(done.text.replace("prompt: file", "prompt: $0file"), "inline-prompt", back)
    assert again is not None
    assert again.text.endswith('prompt: "{% raw %}Is {{ output }} polite?{% endraw %}"\n')
    once_more = done_by(again.text.replace('prompt: "', 'prompt: "$0'), "extract-prompt", KnownProject(frozenset()))
    assert once_more == done


def test_a_name_that_is_taken_gets_a_number_and_a_folder_that_is_there_is_used() -> None:
    """So nothing is written over."""
    project = KnownProject(frozenset({"graders/tone.md", "graders/tone-2.md"}))
    done = done_by(FIVE, "extract-prompt", project)
    assert done is not None
    assert done.new_file is not None
    assert done.new_file.path == "graders/tone-3.md"


@pytest.mark.parametrize("content", [None, "", "{% raw %}{{ output }}{% endraw %}"])
def test_a_file_that_cannot_be_copied_stays(content: str | None) -> None:
    """It cannot be read, is empty, or cannot be protected."""
    text = FIVE.replace('"$0Is {{ output }} polite?"', "$0file://a.md")
    contents = {} if content is None else {"a.md": content}
    assert done_by(text, "inline-prompt", KnownProject(frozenset({"a.md"}), contents=contents)) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{{ output }}", "{{ output }} {{ q }}"),
        ("        value: Is polite\n", ""),
        ('"$0Is {{ output }} polite?"', "$0file://a.md"),
        ('"$0Is {{ output }} polite?"', "$0./a.md"),
        ('prompt: "', 'prompt: &p "'),
        ('"$0Is {{ output }} polite?"', "{command: $0[a]}"),
    ],
    ids=["own-variable", "dropped", "file", "path", "anchor", "command"],
)
def test_it_is_not_offered_where_the_file_would_mean_something_else(old: str, new: str) -> None:
    """AgentV fills in no variable there, and drops a rubric without `value`."""
    assert done_by(FIVE.replace(old, new), "extract-prompt") is None
