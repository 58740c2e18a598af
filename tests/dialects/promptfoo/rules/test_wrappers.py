"""The wrappers of Markdown tests that complete a block to a configuration of promptfoo."""

from __future__ import annotations

import pytest

from rubric_core.analysis.check import check_text
from tests.rules.markdown_cases import read_block

WHOLE = 'prompts: ["{{ a }}"]\nproviders: [echo]\ntests: [{vars: {a: b}, assert: [{type: is-json}]}]'


@pytest.mark.parametrize(("wrapper", "content"), [("promptfoo", WHOLE), ("promptfoo-assert", "- type: is-json")])
def test_a_wrapper_has_no_problem_of_its_own(wrapper: str, content: str) -> None:
    """What completes a block to a file adds nothing to what is tested."""
    block = read_block(f"yaml {wrapper}", content.split("\n"))
    checked = check_text(block.text, path=block.path)
    assert checked.ours
    assert checked.problems == ()
