"""A list of criteria, inline in a case or of an evaluator, and each criterion in it."""

from decimal import Decimal
from enum import Enum

from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, as_boolean, as_integer, as_number, is_blank, kind_of
from rubric_core.views.bands import BandsView, read_bands
from rubric_core.views.texts import OUTCOME_KEYS, first_filled, holds_placeholder

ONE = Decimal(1)


class Mode(Enum):
    """How a criterion is judged."""

    CHECKLIST = "checklist"
    SCORE_RANGE = "score-range"


class CriterionView:
    """One criterion: a string, or a mapping. `fields` is None for a string; other nodes are no criteria at all."""

    __slots__ = (
        "bands",
        "fields",
        "is_placeholder",
        "is_readable",
        "minimum",
        "mode",
        "node",
        "number",
        "outcome",
        "outcome_pair",
        "required",
        "version",
        "weight",
    )

    def __init__(self, node: Node, number: int, version: YamlVersion) -> None:
        self.node = node
        # The 1-based place in the list as written; generated ids are made from it.
        self.number = number
        self.version = version
        self.outcome_pair: Pair | None = None
        self.bands: BandsView | None = None
        # How the criterion is judged; empty ranges keep it a score-range criterion.
        self.mode = Mode.CHECKLIST
        # What `required` says; None where it says nothing.
        self.required: bool | None = None
        # The gate of a score-range criterion, if it is an integer from 0 to 10.
        self.minimum: int | None = None
        text: Node | None = node
        if isinstance(node, Mapping):
            self.fields: Mapping | None = node
            self.is_readable = True
            self.outcome_pair = first_filled(node, OUTCOME_KEYS)
            text = self.outcome_pair.value if self.outcome_pair is not None else None
            index = node.index
            if "score_ranges" in index:
                self.bands = read_bands(index["score_ranges"], version, node)
                self.mode = Mode.SCORE_RANGE
            if "required" in index:
                self.required = as_boolean(index["required"].value, version)
            if "required_min_score" in index:
                minimum = as_integer(index["required_min_score"].value, version)
                self.minimum = minimum if minimum is not None and LOWEST <= minimum <= HIGHEST else None
        else:
            self.fields = None
            self.is_readable = isinstance(node, Scalar) and kind_of(node, version) is ScalarKind.STRING
        # The node of the criterion's text, if there is any text.
        self.outcome: Scalar | None = text if isinstance(text, Scalar) and not is_blank(text) else None
        # The weight as an exact number, 1 if there is none; None if it is negative, not finite or not a number.
        self.weight = ONE if self.fields is None else _weight_of(self.fields, version)
        self.is_placeholder = self.outcome is not None and holds_placeholder(self.outcome)

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
        written = self.fields.get("id") if self.fields is not None else None
        if isinstance(written, Scalar) and not is_blank(written):
            return written.value
        return f"rubric-{self.number}"

    @property
    def is_required(self) -> bool:
        """Return whether failing this checklist criterion fails the case; that is so unless it says otherwise."""
        return self.required is not False


def _weight_of(fields: Mapping, version: YamlVersion) -> Decimal | None:
    pair = fields.index.get("weight")
    if pair is None or is_blank(pair.value):
        return ONE
    value = as_number(pair.value, version)
    return value if value is not None and value.is_finite() and value >= 0 else None


class CriteriaView:
    """A `rubrics` list. `owner` is the case or the evaluator that it belongs to."""

    __slots__ = ("criteria", "node", "owner", "pair", "readable", "version")

    def __init__(self, pair: Pair, owner: Mapping, version: YamlVersion) -> None:
        self.pair = pair
        self.owner = owner
        self.node = pair.value
        self.version = version
        items = self.node.items if isinstance(self.node, Sequence) else []
        self.criteria = [CriterionView(item, number, version) for number, item in enumerate(items, start=1)]
        # The criteria that are strings or mappings.
        self.readable = [criterion for criterion in self.criteria if criterion.is_readable]


def read_criteria(owner: Mapping, version: YamlVersion) -> CriteriaView | None:
    """Read the `rubrics` of a case or an evaluator, if it has any."""
    pair = owner.index.get("rubrics")
    return CriteriaView(pair, owner, version) if pair is not None else None
