"""A case in short: its criteria, gates, evaluators and target; and how much one of its evaluators counts."""

from decimal import Decimal

from rubric_core.assist.cursor import Cursor, CursorPart
from rubric_core.assist.hover.markup import Blocks, Markup, bullets, code, joined, line, quoted, strong
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.nodes import Mapping, Node, Scalar
from rubric_core.syntax.scalars import YamlVersion, as_number, is_blank
from rubric_core.views.amounts import counted, describe, exact_sum
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import ONE, CriteriaView, CriterionView, Mode, weight_of
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView, read_evaluators
from rubric_core.views.texts import capitalised

_MOST_SHOWN = 8
_KEYS_OF_EVALUATOR = frozenset({"name", "weight"})


def about_case(cursor: Cursor) -> Blocks:
    """Return the summary of a case, on its dash and on its id."""
    last, case = cursor.last, cursor.case
    is_id = isinstance(last.node, Mapping) and last.pair is not None and last.pair.name == "id"
    if cursor.record != "case" or case is None or not (is_id or cursor.part is CursorPart.DASH):
        return ()
    identifier, outcome = case.identifier, case.outcome
    name = line(" ", code(identifier.value)) if identifier is not None else " without an id"
    lines: list[str | Markup] = [_criteria_line(case.criteria), *_gate_lines(case), *_evaluator_lines(cursor, case)]
    target = _target(cursor, case)
    if target is not None:
        lines.append(line("Target: ", code(target)))
    scorecard = case.node.get("scorecard")
    if isinstance(scorecard, Scalar) and not is_blank(scorecard):
        lines.append(line("Scorecard: ", code(scorecard.value)))
    elif isinstance(scorecard, Mapping):
        lines.append("Scorecard: its own")
    text = (quoted(outcome.value),) if outcome is not None else ()
    return line(strong("Case"), name), *text, bullets(lines)


def _criteria_line(criteria: CriteriaView | None) -> str:
    readable = criteria.readable if criteria is not None else []
    if not readable:
        return "Criteria: none"
    modes = [(mode, sum(each.mode is mode for each in readable)) for mode in Mode]
    kinds = " and ".join(f"{count} {mode.value}" for mode, count in modes if count)
    known = [each.weight for each in readable if each.weight is not None]
    total = f"total weight {describe(exact_sum(known))}" if len(known) == len(readable) else "a weight cannot be read"
    return f"Criteria: {kinds}, {total}"


def _gate_lines(case: CaseView) -> list[str | Markup]:
    """Return what fails the case whatever the score: by name in its own list, by number in its evaluators."""
    lists = [[gate for each in view.readable if (gate := _gate(each))] for view in case.all_criteria()]
    own = lists[0] if case.criteria is not None else []
    further = sum(map(len, lists)) - len(own)
    parts: list[str | Markup] = [*own[:_MOST_SHOWN]]
    if len(own) > _MOST_SHOWN:
        parts.append(f"{len(own) - _MOST_SHOWN} more")
    if further:
        parts.append(f"{further} in its evaluators")
    if parts:
        return [line("Gates: ", joined(parts))]
    has_criteria = any(criteria.readable for criteria in case.all_criteria())
    return ["Gates: none, the score alone decides"] if has_criteria else []


def _gate(criterion: CriterionView) -> Markup | None:
    if criterion.mode is Mode.CHECKLIST:
        return code(criterion.identifier) if criterion.is_required else None
    return line(code(criterion.identifier), f" from {criterion.minimum}") if criterion.minimum else None


def count_of_evaluators(cursor: Cursor, case: CaseView) -> int:
    """Return how many evaluators judge a case; its inline criteria are one of them."""
    return len(_evaluators_in_use(cursor, case)) + bool(case.criteria is not None and case.criteria.criteria)


def _evaluators_in_use(cursor: Cursor, case: CaseView) -> list[EvaluatorView]:
    """Return the evaluators of a case besides its inline criteria; those of the suite where it has none of its own."""
    if case.evaluators:
        return case.evaluators[0].evaluators
    for chunk, entry in cursor.suite_entries():
        if entry.name == "execution" and isinstance(entry.value, Mapping):
            lists = read_evaluators(
                entry.value, cursor.dialect.records["execution"], cursor.document.version(chunk), cursor.dialect
            )
            return lists[0].evaluators if lists else []
    return []


def _evaluator_lines(cursor: Cursor, case: CaseView) -> list[Markup]:
    others = _evaluators_in_use(cursor, case)
    if not others:
        return []
    has_criteria = case.criteria is not None and case.criteria.criteria
    inline = [f"`{INLINE_NAME}` (the criteria, weight 1)"] if has_criteria else []
    parts: list[str | Markup] = [*inline, *(_evaluator(each, case.version) for each in others[:_MOST_SHOWN])]
    more = f" and {len(others) - _MOST_SHOWN} more" if len(others) > _MOST_SHOWN else ""
    inherited = "" if case.evaluators else ", from the suite"
    return [line(f"Evaluators{inherited}: ", joined(parts), more)]


def _evaluator(evaluator: EvaluatorView, version: YamlVersion) -> Markup:
    name = code(evaluator.name.value) if evaluator.name is not None else "one without a name"
    facts = [evaluator.kind or "unknown type"]
    weight = evaluator.node.get("weight")
    number = as_number(weight, version) if weight is not None else None
    if number is not None and number.is_finite():
        facts.append(f"weight {describe(number)}")
    return line(name, f" ({', '.join(facts)})")


def _target(cursor: Cursor, case: CaseView) -> str | None:
    """Return what answers the case: its own target, else the suite's."""
    own = _named_target(case.node.get("execution"))
    if own is not None:
        return own
    for _, entry in cursor.suite_entries():
        value = entry.value
        if entry.name == "target" and isinstance(value, Scalar) and not is_blank(value):
            return value.value
        if entry.name == "execution" and (named := _named_target(value)) is not None:
            return named
    return None


def _named_target(execution: Node | None) -> str | None:
    target = execution.get("target") if isinstance(execution, Mapping) else None
    return target.value if isinstance(target, Scalar) and not is_blank(target) else None


def about_evaluator(cursor: Cursor) -> Blocks:
    """Return what an evaluator of a case counts, on its dash, its name and its weight."""
    used = cursor.case.evaluators[0] if cursor.case is not None and cursor.case.evaluators else None
    for view in used.evaluators if used is not None and cursor.last.record is not None else ():
        if used is not None and cursor.is_on(view.node, _KEYS_OF_EVALUATOR):
            name = line(" ", code(view.name.value)) if view.name is not None else " without a name"
            head = line(strong("Evaluator"), name, f": {view.kind}." if view.kind is not None else ".")
            return head, bullets([_share_line(used, view.node, cursor.version)])
    return ()


def _share_line(evaluators: EvaluatorsView, node: Mapping, version: YamlVersion) -> str:
    weights = [weight_of(each.node, version) for each in evaluators.evaluators]
    own = weight_of(node, version)
    known = [weight for weight in weights if weight is not None]
    if own is None or len(known) < len(weights):
        return "What it counts cannot be told: a weight of its list cannot be read."
    if not own:
        return "Counts nothing: its weight is 0."
    inline = ONE if evaluators.inline is not None else Decimal(0)
    share = capitalised(counted(own, exact_sum((*known, inline)), "the case's score"))
    return f"{share}; the criteria of the case count 1." if inline else f"{share}."
