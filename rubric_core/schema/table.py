"""The table of a dialect: what is loaded when a file of the dialect is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rubric_core.schema.fields import Record, Removed
from rubric_core.schema.profiles import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The records and types of a dialect.

    `records` has the record of every mapping by its name: `suite`, `case`, `criterion`, `score-range`, `evaluator`, and
    `evaluator:TYPE` for each type of evaluator. `old_types` are the other names of types, and `removed_types` the types
    that earlier releases had. `profile` is how `rubric grade` grades the dialect; None if it does not.
    """

    records: Mapping[str, Record]
    types: tuple[str, ...] = ()
    profile: Profile | None = None
    old_types: Mapping[str, str] = field(default_factory=dict)
    removed_types: Mapping[str, Removed] = field(default_factory=dict)
    # What types of evaluators start with that are not in the table, each with the type that they are read as.
    type_prefixes: tuple[tuple[str, str], ...] = ()
    # Whether every output passes, or none, by type: where the value is an empty list, and where there is no value.
    verdict_of_empty_list: Mapping[str, bool] = field(default_factory=dict)
    verdict_without_value: Mapping[str, bool] = field(default_factory=dict)
    # The negated types that judge like the type itself.
    ignores_negation: frozenset[str] = frozenset()
    # The types that compare several outputs, and whether each needs a value.
    comparing_types: Mapping[str, bool] = field(default_factory=dict)
    # The kinds of providers, which their ids start with.
    providers: frozenset[str] = frozenset()
