"""The parts that judge a case: its list of evaluators, the strings in it, its inline criteria; and their weights."""

from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from rubric_core.dialects.parts import EVALUATOR_LISTS, EvaluatorLists
from rubric_core.schema.fields import FieldType
from rubric_core.schema.scales import INLINE_NAME, PASS_MARK_DECIMAL
from rubric_core.syntax.nodes import Mapping, Node, Scalar
from rubric_core.syntax.scalars import YamlVersion, as_boolean, as_number
from rubric_core.views.cases import CaseView, skips_defaults
from rubric_core.views.criteria import ONE, CriteriaView, weight_of
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView


class JudgingPart(NamedTuple):
    """One evaluator of a case, or criteria that are judged together as one; the weight is None if it is unreadable."""

    what: EvaluatorView | CriteriaView
    weight: Decimal | None

    @property
    def node(self) -> Node:
        """Return its node: the evaluator, or the first of the criteria."""
        return self.what.node if isinstance(self.what, EvaluatorView) else self.what.criteria[0].node


# Returns the weight of an included file; None if it cannot be read.
IncludedWeight = Callable[[str], Decimal | None]


def include_of(evaluator: EvaluatorView) -> str | None:
    """Return the file that an evaluator includes."""
    named = evaluator.node.get("include")
    return (
        named.value
        if isinstance(named, Scalar) and "include" in evaluator.dialect.records["evaluator"].by_key
        else None
    )


def parts_of_list(
    view: EvaluatorsView, version: YamlVersion, included: IncludedWeight | None = None
) -> list[JudgingPart]:
    """Return the parts of a list of evaluators in order. All strings are one part, whose weight is their number.

    Evaluators that the upstream tool drops do not count. An included file is one part if `included` is given.
    """
    parts: list[JudgingPart] = []
    for evaluator in view.evaluators:
        name = include_of(evaluator)
        if name is None and not evaluator.is_dropped:
            parts.append(JudgingPart(evaluator, weight_of(evaluator.node, version)))
        elif name is not None and included is not None:
            parts.append(JudgingPart(evaluator, included(name)))
    if view.criteria is not None:
        parts.append(JudgingPart(view.criteria, Decimal(len(view.criteria.criteria))))
    return sorted(parts, key=lambda part: part.node.start)


def own_list(case: CaseView) -> EvaluatorsView | None:
    """Return the list of evaluators that counts: the first one, or that of the given key of the case."""
    execution = case.node.get("execution")
    places = [place for place in (case.node, execution) if isinstance(place, Mapping)]
    lists = [view for view in case.evaluators if any(view.pair in place.pairs for place in places)]
    preferred = (
        view for view in lists if view.pair.name in case.dialect.table.judging.lists and view.pair in case.node.pairs
    )
    return next(preferred, lists[0] if lists else None)


def includes_of_case(case: CaseView) -> tuple[str, ...]:
    """Return the files that the list of evaluators of a case includes."""
    view = own_list(case)
    names = map(include_of, view.evaluators) if view is not None else ()
    return tuple(name for name in names if name is not None)


def parts_of_case(case: CaseView, included: IncludedWeight | None = None) -> list[JudgingPart]:
    """Return the case's own parts; its inline criteria have weight 1."""
    inline = case.criteria if case.criteria is not None and case.criteria.criteria else None
    view = own_list(case)
    parts = parts_of_list(view, case.version, included) if view is not None else []
    return [*([JudgingPart(inline, ONE)] if inline is not None else []), *parts]


def numbered_name(name: str, unnamed: str, taken: set[str]) -> str:
    """Return the name of an evaluator in results, and record it: from the second of a type on with a number.

    `unnamed` is the default name; an explicit name is returned unchanged.
    """
    free, number = name, 1
    while free in taken and name in {unnamed, INLINE_NAME}:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free


class MergedLists(EvaluatorLists):
    """The list of a case before that of its `execution`, with that of the suite, unless the case leaves it out."""

    def takes_suite(self, case: Mapping, version: YamlVersion, own: object | None) -> bool:  # noqa: ARG002 - others ask the list.
        """Return whether the evaluators of the suite judge a case."""
        return not skips_defaults(case, version)

    def name(self, name: str, unnamed: str, taken: set[str]) -> str:
        """Return the name in results: without an explicit one, with a number from the second of its type on."""
        return numbered_name(name, unnamed, taken)


MERGED_LISTS = MergedLists()


def skips_suite(case: CaseView) -> bool:
    """Return whether the evaluators of the suite do not judge the case."""
    return not EVALUATOR_LISTS.of(case.dialect).takes_suite(case.node, case.version, own_list(case))


def own_pass_mark(case: CaseView) -> Decimal | None:
    """Return the case's own pass mark, if it has one."""
    for key in ("run", "execution"):
        place = case.node.get(key) if key in case.dialect.case.by_key else None
        written = place.get("threshold") if isinstance(place, Mapping) else None
        number = as_number(written, case.version) if written is not None else None
        if number is not None and number.is_finite():
            return number
    return None


def gate_of(evaluator: EvaluatorView, version: YamlVersion, pass_mark: Decimal | None) -> Decimal | None:
    """Return the score, 0 to 1, below which an evaluator fails its case, or None."""
    if "required" not in evaluator.record.by_key:
        return None
    required, minimum = evaluator.node.get("required"), evaluator.node.get("min_score")
    if required is None:
        return None
    share = as_number(required, version) if evaluator.record.by_key["required"].accepts(FieldType.NUMBER) else None
    if as_boolean(required, version) is not True and (share is None or not is_share(share)):
        return None
    written = as_number(minimum, version) if minimum is not None else None
    for number in (written, share):
        if number is not None and is_share(number):
            return number
    return pass_mark if pass_mark is not None else PASS_MARK_DECIMAL


def is_share(number: Decimal) -> bool:
    """Return whether a number can be the lowest score of an evaluator: above 0 and up to 1."""
    return number.is_finite() and 0 < number <= 1
