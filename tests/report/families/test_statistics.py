"""How often each rule was broken."""

from __future__ import annotations

import json
from textwrap import dedent

from sample_problems import problem_at

from rubric_core.report.formats import STATISTICS_FORMATS
from rubric_core.report.reports import FileReport
from rubric_core.rules.problem import Fix

TEXT = "a: 1\n"
render, render_json = STATISTICS_FORMATS["text"].render, STATISTICS_FORMATS["json"].render


def test_rules_are_counted_the_most_frequent_first() -> None:
    """The columns are aligned; equal counts are in the order of the codes."""
    fix = [Fix("Go", ())]
    overlap, gap, hint = (
        problem_at(TEXT, "a", fixes=fix),
        problem_at(TEXT, "a", code="RB103", name="uncovered-scores"),
        problem_at(TEXT, "a", code="RB001", name="x", severity="hint", fixes=fix),
    )
    fixable_gap = problem_at(TEXT, "a", code="RB103", name="uncovered-scores", fixes=fix)
    reports = [FileReport("a", TEXT, (overlap, hint, gap)), FileReport("b", TEXT, (gap,) * 10 + (fixable_gap,))]
    assert render(reports) == dedent("""\
        12  RB103  uncovered-scores          error  1 fixable
         1  RB001  x                         hint   fixable
         1  RB101  overlapping-score-ranges  error  fixable
        """)
    assert render([FileReport("a", TEXT, (gap,))]) == "1  RB103  uncovered-scores  error\n"
    assert json.loads(render_json(reports))[0] == {
        "count": 12,
        "code": "RB103",
        "name": "uncovered-scores",
        "severity": "error",
        "fixable": 1,
        "untried": 0,
    }


def test_without_problems_the_table_is_empty() -> None:
    """Nothing is worth a heading."""
    assert render([FileReport("a", TEXT)]) == ""
