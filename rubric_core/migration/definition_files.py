"""Files of a project that define what answers: their names, and the migrations between their kinds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rubric_core.migration.engine import Pass

_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class DefinitionFile:
    """The file of a dialect. `key` is its only top-level key, and its name without the suffix.

    `from_kinds` has the passes from each other kind of file, by the key of that kind.
    """

    key: str = ""
    from_kinds: Mapping[str, tuple[Pass, ...]] = field(default_factory=dict)

    def kind_of(self, name: str) -> str | None:
        """Return the kind of a file by its name; None for other files."""
        kinds = (self.key, *self.from_kinds)
        return next((kind for kind in kinds if kind and name in {kind + suffix for suffix in _SUFFIXES}), None)


NO_FILE = DefinitionFile()
