"""`rubric migrate`: convert eval files to another dialect, or show the difference. Files are written all or none."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path

import click

from rubric_core.cli import options
from rubric_core.cli.check_file import analysis_of, configurations_for, isolated, read_source
from rubric_core.cli.inputs import ConfigRequest, Configurations, InputFile, find_inputs
from rubric_core.cli.output import COULD_NOT_RUN, OK, PROBLEMS, print_diff, print_text, say, say_failure
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import is_case_name
from rubric_core.dialects.parts import DEFINITION_FILE
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.read import ReadText
from rubric_core.files.write import remove_leftovers, write_text
from rubric_core.migration.engine import Migrated, MigrationFinding, Shape, migrate
from rubric_core.migration.registry import TARGET_NAMES, migrate_text, passes_between
from rubric_core.migration.steps import Kind
from rubric_core.terminal.display import harmless
from rubric_core.text.lines import LineIndex
from rubric_core.text.writing import plural


class State(Enum):
    """The state of a file after its migration."""

    MIGRATED = "migrated"
    ALREADY = "already of the dialect"
    LEFT = "left as it is"
    FAILED = "failed"
    NOT_OURS = "not a file that can be migrated"


@dataclass(frozen=True, slots=True)
class MigrationOutcome:
    """The migration of one file: its text before and after, the findings and a new path; or why it was not migrated."""

    source: InputFile
    state: State
    before: ReadText | None = None
    after: str = ""
    findings: tuple[MigrationFinding, ...] = ()
    dialect: Dialect | None = None
    message: str | None = None
    renamed: Path | None = None

    def places(self) -> Iterable[str]:
        """Yield each finding as its line, its kind and the reason."""
        lines = LineIndex(self.before.text if self.before else "")
        for finding in self.findings:
            line = lines.position(finding.offset).line + 1
            yield f"{self.source.shown}:{line}: {finding.kind.value}: {finding.reason}."


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
    outcomes = [_plan_file(source, configurations, dialect, unsafe=unsafe) for source in sources]
    has_failed = bool(messages) or any(outcome.state is State.FAILED for outcome in outcomes)
    if not diff and not has_failed:
        remove_leftovers(outcome.source.path for outcome in outcomes if outcome.state is State.MIGRATED)
        outcomes = [_write(outcome) for outcome in outcomes]
    _show(outcomes, dialect, diff=diff, quiet=quiet, is_written=not (diff or has_failed))
    for message in messages:
        say_failure("", message)
    for outcome in outcomes:
        if outcome.message is not None and (outcome.state is State.FAILED or not quiet):
            say_failure(outcome.source.shown, outcome.message)
    if not quiet:
        say(_summary(outcomes, dialect, diff=diff, has_failed=has_failed))
    ctx.exit(_status(outcomes, has_failed=has_failed))


def _plan_file(source: InputFile, configurations: Configurations, target: Dialect, *, unsafe: bool) -> MigrationOutcome:
    """Read a file and migrate its text; nothing is written."""

    def skipped(failure: str | None, note: str | None) -> MigrationOutcome:
        return MigrationOutcome(source, State.FAILED if failure else State.NOT_OURS, message=failure or note)

    return isolated(partial(_plan, source, configurations, target, unsafe=unsafe), skipped)


def _plan(source: InputFile, configurations: Configurations, target: Dialect, *, unsafe: bool) -> MigrationOutcome:
    config = configurations.for_folder(source.path.parent)
    read = read_source(source, config)
    kind = DEFINITION_FILE.of(target).kind_of(source.path.name)
    if kind is not None and re.search(rf"^{kind}:", read.text, re.MULTILINE):
        return _plan_definitions(source, read, kind, target, unsafe=unsafe)
    dialect = analysis_of(source, read.text, config).facts.dialect
    if dialect is target:
        return MigrationOutcome(source, State.ALREADY, read, read.text, dialect=dialect)
    if passes_between(dialect.name, target.name) is None:
        message = f"There is no migration from {dialect.title} to {target.title}."
        return MigrationOutcome(source, State.NOT_OURS, message=message)
    path = str(source.path)
    shape = Shape(json_lines=path.endswith(".jsonl"), is_one_case=is_case_name(path), limits=config.limits)
    return _outcome(source, read, dialect, migrate_text(read.text, dialect, target, shape), unsafe=unsafe)


def _plan_definitions(
    source: InputFile, read: ReadText, kind: str, target: Dialect, *, unsafe: bool
) -> MigrationOutcome:
    """Migrate a targets or a providers file, which is also renamed."""
    definition_file = DEFINITION_FILE.of(target)
    if definition_file.key == kind:
        return MigrationOutcome(source, State.ALREADY, read, read.text, dialect=target)
    renamed = source.path.with_name(definition_file.key + source.path.suffix)
    if renamed.exists():
        return MigrationOutcome(source, State.FAILED, message=f"{renamed.name} already exists; merge the two files.")
    migrated = migrate(read.text, definition_file.from_kinds[kind])
    return replace(_outcome(source, read, target, migrated, unsafe=unsafe), renamed=renamed)


def _outcome(
    source: InputFile, read: ReadText, dialect: Dialect, migrated: Migrated, *, unsafe: bool
) -> MigrationOutcome:
    if migrated.problem is not None:
        line = LineIndex(read.text).position(migrated.problem.span.start).line + 1
        message = f"Line {line}: {migrated.problem.message}"
        return MigrationOutcome(source, State.FAILED, read, dialect=dialect, message=message)
    is_left = not unsafe and (migrated.has(Kind.ASK) or migrated.has(Kind.NO))
    state = State.LEFT if is_left else State.MIGRATED
    return MigrationOutcome(source, state, read, migrated.text, migrated.findings, dialect)


def _write(outcome: MigrationOutcome) -> MigrationOutcome:
    """Write a migrated file; an error becomes a failure."""
    before = outcome.before
    if outcome.state is not State.MIGRATED or before is None or before.text == outcome.after:
        return outcome
    path = outcome.renamed or outcome.source.path
    expected = None if outcome.renamed else before.text
    failure = write_text(path, outcome.after, before.encoding, before=expected)
    if failure is not None:
        return MigrationOutcome(outcome.source, State.FAILED, message=failure.message)
    if outcome.renamed:
        outcome.source.path.unlink()
    return outcome


def _show(outcomes: Sequence[MigrationOutcome], target: Dialect, *, diff: bool, quiet: bool, is_written: bool) -> None:
    for outcome in outcomes:
        if diff and outcome.state is State.MIGRATED and outcome.before is not None:
            print_diff(outcome.source.shown, outcome.before.text, outcome.after)
    for outcome in outcomes:
        result = _result(outcome, target, is_written=is_written)
        lines = [*outcome.places(), *([] if quiet or result is None else [f"{outcome.source.shown}: {result}."])]
        for line in map(harmless, lines):
            if diff:
                # Findings must not be between the lines of a patch.
                say(line)
            else:
                print_text(f"{line}\n")


def _result(outcome: MigrationOutcome, target: Dialect, *, is_written: bool) -> str | None:
    dialect = outcome.dialect
    if dialect is not None and outcome.state is State.ALREADY:
        return f"already {dialect.name}, unchanged"
    if dialect is None or outcome.state is not State.MIGRATED or not is_written:
        return None
    return f"now {outcome.renamed.name}" if outcome.renamed is not None else f"{dialect.name} to {target.name}"


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
