"""Which table leads from which dialect to which. Dialects of one tool are also reached over others of it."""

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
    """Return the shortest way over the tables from one dialect to another, or None where there is no way.

    Only a table of its own leads to a dialect of another tool: what is lost on a longer way would be too much.
    """
    if (source, target) in PAIRS:
        return ((source, target),)
    ways: list[tuple[tuple[str, str], ...]] = [()]
    seen = {source}
    while ways:
        way = ways.pop(0)
        here = way[-1][1] if way else source
        if here == target:
            return way
        for pair in PAIRS:
            stays = BY_NAME[pair[0]].tool == BY_NAME[pair[1]].tool
            if stays and pair[0] == here and pair[1] not in seen:
                seen.add(pair[1])
                ways.append((*way, pair))
    return None


def passes_between(source: str, target: str) -> tuple[Pass, ...] | None:
    """Return the passes that lead from one dialect to another, or None where there are none."""
    way = path_between(source, target)
    return None if way is None else tuple(steps for pair in way for steps in table_of(*pair))


def migrate_text(text: str, source: Dialect, target: Dialect, shape: Shape = Shape()) -> Migrated:  # noqa: B008 - see `migrate`.
    """Return a text of one dialect in another one, with everything to review."""
    passes = passes_between(source.name, target.name)
    if passes is None:
        raise ValueError(f"Nothing migrates {source.title} to {target.title}.")
    return migrate(text, passes, shape)
