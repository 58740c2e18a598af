"""All skills with a history: how many evaluations each has, and the newest."""

from rubric_core.report.families.evaluations import minute_of, plain_evaluation
from rubric_core.report.layout import Column, Family, ReportTable
from rubric_core.terminal.display import one_line

_COLUMNS = (
    Column("skill", "name", one_line, style="strong"),
    Column("evaluations", "evaluations", "{:,}".format, "number"),
    Column("latest (UTC)", "latest.timestamp", minute_of),
    Column("final", "latest.final_score", kind="number"),
    Column("grade", "latest.grade", style="strong"),
)
_RECORD = (
    Column("skill", "name"),
    Column("evaluations", "evaluations"),
    Column("timestamp", "latest.timestamp"),
    Column("final_score", "latest.final_score"),
    Column("grade", "latest.grade"),
)
FAMILY = Family(
    blocks=lambda skills, _: [ReportTable(_COLUMNS, skills)] if skills else [],
    data=lambda skills: {
        "skills": [
            {"skill": skill.name, "evaluations": skill.evaluations, "latest": plain_evaluation(skill.latest)}
            for skill in skills
        ]
    },
    records=lambda skills: ReportTable(_RECORD, skills),
)
