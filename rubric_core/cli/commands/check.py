"""`rubric check`: report the problems of eval files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from rubric_core.cli import options
from rubric_core.cli.check_run import CheckPlan, check_stdin, collect, start_check
from rubric_core.cli.configuration import ConfigRequest, rules_option
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED, OK, PROBLEMS
from rubric_core.cli.output import print_text, say, say_failure, show_rendered
from rubric_core.cli.sources import STDIN
from rubric_core.report.formats import CHECK_FORMATS, STATISTICS_FORMATS
from rubric_core.report.reports import fails

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rubric_core.cli.baseline_file import BaselineFile
    from rubric_core.cli.check_run import CheckResult, CheckRun
    from rubric_core.report.formats import Format
    from rubric_core.report.reports import FileReport


class CheckOutput(NamedTuple):
    """How and where the result of a check is shown."""

    format: Format
    output: Path | None
    exit_zero: bool
    quiet: bool
    baseline: BaselineFile | None
    write_baseline: bool

    @property
    def streams(self) -> bool:
        """Return whether problems are printed while the check goes on."""
        return not (self.format != CHECK_FORMATS["text"] or self.output or self.baseline)


@click.command("check")
@options.paths_argument
@click.option("--format", "format_", type=click.Choice(list(CHECK_FORMATS)), default="text", help="How to report.")
@options.select_option
@options.ignore_option
@click.option("--baseline", type=options.FILE, help="Report only problems that this file does not know.")
@click.option("--write-baseline", is_flag=True, help="Write the problems there are to the baseline.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until interrupted.")
@options.stdin_filename_option
@click.option("--statistics", is_flag=True, help="Count the problems by rule instead of showing them.")
@click.option("--output", type=options.FILE, help="Write the report to this file.")
@options.config_option
@options.no_config_option
@click.option("--exit-zero", is_flag=True, help="End with status 0 even if there are problems.")
@options.jobs_option
@options.quiet_option
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option; click gives them by name.
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    format_: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    write_baseline: bool,
    watch: bool,
    stdin_filename: str | None,
    statistics: bool,
    output: Path | None,
    config_file: Path | None,
    no_config: bool,
    exit_zero: bool,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Report the problems of eval files.

    PATHS are files and folders; the current folder if there are none, `-` for standard input. Folders are
    walked without what .gitignore leaves out. YAML files that are not eval files are passed over.

    Text is printed in the order of the paths, but a file that takes more than 2 seconds is not waited for. Ctrl-C
    ends the check and prints what was found.

    Ends with status 0 if there are no errors and no warnings, 1 if there are, 2 if something could not be checked,
    130 if it was stopped.
    """
    options.refuse_stdin_contradictions(paths, stdin_filename)
    from_stdin = STDIN in paths or bool(stdin_filename)
    if write_baseline and baseline is None:
        raise click.UsageError("`--write-baseline` needs `--baseline FILE`.")
    if statistics and format_ not in STATISTICS_FORMATS:
        raise click.UsageError("`--statistics` is written as `text` or `json`.")
    if watch and (from_stdin or write_baseline):
        raise click.UsageError("`--watch` works on files, without `--write-baseline`.")
    shown = CheckOutput(
        format=(STATISTICS_FORMATS if statistics else CHECK_FORMATS)[format_],
        output=output,
        exit_zero=exit_zero,
        quiet=quiet,
        baseline=_load_baseline(baseline, write=write_baseline) if baseline else None,
        write_baseline=write_baseline,
    )
    plan = CheckPlan(
        paths=paths,
        config=ConfigRequest(
            file=config_file.absolute() if config_file else None,
            isolated=no_config,
            select=rules_option(select) or None,
            ignore=rules_option(ignore),
        ),
        with_fixes=CHECK_FORMATS[format_].shows_fixes,
        jobs=jobs,
        quiet=quiet,
    )
    if watch:
        from rubric_core.cli.watch import watch_files  # noqa: PLC0415 - most runs watch nothing.

        ctx.exit(watch_files(plan, lambda run: _show(run, shown)))
    ctx.exit(_show(check_stdin(plan, stdin_filename) if from_stdin else start_check(plan), shown))


def _load_baseline(path: Path, *, write: bool) -> BaselineFile:
    from rubric_core.cli.baseline_file import BaselineFile  # noqa: PLC0415 - most runs have no baseline.

    return BaselineFile.load(path, must_exist=not write)


def _show(run: CheckRun, shown: CheckOutput) -> int:
    """Show the result of a check and return the exit status; frames are shown while the check goes on."""

    def show_frames(report: FileReport) -> None:
        if shown.streams:
            show_rendered(shown.format, [report])

    result = collect(run, show_frames, quiet=shown.quiet)
    if result.is_stopped and (shown.output or shown.write_baseline):
        # A file that holds a part of the truth would be taken for all of it.
        return _say_failures(result, OK)
    reports: Sequence[FileReport] = result.reports
    if shown.baseline and shown.write_baseline:
        shown.baseline.write(reports, quiet=shown.quiet)
        return _say_failures(result, OK)
    if shown.baseline:
        reports = shown.baseline.compare(reports, quiet=shown.quiet)
    if not shown.streams:
        show_rendered(shown.format, reports, output=shown.output)
    if reports and not shown.quiet and (shown.format.for_people or shown.output):
        _summarise(reports, shown.output)
    if not result.reports and not result.failures and not shown.quiet:
        say("No eval files found.")
    return _say_failures(result, PROBLEMS if fails(reports) and not shown.exit_zero else OK)


def _summarise(reports: Sequence[FileReport], output: Path | None) -> None:
    from rubric_core.report.text import render_summary  # noqa: PLC0415 - only people read it.

    summary = render_summary(reports)
    if output is None:
        print_text(summary)
    else:
        say(summary.rstrip("\n"))


def _say_failures(result: CheckResult, status: int) -> int:
    for failure in result.failures:
        say_failure(failure.shown, failure.message)
    if result.is_stopped:
        return INTERRUPTED
    return COULD_NOT_RUN if result.failures else status
