"""A scorecard: weights of dimensions, red flags and bonuses."""

from decimal import Decimal
from typing import NamedTuple

from rubric_core.schema.scorecards import DIMENSIONS, RED_FLAG, WEIGHTS
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, as_number, is_blank
from rubric_core.views.texts import ADJUSTMENT_TEXT_KEYS, first_filled, holds_placeholder, normalised

DEFAULT_WEIGHTS = {field.name: Decimal(field.default or "0") for field in WEIGHTS.fields}
"""The weights of the dimensions where a scorecard gives none."""

DEFAULT_DEDUCTION = Decimal(RED_FLAG.by_key["deduction"].default or "0")
LARGEST_DEDUCTION = Decimal("2.0")
"""The most that one red flag, and all of them together, can take away."""

MOST_BONUSES = 4
"""How many bonuses can count: each adds 0.25 and all together 1.0."""


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
    def outcome_pair(self) -> Pair | None:
        """Return the key of the text with its value."""
        return first_filled(self.fields, ADJUSTMENT_TEXT_KEYS) if self.fields is not None else None

    @property
    def outcome(self) -> Scalar | None:
        """Return the node of the text."""
        pair = self.outcome_pair
        node = self.node if self.fields is None else pair.value if pair is not None else None
        return node if isinstance(node, Scalar) and not is_blank(node) else None

    @property
    def place(self) -> Node:
        """Return the place of a problem of the whole adjustment: its id, its text, or its first key."""
        first = self.fields.pairs[0].key if self.fields is not None and self.fields.pairs else self.node
        return self.identifier or self.outcome or first

    @property
    def amount(self) -> Decimal | None:
        """Return the deduction of a red flag as written; None if it is absent or cannot be read."""
        return as_number(self.deduction.value, self.version) if self.deduction is not None else None

    @property
    def counted(self) -> Decimal | None:
        """Return the deduction of a red flag, by default 0.5; None if it is invalid."""
        if self.deduction is None or is_blank(self.deduction.value):
            return DEFAULT_DEDUCTION
        amount = self.amount
        return amount if amount is not None and amount.is_finite() and 0 < amount <= LARGEST_DEDUCTION else None


class Repeat(NamedTuple):
    """An adjustment that repeats an earlier one of its list, by its id or else by its text."""

    later: AdjustmentView
    earlier: AdjustmentView
    by_id: bool
    by_text: bool


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

    @property
    def unknown_dimensions(self) -> list[Pair]:
        """Return the weights of unknown dimensions; a repeated key counts once."""
        if self.weights is None:
            return []
        repeated = {id(pair) for pair in self.weights.duplicates}
        return [pair for pair in self.weights.pairs if pair.name not in DEFAULT_WEIGHTS and id(pair) not in repeated]

    @property
    def missing_dimensions(self) -> list[str]:
        """Return the dimensions without a weight, in their order: absent, or without a value."""
        if self.weights is None:
            return []
        index = self.weights.index
        return [name for name in DIMENSIONS if name not in index or is_blank(index[name].value)]

    @property
    def given_weights(self) -> dict[str, Decimal] | None:
        """Return the exact weights of the named dimensions; None if one of them is not a finite number."""
        given: dict[str, Decimal] = {}
        if self.weights is not None:
            for name, pair in self.weights.index.items():
                if name not in DEFAULT_WEIGHTS or is_blank(pair.value):
                    continue
                weight = as_number(pair.value, self.version)
                if weight is None or not weight.is_finite():
                    return None
                given[name] = weight
        return given


def _read_adjustments(pair: Pair | None, version: YamlVersion) -> list[AdjustmentView]:
    if pair is None or not isinstance(pair.value, Sequence):
        return []
    return [AdjustmentView(item, number, version) for number, item in enumerate(pair.value.items, start=1)]


def find_repeats(adjustments: list[AdjustmentView]) -> list[Repeat]:
    """Return the red flags or bonuses of a list that repeat an earlier one."""
    if len(adjustments) < 2:  # noqa: PLR2004 - it takes two to repeat.
        return []
    by_id: dict[str, AdjustmentView] = {}
    by_text: dict[str, AdjustmentView] = {}
    repeats: list[Repeat] = []
    for adjustment in adjustments:
        identifier, outcome = adjustment.identifier, adjustment.outcome
        name = identifier.value.strip() if identifier is not None else ""
        # Equal placeholders are no repetition.
        text = normalised(outcome.value) if outcome is not None and not holds_placeholder(outcome) else ""
        same_id, same_text = by_id.get(name) if name else None, by_text.get(text) if text else None
        earlier = same_id or same_text
        if earlier is not None:
            repeats.append(Repeat(adjustment, earlier, same_id is not None, same_text is not None))
        if name:
            by_id.setdefault(name, adjustment)
        if text:
            by_text.setdefault(text, adjustment)
    return repeats


def read_named_scorecards(pair: Pair, version: YamlVersion) -> list[tuple[Pair, ScorecardView]]:
    """Read the suite's `scorecards`, each with the pair that names it."""
    if not isinstance(pair.value, Mapping):
        return []
    return [
        (named, ScorecardView(named.value, version)) for named in pair.value.pairs if isinstance(named.value, Mapping)
    ]
