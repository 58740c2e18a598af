"""`rubric compare`: did a change help?"""

from pathlib import Path

import click

from rubric_core.cli import options
from rubric_core.cli.output import OK, PROBLEMS, show_rendered
from rubric_core.report.formats import COMPARISON_FORMATS


@click.command("compare")
@click.argument("before")
@click.argument("after")
@options.format_option(COMPARISON_FORMATS)
@options.output_option
@click.option("--fail-on-regression", is_flag=True, help="Exit with status 1 if a verdict got worse.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option; click gives them by name.
    ctx: click.Context, before: str, after: str, *, format_: str, output: Path | None, fail_on_regression: bool
) -> None:
    """Compare two runs: did a change help?

    BEFORE and AFTER are results of the same cases: files that `rubric grade` wrote as json or jsonl, result files of
    AgentV 4 and 5 (such as suite.baseline.jsonl), or stored runs (a number, `latest`, `previous`). Cases are matched by
    their ids. The interval is that of the mean change of the scores: if it lies above zero, the change helped. A case
    that had a verdict and is now in error counts as worse.
    """
    from rubric_core.cli.result_sources import named_results  # noqa: PLC0415 - `--help` reads no results.
    from rubric_core.report.families.compared import compare_results  # noqa: PLC0415 - the same.

    first, second = named_results((before, after))
    compared = compare_results((first.name, second.name), first.results, second.results)
    show_rendered(COMPARISON_FORMATS[format_], compared, output=output)
    ctx.exit(PROBLEMS if fail_on_regression and compared.regressions else OK)
