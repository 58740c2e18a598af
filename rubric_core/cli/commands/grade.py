"""`rubric grade`: grade answers to the cases of eval files."""

from decimal import Decimal, InvalidOperation
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


# It takes no type before click 8.2 either.
class _Share(click.ParamType):  # type: ignore[type-arg]
    """A number from 0 to 1, exactly as it is written."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        """Return the number."""
        try:
            number = Decimal(value)
        except InvalidOperation:
            number = Decimal("Infinity")
        if number.is_nan() or not 0 <= number <= 1:
            self.fail(f"{value} is not a number from 0 to 1.", param, ctx)
        return number


@click.command("grade")
@options.paths_argument
@options.cases_option
@click.option(
    "--criterion", "criteria", multiple=True, metavar="ID", help="Grade only these criteria (the result is partial)."
)
@click.option("--judge", metavar="NAME", help="Judge to use: manual, replay:FILE, openai:MODEL or a configured name.")
@click.option("--target", metavar="NAME", help="Get answers from this target instead of recorded ones.")
@click.option("--answer", type=options.INPUT_FILE, help="Read the answer from FILE, or from standard input with `-`.")
@click.option("--answers", type=options.EXISTING_FILE, help="Read answers from a JSON object of case ids and answers.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Number of judgements per question (default: 1).",
)
@click.option("--per-criterion", is_flag=True, help="Ask the judge about each criterion separately.")
@click.option(
    "--threshold",
    type=_Share(),
    metavar="SCORE",
    help="Score from 0 to 1 at which a test passes; overrides the files (not AgentV 2).",
)
@options.concurrency_option
@click.option(
    "--min-grade",
    type=_Grade([row.grade for row in GRADES]),
    metavar="GRADE",
    help="Fail if a scorecard is graded lower (default: `min-grade` of the configuration).",
)
@click.option("--resume", is_flag=True, help="Reuse stored results of the same case, answer and judge.")
@options.no_cache_option
@click.option("--dry-run", is_flag=True, help="Show the plan without asking the judge.")
@options.format_option(RESULT_FORMATS)
@options.output_option
@options.config_option
@options.no_config_option
@options.quiet_option
@click.pass_context
def command(ctx: click.Context, /, **chosen: Any) -> None:
    """Grade answers to eval cases.

    PATHS are files or folders (default: the current folder). The answer to a case comes from `--answer` or
    `--answers`, from a recording beside the file (NAME.answers.json), or from the target of the case. Every result is
    stored in the folder .rubric at once, so `--resume` continues an interrupted run.

    Exit status: 0 if every case passed, 1 if one did not or a scorecard is below the minimum grade, 2 if one could not
    be graded. `--threshold` has no effect on cases of AgentV 2, which has fixed thresholds; it is an error if all cases
    are of AgentV 2. With `--criterion` no case gets a verdict; 0 means that every selected criterion is met or reaches
    its gate.
    """
    from rubric_core.cli.grade_run import GradeRequest, grade_request  # noqa: PLC0415 - `--help` needs no models.

    ctx.exit(grade_request(GradeRequest(**chosen)))
