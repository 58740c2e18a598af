"""`rubric report`: results of earlier runs in any format."""

from pathlib import Path

import click

from rubric_core.cli.inputs import STDIN
from rubric_core.cli.options import FILE, quiet_option
from rubric_core.cli.output import say, show_rendered
from rubric_core.grading.results import NO_HISTORY
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.terminal.display import harmless
from rubric_core.text.writing import plural

DEFAULT_FILE = Path("rubric-report.html")
_BY_SUFFIX = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".xml": "junit",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "text",
}


@click.command("report")
@click.argument("sources", nargs=-1, metavar="[RESULTS]...")
@click.option("--run", "run", metavar="ID", help="Run to report: a number, `latest` or `previous`.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(RESULT_FORMATS)),
    help="Output format (default: by the suffix of --output, or html).",
)
@click.option(
    "--output", type=FILE, help=f"Write to FILE, or to standard output with `-` (default for html: {DEFAULT_FILE})."
)
@quiet_option
def command(
    sources: tuple[str, ...], *, run: str | None, format_: str | None, output: Path | None, quiet: bool
) -> None:
    """Report the results of an earlier run.

    RESULTS are files that `rubric grade` wrote as json or jsonl, result files of AgentV 4 and 5, or stored runs: a
    number, `latest` (the default) or `previous`. The HTML page is one file without scripts that needs no network.
    """
    from rubric_core.cli.result_sources import (  # noqa: PLC0415 - `--help` reads no results.
        LATEST,
        PREVIOUS,
        is_run,
        named_results,
        result_history,
    )

    if run is not None and sources:
        raise click.UsageError("`--run` cannot be combined with RESULTS.")
    if run is not None and not is_run(run):
        raise click.UsageError(f"Invalid run `{run}`: expected a number, `{LATEST}` or `{PREVIOUS}`.")
    named = named_results(sources or (run or LATEST,))
    results = tuple(result for source in named for result in source.results)
    chosen = format_ or _BY_SUFFIX.get("" if output is None else output.suffix.lower(), "html")
    is_printed = str(output) == STDIN or (output is None and chosen != "html")
    path = None if is_printed else output or DEFAULT_FILE
    format_of_results = RESULT_FORMATS[chosen]
    history = result_history(results) if format_of_results.shows_history else NO_HISTORY
    show_rendered(format_of_results, results, output=path, history=history)
    if path is not None and not quiet:
        origins = ", ".join(source.name for source in named)
        say(f"Wrote {harmless(str(path))} with {plural(len(results), 'case')} of {origins}.")
