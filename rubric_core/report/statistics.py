"""How often each rule was broken."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from rubric_core.report.colours import plain
from rubric_core.report.reports import fixes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.report.colours import Paint
    from rubric_core.report.reports import FileReport


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How often one rule was broken with one severity, and how many of these have a fix."""

    count: int
    code: str
    name: str
    severity: str
    fixable: int


def rule_counts(reports: Sequence[FileReport]) -> list[RuleCount]:
    """Return a count a rule, the most frequent first."""
    totals: dict[tuple[str, str, str], list[int]] = {}
    for report in reports:
        for problem in report.problems:
            total = totals.setdefault((problem.code, problem.name, problem.severity.value), [0, 0])
            total[0] += 1
            total[1] += bool(fixes_of(problem))
    counts = [RuleCount(total, *rule, fixable) for rule, (total, fixable) in totals.items()]
    return sorted(counts, key=lambda one: (-one.count, one.code, one.severity))


def render(reports: Sequence[FileReport], paint: Paint = plain) -> str:
    """Return an aligned table."""
    counts = rule_counts(reports)
    digits = max((len(str(one.count)) for one in counts), default=0)
    names = max((len(one.name) for one in counts), default=0)
    levels = max((len(one.severity) for one in counts), default=0)
    return "".join(
        f"{one.count:>{digits}}  {paint('strong', one.code)}  {one.name:<{names}}  "
        f"{paint(one.severity, f'{one.severity:<{levels}}')}  {_fixable(one)}".rstrip()
        + "\n"
        for one in counts
    )


def render_json(reports: Sequence[FileReport]) -> str:
    """Return the counts as a JSON list."""
    return f"{json.dumps([asdict(one) for one in rule_counts(reports)], indent=2)}\n"


def _fixable(one: RuleCount) -> str:
    if not one.fixable:
        return ""
    return "fixable" if one.fixable == one.count else f"{one.fixable} fixable"
