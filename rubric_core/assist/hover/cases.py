"""A case in short: its criteria, gates and evaluators, and what answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.hover.markup import Block, Bullets, Inline, Quoted, Strong, Verbatim, paragraph
from rubric_core.assist.hover.place import suite_entries
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import as_number, is_blank
from rubric_core.views.apportionment import describe, exact_sum
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import Mode
from rubric_core.views.evaluators import EvaluatorView, read_evaluators

if TYPE_CHECKING:
    from rubric_core.assist.hover.place import HoverChunk, HoverPlace
    from rubric_core.syntax.nodes import Node
    from rubric_core.views.criteria import CriteriaView, CriterionView

_MOST_SHOWN = 8


def case_at(spot: HoverChunk, place: HoverPlace) -> CaseView | None:
    """Return the case that a place is in."""
    index = place.step_of("case")
    node: Node | None = place.steps[index].node if index is not None else None
    if node is None and place.last.record is not None and place.last.record.name == "case":
        # On the dash of a case.
        node = place.node
    return CaseView(node, spot.version) if isinstance(node, Mapping) else None


def about_case(spot: HoverChunk, case: CaseView) -> tuple[Block, ...]:
    """Return the summary of a case."""
    identifier, outcome = case.identifier, case.outcome
    name: tuple[Inline, ...] = (" ", Verbatim(identifier.value)) if identifier is not None else (" without an id",)
    head = (paragraph(Strong("Case"), *name),)
    lines = [_criteria_line(case.criteria), *_gate_lines(case), *_evaluator_lines(spot, case)]
    target = _target(spot, case)
    if target is not None:
        lines.append(("Target: ", Verbatim(target)))
    scorecard = case.node.get("scorecard")
    if isinstance(scorecard, Scalar) and not is_blank(scorecard):
        lines.append(("Scorecard: ", Verbatim(scorecard.value)))
    elif isinstance(scorecard, Mapping):
        lines.append(("Scorecard: its own",))
    text = (paragraph(Quoted(outcome.value)),) if outcome is not None else ()
    return *head, *text, Bullets(tuple(lines))


def _criteria_line(criteria: CriteriaView | None) -> tuple[Inline, ...]:
    readable = criteria.readable if criteria is not None else []
    if not readable:
        return ("Criteria: none",)
    modes = [(mode, sum(each.mode is mode for each in readable)) for mode in Mode]
    kinds = " and ".join(f"{count} {mode.value}" for mode, count in modes if count)
    weights = [each.weight for each in readable]
    known = [weight for weight in weights if weight is not None]
    total = f"total weight {describe(exact_sum(known))}" if len(known) == len(weights) else "a weight cannot be read"
    return (f"Criteria: {kinds}, {total}",)


def _gate_lines(case: CaseView) -> list[tuple[Inline, ...]]:
    """Return what fails the case whatever the score: by name in its own list, by number in its evaluators."""
    lists = [_gates(criteria) for criteria in case.all_criteria()]
    own = lists[0] if case.criteria is not None else []
    further = sum(map(len, lists)) - len(own)
    parts = [*own[:_MOST_SHOWN]]
    if len(own) > _MOST_SHOWN:
        parts.append((f"{len(own) - _MOST_SHOWN} more",))
    if further:
        parts.append((f"{further} in its evaluators",))
    shown = [part for each in parts for part in (", ", *each)][1:]
    if shown:
        return [("Gates: ", *shown)]
    has_criteria = any(criteria.readable for criteria in case.all_criteria())
    return [("Gates: none, the score alone decides",)] if has_criteria else []


def _gates(criteria: CriteriaView) -> list[tuple[Inline, ...]]:
    return [gate for each in criteria.readable if (gate := _gate(each)) is not None]


def _gate(criterion: CriterionView) -> tuple[Inline, ...] | None:
    if criterion.mode is Mode.CHECKLIST:
        return (Verbatim(criterion.identifier),) if criterion.is_required else None
    return (Verbatim(criterion.identifier), f" from {criterion.minimum}") if criterion.minimum else None


def count_of_evaluators(spot: HoverChunk, case: CaseView) -> int:
    """Return how many evaluators judge a case; its inline criteria are one of them."""
    return len(evaluators_in_use(spot, case)) + bool(case.criteria is not None and case.criteria.criteria)


def evaluators_in_use(spot: HoverChunk, case: CaseView) -> list[EvaluatorView]:
    """Return the evaluators of a case besides its inline criteria; those of the suite where it has none of its own."""
    if case.evaluators:
        return case.evaluators[0].evaluators
    for chunk, entry in suite_entries(spot):
        if entry.name == "execution" and isinstance(entry.value, Mapping):
            lists = read_evaluators(entry.value, spot.analysis.document.version(chunk))
            return lists[0].evaluators if lists else []
    return []


def _evaluator_lines(spot: HoverChunk, case: CaseView) -> list[tuple[Inline, ...]]:
    others = evaluators_in_use(spot, case)
    if not others:
        return []
    parts: list[tuple[Inline, ...]] = []
    if case.criteria is not None and case.criteria.criteria:
        parts.append((f"`{INLINE_NAME}` (the criteria, weight 1)",))
    parts += [_evaluator(each, case) for each in others[:_MOST_SHOWN]]
    more = f" and {len(others) - _MOST_SHOWN} more" if len(others) > _MOST_SHOWN else ""
    inherited = "" if case.evaluators else ", from the suite"
    shown = [part for each in parts for part in (", ", *each)][1:]
    return [(f"Evaluators{inherited}: ", *shown, more)]


def _evaluator(evaluator: EvaluatorView, case: CaseView) -> tuple[Inline, ...]:
    name = Verbatim(evaluator.name.value) if evaluator.name is not None else "one without a name"
    facts = [evaluator.kind or "unknown type"]
    weight = evaluator.node.get("weight")
    number = as_number(weight, case.version) if weight is not None else None
    if number is not None and number.is_finite():
        facts.append(f"weight {describe(number)}")
    return (name, f" ({', '.join(facts)})")


def _target(spot: HoverChunk, case: CaseView) -> str | None:
    """Return what answers the case: its own target, else the suite's."""
    own = _named_target(case.node.get("execution"))
    if own is not None:
        return own
    for _, entry in suite_entries(spot):
        value = entry.value
        if entry.name == "target" and isinstance(value, Scalar) and not is_blank(value):
            return value.value
        if entry.name == "execution" and (named := _named_target(value)) is not None:
            return named
    return None


def _named_target(execution: Node | None) -> str | None:
    target = execution.get("target") if isinstance(execution, Mapping) else None
    return target.value if isinstance(target, Scalar) and not is_blank(target) else None
