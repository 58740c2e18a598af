"""The targets file: which targets it defines, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Scalar

TARGETS_FILES = (".agentv/targets.yaml", ".agentv/targets.yml")
"""Where a targets file is looked for, below each folder from the eval file's up to the root of the workspace."""


def read_targets(text: str, limits: Limits = DEFAULT_LIMITS) -> dict[str, Scalar] | None:
    """Return the targets of a targets file, each with the place of its name; None where it cannot be understood."""
    from rubric_core.syntax.nodes import Mapping, Scalar, Sequence  # noqa: PLC0415 - most eval files have no targets file.
    from rubric_core.syntax.parse import parse  # noqa: PLC0415 - the same.

    tree = parse(text, limits=limits)
    if tree.problems or not isinstance(tree.root, Mapping):
        return None
    targets = tree.root.get("targets")
    if not isinstance(targets, Sequence):
        return None
    names = (item.get("name") for item in targets.items if isinstance(item, Mapping))
    found: dict[str, Scalar] = {}
    for name in names:
        if isinstance(name, Scalar):
            found.setdefault(name.value, name)
    return found
