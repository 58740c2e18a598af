"""A scorecard: weights of dimensions, red flags and bonuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import as_number, is_blank

if TYPE_CHECKING:
    from decimal import Decimal

    from rubric_core.syntax.scalars import YamlVersion


class AdjustmentView:
    """A red flag or a bonus: a string, or a mapping with `expected_outcome`."""

    __slots__ = ("deduction", "fields", "node", "number", "version")

    def __init__(self, node: Node, number: int, version: YamlVersion) -> None:
        self.node = node
        self.number = number
        self.version = version
        self.fields = node if isinstance(node, Mapping) else None
        self.deduction = self.fields.index.get("deduction") if self.fields is not None else None

    @property
    def identifier(self) -> Scalar | None:
        """Return the node of the id as written."""
        node = self.fields.get("id") if self.fields is not None else None
        return node if isinstance(node, Scalar) and not is_blank(node) else None

    @property
    def outcome(self) -> Scalar | None:
        """Return the node of the text."""
        node = self.node if self.fields is None else self.fields.get("expected_outcome") or self.fields.get("description")
        return node if isinstance(node, Scalar) and not is_blank(node) else None

    @property
    def amount(self) -> Decimal | None:
        """Return what a red flag takes away as written; None where it says nothing or nothing readable."""
        return as_number(self.deduction.value, self.version) if self.deduction is not None else None


class ScorecardView:
    """One scorecard, inline or named."""

    __slots__ = ("bonuses", "bonuses_pair", "node", "red_flags", "red_flags_pair", "version", "weights", "weights_pair")

    def __init__(self, node: Mapping, version: YamlVersion) -> None:
        self.node = node
        self.version = version
        self.weights_pair = node.index.get("weights")
        weights = self.weights_pair.value if self.weights_pair is not None else None
        self.weights = weights if isinstance(weights, Mapping) else None
        self.red_flags_pair = node.index.get("red_flags")
        self.bonuses_pair = node.index.get("bonuses")
        self.red_flags = _read_adjustments(self.red_flags_pair, version)
        self.bonuses = _read_adjustments(self.bonuses_pair, version)


def _read_adjustments(pair: Pair | None, version: YamlVersion) -> list[AdjustmentView]:
    if pair is None or not isinstance(pair.value, Sequence):
        return []
    return [AdjustmentView(item, number, version) for number, item in enumerate(pair.value.items, start=1)]


def read_named_scorecards(pair: Pair, version: YamlVersion) -> list[tuple[Pair, ScorecardView]]:
    """Read the suite's `scorecards`, each with the pair that names it."""
    if not isinstance(pair.value, Mapping):
        return []
    return [(named, ScorecardView(named.value, version)) for named in pair.value.pairs if isinstance(named.value, Mapping)]
