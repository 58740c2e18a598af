"""Migration to another dialect in an editor: of a whole file, and of one key that an earlier dialect had."""

from collections.abc import Generator, Iterator, Sequence

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.check import check_text
from rubric_core.analysis.verified import errors_of
from rubric_core.assist.actions import QuickFix
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import is_case_name
from rubric_core.dialects.registry import BY_NAME, CASE_LIST_NAMES, DIALECTS
from rubric_core.migration.engine import Migrated, Shape, changes_in, migrating
from rubric_core.migration.registry import PAIRS, passes_between, table_of
from rubric_core.migration.steps import Kind
from rubric_core.rules.problem import Problem
from rubric_core.text.difference import line_edits
from rubric_core.text.lines import LineIndex, line_end, line_start
from rubric_core.text.spans import Edit, apply_edits

OLD_NAMES = frozenset({"RB701", "RB702", "RB709"})
"""The rules that report keys, types and texts of earlier dialects."""
# Trying a change checks the whole text, which takes too long for a menu in larger files.
_LONGEST_TRIED = 100_000
_MOST_NAMED = 5


def targets_of_migration(analysis: Analysis) -> list[Dialect]:
    """Return the dialects that the file can be migrated to."""
    here = analysis.facts.dialect
    return [other for other in DIALECTS if other is not here and passes_between(here.name, other.name) is not None]


def is_on_case_list(analysis: Analysis, offset: int) -> bool:
    """Return whether an offset is on the line of the key of the list of cases."""
    document = analysis.document
    index = document.chunk_at(offset)
    text, at = document.chunks[index].text, offset - document.start_of(index)
    line = text[line_start(text, at) : line_end(text, at)]
    return line.partition(":")[0].strip("\"' ") in CASE_LIST_NAMES


def migrate_file(analysis: Analysis, target: str) -> Generator[None, None, tuple[tuple[Edit, ...], str]]:
    """Compute the edits that migrate a file, and a message about what needs a review; "" for nothing."""
    dialect = BY_NAME.get(target)
    passes = passes_between(analysis.facts.dialect.name, target)
    if dialect is None or passes is None:
        return (), ""
    text = analysis.document.text
    migrated = yield from migrating(text, passes, _shape(analysis))
    if migrated.problem is not None:
        return (), f"The file was not migrated: {migrated.problem.message}"
    return tuple(line_edits(text, migrated.text)), _message(text, migrated, dialect)


def _message(text: str, migrated: Migrated, target: Dialect) -> str:
    findings = migrated.findings
    if not findings:
        return ""
    lines = LineIndex(text)
    named = [f"line {lines.position(finding.offset).line + 1}: {finding.reason}" for finding in findings[:_MOST_NAMED]]
    rest = len(findings) - len(named)
    more = f"; and {rest} more, which `rubric migrate` lists" if rest else ""
    return f"Migrated to {target.title}. Review {'; '.join(named)}{more}."


def _shape(analysis: Analysis) -> Shape:
    document = analysis.document
    return Shape(document.json_lines, is_case_name(analysis.path), analysis.config.limits)


def key_migrations(analysis: Analysis, problems: Sequence[Problem]) -> Iterator[QuickFix]:
    """Yield the safe migration of each key of an earlier dialect that has no fix of its own."""
    selected = [old for old in problems if old.code in OLD_NAMES and not (old.fixes() if old.fixes else ())]
    text = analysis.document.text if selected else ""
    if not selected or len(text) > _LONGEST_TRIED:
        return
    target = analysis.facts.dialect
    tables = [table_of(old, new) for old, new in PAIRS if new == target.name and BY_NAME[old].tool == target.tool]
    steps = [step for table in tables for passes in table for step in passes]
    changes = [
        change
        for step, change in changes_in(text, tuple(steps), _shape(analysis))
        if change.edits and (change.kind or step.kind) is Kind.SAFE
    ]
    for problem in selected:
        start = problem.span.start
        change = next((change for change in changes if change.at <= start <= line_end(text, change.at)), None)
        if change is not None and change.edits and _is_better(analysis, text, change.edits):
            name = text[problem.span.start : problem.span.end].strip("\"'")
            yield QuickFix(f"Migrate `{name}` to {target.title}", change.edits, (problem,), is_preferred=True)


def _is_better(analysis: Analysis, text: str, edits: tuple[Edit, ...]) -> bool:
    """Return whether a change leaves fewer errors than there were."""

    def errors(written: str) -> int:
        checked = check_text(written, path=analysis.path, config=analysis.config, project=analysis.project)
        return errors_of(checked.problems).total()

    return errors(apply_edits(text, edits)) < errors(text)
