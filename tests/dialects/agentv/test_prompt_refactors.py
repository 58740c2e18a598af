"""The prompt of a judge is moved to a file and back."""

from __future__ import annotations

import pytest
from prompt_files import done_by

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


@pytest.mark.parametrize(
    "text",
    [
        FOUR.replace("{{ output }}", "the answer"),
        FOUR.replace("{{ output }}", "{{ output }} and {{ port }}"),
        FIVE.replace("{{ output }}", "{{ output }} {{ q }}"),
        FIVE.replace("        value: Is polite\n", ""),
        FIVE.replace('"$0Is {{ output }} polite?"', "$0file://a.md"),
        FIVE.replace('"$0Is {{ output }} polite?"', "$0./a.md"),
        FIVE.replace('prompt: "', 'prompt: &p "'),
        FIVE.replace('"$0Is {{ output }} polite?"', "{command: $0[a]}"),
    ],
    ids=["no-answer", "unknown-variable", "own-variable", "dropped", "file", "path", "anchor", "command"],
)
def test_it_is_not_offered_where_the_file_would_mean_something_else(text: str) -> None:
    """AgentV refuses a file without the answer, fills in no variable there, and drops a rubric without `value`."""
    assert done_by(text, "extract-prompt") is None
