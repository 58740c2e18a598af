"""Migrate files to another dialect: work out what becomes of each, then write them all or show the difference."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from rubric_core.analysis.check import analyse
from rubric_core.analysis.explanations import reason_not_checked
from rubric_core.cli.check_file import failure_and_note, is_worth_checking, isolated, should_be_reported
from rubric_core.cli.inputs import Configurations, InputFile
from rubric_core.config.config import Config
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import is_case_name
from rubric_core.dialects.parts import DEFINITION_FILE
from rubric_core.files.read import ReadText, Unreadable, read_text
from rubric_core.files.walk import NOT_AN_EVAL_FILE
from rubric_core.files.write import write_text
from rubric_core.migration.engine import Migrated, MigrationFinding, Shape, migrate
from rubric_core.migration.registry import migrate_text, passes_between
from rubric_core.migration.steps import Kind
from rubric_core.text.lines import LineIndex


class State(Enum):
    """What becomes of a file."""

    MIGRATED = "migrated"
    ALREADY = "already of the dialect"
    LEFT = "left as it is"
    FAILED = "failed"
    NOT_OURS = "not a file that can be migrated"


@dataclass(frozen=True, slots=True)
class MigrationOutcome:
    """The migration of one file: its text before and after and what to review, or why it was not migrated.

    `renamed` is the path that it gets, where that is another one.
    """

    source: InputFile
    state: State
    before: ReadText | None = None
    after: str = ""
    findings: tuple[MigrationFinding, ...] = ()
    dialect: Dialect | None = None
    message: str | None = None
    renamed: Path | None = None

    def places(self) -> Iterable[str]:
        """Yield what was found, each as its line, its kind and the reason."""
        lines = LineIndex(self.before.text if self.before else "")
        for finding in self.findings:
            line = lines.position(finding.offset).line + 1
            yield f"{self.source.shown}:{line}: {finding.kind.value}: {finding.reason}."


def plan_file(source: InputFile, configurations: Configurations, target: Dialect, *, unsafe: bool) -> MigrationOutcome:
    """Read a file and work out what becomes of it; nothing is written."""

    def plan() -> MigrationOutcome:
        config = configurations.for_folder(source.path.parent)
        read = read_text(source.path, config.limits)
        if isinstance(read, Unreadable):
            reported = should_be_reported(source, config, read)
            return MigrationOutcome(
                source, State.FAILED if reported else State.NOT_OURS, message=read.message if reported else None
            )
        return _plan(source, read, config, target, unsafe=unsafe)

    return isolated(plan, lambda message: MigrationOutcome(source, State.FAILED, message=message))


def _plan(source: InputFile, read: ReadText, config: Config, target: Dialect, *, unsafe: bool) -> MigrationOutcome:
    path = str(source.path)
    kind = DEFINITION_FILE.of(target).kind_of(source.path.name)
    if kind is not None and re.search(rf"^{kind}:", read.text, re.MULTILINE):
        return _plan_definitions(source, read, kind, target, unsafe=unsafe)
    if not is_worth_checking(source, read.text, config):
        return MigrationOutcome(source, State.NOT_OURS, message=NOT_AN_EVAL_FILE if source.named else None)
    project = source.project(config)
    analysis = analyse(read.text, path=path, config=config, project=project, is_named=source.named)
    analysis.refresh()
    if not analysis.is_ours():
        failure, note = failure_and_note(source, reason_not_checked(analysis))
        return MigrationOutcome(source, State.FAILED if failure else State.NOT_OURS, message=failure or note)
    dialect = analysis.facts.dialect
    if dialect is target:
        return MigrationOutcome(source, State.ALREADY, read, read.text, dialect=dialect)
    if passes_between(dialect.name, target.name) is None:
        message = f"There is no migration from {dialect.title} to {target.title}."
        return MigrationOutcome(source, State.NOT_OURS, message=message)
    shape = Shape(json_lines=path.endswith(".jsonl"), is_one_case=is_case_name(path), limits=config.limits)
    return _outcome(source, read, dialect, migrate_text(read.text, dialect, target, shape), unsafe=unsafe)


def _plan_definitions(
    source: InputFile, read: ReadText, kind: str, target: Dialect, *, unsafe: bool
) -> MigrationOutcome:
    """Work out what becomes of a targets or a providers file, which gets another name too."""
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


def write_migrated(outcomes: Sequence[MigrationOutcome]) -> list[MigrationOutcome]:
    """Write every file that is to be migrated; one that cannot be written becomes a failure."""
    return [_written(outcome) for outcome in outcomes]


def _written(outcome: MigrationOutcome) -> MigrationOutcome:
    before = outcome.before
    if outcome.state is not State.MIGRATED or before is None or before.text == outcome.after:
        return outcome
    if outcome.renamed is not None:
        failure = write_text(outcome.renamed, outcome.after, before.encoding)
        if failure is None:
            outcome.source.path.unlink()
            return outcome
    else:
        failure = write_text(outcome.source.path, outcome.after, before.encoding, before=before.text)
        if failure is None:
            return outcome
    return MigrationOutcome(outcome.source, State.FAILED, message=failure.message)
