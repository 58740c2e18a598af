"""What the pages say about the later generations of AgentV is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pages import blocks, table, words
from transcripts import examples, failed_steps

from rubric_core.analysis.check import check_text
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.code_judge import payload_of
from rubric_core.model.evaluators import CodeJudge
from rubric_core.model.load import load_text
from rubric_core.model.suite import EvalCase

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["examples"]


@pytest.mark.needs("agentv-4", "agentv-5", "promptfoo")
def test_the_transcripts_of_the_page_about_dialects_are_what_happens(examples: Path) -> None:  # noqa: ARG001
    """They check, grade and migrate the examples of all dialects."""
    assert failed_steps("dialects.md") == []


@pytest.mark.needs("agentv-4")
def test_the_second_suite_of_the_readme_is_one_of_agentv_4() -> None:
    """Without a problem, as the first one, which is of the default dialect."""
    text = blocks("README.md", "yaml")[1].text
    assert check_text(text).problems == ()
    assert load_text(text, "README.md")[0].dialect == "agentv-4"


@pytest.mark.parametrize("dialect", ["agentv-4", "agentv-5"])
def test_the_payload_of_later_dialects_is_described(dialect: str) -> None:
    """Under the names that AgentV has there."""
    keys = [name for row in table("code-judges.md", "| AgentV 4 and 5 | AgentV 2 |") for name in words(row[0])]
    payload = payload_of(CodeJudge(name="a", script="a"), EvalCase(id="a", dialect=dialect), Answer(""))
    assert sorted(keys) == sorted(payload)
