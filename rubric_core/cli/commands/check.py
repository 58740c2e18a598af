"""`rubric check`: report the problems of eval files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from rubric_core.cli import options
from rubric_core.cli.check_run import (
    CheckPlan,
    CheckResult,
    CheckRun,
    check_stdin,
    collect,
    explain_dialects,
    start_check,
)
from rubric_core.cli.inputs import STDIN, ConfigRequest, rules_option
from rubric_core.cli.output import COULD_NOT_RUN, INTERRUPTED, OK, PROBLEMS, print_text, say, say_failure, show_rendered
from rubric_core.report.formats import CHECK_FORMATS, STATISTICS_FORMATS, Format
from rubric_core.report.reports import FileReport, fails

if TYPE_CHECKING:
    from rubric_core.cli.baseline import Baseline


@click.command("check")
@options.paths_argument
@options.format_option(CHECK_FORMATS)
@options.select_option
@options.ignore_option
@click.option("--baseline", type=options.FILE, help="Report only problems that are not in this baseline file.")
@click.option("--write-baseline", is_flag=True, help="Write the current problems to the baseline file.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.option(
    "--explain-dialect", is_flag=True, help="Show the dialect of each file and how it was detected, and check nothing."
)
@options.stdin_filename_option
@click.option("--statistics", is_flag=True, help="Show the number of problems of each rule instead of the problems.")
@options.output_option
@options.config_option
@options.no_config_option
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are problems.")
@options.jobs_option
@options.skip_unknown_option
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
    explain_dialect: bool,
    stdin_filename: str | None,
    statistics: bool,
    output: Path | None,
    config_file: Path | None,
    no_config: bool,
    exit_zero: bool,
    jobs: int | None,
    skip_unknown: bool,
    quiet: bool,
) -> None:
    """Report problems in eval files.

    PATHS are files or folders (default: the current folder), or `-` for standard input. In a folder, files that
    .gitignore excludes are skipped, and so are YAML files that are not eval files. A file that is named is checked if
    it has the name of a suite, or one of the keys `tests`, `scenarios` and `evalcases`. A file of another tool that has
    them too, such as a CI workflow, is refused; for any other file a message is printed on standard error.

    Text is printed in the order of the paths, without waiting for files that take longer than 2 seconds. Ctrl-C stops
    the check and prints what was found so far.

    Exit status: 0 if there are no errors or warnings, 1 if there are, 2 if a file could not be checked, 130 if
    interrupted.
    """
    options.check_stdin_options(paths, stdin_filename)
    from_stdin = STDIN in paths or bool(stdin_filename)
    if write_baseline and baseline is None:
        raise click.UsageError("`--write-baseline` requires `--baseline FILE`.")
    if statistics and format_ not in STATISTICS_FORMATS:
        raise click.UsageError("`--statistics` supports only the formats `text` and `json`.")
    if watch and (from_stdin or write_baseline):
        raise click.UsageError("`--watch` cannot be combined with standard input or `--write-baseline`.")
    request = ConfigRequest(config_file, no_config, rules_option(select) or None, rules_option(ignore))
    if explain_dialect:
        if from_stdin or watch:
            raise click.UsageError("`--explain-dialect` cannot be combined with standard input or `--watch`.")
        result = explain_dialects(CheckPlan(paths, request, skip_unknown=skip_unknown))
        for shown, note in () if quiet else result.notes:
            say_failure(shown, note)
        ctx.exit(_say_failures(result, OK))
    show = _Output(
        format=(STATISTICS_FORMATS if statistics else CHECK_FORMATS)[format_],
        streams=format_ == "text" and not (statistics or output or baseline),
        file=output,
        baseline=_load_baseline(baseline, must_exist=not write_baseline),
        write_baseline=write_baseline,
        exit_zero=exit_zero,
        quiet=quiet,
        says_if_none=not (quiet or skip_unknown),
    ).show
    plan = CheckPlan(
        paths=paths,
        config=request,
        with_fixes=CHECK_FORMATS[format_].shows_fixes,
        jobs=jobs,
        quiet=quiet,
        skip_unknown=skip_unknown,
    )
    if watch:
        from rubric_core.cli.watch import watch_files  # noqa: PLC0415 - most runs watch nothing.

        ctx.exit(watch_files(plan, show))
    ctx.exit(show(check_stdin(plan, stdin_filename) if from_stdin else start_check(plan)))


def _load_baseline(path: Path | None, *, must_exist: bool) -> Baseline | None:
    if path is None:
        return None
    from rubric_core.cli.baseline import Baseline  # noqa: PLC0415 - most runs have no baseline.

    return Baseline.load(path, must_exist=must_exist)


class _Output(NamedTuple):
    """How the result of a check is shown. With `streams`, problems are printed during the check."""

    format: Format
    streams: bool
    file: Path | None
    baseline: Baseline | None
    write_baseline: bool
    exit_zero: bool
    quiet: bool
    says_if_none: bool

    def show(self, run: CheckRun) -> int:
        """Show the result of a check and return the exit status."""

        def show_frames(report: FileReport) -> None:
            if self.streams:
                show_rendered(self.format, [report])

        result = collect(run, show_frames, quiet=self.quiet)
        if result.is_stopped and (self.file or self.write_baseline):
            # A file with a part of the problems would look complete.
            return _say_failures(result, OK)
        reports: Sequence[FileReport] = result.reports
        if self.baseline and self.write_baseline:
            self.baseline.write(reports, quiet=self.quiet)
            return _say_failures(result, OK)
        if self.baseline:
            reports = self.baseline.compare(reports, quiet=self.quiet)
        if not self.streams:
            show_rendered(self.format, reports, output=self.file)
        if reports and not self.quiet and (self.format.for_people or self.file):
            from rubric_core.report.text import render_summary  # noqa: PLC0415 - only people read it.

            summary = render_summary(reports)
            if self.file is None:
                print_text(summary)
            else:
                say(summary.rstrip("\n"))
        for shown, note in () if self.quiet else result.notes:
            say_failure(shown, note)
        if self.says_if_none and not (result.reports or result.failures or result.notes):
            say("No eval files found.")
        return _say_failures(result, PROBLEMS if fails(reports) and not self.exit_zero else OK)


def _say_failures(result: CheckResult, status: int) -> int:
    for shown, message in result.failures:
        say_failure(shown, message)
    if result.is_stopped:
        return INTERRUPTED
    return COULD_NOT_RUN if result.failures else status
