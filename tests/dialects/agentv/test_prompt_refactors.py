"""The prompt of a judge is moved to a file and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from assistance import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.actions import refactors_in
from rubric_core.text.spans import Span, apply_edits

if TYPE_CHECKING:
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
    assert _done(text, "extract-prompt") is None
