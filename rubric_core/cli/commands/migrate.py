"""`rubric migrate`: write eval files in another dialect, and list what a person has to decide."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rubric_core.cli import options
from rubric_core.cli.check_file import configurations_for
from rubric_core.cli.inputs import ConfigRequest, find_inputs
from rubric_core.cli.migrate_files import MigrationOutcome, State, plan_file, write_migrated
from rubric_core.cli.output import COULD_NOT_RUN, OK, PROBLEMS, page_for, print_exact, print_text, say, say_failure
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.write import remove_leftovers
from rubric_core.migration.registry import TARGET_NAMES
from rubric_core.report.diff import render_diff
from rubric_core.terminal.display import harmless
from rubric_core.text.writing import plural


@click.command("migrate")
@options.paths_argument
@click.option("--to", "target", type=click.Choice(TARGET_NAMES), required=True, help="Dialect to convert to.")
@click.option("--unsafe", is_flag=True, help="Also apply changes that need a review, and keep what cannot be migrated.")
@options.diff_option
@options.config_option
@options.no_config_option
@options.skip_unknown_option
@options.quiet_option
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option; click gives them by name.
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    target: str,
    unsafe: bool,
    diff: bool,
    config_file: Path | None,
    no_config: bool,
    skip_unknown: bool,
    quiet: bool,
) -> None:
    """Convert eval files to another dialect.

    PATHS are files or folders (default: the current folder). Keys and types are renamed and moved as the other
    dialect requires; comments, order and everything else are kept. Every part that needs a review (ask) or has no
    counterpart (no) is listed. Without `--unsafe` such a file is not changed. If a file cannot be parsed, nothing is
    written.

    Exit status: 0 if all files are written or have the dialect already, 1 if a file was not changed or something was
    listed, 2 if no file could be converted.
    """
    configurations = configurations_for(ConfigRequest(file=config_file, isolated=no_config))
    sources, messages = find_inputs(paths, configurations, skip_unknown=skip_unknown)
    dialect = BY_NAME[target]
    outcomes = [plan_file(source, configurations, dialect, unsafe=unsafe) for source in sources]
    has_failed = bool(messages) or any(outcome.state is State.FAILED for outcome in outcomes)
    if not diff and not has_failed:
        remove_leftovers(outcome.source.path for outcome in outcomes if outcome.state is State.MIGRATED)
        outcomes = write_migrated(outcomes)
    _show(outcomes, dialect, diff=diff, quiet=quiet, is_written=not (diff or has_failed))
    for message in messages:
        say_failure("", message)
    for outcome in outcomes:
        if outcome.message is not None and (outcome.state is State.FAILED or not quiet):
            say_failure(outcome.source.shown, outcome.message)
    if not quiet:
        say(_summary(outcomes, dialect, diff=diff, has_failed=has_failed))
    ctx.exit(_status(outcomes, has_failed=has_failed))


def _show(outcomes: Sequence[MigrationOutcome], target: Dialect, *, diff: bool, quiet: bool, is_written: bool) -> None:
    """Print the differences, and for each file what was done and what to review."""
    paint = page_for(sys.stdout).paint
    for outcome in outcomes:
        if diff and outcome.state is State.MIGRATED and outcome.before is not None:
            print_exact(render_diff(outcome.source.shown, outcome.before.text, outcome.after, paint))
    for outcome in outcomes:
        lines = [*outcome.places()]
        if not quiet:
            lines += _done(outcome, target, is_written=is_written)
        for line in map(harmless, lines):
            if diff:
                # What is listed must not be between the lines of a patch.
                say(line)
            else:
                print_text(f"{line}\n")


def _done(outcome: MigrationOutcome, target: Dialect, *, is_written: bool) -> list[str]:
    shown, dialect = outcome.source.shown, outcome.dialect
    if dialect is not None and outcome.state is State.ALREADY:
        return [f"{shown}: already {dialect.name}, unchanged."]
    if outcome.renamed is not None and outcome.state is State.MIGRATED and is_written:
        return [f"{shown}: now {outcome.renamed.name}."]
    if dialect is not None and outcome.state is State.MIGRATED and is_written:
        return [f"{shown}: {dialect.name} to {target.name}."]
    return []


def _summary(outcomes: Sequence[MigrationOutcome], target: Dialect, *, diff: bool, has_failed: bool) -> str:
    by_state = {state: sum(outcome.state is state for outcome in outcomes) for state in State}
    ours = sum(by_state[state] for state in (State.MIGRATED, State.ALREADY, State.LEFT, State.FAILED))
    if not ours:
        return "No eval files found."
    if has_failed and not diff:
        return f"Nothing was written: {plural(by_state[State.FAILED], 'file')} could not be migrated."
    done = "Would migrate" if diff else "Migrated"
    parts = [f"{done} {plural(by_state[State.MIGRATED], 'file')} to {target.name}"]
    if by_state[State.ALREADY]:
        parts.append(f"{by_state[State.ALREADY]} already had it")
    if by_state[State.LEFT]:
        parts.append(f"{plural(by_state[State.LEFT], 'file')} left as before (`--unsafe` writes what can be migrated)")
    return f"{'; '.join(parts)}."


def _status(outcomes: Sequence[MigrationOutcome], *, has_failed: bool) -> int:
    states = {outcome.state for outcome in outcomes}
    if has_failed or State.FAILED in states or not states - {State.NOT_OURS}:
        return COULD_NOT_RUN
    return PROBLEMS if State.LEFT in states or any(outcome.findings for outcome in outcomes) else OK
