"""A list of criteria, inline in a case or of an evaluator: each criterion, and what it contributes to the score."""

from decimal import Context, Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.schema.fields import Field, FieldType, Record, Role
from rubric_core.schema.scales import FILE_URL, PASS_MARK_DECIMAL
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.scalars import (
    ScalarKind,
    YamlVersion,
    as_boolean,
    as_number,
    is_blank,
    kind_of,
)
from rubric_core.views.bands import BandsView, read_bands
from rubric_core.views.texts import first_filled, first_word, holds_placeholder

ONE = Decimal(1)
GENERATED_ID = "rubric-"
"""How the id of a criterion without one starts; its number follows."""

# The pass mark, and the share that a passing case can miss. Both are exact.
_SPARE = 1 - PASS_MARK_DECIMAL
_PLAIN = ScalarStyle.PLAIN
_FEWEST_PLACES, _MOST_PLACES = 2, 7
# Exponents of weights have at most four digits, so no sum of them is rounded. Fractions would be exact as well, but ten
# times slower, and this runs for every list of criteria.
_EXACT = Context(prec=30_000)
_CRITERION_KEYS = frozenset({"id", "weight", "required", "min_score", "operator"})


class Mode(Enum):
    """How a criterion is judged."""

    CHECKLIST = "checklist"
    SCORE_RANGE = "score-range"


# Members of an Enum are slow to look up, and these are used for every criterion.
_CHECKLIST, _SCORE_RANGE = Mode.CHECKLIST, Mode.SCORE_RANGE
_CRITERIA = Role.CRITERIA
_STRING = ScalarKind.STRING


class CriterionView:
    """One criterion: a string, or a mapping. `fields` is None for a string; other nodes are not criteria."""

    __slots__ = (
        *("bands", "dialect", "fields", "first_word", "gate", "id_node", "is_evaluator", "is_placeholder"),
        *("is_readable", "minimum", "mode", "node", "number", "outcome", "outcome_pair", "required", "version"),
        "weight",
    )

    def __init__(self, node: Node, number: int, version: YamlVersion, dialect: Dialect, text: str = "") -> None:
        self.node = node
        # The 1-based place in the list as written; generated ids are made from it.
        self.number = number
        self.version = version
        self.dialect = dialect
        self.outcome_pair: Pair | None = None
        # The key that is the gate of a score-range criterion, with its value.
        self.gate: Pair | None = None
        self.bands: BandsView | None = None
        # How the criterion is judged; empty ranges keep it a score-range criterion.
        self.mode = _CHECKLIST
        # The key of its text if it is an evaluator itself; `required` is the evaluator's then.
        self.is_evaluator = bool(text)
        # The value of `required`, or None.
        self.required: bool | None = None
        # The gate as a score from 0 to 10, if it can be read; an integer if the dialect writes gates as scores.
        self.minimum: int | Decimal | None = None
        # The node of the id, if one is written.
        self.id_node: Scalar | None = None
        # The weight as an exact number, 1 if there is none; None if it is negative, not finite or not a number.
        self.weight: Decimal | None = ONE
        said: Node | None = node
        is_blank_text = False
        if isinstance(node, Mapping):
            self.fields: Mapping | None = node
            self.is_readable = True
            index = node.index
            keys = (text,) if text else dialect.text_keys
            pair = index.get(keys[0]) if keys else None
            if pair is None or is_blank(pair.value):
                pair = first_filled(node, keys)
                is_blank_text = pair is not None and is_blank(pair.value)
            self.outcome_pair = pair
            said = pair.value if pair is not None else None
            if "id" in index:
                written = index["id"].value
                self.id_node = written if isinstance(written, Scalar) and not is_blank(written) else None
            if "weight" in index:
                self.weight = weight_of(node, version)
            if "score_ranges" in index:
                self.bands = read_bands(index["score_ranges"], version, dialect, node)
                self.mode = _SCORE_RANGE
            if "required" in index and not text:
                self.required = as_boolean(index["required"].value, version)
            if dialect.gate_key in index:
                self.gate = index[dialect.gate_key]
                self.minimum = dialect.table.gates.score_of(self.gate.value, version)
        else:
            self.fields = None
            self.is_readable = isinstance(node, Scalar) and kind_of(node, version) is _STRING
            is_blank_text = is_blank(node)
        # The node of the criterion's text, if there is any text.
        self.outcome: Scalar | None = None
        # The first word of the text in lower case, which is enough for some rules.
        self.first_word = ""
        self.is_placeholder = False
        if isinstance(said, Scalar) and not is_blank_text:
            self.outcome = said
            self.first_word = first_word(said.value)
            self.is_placeholder = holds_placeholder(said)

    def pair(self, name: str) -> Pair | None:
        """Return one of the criterion's keys with its value."""
        return self.fields.index.get(name) if self.fields is not None else None

    @property
    def text(self) -> str:
        """Return the criterion's text, or an empty one."""
        return self.outcome.value.strip() if self.outcome is not None else ""

    @property
    def identifier(self) -> str:
        """Return the id as written, or the generated one."""
        node = self.id_node
        return node.value if node is not None else f"{GENERATED_ID}{self.number}"

    @property
    def is_required(self) -> bool:
        """Return whether failing this checklist criterion fails the case, which is the default."""
        return self.required is not False


def weight_of(fields: Mapping, version: YamlVersion) -> Decimal | None:
    """Return the weight of a criterion or an evaluator, by default 1; None if it is invalid or negative."""
    pair = fields.index.get("weight")
    if pair is None:
        return ONE
    node = pair.value
    if isinstance(node, Scalar) and node.style is _PLAIN and node.meta is None:
        return _plain_weight(node.value, version)
    return _valid_weight(node, version)


# The weights of all cases of a file are a few different texts.
@lru_cache(maxsize=1024)
def _plain_weight(text: str, version: YamlVersion) -> Decimal | None:
    return _valid_weight(Scalar(0, 0, text, _PLAIN), version)


def _valid_weight(node: Node, version: YamlVersion) -> Decimal | None:
    value = ONE if is_blank(node) else as_number(node, version)
    return value if value is not None and value.is_finite() and value >= 0 else None


class CriteriaView:
    """A list of criteria. `owner` is the case or the evaluator that it belongs to, `pair` its key.

    `field` is the field of that key; the bare strings of a list of evaluators have none. `is_single` means that the
    list is one criterion, whose text is the value itself.
    """

    __slots__ = (
        *("criteria", "dialect", "field", "has_texts", "is_single", "node", "owner", "pair", "readable"),
        "version",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - a list, where it is, and how it is read.
        self, pair: Pair, owner: Mapping, field: Field | None, items: list[Node], version: YamlVersion, dialect: Dialect
    ) -> None:
        self.pair = pair
        self.owner = owner
        self.field = field
        self.node = pair.value
        self.version = version
        self.dialect = dialect
        self.is_single = items == [owner]
        text = field.name if field is not None and self.is_single else ""
        self.criteria = [
            CriterionView(item, number, version, dialect, text) for number, item in enumerate(items, start=1)
        ]
        # The criteria that are strings or mappings.
        self.readable = [criterion for criterion in self.criteria if criterion.is_readable]
        # Whether there are criteria, each with a text that is not a placeholder, or score ranges.
        self.has_texts = bool(items)
        for criterion in self.criteria:
            if criterion.is_placeholder or (criterion.outcome is None and criterion.mode is _CHECKLIST):
                self.has_texts = False


def read_criteria(owner: Mapping, record: Record, version: YamlVersion, dialect: Dialect) -> CriteriaView | None:
    """Read the criteria of a case or an evaluator, if it has any."""
    for field in record.by_role[_CRITERIA]:
        pair = owner.index.get(field.name)
        items = _items_of(pair, owner, field, dialect) if pair is not None else None
        if pair is not None and items is not None:
            return CriteriaView(pair, owner, field, items, version, dialect)
    return None


def _items_of(pair: Pair, owner: Mapping, field: Field, dialect: Dialect) -> list[Node] | None:
    """Return the criteria under a key; None if its value is free text for the judge, which some dialects allow."""
    value = pair.value
    if not field.mask & FieldType.STRING.value:
        return list(value.items) if isinstance(value, Sequence) else []
    if isinstance(value, Scalar):
        if dialect.table.rubric_keys:
            return None if is_blank(value) or value.value.startswith(FILE_URL) else [value]
        return [owner] if "score_ranges" in owner.index and not is_blank(value) else None
    items = list(value.items) if isinstance(value, Sequence) else [value]
    if not dialect.text_keys:
        # A mapping is not a criterion here: the judge gets it as it is.
        return [item for item in items if isinstance(item, Scalar)] or None
    return items if any(isinstance(item, Scalar) or _is_structured(item) for item in items) else None


def _is_structured(node: Node) -> bool:
    """Return whether a mapping is a criterion, where other mappings are text for the judge."""
    if not isinstance(node, Mapping):
        return False
    index = node.index
    alias = index.get("criteria")
    is_text = alias is not None and isinstance(alias.value, Scalar)
    return "outcome" in index or "score_ranges" in index or (is_text and not _CRITERION_KEYS.isdisjoint(index))


class Share(NamedTuple):
    """A criterion with its weight, above 0, and the weight of the whole list."""

    criterion: CriterionView
    weight: Decimal
    total: Decimal

    @property
    def part(self) -> Fraction:
        """Return the share as a fraction of the whole, above 0 and at most 1."""
        return Fraction(self.weight) / Fraction(self.total)


def shares_of(criteria: CriteriaView) -> list[Share]:
    """Return the share of each criterion that counts; none if a weight or an item cannot be read."""
    return _shares_above(Decimal(0), criteria)


def needed_shares(criteria: CriteriaView) -> list[Share]:
    """Return the shares that are needed for a pass, if there are several shares."""
    return [share for share in _shares_above(_SPARE, criteria) if share.weight != share.total]


def _shares_above(part: Decimal, criteria: CriteriaView) -> list[Share]:
    total = Decimal(0)
    for criterion in criteria.criteria:
        if criterion.weight is None or not criterion.is_readable:
            return []
        total = _EXACT.add(total, criterion.weight)
    limit = _EXACT.multiply(total, part)
    return [
        Share(criterion, criterion.weight, total)
        for criterion in criteria.criteria
        if criterion.weight and criterion.weight > limit
    ]


def may_gate(criterion: CriterionView) -> bool:
    """Return whether this criterion may be a gate; one that cannot be read may."""
    if criterion.mode is _CHECKLIST:
        return criterion.required is not False
    return criterion.gate is not None and criterion.minimum != 0


def is_optional(criterion: CriterionView) -> bool:
    """Return whether the author marked the criterion as optional.

    A `required: true` beside score ranges and an empty gate have no effect, but they show the opposite intention. The
    intention of ranges with an error is unknown.
    """
    if criterion.bands is None:
        return criterion.required is False
    if criterion.required or criterion.gate is not None:
        return False
    return criterion.bands.covers_once and criterion.bands.has_distinct_texts


def dominating(criteria: CriteriaView, needed: list[Share]) -> Share | None:
    """Return the criterion that decides the verdict alone, whatever the others are."""
    for share in needed:
        if share.weight >= _EXACT.multiply(share.total, PASS_MARK_DECIMAL):
            # A criterion of weight 0 has no share, but it may be a gate.
            others = (criterion for criterion in criteria.criteria if criterion is not share.criterion)
            return None if any(map(may_gate, others)) else share
    return None


def place_of_weight(criterion: CriterionView) -> Node:
    """Return the node of a criterion's weight, else of its id or text."""
    fields = criterion.fields
    if fields is None or not fields.pairs:
        return criterion.node
    for name in ("weight", "id"):
        pair = fields.index.get(name)
        if pair is not None and not is_blank(pair.value):
            return pair.value
    return fields.pairs[0].key


def describe_score(score: Fraction, below: Fraction) -> str:
    """Return a score with two decimals, or more if needed to show that it is below a threshold."""
    for places in range(_FEWEST_PLACES, _MOST_PLACES):
        rounded = round(score, places)
        if rounded < below:
            return f"{float(rounded):.{places}f}".rstrip("0").rstrip(".")
    return f"just under {float(below)}"
