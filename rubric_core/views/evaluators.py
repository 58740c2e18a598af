"""The evaluators of a case or of the suite."""

from rubric_core.schema.evaluators import EVALUATOR_RECORDS, OLD_EVALUATOR_TYPES
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, is_blank
from rubric_core.views.criteria import CriteriaView, read_criteria


class EvaluatorView:
    """One evaluator. `kind` is its type under today's name, or None where the type is missing or unknown."""

    __slots__ = ("criteria", "kind", "name", "node", "type_pair")

    def __init__(self, node: Mapping, version: YamlVersion) -> None:
        self.node = node
        self.type_pair = node.index.get("type")
        written = self.type_pair.value if self.type_pair is not None else None
        kind = written.value if isinstance(written, Scalar) else None
        kind = OLD_EVALUATOR_TYPES.get(kind, kind) if kind is not None else None
        self.kind = kind if kind in EVALUATOR_RECORDS else None
        name = node.get("name")
        self.name = name if isinstance(name, Scalar) and not is_blank(name) else None
        self.criteria: CriteriaView | None = read_criteria(node, version) if self.is_checked else None

    @property
    def is_checked(self) -> bool:
        """Return whether the inside is looked at: nobody can tell what belongs into an evaluator of an unknown type."""
        return self.kind is not None or self.type_pair is None or is_blank(self.type_pair.value)


class EvaluatorsView:
    """A list of evaluators. `pair` is its `evaluators:` key.

    `inline` is the `rubrics:` key of the case where its criteria make one more evaluator of this list.
    """

    __slots__ = ("evaluators", "inline", "pair")

    def __init__(self, pair: Pair, version: YamlVersion, inline: Pair | None = None) -> None:
        self.pair = pair
        self.inline = inline
        items = pair.value.items if isinstance(pair.value, Sequence) else []
        self.evaluators = [EvaluatorView(item, version) for item in items if isinstance(item, Mapping)]


def read_evaluators(owner: Mapping, version: YamlVersion) -> list[EvaluatorsView]:
    """Return the lists of evaluators of a case or a suite: those of its `execution` first, then its own.

    The members of a composite are a list of their own, behind the list that the composite stands in.
    """
    execution = owner.get("execution")
    places = [execution, owner] if isinstance(execution, Mapping) else [owner]
    pairs = [pair for place in places if (pair := place.index.get("evaluators")) is not None]
    lists: list[EvaluatorsView] = []
    for number, pair in enumerate(pairs):
        # Only the first list is used, so only there do the criteria of the case stand beside others.
        lists.append(EvaluatorsView(pair, version, _criteria_of(owner) if number == 0 else None))
        _add_members(lists, version)
    return lists


def _criteria_of(owner: Mapping) -> Pair | None:
    pair = owner.index.get("rubrics")
    return pair if pair is not None and isinstance(pair.value, Sequence) and pair.value.items else None


def _add_members(lists: list[EvaluatorsView], version: YamlVersion) -> None:
    """Append the members of every composite of the last list, and those of their composites."""
    pending = [lists[-1]]
    while pending:
        for evaluator in pending.pop(0).evaluators:
            members = evaluator.node.index.get("evaluators") if evaluator.kind == "composite" else None
            if members is not None:
                inner = EvaluatorsView(members, version)
                lists.append(inner)
                pending.append(inner)
