"""Files of a project that define targets: targets files, and settings with a list of targets."""

from rubric_core.dialects.marks import Definitions
from rubric_core.dialects.registry import DIALECTS
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.parse import parse

_DEFINITIONS: dict[str, Definitions] = {
    definitions.key: definitions for dialect in DIALECTS if (definitions := dialect.marks.definitions) is not None
}
# The newest dialect with each key.
_DIALECTS = {marks.key: dialect.name for dialect in DIALECTS if (marks := dialect.marks.definitions) is not None}
TARGETS_FILES: tuple[str, ...] = tuple(path for definitions in _DEFINITIONS.values() for path in definitions.files)
"""Where a targets file is looked for, below each folder from the eval file's up to the root of the workspace."""
SETTINGS_FILES: tuple[str, ...] = tuple(path for definitions in _DEFINITIONS.values() for path in definitions.settings)
"""Where settings of the tool are looked for, which may have such a list or name a file with one."""
# The keys of a target's own name, and of the name of the target that judges its answers.
_NAME_KEYS = frozenset({"name", "judge_target", "label"})


def dialect_with(key: str) -> str | None:
    """Return the name of the newest dialect whose targets are listed under a key."""
    return _DIALECTS.get(key)


def key_of_file(path: str) -> str:
    """Return the key of the list in a targets file or a file of settings; "" for other paths."""
    kinds = _DEFINITIONS.values()
    return next((kind.key for kind in kinds if path.endswith((*kind.files, *kind.settings))), "")


def read_targets(text: str, limits: Limits = DEFAULT_LIMITS) -> dict[str, Scalar] | None:
    """Return the targets of a targets file, each with the place of its name; None if it cannot be read."""
    tree = parse(text, limits=limits)
    if tree.problems or not isinstance(tree.root, Mapping):
        return None
    for key, definitions in _DEFINITIONS.items():
        targets = tree.root.get(key)
        if isinstance(targets, Sequence):
            named: dict[str, Scalar] = {}
            for item in targets.items:
                name = _name_of(item, definitions.name_keys)
                if name is not None:
                    named.setdefault(name.value, name)
            return named
    return None


def _name_of(entry: Node, keys: tuple[str, ...]) -> Scalar | None:
    """Return the name of an entry: its label, else its id, which may be the whole entry."""
    if isinstance(entry, Scalar):
        return entry if len(keys) > 1 and entry.value else None
    if not isinstance(entry, Mapping):
        return None
    name = next((entry.index[key].value for key in keys if key in entry.index), None)
    if name is None and len(keys) > 1 and len(entry.pairs) == 1:
        # The id is the key of the mapping with the rest.
        (pair,) = entry.pairs
        label = pair.value.get(keys[0]) if isinstance(pair.value, Mapping) else None
        name = label or pair.key
    return name if isinstance(name, Scalar) else None


def file_with_definitions(text: str, limits: Limits = DEFAULT_LIMITS) -> str | None:
    """Return the file that settings name instead of a list."""
    root = parse(text, limits=limits).root
    keys = [key for key, definitions in _DEFINITIONS.items() if definitions.settings]
    values = [root.get(key) for key in keys] if isinstance(root, Mapping) else []
    texts = (value.value.strip() for value in values if isinstance(value, Scalar))
    return next((text.removeprefix(FILE_URL) for text in texts if text.startswith(FILE_URL)), None)


def may_define(text: str) -> bool:
    """Return whether settings may have such a list or name a file with one."""
    return any(key in text for key, definitions in _DEFINITIONS.items() if definitions.settings)


def places_of_target(text: str, name: str, limits: Limits = DEFAULT_LIMITS) -> list[Scalar]:
    """Return the places of a target's name in a targets file: its definition and the references to it."""
    root = parse(text, limits=limits).root
    lists = [root.get(key) for key in _DEFINITIONS] if isinstance(root, Mapping) else []
    entries = [item for items in lists if isinstance(items, Sequence) for item in items.items]
    pairs = (pair for entry in entries if isinstance(entry, Mapping) for pair in entry.pairs)
    values = [pair.value for pair in pairs if pair.name in _NAME_KEYS]
    return [node for node in values if isinstance(node, Scalar) and node.value == name]
