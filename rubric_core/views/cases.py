"""The views of a case: its messages, and the case itself with its criteria, its evaluators and its scorecard."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import MESSAGE_KEYS, SKIPPING
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, as_boolean, is_blank
from rubric_core.views.criteria import CriteriaView, read_criteria
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators
from rubric_core.views.scorecards import ScorecardView

_MESSAGE = frozenset({"role", "content"})


class MessageView(NamedTuple):
    """One message: `role`, `content` and `tool_calls` as pairs, or None."""

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
        # A value of the wrong type is reported as such; the content must not be reported as missing as well.
        return bool(calls.items) if isinstance(calls, Sequence) else not is_blank(calls)


def sent_messages(case: Mapping, names: Iterable[str]) -> Iterator[MessageView]:
    """Yield the messages in variables that are whole prompts; lists of other mappings have no messages."""
    variables = case.get("vars")
    for name in names if isinstance(variables, Mapping) else ():
        value = variables.get(name) if isinstance(variables, Mapping) else None
        items = value.items if isinstance(value, Sequence) else []
        if any(isinstance(item, Mapping) and not _MESSAGE.isdisjoint(item.index) for item in items):
            yield from read_messages(variables, (name,)) if isinstance(variables, Mapping) else ()


def read_messages(case: Mapping, keys: Iterable[str] = MESSAGE_KEYS) -> Iterator[MessageView]:
    """Yield the messages that a case sends and those that it expects, without items that are not mappings."""
    for key in keys:
        pair = case.index.get(key)
        if pair is not None and isinstance(pair.value, Sequence):
            for item in pair.value.items:
                if isinstance(item, Mapping):
                    index = item.index
                    yield MessageView(item, index.get("role"), index.get("content"), index.get("tool_calls"))


class CaseView:
    """One case of the suite."""

    __slots__ = ("criteria", "dialect", "evaluators", "messages", "node", "scorecard", "version")

    def __init__(self, node: Mapping, version: YamlVersion, dialect: Dialect) -> None:
        self.node = node
        self.version = version
        self.dialect = dialect
        self.criteria = read_criteria(node, dialect.case, version, dialect)
        self.evaluators: list[EvaluatorsView] = read_evaluators(node, dialect.case, version, dialect)
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
        """Return the node of the expected outcome."""
        for key in self.dialect.case_text_keys:
            node = self.node.get(key)
            if isinstance(node, Scalar) and not is_blank(node):
                return node
        return None

    def all_criteria(self) -> Iterator[CriteriaView]:
        """Yield every list of criteria of the case: the inline one, then those of its evaluators."""
        if self.criteria is not None:
            yield self.criteria
        for evaluators in self.evaluators:
            yield from evaluators.all_criteria()


def skips_defaults(case: Mapping, version: YamlVersion) -> bool:
    """Return whether a case leaves out the evaluators that the suite has for all cases."""
    for place, key in SKIPPING:
        settings = case.get(place)
        written = settings.get(key) if isinstance(settings, Mapping) else None
        if written is not None and as_boolean(written, version) is True:
            return True
    return False
