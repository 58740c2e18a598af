"""The tables of migrations by their dialects. Between dialects of one tool, several tables may follow each other."""

from collections.abc import Mapping
from functools import cache

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import MIGRATIONS, Migration
from rubric_core.dialects.registry import BY_NAME, DIALECTS
from rubric_core.migration.engine import Migrated, Pass, Shape, migrate

PAIRS: Mapping[tuple[str, str], Migration] = {
    (migration.source, migration.target): migration
    for dialect in DIALECTS
    for migration in MIGRATIONS.of(dialect)
    if migration.source in BY_NAME and migration.target in BY_NAME
}
"""The migrations between two dialects, by their names."""
TARGET_NAMES: tuple[str, ...] = tuple(name for name in BY_NAME if any(target == name for _, target in PAIRS))
"""The dialects that something can be migrated to, the oldest first."""


@cache
def table_of(source: str, target: str) -> tuple[Pass, ...]:
    """Return the passes from one dialect directly to another."""
    passes: tuple[Pass, ...] = PAIRS[source, target].passes()
    return passes


def path_between(source: str, target: str) -> tuple[tuple[str, str], ...] | None:
    """Return the shortest path over the tables from one dialect to another, or None.

    Between dialects of different tools only a direct table counts: a longer path would lose too much.
    """
    if (source, target) in PAIRS:
        return ((source, target),)
    paths: dict[str, tuple[tuple[str, str], ...]] = {source: ()}
    waiting = [source]
    for here in waiting:
        for start, end in PAIRS:
            if start == here and end not in paths and BY_NAME[start].tool == BY_NAME[end].tool:
                paths[end] = (*paths[here], (start, end))
                waiting.append(end)
    return paths.get(target)


def passes_between(source: str, target: str) -> tuple[Pass, ...] | None:
    """Return the passes from one dialect to another, or None."""
    path = path_between(source, target)
    return None if path is None else tuple(steps for pair in path for steps in table_of(*pair))


def migrate_text(text: str, source: Dialect, target: Dialect, shape: Shape = Shape()) -> Migrated:  # noqa: B008 - see `migrate`.
    """Migrate a text from one dialect to another, and return it with everything to review."""
    passes = passes_between(source.name, target.name)
    if passes is None:
        raise ValueError(f"Nothing migrates {source.title} to {target.title}.")
    return migrate(text, passes, shape)
