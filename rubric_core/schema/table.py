"""The table of a dialect: what is loaded when a file of the dialect is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rubric_core.schema.fields import Record, Removed
from rubric_core.schema.scales import THREE_VERDICTS, VerdictMarks


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The places of a `threshold`: keys of a case, and of a suite, below which it is; an empty one: beside the others.

    The first that is given counts. Without places no threshold counts, not even that of the command line.
    """

    case: tuple[str, ...] = ()
    suite: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether there are thresholds."""
        return bool(self.case or self.suite)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The records and types of a dialect.

    `records` has the record of every mapping by its name: `suite`, `case`, `criterion`, `score-range`, `evaluator`, and
    `evaluator:TYPE` for each type of evaluator. `old_types` are the other names of types, and `removed_types` the types
    that earlier releases had.
    """

    records: Mapping[str, Record]
    types: tuple[str, ...] = ()
    old_types: Mapping[str, str] = field(default_factory=dict)
    removed_types: Mapping[str, Removed] = field(default_factory=dict)
    # The scores that decide about verdicts, and where a file may have another one.
    marks: VerdictMarks = THREE_VERDICTS
    thresholds: Thresholds = Thresholds()
    # The keys beside the text of a judge that judges it as a whole; in a dialect with some, no judge has criteria.
    rubric_keys: tuple[str, ...] = ()
    # The key of a case under which its answer may be; empty where there is none.
    answer_key: str = ""
    # What types of evaluators start with that are not in the table, each with the type that they are read as.
    type_prefixes: tuple[tuple[str, str], ...] = ()
