"""How often each rule was broken."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rubric_core.report.layout import Column, Family, ReportTable, Words
from rubric_core.report.reports import FileReport, fixes_of


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
    return sorted(listed, key=lambda rule: (-rule.count, rule.code, rule.severity))


def _remarks(rule: RuleCount) -> str:
    fixable = "fixable" if rule.fixable == rule.count else f"{rule.fixable} fixable" if rule.fixable else ""
    return ", ".join(part for part in (fixable, f"{rule.untried} not tried" if rule.untried else "") if part)


_COLUMNS = (
    Column("", "count", kind="number"),
    Column("", "code", style="strong"),
    Column("", "name"),
    Column("", "severity", lambda severity: Words(severity, severity)),
    Column("", "", _remarks),
)
FAMILY = Family(
    blocks=lambda reports, _: [ReportTable(_COLUMNS, rule_counts(reports))],
    data=lambda reports: [asdict(rule) for rule in rule_counts(reports)],
)
