"""The views of a case: its messages, its evaluators, and the case itself with its criteria and its scorecard."""

from collections.abc import Iterator
from typing import NamedTuple

from rubric_core.schema.evaluators import EVALUATOR_RECORDS, OLD_EVALUATOR_TYPES
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, is_blank
from rubric_core.views.criteria import CriteriaView, read_criteria
from rubric_core.views.scorecards import ScorecardView

MESSAGE_KEYS = ("input_messages", "input", "expected_messages", "expected_output")
"""The keys of a case under which messages stand."""
# Any of these makes an item of a list under a case-list name a case of ours.
CASE_MARKS = frozenset({"rubrics", "input_messages", "expected_outcome"})


class MessageView(NamedTuple):
    """One message: `role`, `content` and `tool_calls` as pairs, each None where it is absent."""

    node: Mapping
    role: Pair | None
    content: Pair | None
    tool_calls: Pair | None

    @property
    def calls_tools(self) -> bool:
        """Return whether there are tool calls, so that the message needs no content."""
        if self.tool_calls is None:
            return False
        calls = self.tool_calls.value
        # What is no list is of the wrong type; it must not make the content look missing as well.
        return bool(calls.items) if isinstance(calls, Sequence) else not is_blank(calls)


def read_messages(case: Mapping) -> Iterator[MessageView]:
    """Yield the messages that a case sends and those that it expects; items that are no mappings are left out."""
    for key in MESSAGE_KEYS:
        value = case.get(key)
        if isinstance(value, Sequence):
            for item in value.items:
                if isinstance(item, Mapping):
                    index = item.index
                    yield MessageView(item, index.get("role"), index.get("content"), index.get("tool_calls"))


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


class CaseView:
    """One case of the suite."""

    __slots__ = ("criteria", "evaluators", "messages", "node", "scorecard", "version")

    def __init__(self, node: Mapping, version: YamlVersion) -> None:
        self.node = node
        self.version = version
        self.criteria = read_criteria(node, version)
        self.evaluators: list[EvaluatorsView] = read_evaluators(node, version)
        self.messages = list(read_messages(node))
        scorecard = node.get("scorecard")
        self.scorecard = ScorecardView(scorecard, version) if isinstance(scorecard, Mapping) else None

    @property
    def identifier(self) -> Scalar | None:
        """Return the node of the case's id."""
        node = self.node.get("id")
        return node if isinstance(node, Scalar) and not is_blank(node) else None

    @property
    def outcome(self) -> Scalar | None:
        """Return the node of what a good answer achieves."""
        for key in ("expected_outcome", "criteria", "outcome"):
            node = self.node.get(key)
            if isinstance(node, Scalar) and not is_blank(node):
                return node
        return None

    def all_criteria(self) -> Iterator[CriteriaView]:
        """Yield every list of criteria of the case: the inline one, then those of its evaluators."""
        if self.criteria is not None:
            yield self.criteria
        for evaluators in self.evaluators:
            for evaluator in evaluators.evaluators:
                if evaluator.criteria is not None:
                    yield evaluator.criteria


def is_case(node: object, key: str) -> bool:
    """Return whether an item of the list under `key` is a case of ours."""
    if not isinstance(node, Mapping):
        return False
    index = node.index
    return not CASE_MARKS.isdisjoint(index) or (key == "evalcases" and "input" in index)
