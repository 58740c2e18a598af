"""`rubric fix`: apply the fixes of problems, and report what was fixed and what remains."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from rubric_core.analysis.check import AppliedFix, check_text, fix_text
from rubric_core.cli import options
from rubric_core.cli.check_file import (
    configurations_for,
    failed_rules,
    failed_rules_message,
    file_skipped,
    isolated,
    portable,
    read_source,
    require_worth_checking,
)
from rubric_core.cli.inputs import (
    STDIN,
    ConfigRequest,
    Configurations,
    InputFile,
    find_inputs,
    rules_option,
    shown_path,
    stdin_source,
)
from rubric_core.cli.output import COULD_NOT_RUN, OK, PROBLEMS, print_data, print_diff, print_text, say, say_failure
from rubric_core.config.config import Config, names_rule
from rubric_core.files.read import ReadText, Unreadable, read_stream
from rubric_core.files.write import remove_leftovers, write_text
from rubric_core.report.reports import FileReport, count, fails
from rubric_core.report.text import part_of, render_kinds
from rubric_core.rules.problem import Problem
from rubric_core.terminal.display import harmless
from rubric_core.text.writing import plural


@dataclass(frozen=True, slots=True)
class FixSelection:
    """Which problems to fix."""

    unsafe: bool = False
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()

    def takes(self, problem: Problem) -> bool:
        """Return whether a problem is selected."""
        words = (problem.code, problem.name)
        if any(names_rule(entry, words) for entry in self.ignore):
            return False
        return self.select is None or any(names_rule(entry, words) for entry in self.select)


@dataclass(frozen=True, slots=True)
class FixOutcome:
    """The result of one file: its text before and after, the fixes and the remaining problems; or a failure or note."""

    source: InputFile
    before: ReadText | None = None
    after: str = ""
    applied: tuple[AppliedFix, ...] = ()
    remaining: FileReport | None = None
    failure: str | None = None
    note: str | None = None

    @property
    def is_changed(self) -> bool:
        """Return whether there is something to write."""
        return self.before is not None and self.after != self.before.text


@click.command("fix")
@options.paths_argument
@click.option("--unsafe", is_flag=True, help="Also apply fixes that may change the meaning of a file.")
@options.diff_option
@options.select_option
@options.ignore_option
@options.stdin_filename_option
@options.config_option
@options.no_config_option
@options.skip_unknown_option
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
    skip_unknown: bool,
    quiet: bool,
) -> None:
    """Fix problems in eval files.

    PATHS are files or folders (default: the current folder). With `-` the text is read from standard input and the
    fixed text is written to standard output. Comments and everything outside of a fix are kept as they are.

    Exit status: 0 if no errors or warnings remain, 1 if some do, 2 if a file could not be fixed. With `--diff`: 0 if
    there is nothing to change, 1 if there is.
    """
    options.check_stdin_options(paths, stdin_filename)
    request = ConfigRequest(file=config_file, isolated=no_config)
    selection = FixSelection(unsafe, rules_option(select) or None, rules_option(ignore))
    configurations = configurations_for(request)
    if STDIN in paths or stdin_filename:
        ctx.exit(
            _fix_stdin(stdin_source(stdin_filename, skip_unknown=skip_unknown), configurations, selection, diff=diff)
        )
    sources, messages = find_inputs(paths, configurations, skip_unknown=skip_unknown)
    if not diff:
        remove_leftovers(source.path for source in sources)
    outcomes = []
    for source in sources:
        config = configurations.for_folder(source.path.parent)
        outcome = _fix_isolated(source, partial(read_source, source, config), config, selection)
        outcomes.append(outcome if diff else _write(outcome, quiet=quiet))
    status = _show_diff(outcomes) if diff else _status(outcomes)
    failures = [("", message) for message in messages]
    failures += [(outcome.source.shown, outcome.failure) for outcome in outcomes if outcome.failure is not None]
    notes = [(outcome.source.shown, outcome.note) for outcome in outcomes if outcome.note is not None and not quiet]
    for shown, note in notes:
        say_failure(shown, note)
    has_files = bool(_reports(outcomes))
    if not (diff or quiet) and (has_files or not (failures or notes or skip_unknown)):
        say(_summary(outcomes))
    for loaded in configurations.loaded():
        if loaded.problems and loaded.path is not None and not quiet:
            number = plural(len(loaded.problems), "problem")
            say_failure(shown_path(loaded.path), f"The configuration has {number}; `rubric check` shows them.")
    for shown, message in failures:
        say_failure(shown, message)
    ctx.exit(COULD_NOT_RUN if failures else status)


def _fix_stdin(source: InputFile, configurations: Configurations, selection: FixSelection, *, diff: bool) -> int:
    config = configurations.for_folder(source.path.parent)
    read = read_stream(sys.stdin.buffer, config.limits)
    if isinstance(read, Unreadable):
        say_failure(source.shown, read.message)
        return COULD_NOT_RUN
    outcome = _fix_isolated(source, lambda: read, config, selection)
    if diff:
        status = _show_diff([outcome])
    else:
        # A caller that replaces the input by the output must not lose the text after a failure.
        print_data(outcome.after if outcome.before else read.text, read.encoding)
        status = _status([outcome])
    if outcome.failure is not None:
        say_failure(source.shown, outcome.failure)
        return COULD_NOT_RUN
    return status


def _write(outcome: FixOutcome, *, quiet: bool) -> FixOutcome:
    """Write a fixed file, and print its fixes once it is written."""
    source = outcome.source
    if outcome.before is None or not outcome.is_changed:
        return outcome
    failure = write_text(source.path, outcome.after, outcome.before.encoding, before=outcome.before.text)
    if failure is not None:
        return FixOutcome(source, failure=failure.message)
    if not quiet:
        rules = Counter((applied.code, applied.name) for applied in outcome.applied)
        lines = [f"  {number} x {code} {name}\n" for (code, name), number in sorted(rules.items())]
        print_text("".join([f"{harmless(source.shown)}\n", *lines]))
    return outcome


def _show_diff(outcomes: Sequence[FixOutcome]) -> int:
    changed = [outcome for outcome in outcomes if outcome.is_changed]
    for outcome in changed:
        print_diff(outcome.source.shown, outcome.before.text if outcome.before else "", outcome.after)
    return PROBLEMS if changed else OK


def _summary(outcomes: Sequence[FixOutcome]) -> str:
    reports = _reports(outcomes)
    if not reports:
        return "No eval files found."
    fixed = sum(len(outcome.applied) for outcome in outcomes)
    touched = sum(outcome.is_changed for outcome in outcomes)
    counts = count(reports)
    where = part_of(touched if fixed else len(reports), len(reports))
    what = f"Fixed {plural(fixed, 'problem')}" if fixed else "Nothing to fix"
    remains = f"; {render_kinds(counts)} remain{'s' if counts.total == 1 else ''}" if counts.total else ""
    advice = " (`rubric check` lists them)" if counts.total else ""
    return f"{what} in {where}{remains}{advice}."


def _status(outcomes: Sequence[FixOutcome]) -> int:
    return PROBLEMS if fails(_reports(outcomes)) else OK


def _reports(outcomes: Sequence[FixOutcome]) -> list[FileReport]:
    return [outcome.remaining for outcome in outcomes if outcome.remaining is not None]


def _fix_isolated(
    source: InputFile, read: Callable[[], ReadText], config: Config, selection: FixSelection
) -> FixOutcome:
    """Read and fix one file; nothing is written."""
    return isolated(
        lambda: _fix(source, read(), config, selection),
        lambda failure, note: FixOutcome(source, failure=failure, note=note),
    )


def _fix(source: InputFile, read: ReadText, config: Config, selection: FixSelection) -> FixOutcome:
    path = str(source.path)
    require_worth_checking(source, read.text, config)
    project = source.project(config)
    with failed_rules() as failed:
        fixed = fix_text(
            read.text,
            path=path,
            config=config,
            project=project,
            unsafe=selection.unsafe,
            select=selection.takes,
            is_named=source.named,
        )
        checked = check_text(fixed.text, path=path, config=config, project=project, is_named=source.named)
    if checked.not_checked is not None:
        raise file_skipped(source, checked.not_checked)
    remaining = tuple(portable(problem, with_fixes=False) for problem in checked.problems if selection.takes(problem))
    report = FileReport(source.shown, fixed.text, remaining)
    return FixOutcome(source, read, fixed.text, fixed.applied, report, failed_rules_message(failed))
