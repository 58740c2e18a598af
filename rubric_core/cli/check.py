"""`rubric check`: report the problems of eval files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from rubric_core.cli import options
from rubric_core.cli.collecting import collect
from rubric_core.cli.configuration import ConfigRequest, rules_option
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED, OK, PROBLEMS
from rubric_core.cli.output import page_for, paint_for, print_data, print_text, say, say_failure, write_file
from rubric_core.cli.run import CheckPlan, examine, examine_stdin
from rubric_core.cli.sources import STDIN
from rubric_core.report.formats import FORMATS, render
from rubric_core.report.reports import fails
from rubric_core.terminal.colours import PIPE, plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rubric_core.cli.baseline_file import BaselineFile
    from rubric_core.cli.collecting import Examined
    from rubric_core.cli.run import Examination
    from rubric_core.report.reports import FileReport


class CheckOptions(NamedTuple):
    """How the result of a check is to be shown."""

    format: str = "text"
    statistics: bool = False
    output: Path | None = None
    exit_zero: bool = False
    quiet: bool = False
    baseline: BaselineFile | None = None
    write_baseline: bool = False


@click.command("check")
@options.paths_argument
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), default="text", help="How to report.")
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
    _refuse_contradictions(
        format_,
        baseline,
        statistics=statistics,
        write_baseline=write_baseline,
        watches_stdin=watch and (from_stdin or write_baseline),
    )
    wanted = CheckOptions(
        format=format_,
        statistics=statistics,
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
        with_fixes=FORMATS[format_].shows_fixes,
        jobs=jobs,
        quiet=quiet,
    )
    if watch:
        from rubric_core.cli.watch import watch_files  # noqa: PLC0415 - most runs watch nothing.

        ctx.exit(watch_files(plan, lambda examination: conclude(examination, wanted)))
    ctx.exit(conclude(examine_stdin(plan, stdin_filename) if from_stdin else examine(plan), wanted))


def _load_baseline(path: Path, *, write: bool) -> BaselineFile:
    from rubric_core.cli.baseline_file import BaselineFile  # noqa: PLC0415 - most runs have no baseline.

    return BaselineFile.load(path, must_exist=not write)


def conclude(examination: Examination, wanted: CheckOptions) -> int:
    """Show the result of a check and return the exit status; frames are shown while the check goes on."""
    streams = not (wanted.format != "text" or wanted.output or wanted.baseline or wanted.statistics)
    examined = collect(examination, _show_frames if streams else lambda _report: None, quiet=wanted.quiet)
    if examined.is_stopped and (wanted.output or wanted.write_baseline):
        # A file that holds a part of the truth would be taken for all of it.
        return _say_failures(examined, OK)
    reports: Sequence[FileReport] = examined.reports
    if wanted.baseline and wanted.write_baseline:
        wanted.baseline.write(reports, quiet=wanted.quiet)
        return _say_failures(examined, OK)
    if wanted.baseline:
        reports = wanted.baseline.compare(reports, quiet=wanted.quiet)
    if not streams:
        _show(reports, wanted)
    _summarise(reports, wanted)
    if not examined.reports and not examined.failures and not wanted.quiet:
        say("No eval files found.")
    return _say_failures(examined, PROBLEMS if fails(reports) and not wanted.exit_zero else OK)


def _show_frames(report: FileReport) -> None:
    print_text(render("text", [report], paint_for(sys.stdout)))


def _show(reports: Sequence[FileReport], wanted: CheckOptions) -> None:
    text = _rendered(reports, wanted)
    if wanted.output is not None:
        write_file(wanted.output, text)
    elif FORMATS[wanted.format].for_people:
        print_text(text)
    else:
        print_data(text)


def _summarise(reports: Sequence[FileReport], wanted: CheckOptions) -> None:
    if wanted.quiet or not reports or not (FORMATS[wanted.format].for_people or wanted.output):
        return
    from rubric_core.report.text import render_summary  # noqa: PLC0415 - only people read it.

    summary = render_summary(reports)
    if wanted.output is None:
        print_text(summary)
    else:
        say(summary.rstrip("\n"))


def _rendered(reports: Sequence[FileReport], wanted: CheckOptions) -> str:
    if not wanted.statistics:
        return render(wanted.format, reports, plain if wanted.output else paint_for(sys.stdout))
    from rubric_core.report import statistics  # noqa: PLC0415 - asked for seldom.

    if wanted.format == "json":
        return statistics.render_json(reports)
    return statistics.render(reports, PIPE if wanted.output else page_for(sys.stdout))


def _say_failures(examined: Examined, status: int) -> int:
    for failure in examined.failures:
        say_failure(failure.shown, failure.message)
    if examined.is_stopped:
        return INTERRUPTED
    return COULD_NOT_RUN if examined.failures else status


def _refuse_contradictions(
    format_: str, baseline: Path | None, *, statistics: bool, write_baseline: bool, watches_stdin: bool
) -> None:
    if write_baseline and baseline is None:
        raise click.UsageError("`--write-baseline` needs `--baseline FILE`.")
    if statistics and format_ not in {"text", "json"}:
        raise click.UsageError("`--statistics` is written as `text` or `json`.")
    if watches_stdin:
        raise click.UsageError("`--watch` works on files, without `--write-baseline`.")
