"""What a dialect is: its names, the words that identify it, and its parts, imported when first asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from rubric_core.dialects.marks import Marks
from rubric_core.schema.fields import Effect, Field, FieldType, Record, Removed, Role
from rubric_core.schema.table import Table

_ASKED_FOR = ("suite", "case", "execution", "criterion", "score-range", "evaluator")


@dataclass(frozen=True, eq=False)
class Dialect:
    """One generation of the format.

    `case_lists` are the keys of the list of cases, the main one first.
    """

    name: str
    title: str
    doc: str
    case_lists: tuple[str, ...]
    # Where each part is: the file in a package beside this file, and its name there.
    parts: Mapping[str, str]
    marks: Marks = Marks()  # noqa: RUF009 - it is frozen.
    # Whether a file is written as `file://` and its path, so that a path alone is a text.
    has_file_urls: bool = True
    # What happens to a test that nothing judges; None where that is legal. Whether evaluators of the suite count.
    ungraded: str | None = None
    suite_judges: bool = True
    # Whether a rubric without a `value` is dropped.
    drops_rubric_without_value: bool = False
    # Whether the `criteria` of a test are judged only where nothing else is.
    criteria_are_fallback: bool = False
    # The tool that reads the dialect, as messages name it.
    tool: str = "AgentV"
    # Whether a test that nothing judges is so common that it is only a hint.
    allows_ungraded: bool = False
    # Whether an evaluator of weight 0 is measured on purpose, and whether several may have one name.
    allows_weight_zero: bool = False
    joins_names: bool = False
    # Whether it has targets or providers of a project, in a file of their own.
    has_targets_file: bool = True
    # The types whose value is a regular expression.
    regex_types: tuple[str, ...] = ()
    # Whether a type that holds other evaluators may be in one of its kind.
    nests_evaluators: bool = True
    # Whether values of assertions are templates, and whether a file that is missing ends the run.
    renders_values: bool = False
    needs_files: bool = False

    @cached_property
    def table(self) -> Table:
        """Return the records and types of the dialect."""
        table: Table = self.part("table")
        return table

    def part(self, name: str) -> Any:
        """Return a part of the dialect, which is imported when it is first asked for; None where it has none."""
        path = self.parts.get(name)
        if path is None:
            return None
        module, _, attribute = path.partition(":")
        return getattr(import_module(f"rubric_core.dialects.{module}"), attribute)

    @cached_property
    def records(self) -> Mapping[str, Record]:
        """Return the record of every mapping by its name. Those that the code asks for are empty where it has none."""
        return {**{name: Record(name, "") for name in _ASKED_FOR}, **self.table.records}

    @cached_property
    def has_messages(self) -> bool:
        """Return whether cases have lists of messages."""
        return "message" in self.table.records

    @cached_property
    def types(self) -> tuple[str, ...]:
        """Return the types of its evaluators."""
        return self.table.types.names

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

    @cached_property
    def old_text_keys(self) -> tuple[str, ...]:
        """Return the keys of a criterion's text in earlier releases, which make the list of criteria a text."""
        removed = self.records["criterion"].removed
        return tuple(key for key, each in removed.items() if each.effect is Effect.PROSE)

    @cached_property
    def has_operators(self) -> bool:
        """Return whether a criterion may have an `operator`."""
        return "operator" in self.records["criterion"].by_key

    def __reduce__(self) -> tuple[Callable[[str], "Dialect"], tuple[str]]:
        """Go to another process by name, so that a dialect is one object there as well."""
        return _of_package, (self.name,)

    @property
    def drops_gates(self) -> bool:
        """Return whether a case may pass although a criterion fails by its gate."""
        return self.table.gates.fails != "case"

    @property
    def misplaces_keys(self) -> bool:
        """Return whether the table knows keys that are in the wrong place."""
        return any(record.misplaced for record in self.records.values())

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
        """Return the type of an evaluator under its main name, or None where the dialect does not have it."""
        name = self.old_types.get(written, written) if written is not None else None
        if f"evaluator:{name}" in self.records or name is None:
            return name
        return next((kind for prefix, kind in self.table.types.prefixes if name.startswith(prefix)), None)

    def evaluator(self, written: str | None) -> Record:
        """Return the record of an evaluator by its `type`, old names included; the general one where it is unknown."""
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
    """Return the dialect of a name, in another process."""
    dialect: Dialect = import_module("rubric_core.dialects.registry").BY_NAME[name]
    return dialect
