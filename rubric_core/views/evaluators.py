"""The evaluators of a case or of the suite."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import DROPPED
from rubric_core.schema.fields import Field, FieldType, Record, Role
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, is_blank
from rubric_core.views.criteria import CriteriaView, read_criteria

_STRING = FieldType.STRING.value
# Cases, scenarios and evaluators have lists of their own, which are read with them.
_READ_ELSEWHERE = frozenset({"case", "raw-case", "scenario", "scenario-config", "evaluator"})


class EvaluatorView:
    """One evaluator. `kind` is its type under today's name, or None where the type is missing or unknown."""

    __slots__ = ("criteria", "dialect", "kind", "name", "node", "record", "type_pair")

    def __init__(self, node: Mapping, version: YamlVersion, dialect: Dialect) -> None:
        self.node = node
        self.dialect = dialect
        self.type_pair = node.index.get("type")
        written = self.type_pair.value if self.type_pair is not None else None
        self.kind = dialect.type_of(written.value if isinstance(written, Scalar) else None)
        # An evaluator without a type is read as the first one of the table.
        self.record = dialect.records[f"evaluator:{self.kind or dialect.types[0]}"]
        name = node.get(self.record.name_key)
        self.name = name if isinstance(name, Scalar) and not is_blank(name) else None
        self.criteria: CriteriaView | None = (
            read_criteria(node, self.record, version, dialect) if self.is_checked else None
        )

    @property
    def is_dropped(self) -> bool:
        """Return whether the upstream tool drops the evaluator because it does not define what to judge."""
        return (
            DROPPED.of(self.dialect)(self)
            or self.lacks_all
            or any(
                isinstance(node := self.node.get(field.name), Sequence) and not node.items
                for field in (self.record.dropped_if_empty if self.kind is not None else ())
            )
        )

    @property
    def lacks_all(self) -> bool:
        """Return whether it has none of the fields of which its type requires one."""
        record, index = self.record, self.node.index
        if self.kind is None or not record.one_of:
            return False
        return not any(key in index for name in record.one_of for key in record.by_key[name].keys)

    @property
    def type_place(self) -> Node:
        """Return its type, or the whole node without one."""
        return self.type_pair.value if self.type_pair is not None else self.node

    @property
    def is_checked(self) -> bool:
        """Return whether its keys are checked: those of an evaluator of an unknown type are unknown."""
        return self.kind is not None or self.type_pair is None or is_blank(self.type_pair.value)


def lacks_nothing(_evaluator: EvaluatorView) -> bool:
    """Return False: by default a tool keeps an evaluator."""
    return False


class EvaluatorsView:
    """A list of evaluators. `pair` is its key.

    `inline` is the key of the case's own criteria if they are one more evaluator of this list. `criteria` are the
    strings of the list, in a dialect in which they are criteria; together they are one evaluator too. `composite` is
    the evaluator whose members these are.
    """

    __slots__ = ("composite", "criteria", "evaluators", "inline", "pair", "takes_strings")

    def __init__(  # noqa: PLR0913 - a list and where it is.
        self,
        pair: Pair,
        owner: Mapping,
        field: Field,
        version: YamlVersion,
        dialect: Dialect,
        *,
        inline: Pair | None = None,
        composite: EvaluatorView | None = None,
    ) -> None:
        self.pair = pair
        self.inline = inline
        self.composite = composite
        items = pair.value.items if isinstance(pair.value, Sequence) else []
        self.evaluators = [EvaluatorView(item, version, dialect) for item in items if isinstance(item, Mapping)]
        texts: list[Node] = []
        self.takes_strings = bool(field.items_mask & _STRING)
        if self.takes_strings:
            texts = [item for item in items if isinstance(item, Scalar) and not is_blank(item)]
        self.criteria = CriteriaView(pair, owner, None, texts, version, dialect) if texts else None

    def all_criteria(self) -> Iterator[CriteriaView]:
        """Yield every list of criteria: the strings of this list, then those of its evaluators."""
        if self.criteria is not None:
            yield self.criteria
        yield from (evaluator.criteria for evaluator in self.evaluators if evaluator.criteria is not None)


def read_evaluators(owner: Mapping, record: Record, version: YamlVersion, dialect: Dialect) -> list[EvaluatorsView]:
    """Return the lists of evaluators of a case or a suite: those of its `execution` first, then its own.

    The members of a composite are a list of their own, behind the list that the composite is in.
    """
    lists: list[EvaluatorsView] = []
    index = owner.index
    for place in _list_places(dialect, record.name):
        if place.within is None:
            _add(lists, owner, place.field, owner, record, version, dialect)
        elif place.within in index:
            value = index[place.within].value
            inner = value.items if isinstance(value, Sequence) else [value]
            for mapping in inner:
                if isinstance(mapping, Mapping):
                    _add(lists, mapping, place.field, owner, record, version, dialect)
    return lists


class _ListPlace(NamedTuple):
    """Where a list of evaluators may be: under a field, of the owner itself or of the mapping under a key of it."""

    within: str | None
    field: Field


@lru_cache(maxsize=64)
def _list_places(dialect: Dialect, record_name: str) -> tuple[_ListPlace, ...]:
    record = dialect.records[record_name]
    places: list[_ListPlace] = []
    for field in record.fields:
        if field.record is None or field.record in _READ_ELSEWHERE:
            continue
        below = dialect.records[field.record].by_role[Role.EVALUATORS]
        places += [_ListPlace(key, inner) for key in field.keys for inner in below]
    return (*places, *(_ListPlace(None, field) for field in record.by_role[Role.EVALUATORS]))


def _add(  # noqa: PLR0913, PLR0917 - a list and where it is.
    lists: list[EvaluatorsView],
    place: Mapping,
    field: Field,
    owner: Mapping,
    record: Record,
    version: YamlVersion,
    dialect: Dialect,
) -> None:
    for key in field.keys:
        pair = place.index.get(key)
        if pair is not None:
            # Only the first list is used, so the criteria of the case belong to it.
            inline = None if lists else _criteria_of(owner, record)
            lists.append(EvaluatorsView(pair, place, field, version, dialect, inline=inline))
            _add_members(lists, version, dialect)


def _criteria_of(owner: Mapping, record: Record) -> Pair | None:
    for field in record.by_role[Role.CRITERIA]:
        pair = owner.index.get(field.name)
        if pair is not None and isinstance(pair.value, Sequence) and pair.value.items:
            return pair
    return None


def _add_members(lists: list[EvaluatorsView], version: YamlVersion, dialect: Dialect) -> None:
    """Append the members of every composite of the last list, and those of their composites."""
    pending = [lists[-1]]
    while pending:
        for evaluator in pending.pop(0).evaluators:
            if evaluator.kind is None:
                continue
            for field in evaluator.record.by_role[Role.EVALUATORS]:
                members = evaluator.node.index.get(field.name)
                if members is not None:
                    inner = EvaluatorsView(members, evaluator.node, field, version, dialect, composite=evaluator)
                    lists.append(inner)
                    pending.append(inner)
