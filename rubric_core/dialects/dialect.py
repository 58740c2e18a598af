"""A dialect: its names, the words that identify it, and its parts, imported at first use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from rubric_core.dialects.marks import Marks
from rubric_core.dialects.parts import TABLE
from rubric_core.schema.fields import Field, FieldType, Record, Removed, Role
from rubric_core.schema.table import Table

_ASKED_FOR = ("suite", "case", "execution", "criterion", "score-range", "evaluator")


@dataclass(frozen=True, eq=False)
class Dialect:
    """One generation of a format: its names, the words that identify it, and where its parts are.

    `case_lists` are the keys of the list of cases, the main one first. `parts` has the module of each part, in a
    package beside this file, and its name there. `tool` is the program that reads the dialect, for messages.
    """

    name: str
    title: str
    doc: str
    case_lists: tuple[str, ...]
    parts: Mapping[str, str]
    marks: Marks = Marks()  # noqa: RUF009 - it is frozen.
    tool: str = ""

    @cached_property
    def table(self) -> Table:
        """Return the records and types of the dialect."""
        return TABLE.of(self)

    @cached_property
    def records(self) -> Mapping[str, Record]:
        """Return the record of every mapping by its name. Records that every dialect must have are empty by default."""
        return {**{name: Record(name, "") for name in _ASKED_FOR}, **self.table.records}

    @cached_property
    def types(self) -> tuple[str, ...]:
        """Return the types of its evaluators."""
        return self.table.types.names

    @property
    def main_type(self) -> str:
        """Return the type of an evaluator that has criteria alone: the first one, or a model where there is none."""
        return self.types[0] if self.types else "llm_judge"

    @cached_property
    def common_types(self) -> tuple[str, ...]:
        """Return the types of its evaluators that most people use."""
        return self.table.types.common or self.types

    @cached_property
    def old_types(self) -> Mapping[str, str]:
        """Return the other names of types."""
        return self.table.types.old

    @cached_property
    def removed_types(self) -> Mapping[str, Removed]:
        """Return the types that earlier releases had."""
        return self.table.types.removed

    @cached_property
    def text_keys(self) -> tuple[str, ...]:
        """Return the keys of a criterion's text."""
        return self.records["criterion"].keys_of(Role.TEXT)

    @cached_property
    def range_text_keys(self) -> tuple[str, ...]:
        """Return the keys of a score range's text."""
        return self.records["score-range"].keys_of(Role.TEXT)

    @cached_property
    def case_text_keys(self) -> tuple[str, ...]:
        """Return the keys of a case's text."""
        return self.case.keys_of(Role.TEXT)

    @cached_property
    def gate_key(self) -> str:
        """Return the key of a criterion's gate; empty where there are no gates."""
        return next(iter(self.records["criterion"].keys_of(Role.GATE)), "")

    def __reduce__(self) -> tuple[Callable[[str], "Dialect"], tuple[str]]:
        """Pickle by name, so that a dialect is one object in another process as well."""
        return _of_package, (self.name,)

    @property
    def suite(self) -> Record:
        """Return the record of the file as a whole."""
        return self.records["suite"]

    @property
    def case(self) -> Record:
        """Return the record of a case."""
        return self.records["case"]

    @property
    def raw_case(self) -> Record:
        """Return the record of a case in a file of cases."""
        return self.records.get("raw-case", self.case)

    def type_of(self, written: str | None) -> str | None:
        """Return the main name of an evaluator's type, or None if the dialect does not have it."""
        name = self.old_types.get(written, written) if written is not None else None
        if f"evaluator:{name}" in self.records or name is None:
            return name
        return next((kind for prefix, kind in self.table.types.prefixes if name.startswith(prefix)), None)

    def evaluator(self, written: str | None) -> Record:
        """Return the record of an evaluator by its `type`, old names included; the general one for unknown types."""
        name = self.type_of(written)
        return self.records["evaluator" if name is None else f"evaluator:{name}"]

    def below(self, owner: Field, shape: FieldType) -> Record | None:
        """Return the record of a mapping value (`MAPPING`) or of the items of a list value (`SEQUENCE`), if any.

        For an evaluator this is the general record; `evaluator` has the one of its type.
        """
        name = owner.record
        if shape is FieldType.MAPPING and owner.mapping_record is not None:
            name = owner.mapping_record
        return self.records[name] if name is not None else None


def _of_package(name: str) -> Dialect:
    """Return the dialect of a name, when unpickling."""
    dialect: Dialect = import_module("rubric_core.dialects.registry").BY_NAME[name]
    return dialect
