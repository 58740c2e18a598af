"""`rubric grade`: grade answers to the cases of eval files."""

from __future__ import annotations

from typing import Any

import click

from rubric_core.cli import options
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.schema.grades import GRADES


# It takes no type before click 8.2.
class _Grade(click.Choice):  # type: ignore[type-arg]
    """A grade; small letters will do."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the grade in capital letters."""
        return str(super().convert(value.upper(), param, ctx))


@click.command("grade")
@options.paths_argument
@click.option("--case", "cases", multiple=True, metavar="ID|GLOB", help="Only these cases.")
@click.option(
    "--criterion", "criteria", multiple=True, metavar="ID", help="Only these criteria; the result is partial."
)
@click.option("--judge", metavar="NAME", help="Who judges: manual, replay:FILE, openai:MODEL or a configured name.")
@click.option("--target", metavar="NAME", help="Who answers now, whatever is recorded.")
@click.option("--answer", type=options.INPUT_FILE, help="The answer to the one case that is graded; `-` reads it.")
@click.option("--answers", type=options.EXISTING_FILE, help="A JSON object from case id to answer.")
@click.option("--samples", type=click.IntRange(min=1), default=1, metavar="N", help="Take N judgements of everything.")
@click.option("--per-criterion", is_flag=True, help="Ask about one criterion at a time.")
@click.option("--concurrency", type=click.IntRange(min=1), metavar="N", help="Ask N things at once. Default: 8.")
@click.option(
    "--min-grade",
    type=_Grade([row.grade for row in GRADES]),
    metavar="GRADE",
    help="Fail where a scorecard has a lower grade, such as B. Default: `min-grade` of the configuration.",
)
@click.option("--resume", is_flag=True, help="Take over what was graded before with the same case, answer and judge.")
@click.option("--no-cache", is_flag=True, help="Ask again also where the judge has answered the same before.")
@click.option("--dry-run", is_flag=True, help="Show the plan and ask nobody.")
@click.option("--format", "format_", type=click.Choice(list(RESULT_FORMATS)), default="text", help="How to report.")
@click.option("--output", type=options.FILE, help="Write the report to this file.")
@options.config_option
@options.no_config_option
@options.quiet_option
@click.pass_context
def command(ctx: click.Context, /, **chosen: Any) -> None:
    """Grade answers to the cases of eval files.

    PATHS are files and folders; the current folder if there are none. The answer to a case comes from `--answer` or
    `--answers`, from a recording beside the file (NAME.answers.json), or from the case's target. Every result is kept
    in the folder .rubric as soon as it is there; `--resume` goes on where a run was stopped.

    Ends with status 0 if every case passed, 1 if one did not or a scorecard is below the minimum grade, 2 if one could
    not be graded. With `--criterion` no case gets a verdict; status 0 means that every criterion that was asked for is
    met or reaches its gate.
    """
    from rubric_core.cli.grade_run import GradeRequest, grade_request  # noqa: PLC0415 - `--help` needs no models.

    ctx.exit(grade_request(GradeRequest(**chosen)))
