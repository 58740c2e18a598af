"""Fixes of several rules together, in files of AgentV 4."""

from __future__ import annotations

from assistance import finished

from rubric_core.analysis.check import analyse, check_text, fix_text
from rubric_core.assist.fix_all import fix_all
from rubric_core.text.spans import apply_edits


def test_two_top_level_keys_do_not_get_the_same_name() -> None:
    """Both have an old name; only one of them can have the new one."""
    case = "  - id: {0}\n    input: Which {0}?\n    assertions: [Names the {0}]\n"
    text = "evalcases:\n" + case.format("port") + "eval_cases:\n" + case.format("host")
    fixed = fix_text(text, path="suite.eval.yaml", unsafe=True)
    assert [fix.title for fix in fixed.applied] == ["Rename to `tests`"]
    assert "RB002" not in [problem.code for problem in check_text(fixed.text, path="suite.eval.yaml").problems]
    analysis = analyse(text, path="suite.eval.yaml")
    assert apply_edits(text, finished(fix_all(analysis))) == fixed.text
