"""The evaluators of a case or of the suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.schema.evaluators import EVALUATOR_RECORDS, OLD_EVALUATOR_TYPES
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.views.criteria import CriteriaView, read_criteria

if TYPE_CHECKING:
    from rubric_core.syntax.scalars import YamlVersion


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
        self.name = name if isinstance(name, Scalar) else None
        self.criteria: CriteriaView | None = read_criteria(node, version) if self.is_checked else None

    @property
    def is_checked(self) -> bool:
        """Tell whether the inside is looked at: nobody can tell what belongs into an evaluator of an unknown type."""
        return self.kind is not None or self.type_pair is None


class EvaluatorsView:
    """A list of evaluators. `pair` is its `evaluators:` key."""

    __slots__ = ("evaluators", "pair")

    def __init__(self, pair: Pair, version: YamlVersion) -> None:
        self.pair = pair
        items = pair.value.items if isinstance(pair.value, Sequence) else []
        self.evaluators = [EvaluatorView(item, version) for item in items if isinstance(item, Mapping)]


def read_evaluators(owner: Mapping, version: YamlVersion) -> list[EvaluatorsView]:
    """Return the lists of evaluators of a case or a suite: those of its `execution` first, then its own."""
    execution = owner.get("execution")
    places = [execution, owner] if isinstance(execution, Mapping) else [owner]
    pairs = [place.index.get("evaluators") for place in places]
    return [EvaluatorsView(pair, version) for pair in pairs if pair is not None]
