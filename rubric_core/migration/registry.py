"""Which table leads from which dialect to which. Dialects of one tool are also reached over others of it."""

from collections.abc import Mapping

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration import (
    from_2_to_4,
    from_4_to_2,
    from_4_to_5,
    from_5_to_4,
    from_5_to_promptfoo,
    from_promptfoo_to_5,
)
from rubric_core.migration.engine import Migrated, Pass, Shape, migrate

TABLES: Mapping[tuple[str, str], tuple[Pass, ...]] = {
    ("agentv-2", "agentv-4"): from_2_to_4.STEPS,
    ("agentv-4", "agentv-5"): from_4_to_5.STEPS,
    ("agentv-5", "agentv-4"): from_5_to_4.STEPS,
    ("agentv-4", "agentv-2"): from_4_to_2.STEPS,
    ("promptfoo", "agentv-5"): from_promptfoo_to_5.STEPS,
    ("agentv-5", "promptfoo"): from_5_to_promptfoo.STEPS,
}
"""The passes between two dialects, by their names."""
TARGET_NAMES: tuple[str, ...] = tuple(name for name in BY_NAME if any(target == name for _, target in TABLES))
"""The dialects that something can be migrated to, the oldest first."""


def path_between(source: str, target: str) -> tuple[tuple[str, str], ...] | None:
    """Return the shortest way over the tables from one dialect to another, or None where there is no way.

    Only a table of its own leads to a dialect of another tool: what is lost on a longer way would be too much.
    """
    if (source, target) in TABLES:
        return ((source, target),)
    ways: list[tuple[tuple[str, str], ...]] = [()]
    seen = {source}
    while ways:
        way = ways.pop(0)
        here = way[-1][1] if way else source
        if here == target:
            return way
        for pair in TABLES:
            stays = BY_NAME[pair[0]].tool == BY_NAME[pair[1]].tool
            if stays and pair[0] == here and pair[1] not in seen:
                seen.add(pair[1])
                ways.append((*way, pair))
    return None


def passes_between(source: str, target: str) -> tuple[Pass, ...] | None:
    """Return the passes that lead from one dialect to another, or None where there are none."""
    way = path_between(source, target)
    return None if way is None else tuple(steps for pair in way for steps in TABLES[pair])


def migrate_text(text: str, source: Dialect, target: Dialect, shape: Shape = Shape()) -> Migrated:  # noqa: B008 - see `migrate`.
    """Return a text of one dialect in another one, with everything to review."""
    passes = passes_between(source.name, target.name)
    if passes is None:
        raise ValueError(f"Nothing migrates {source.title} to {target.title}.")
    return migrate(text, passes, shape)
