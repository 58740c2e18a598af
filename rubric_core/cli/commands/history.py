"""`rubric history`: the grades of a skill over time."""

import click

from rubric_core.cli import options
from rubric_core.cli.output import say, show_rendered, suggestion
from rubric_core.cli.result_sources import existing_store
from rubric_core.report.formats import EVALUATIONS_FORMATS, SKILLS_FORMATS
from rubric_core.scoring.scorecards import WINDOW

DEFAULT_LIMIT = 20
NOTHING = "No history yet. Grade a case that has a scorecard with `rubric grade` first."


@click.command("history")
@click.argument("skill", required=False)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMIT,
    metavar="N",
    help=f"Number of evaluations to show (default: {DEFAULT_LIMIT}).",
)
@options.format_option(SKILLS_FORMATS)
def command(skill: str | None, limit: int, format_: str) -> None:
    """Show the grades of a skill over time.

    SKILL is the name in the scorecard, or FILE:CASE where the scorecard has none. Without SKILL, all skills are listed.
    A score far from the earlier ones is marked for review, which never changes a grade.
    """
    with existing_store() as store:
        skills = {} if store is None else {history.name: history for history in store.skills()}
        if skill is not None and skill not in skills:
            hint = suggestion(skill, skills, "Run `rubric history` to list all skills.")
            raise click.UsageError(f"Unknown skill `{skill}`. {hint}" if skills else NOTHING)
        evaluations = () if store is None or skill is None else store.history_of(skill, limit + WINDOW)
    if not skills:
        say(NOTHING)
    if skill is None:
        show_rendered(SKILLS_FORMATS[format_], tuple(skills.values()))
    else:
        from rubric_core.report.families.evaluations import skill_history  # noqa: PLC0415 - the list needs none.

        show_rendered(EVALUATIONS_FORMATS[format_], skill_history(skills[skill], evaluations, limit))
