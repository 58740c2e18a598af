"""What completion, hover and rename ask a dialect beside its table: where names are, snippets, and meanings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.assist.names.occurrences import NameKind, NamePath, NamePlace

if TYPE_CHECKING:
    from rubric_core.assist.completion.insert_text import Template
    from rubric_core.assist.completion.snippets import Pairs, Snippet


class NamedByKey(NamedTuple):
    """What the value of a key, or each item of its list, names; `noun` is what completion calls it."""

    kind: NameKind
    noun: str


@dataclass(frozen=True, eq=False)
class Notes:
    """The notes of a dialect.

    Attributes:
        suite_names: Where the suite has names, beside its scorecards and the targets of evaluators.
        case_names: Where a case has names, beside its id, its scorecard and its targets.
        scenario_names: Where a scenario has names.
        variables: The key of a case with the variables of its templates; empty where there are no templates.
        metric: The key of the name under which results are put together, wherever in the file it is.
        beside_metric: The keys of which an evaluator outside of the known lists has at least one beside its metric.
        formulas: Where formulas are that compute further metrics.
        member_weights: Where an evaluator with members weights these by name.
        named_by: The keys under which completion proposes names.
        path_keys: The keys whose value is a path.
        ranks: The ranks in completion of keys that authors want before or after others, by the record that has them.
        suite_snippet: What a new suite has before its cases.
        case_snippet: What a new case has before what judges it.
        evaluators: Snippets of evaluators by type, without name and type; of other types, what the table asks for.
        type_notes: Sentences that the hover of a type of evaluators ends with, by type.
        items: Snippets for items of lists that only some dialects have, by the record of the items.
        continuations: What a key is followed by where more than a word helps.
        meanings: What the values of fields mean, by the field and its value.
    """

    suite_names: tuple[NamePlace, ...] = ()
    case_names: tuple[NamePlace, ...] = ()
    scenario_names: tuple[NamePlace, ...] = ()
    variables: str = ""
    metric: str = ""
    beside_metric: frozenset[str] = frozenset()
    formulas: tuple[NamePath, ...] = ()
    member_weights: NamePath = ()
    named_by: Mapping[str, NamedByKey] = field(default_factory=dict)
    path_keys: frozenset[str] = frozenset()
    ranks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    suite_snippet: Pairs = field(default_factory=dict)
    case_snippet: Pairs = field(default_factory=dict)
    evaluators: Mapping[str, Snippet] = field(default_factory=dict)
    type_notes: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, tuple[Snippet, ...]] = field(default_factory=dict)
    continuations: Mapping[str, Template] = field(default_factory=dict)
    meanings: Mapping[tuple[str, str], str] = field(default_factory=dict)


NO_NOTES = Notes()
"""The notes of a dialect that has none."""
