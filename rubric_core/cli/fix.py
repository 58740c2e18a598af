"""`rubric fix`: fix what can be fixed without asking, and say what was done and what remains."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from rubric_core.cli import options
from rubric_core.cli.checking import configurations_for
from rubric_core.cli.configuration import ConfigRequest, rules_option
from rubric_core.cli.failures import COULD_NOT_RUN, OK, PROBLEMS
from rubric_core.cli.fixing import Choice, FixOutcome, fix_read, fix_source
from rubric_core.cli.output import paint_for, print_data, print_exact, print_text, say, say_failure
from rubric_core.cli.sources import STDIN, gather, shown_path, stdin_source
from rubric_core.files.read import Unreadable, read_stream
from rubric_core.files.write import remove_leftovers, write_text
from rubric_core.report.diff import render_diff
from rubric_core.report.reports import count, fails
from rubric_core.report.text import many, part_of, render_kinds
from rubric_core.terminal.columns import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rubric_core.cli.configuration import Configurations
    from rubric_core.cli.sources import InputFile
    from rubric_core.report.reports import FileReport

Fixed = tuple["InputFile", FixOutcome]


@click.command("fix")
@options.paths_argument
@click.option("--unsafe", is_flag=True, help="Also make fixes that may change the meaning of a file.")
@click.option("--diff", is_flag=True, help="Show the changes and write nothing.")
@options.select_option
@options.ignore_option
@options.stdin_filename_option
@options.config_option
@options.no_config_option
@options.quiet_option
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option; click gives them by name.
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    unsafe: bool,
    diff: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    stdin_filename: str | None,
    config_file: Path | None,
    no_config: bool,
    quiet: bool,
) -> None:
    """Fix what can be fixed without asking.

    PATHS are files and folders; the current folder if there are none. With `-` the text comes from standard
    input and the fixed text goes to standard output. Comments and everything outside of a fix stay as they are.

    Ends with status 0 if no errors and no warnings remain, 1 if some do, 2 if a file could not be fixed. With
    `--diff`: 0 if there is nothing to change, 1 if there is.
    """
    options.refuse_stdin_contradictions(paths, stdin_filename)
    request = ConfigRequest(file=config_file.absolute() if config_file else None, isolated=no_config)
    choice = Choice(unsafe, rules_option(select) or None, rules_option(ignore))
    configurations = configurations_for(request)
    if STDIN in paths or stdin_filename:
        ctx.exit(_fix_stdin(stdin_filename, configurations, choice, diff=diff))
    gathered = gather(paths, configurations)
    if diff:
        done = [(source, fix_source(source, configurations, choice)) for source in gathered.sources]
        status = _show_diff(done)
    else:
        remove_leftovers(source.path for source in gathered.sources)
        done = [_fix_file(source, configurations, choice, quiet=quiet) for source in gathered.sources]
        status = _status(done)
    failures = [*(("", message) for message in gathered.failures), *_failures(done)]
    if not (diff or quiet or (failures and not _reports(done))):
        say(_summary(done))
    _say_configuration_problems(configurations, quiet=quiet)
    for shown, message in failures:
        say_failure(shown, message)
    ctx.exit(COULD_NOT_RUN if failures else status)


def _fix_stdin(name: str | None, configurations: Configurations, choice: Choice, *, diff: bool) -> int:
    source = stdin_source(name)
    config = configurations.for_folder(source.path.parent)
    read = read_stream(sys.stdin.buffer, config.limits)
    if isinstance(read, Unreadable):
        say_failure(source.shown, read.message)
        return COULD_NOT_RUN
    outcome = fix_read(source, read, config, choice)
    if diff:
        status = _show_diff([(source, outcome)])
    else:
        # Whoever puts our output in place of the input must not lose the text when we fail.
        print_data(outcome.after if outcome.before else read.text, read.encoding)
        status = _status([(source, outcome)])
    if outcome.failure is not None:
        say_failure(source.shown, outcome.failure)
        return COULD_NOT_RUN
    return status


def _say_configuration_problems(configurations: Configurations, *, quiet: bool) -> None:
    """Say that the configuration is not what the user thinks; nothing is fixed in it."""
    for loaded in configurations.loaded():
        if loaded.problems and loaded.path is not None and not quiet:
            number = many(len(loaded.problems), "problem")
            say_failure(shown_path(loaded.path), f"The configuration has {number}; `rubric check` shows them.")


def _failures(done: Sequence[Fixed]) -> list[tuple[str, str]]:
    return [(source.shown, outcome.failure) for source, outcome in done if outcome.failure is not None]


def _fix_file(source: InputFile, configurations: Configurations, choice: Choice, *, quiet: bool) -> Fixed:
    """Fix a file and write it; say what was fixed only when it is on the disk."""
    outcome = fix_source(source, configurations, choice)
    if outcome.before is None or not outcome.is_changed:
        return source, outcome
    failure = write_text(source.path, outcome.after, outcome.before.encoding, before=outcome.before.text)
    if failure is not None:
        return source, FixOutcome(failure=failure.message)
    if not quiet:
        print_text(f"{harmless(source.shown)}\n{_fixes_by_rule(outcome)}")
    return source, outcome


def _show_diff(done: Sequence[Fixed]) -> int:
    paint = paint_for(sys.stdout)
    changed = [(source, outcome) for source, outcome in done if outcome.is_changed]
    for source, outcome in changed:
        before = outcome.before.text if outcome.before else ""
        print_exact(render_diff(source.shown, before, outcome.after, paint))
    return PROBLEMS if changed else OK


def _fixes_by_rule(outcome: FixOutcome) -> str:
    rules = Counter((applied.code, applied.name) for applied in outcome.applied)
    return "".join(f"  {number} x {code} {name}\n" for (code, name), number in sorted(rules.items()))


def _summary(done: Sequence[Fixed]) -> str:
    reports = _reports(done)
    if not reports:
        return "No eval files found."
    fixed = sum(len(outcome.applied) for _, outcome in done)
    touched = sum(outcome.is_changed for _, outcome in done)
    counts = count(reports)
    where = part_of(touched if fixed else len(reports), len(reports))
    what = f"Fixed {many(fixed, 'problem')}" if fixed else "Nothing to fix"
    remains = f"; {render_kinds(counts)} remain{'s' if counts.total == 1 else ''}" if counts.total else ""
    advice = " (`rubric check` shows what)" if counts.total else ""
    return f"{what} in {where}{remains}{advice}."


def _status(done: Sequence[Fixed]) -> int:
    return PROBLEMS if fails(_reports(done)) else OK


def _reports(done: Sequence[Fixed]) -> list[FileReport]:
    return [outcome.remaining for _, outcome in done if outcome.remaining is not None]
