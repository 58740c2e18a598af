"""`rubric fix`: apply the fixes of problems, and say what was done and what remains."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from rubric_core.analysis.check import AppliedFix, check_text, fix_text
from rubric_core.cli import options
from rubric_core.cli.check_file import (
    configurations_for,
    failed_rules,
    failed_rules_message,
    is_worth_telling,
    isolated,
    portable,
)
from rubric_core.cli.configuration import ConfigRequest, Configurations, rules_option
from rubric_core.cli.failures import COULD_NOT_RUN, OK, PROBLEMS
from rubric_core.cli.output import page_for, print_data, print_exact, print_text, say, say_failure
from rubric_core.cli.sources import STDIN, InputFile, gather, shown_path, stdin_source
from rubric_core.config.config import Config, names_rule
from rubric_core.files.project import DiskProject
from rubric_core.files.read import ReadText, Unreadable, read_stream, read_text
from rubric_core.files.walk import may_be_ours
from rubric_core.files.write import remove_leftovers, write_text
from rubric_core.report.diff import render_diff
from rubric_core.report.reports import FileReport, count, fails
from rubric_core.report.text import many, part_of, render_kinds
from rubric_core.rules.problem import Problem
from rubric_core.terminal.columns import harmless


@dataclass(frozen=True, slots=True)
class FixSelection:
    """Which problems to fix."""

    unsafe: bool = False
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()

    def takes(self, problem: Problem) -> bool:
        """Return whether a problem is meant."""
        words = (problem.code, problem.name)
        if any(names_rule(entry, words) for entry in self.ignore):
            return False
        return self.select is None or any(names_rule(entry, words) for entry in self.select)


@dataclass(frozen=True, slots=True)
class FixOutcome:
    """What became of one file: the text before, after, what was applied and what remains; or a failure."""

    before: ReadText | None = None
    after: str = ""
    applied: tuple[AppliedFix, ...] = ()
    remaining: FileReport | None = None
    failure: str | None = None

    @property
    def is_changed(self) -> bool:
        """Return whether there is something to write."""
        return self.before is not None and self.after != self.before.text


Fixed = tuple["InputFile", FixOutcome]


@click.command("fix")
@options.paths_argument
@click.option("--unsafe", is_flag=True, help="Also apply fixes that may change the meaning of a file.")
@options.diff_option
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
    """Fix problems in eval files.

    PATHS are files or folders (default: the current folder). With `-` the text is read from standard input and the
    fixed text is written to standard output. Comments and everything outside of a fix are kept as they are.

    Exit status: 0 if no errors or warnings remain, 1 if some do, 2 if a file could not be fixed. With `--diff`: 0 if
    there is nothing to change, 1 if there is.
    """
    options.refuse_stdin_contradictions(paths, stdin_filename)
    request = ConfigRequest(file=config_file.absolute() if config_file else None, isolated=no_config)
    selection = FixSelection(unsafe, rules_option(select) or None, rules_option(ignore))
    configurations = configurations_for(request)
    if STDIN in paths or stdin_filename:
        ctx.exit(_fix_stdin(stdin_filename, configurations, selection, diff=diff))
    gathered = gather(paths, configurations)
    if diff:
        done = [(source, _fix_source(source, configurations, selection)) for source in gathered.sources]
        status = _show_diff(done)
    else:
        remove_leftovers(source.path for source in gathered.sources)
        done = [_fix_file(source, configurations, selection, quiet=quiet) for source in gathered.sources]
        status = _status(done)
    failures = [("", message) for message in gathered.failures]
    failures += [(source.shown, outcome.failure) for source, outcome in done if outcome.failure is not None]
    if not (diff or quiet or (failures and not _reports(done))):
        say(_summary(done))
    _say_configuration_problems(configurations, quiet=quiet)
    for shown, message in failures:
        say_failure(shown, message)
    ctx.exit(COULD_NOT_RUN if failures else status)


def _fix_stdin(name: str | None, configurations: Configurations, selection: FixSelection, *, diff: bool) -> int:
    source = stdin_source(name)
    config = configurations.for_folder(source.path.parent)
    read = read_stream(sys.stdin.buffer, config.limits)
    if isinstance(read, Unreadable):
        say_failure(source.shown, read.message)
        return COULD_NOT_RUN
    outcome = _fix_read(source, read, config, selection)
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


def _fix_file(source: InputFile, configurations: Configurations, selection: FixSelection, *, quiet: bool) -> Fixed:
    """Fix a file and write it; say what was fixed only when it is on the disk."""
    outcome = _fix_source(source, configurations, selection)
    if outcome.before is None or not outcome.is_changed:
        return source, outcome
    failure = write_text(source.path, outcome.after, outcome.before.encoding, before=outcome.before.text)
    if failure is not None:
        return source, FixOutcome(failure=failure.message)
    if not quiet:
        rules = Counter((applied.code, applied.name) for applied in outcome.applied)
        lines = [f"  {number} x {code} {name}\n" for (code, name), number in sorted(rules.items())]
        print_text("".join([f"{harmless(source.shown)}\n", *lines]))
    return source, outcome


def _show_diff(done: Sequence[Fixed]) -> int:
    paint = page_for(sys.stdout).paint
    changed = [(source, outcome) for source, outcome in done if outcome.is_changed]
    for source, outcome in changed:
        before = outcome.before.text if outcome.before else ""
        print_exact(render_diff(source.shown, before, outcome.after, paint))
    return PROBLEMS if changed else OK


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


def _fix_source(source: InputFile, configurations: Configurations, selection: FixSelection) -> FixOutcome:
    """Read and fix one file; nothing is written."""
    config = configurations.for_folder(source.path.parent)
    read = read_text(source.path, config.limits)
    if isinstance(read, Unreadable):
        return FixOutcome(failure=read.message) if is_worth_telling(source, config, read) else FixOutcome()
    return _fix_read(source, read, config, selection)


def _fix_read(source: InputFile, read: ReadText, config: Config, selection: FixSelection) -> FixOutcome:
    """Fix a text that has been read; an internal error becomes a message about this text."""
    return isolated(lambda: _fix(source, read, config, selection), lambda message: FixOutcome(failure=message))


def _fix(source: InputFile, read: ReadText, config: Config, selection: FixSelection) -> FixOutcome:
    path = str(source.path)
    if not may_be_ours(path, read.text, config):
        return FixOutcome(read, read.text)
    project = DiskProject(path, config)
    with failed_rules() as failed:
        fixed = fix_text(
            read.text, path=path, config=config, project=project, unsafe=selection.unsafe, select=selection.takes
        )
        checked = check_text(fixed.text, path=path, config=config, project=project)
    if not checked.ours:
        return FixOutcome(read, read.text)
    remaining = tuple(portable(problem, with_fixes=False) for problem in checked.problems if selection.takes(problem))
    return FixOutcome(
        read, fixed.text, fixed.applied, FileReport(source.shown, fixed.text, remaining), failed_rules_message(failed)
    )
