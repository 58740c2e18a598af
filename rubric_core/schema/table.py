"""The table of a dialect, which is loaded when a file of the dialect is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rubric_core.schema.fields import Record, Removed
from rubric_core.schema.gates import SCORE_GATES, ScoreGates
from rubric_core.schema.scales import THREE_VERDICTS, VerdictMarks


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The places of a `threshold`: keys of a case, and of a suite, below which it is; an empty one: beside the others.

    The first that is set counts. Without places no threshold counts, not even that of the command line.
    """

    case: tuple[str, ...] = ()
    suite: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether there are thresholds."""
        return bool(self.case or self.suite)


@dataclass(frozen=True, slots=True)
class Types:
    """The types of evaluators: `old` are other names of them, and `removed` the types that earlier releases had.

    `common` are those that most people use, all of them if it is empty. `prefixes` are what types start with that are
    not in the table, each with the type that they are read as. `own_folder` is the folder of a project with types of
    its own, empty where a project can have none.
    """

    names: tuple[str, ...] = ()
    old: Mapping[str, str] = field(default_factory=dict)
    removed: Mapping[str, Removed] = field(default_factory=dict)
    common: tuple[str, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = ()
    own_folder: str = ""


class JudgingKeys(NamedTuple):
    """The keys by which a case is judged: lists of evaluators, and keys that judge it by themselves."""

    lists: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


NO_JUDGING_KEYS = JudgingKeys()


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The records and types of a dialect.

    `records` has the record of every mapping by its name: `suite`, `case`, `criterion`, `score-range`, `evaluator`, and
    `evaluator:TYPE` for each type of evaluator.
    """

    records: Mapping[str, Record]
    types: Types = Types()
    # The scores of verdicts, and the places where a file may override them.
    marks: VerdictMarks = THREE_VERDICTS
    thresholds: Thresholds = Thresholds()
    gates: ScoreGates = SCORE_GATES
    judging: JudgingKeys = NO_JUDGING_KEYS
    # The keys without which the member of a set is dropped.
    member_keys: tuple[str, ...] = ()
    # The keys of a case whose texts are templates.
    rendered_keys: tuple[str, ...] = ()
    # The key of a case for inserting criteria that a judge proposes; empty if none are.
    proposals_key: str = ""
    # The keys beside a text that is judged as a whole; in a dialect with such keys, the text is one criterion, and no
    # judge has a list of criteria.
    rubric_keys: tuple[str, ...] = ()
    # The key of a case's answer; empty if there is none.
    answer_key: str = ""


NO_TABLE = Table({})
