"""`rubric check`: report the problems of eval files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubric_core.cli import options
from rubric_core.cli.check_run import CheckPlan, CheckResult, CheckRun, check_stdin, collect, start_check
from rubric_core.cli.configuration import ConfigRequest, rules_option
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED, OK, PROBLEMS
from rubric_core.cli.output import print_text, say, say_failure, show_rendered
from rubric_core.cli.sources import STDIN
from rubric_core.report.formats import CHECK_FORMATS, STATISTICS_FORMATS, Format
from rubric_core.report.reports import FileReport, fails

if TYPE_CHECKING:
    from rubric_core.cli.baseline_file import BaselineFile


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The arguments of the command, by their names."""

    paths: tuple[str, ...]
    format_: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    baseline: Path | None
    write_baseline: bool
    watch: bool
    stdin_filename: str | None
    statistics: bool
    output: Path | None
    config_file: Path | None
    no_config: bool
    exit_zero: bool
    jobs: int | None
    quiet: bool

    @property
    def format(self) -> Format:
        """Return the format of the report."""
        return (STATISTICS_FORMATS if self.statistics else CHECK_FORMATS)[self.format_]

    @property
    def streams(self) -> bool:
        """Return whether problems are printed while the check goes on."""
        return self.format_ == "text" and not (self.statistics or self.output or self.baseline)


@click.command("check")
@options.paths_argument
@options.format_option(CHECK_FORMATS)
@options.select_option
@options.ignore_option
@click.option("--baseline", type=options.FILE, help="Report only problems that are not in this file.")
@click.option("--write-baseline", is_flag=True, help="Write the current problems to the baseline file.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@options.stdin_filename_option
@click.option("--statistics", is_flag=True, help="Show the number of problems for each rule instead.")
@options.output_option
@options.config_option
@options.no_config_option
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are problems.")
@options.jobs_option
@options.quiet_option
@click.pass_context
def command(ctx: click.Context, /, **arguments: Any) -> None:
    """Report problems in eval files.

    PATHS are files or folders (default: the current folder), or `-` for standard input. Files that .gitignore excludes
    are skipped, and so are YAML files that are not eval files.

    Text is printed in the order of the paths, without waiting for files that take longer than 2 seconds. Ctrl-C stops
    the check and prints what was found so far.

    Exit status: 0 if there are no errors or warnings, 1 if there are, 2 if a file could not be checked, 130 if
    interrupted.
    """
    request = CheckRequest(**arguments)
    options.refuse_stdin_contradictions(request.paths, request.stdin_filename)
    from_stdin = STDIN in request.paths or bool(request.stdin_filename)
    if request.write_baseline and request.baseline is None:
        raise click.UsageError("`--write-baseline` requires `--baseline FILE`.")
    if request.statistics and request.format_ not in STATISTICS_FORMATS:
        raise click.UsageError("`--statistics` supports only the formats `text` and `json`.")
    if request.watch and (from_stdin or request.write_baseline):
        raise click.UsageError("`--watch` cannot be combined with standard input or `--write-baseline`.")
    baseline = _load_baseline(request.baseline, must_exist=not request.write_baseline)
    plan = CheckPlan(
        paths=request.paths,
        config=ConfigRequest(
            file=request.config_file.absolute() if request.config_file else None,
            isolated=request.no_config,
            select=rules_option(request.select) or None,
            ignore=rules_option(request.ignore),
        ),
        with_fixes=CHECK_FORMATS[request.format_].shows_fixes,
        jobs=request.jobs,
        quiet=request.quiet,
    )
    if request.watch:
        from rubric_core.cli.watch import watch_files  # noqa: PLC0415 - most runs watch nothing.

        ctx.exit(watch_files(plan, lambda run: _show(run, request, baseline)))
    run = check_stdin(plan, request.stdin_filename) if from_stdin else start_check(plan)
    ctx.exit(_show(run, request, baseline))


def _load_baseline(path: Path | None, *, must_exist: bool) -> BaselineFile | None:
    if path is None:
        return None
    from rubric_core.cli.baseline_file import BaselineFile  # noqa: PLC0415 - most runs have no baseline.

    return BaselineFile.load(path, must_exist=must_exist)


def _show(run: CheckRun, request: CheckRequest, baseline: BaselineFile | None) -> int:
    """Show the result of a check and return the exit status; frames are shown while the check goes on."""

    def show_frames(report: FileReport) -> None:
        if request.streams:
            show_rendered(request.format, [report])

    result = collect(run, show_frames, quiet=request.quiet)
    if result.is_stopped and (request.output or request.write_baseline):
        # A file that holds a part of the truth would be taken for all of it.
        return _say_failures(result, OK)
    reports: Sequence[FileReport] = result.reports
    if baseline and request.write_baseline:
        baseline.write(reports, quiet=request.quiet)
        return _say_failures(result, OK)
    if baseline:
        reports = baseline.compare(reports, quiet=request.quiet)
    if not request.streams:
        show_rendered(request.format, reports, output=request.output)
    if not request.quiet:
        _summarise(reports, request)
    if not (result.reports or result.failures or request.quiet):
        say("No eval files found.")
    return _say_failures(result, PROBLEMS if fails(reports) and not request.exit_zero else OK)


def _summarise(reports: Sequence[FileReport], request: CheckRequest) -> None:
    if not reports or not (request.format.for_people or request.output):
        return
    from rubric_core.report.text import render_summary  # noqa: PLC0415 - only people read it.

    summary = render_summary(reports)
    if request.output is None:
        print_text(summary)
    else:
        say(summary.rstrip("\n"))


def _say_failures(result: CheckResult, status: int) -> int:
    for failure in result.failures:
        say_failure(failure.shown, failure.message)
    if result.is_stopped:
        return INTERRUPTED
    return COULD_NOT_RUN if result.failures else status
