"""How often each rule was broken."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.text import Text

from rubric_core.report.reports import FileReport, fixes_of
from rubric_core.terminal.display import PIPE, Page
from rubric_core.terminal.drawing import draw, table


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How often one rule was broken with one severity, how many of these have a fix, and how many were not tried."""

    count: int
    code: str
    name: str
    severity: str
    fixable: int
    untried: int


def rule_counts(reports: Sequence[FileReport]) -> list[RuleCount]:
    """Return a count for each rule, the most frequent first."""
    counts: Counter[tuple[str, str, str]] = Counter()
    fixable, untried = counts.copy(), counts.copy()
    for report in reports:
        for problem in report.problems:
            rule = (problem.code, problem.name, problem.severity.value)
            counts[rule] += 1
            fixable[rule] += bool(fixes_of(problem))
            untried[rule] += problem.has_untried_fixes
    listed = [RuleCount(count, *rule, fixable[rule], untried[rule]) for rule, count in counts.items()]
    return sorted(listed, key=lambda one: (-one.count, one.code, one.severity))


def render(reports: Sequence[FileReport], page: Page = PIPE) -> str:
    """Return a table without headings."""
    drawn = table("", "", "", "", "")
    drawn.columns[0].justify = "right"
    for one in rule_counts(reports):
        fixable = "fixable" if one.fixable == one.count else f"{one.fixable} fixable" if one.fixable else ""
        untried = f"{one.untried} not tried" if one.untried else ""
        remarks = ", ".join(part for part in (fixable, untried) if part)
        drawn.add_row(str(one.count), Text(one.code, "strong"), one.name, Text(one.severity, one.severity), remarks)
    return draw(drawn, page)


def render_json(reports: Sequence[FileReport]) -> str:
    """Return the counts as a JSON list."""
    return f"{json.dumps([asdict(one) for one in rule_counts(reports)], indent=2)}\n"
