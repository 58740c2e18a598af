"""One case, read into its parts."""

from collections.abc import Iterator

from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import YamlVersion, is_blank
from rubric_core.views.criteria import CriteriaView, read_criteria
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators
from rubric_core.views.messages import read_messages
from rubric_core.views.scorecards import ScorecardView

# Any of these makes an item of a list under a case-list name a case of ours.
CASE_MARKS = frozenset({"rubrics", "input_messages", "expected_outcome"})


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
