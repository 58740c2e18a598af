"""The questions that the core asks a dialect: one part for each, with who asks it and the answer by default.

A dialect names the modules of its parts (`Dialect.parts`); a part is imported when it is first asked for. Where a
dialect has none, the default holds, so that no code asks which dialect a file is of.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from rubric_core.dialects.dialect import Dialect

if TYPE_CHECKING:
    from rubric_core.migration.definition_files import DefinitionFile

T = TypeVar("T")


class Part(Generic[T]):
    """One part of every dialect: its name in `Dialect.parts`, and where the default is, as `module:NAME`."""

    def __init__(self, name: str, default: str) -> None:
        self.name = name
        self._default = default
        self._loaded: dict[Dialect, T] = {}

    def of(self, dialect: Dialect) -> T:
        """Return the part of a dialect."""
        part = self._loaded.get(dialect)
        if part is None:
            own = dialect.parts.get(self.name)
            part = self._loaded[dialect] = cast("T", _load(f"rubric_core.dialects.{own}" if own else self._default))
        return part


def _load(path: str) -> object:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


class Migration(NamedTuple):
    """A migration from one dialect to another, by their names; `path` is where its passes are, as `module:NAME`."""

    source: str
    target: str
    path: str

    def passes(self) -> Any:
        """Return the passes, a tuple of tuples of steps."""
        return _load(f"rubric_core.dialects.{self.path}")


NO_MIGRATIONS: tuple[Migration, ...] = ()
MIGRATIONS: Part[tuple[Migration, ...]] = Part("migrations", "rubric_core.dialects.parts:NO_MIGRATIONS")
"""Which migrations lead to it and away from it; asked by `migration/registry.py`. By default none."""
DEFINITION_FILE: Part[DefinitionFile] = Part("definition file", "rubric_core.migration.definition_files:NO_FILE")
"""The file of a project that defines what answers; asked by `rubric migrate`. By default there is none."""
