"""The targets file: which targets it defines, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Scalar

TARGETS_FILES = (".agentv/targets.yaml", ".agentv/targets.yml")
"""Where a targets file is looked for, below each folder from the eval file's up to the root of the workspace."""


# The keys of a target under which its own name stands, and that of the target which judges its answers.
_NAME_KEYS = frozenset({"name", "judge_target"})


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


def places_of_target(text: str, name: str, limits: Limits = DEFAULT_LIMITS) -> list[Scalar]:
    """Return where a targets file has the name of a target: where it is defined, and where others refer to it."""
    from rubric_core.syntax.nodes import Mapping, Scalar, Sequence  # noqa: PLC0415 - as above.
    from rubric_core.syntax.parse import parse  # noqa: PLC0415 - the same.

    root = parse(text, limits=limits).root
    targets = root.get("targets") if isinstance(root, Mapping) else None
    entries = targets.items if isinstance(targets, Sequence) else []
    found = [
        pair.value for entry in entries if isinstance(entry, Mapping) for pair in entry.pairs if pair.name in _NAME_KEYS
    ]
    return [node for node in found if isinstance(node, Scalar) and node.value == name]
