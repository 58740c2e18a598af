"""All rules: their codes, names and default severities, and whether `rubric fix` can fix their problems."""

from rubric_core.report.layout import Column, Family, ReportTable, Words

_COLUMNS = (
    Column("", "code", style="strong"),
    Column("", "name"),
    Column("", "severity", lambda severity: Words(severity, severity)),
    Column("", "fixes", lambda fixes: fixes and f"{fixes} fix"),
)
FAMILY = Family(
    blocks=lambda rules, _: [ReportTable(_COLUMNS, rules)],
    data=lambda rules: [{**rule._asdict(), "fixes": rule.fixes or None} for rule in rules],
)
