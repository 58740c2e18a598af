"""A case in short: its criteria, gates, evaluators and target; and how much one of its evaluators counts."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import chain

from rubric_core.assist.cursor import Cursor, CursorPart
from rubric_core.assist.hover.markup import Blocks, Markup, bullets, code, first_of, joined, line, quoted, strong
from rubric_core.assist.includes import Includes
from rubric_core.assist.names.occurrences import nodes_at
from rubric_core.assist.words import case_noun, evaluator_noun
from rubric_core.schema.fields import Role
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.writing import plural
from rubric_core.views.amounts import counted, describe, exact_sum
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import ONE, CriteriaView, CriterionView, Mode, weight_of
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.judging_parts import (
    JudgingPart,
    gate_of,
    include_of,
    own_list,
    own_pass_mark,
    parts_of_case,
    skips_suite,
)
from rubric_core.views.texts import capitalised

_MOST_SHOWN = 8
# Where the target of all cases is, below keys of the suite.
_TARGETS = {"target": (), "execution": ("target",)}
_CASE_RECORDS = frozenset({"case", "raw-case", "scenario-case"})


def about_case(cursor: Cursor) -> Blocks:
    """Return the summary of a case, on its dash and on its id."""
    last, case = cursor.last, cursor.case
    is_id = isinstance(last.node, Mapping) and last.pair is not None and last.pair.name == "id"
    if cursor.record not in _CASE_RECORDS or case is None or not (is_id or cursor.part is CursorPart.DASH):
        return ()
    identifier, outcome = case.identifier, case.outcome
    name = line(" ", code(identifier.value)) if identifier is not None else " without an id"
    lines: list[str | Markup] = []
    if case.dialect.case.by_role[Role.CRITERIA]:
        lines.append(_criteria_line(case.criteria))
    lines += [*_gate_lines(cursor, case), *_evaluator_lines(cursor, case)]
    target = _target(cursor, case)
    if target is not None:
        lines.append(line("Target: ", code(target)))
    scorecard = case.node.get("scorecard")
    if isinstance(scorecard, Scalar) and not is_blank(scorecard):
        lines.append(line("Scorecard: ", code(scorecard.value)))
    elif isinstance(scorecard, Mapping):
        lines.append("Scorecard: its own")
    text = (quoted(outcome.value),) if outcome is not None else ()
    return line(strong(capitalised(case_noun(case.dialect))), name), *text, bullets(lines)


def _criteria_line(criteria: CriteriaView | None) -> str:
    readable = criteria.readable if criteria is not None else []
    if not readable:
        return "Criteria: none"
    modes = [(mode, sum(criterion.mode is mode for criterion in readable)) for mode in Mode]
    kinds = " and ".join(f"{count} {mode.value}" for mode, count in modes if count)
    weights = [criterion.weight for criterion in readable if criterion.weight is not None]
    if len(weights) < len(readable):
        return f"Criteria: {kinds}, a weight cannot be read"
    return f"Criteria: {kinds}, total weight {describe(exact_sum(weights))}"


def _gate_lines(cursor: Cursor, case: CaseView) -> list[str | Markup]:
    """Return the gates of the case: by name in its own list, by number in its evaluators."""
    if case.dialect.table.gates.fails != "case":
        return _assertion_gates(cursor, case)
    lists = [[gate for criterion in view.readable if (gate := _gate(criterion))] for view in case.all_criteria()]
    own = lists[0] if case.criteria is not None else []
    further = sum(map(len, lists)) - len(own)
    parts = first_of(own, _MOST_SHOWN)
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


def _assertion_gates(cursor: Cursor, case: CaseView) -> list[str | Markup]:
    """Return the evaluators that fail the case by their score alone."""
    gates: list[str | Markup] = []
    for part in judging_parts(cursor, case):
        if isinstance(part.what, EvaluatorView) and include_of(part.what) is None:
            gate = _gate_of(cursor, case, part.what)
            if gate is not None:
                gates.append(line(_name(part.what), f" from {describe(gate)}"))
    return [line("Gates: ", joined(gates))] if gates else ["Gates: none, the score alone decides"]


def judging_parts(cursor: Cursor, case: CaseView) -> tuple[JudgingPart, ...]:
    """Return all that judges a case; its inline criteria are one part, and so is an included file."""
    return tuple(chain(*_lists_of_parts(cursor, case)))


def _lists_of_parts(cursor: Cursor, case: CaseView) -> tuple[Sequence[JudgingPart], Sequence[JudgingPart]]:
    """Return all that judges a case: its own parts, and those of the suite."""
    includes = Includes(cursor.analysis)
    inherited = [] if skips_suite(case) else includes.of_suite(cursor.chunk.section)
    return parts_of_case(case, includes.weight_of), inherited


def _evaluator_lines(cursor: Cursor, case: CaseView) -> list[Markup]:
    own, inherited = _lists_of_parts(cursor, case)
    inline = own[:1] if own and own[0].what is case.criteria else []
    word = f"{capitalised(evaluator_noun(case.dialect))}s"
    lists = [(word, own[len(inline) :]), (f"{word}, from the suite", inherited)]
    lines: list[Markup] = []
    for name, others in lists:
        if others:
            # The criteria of the case are beside the first list.
            parts = [_part(part, case) for part in (*(inline if not lines else ()), *others[:_MOST_SHOWN])]
            more = f" and {len(others) - _MOST_SHOWN} more" if len(others) > _MOST_SHOWN else ""
            lines.append(line(f"{name}: ", joined(parts), more))
    return lines


def _part(part: JudgingPart, case: CaseView) -> str | Markup:
    if part.what is case.criteria:
        return f"`{INLINE_NAME}` (the criteria, weight 1)"
    if isinstance(part.what, CriteriaView):
        return f"{plural(len(part.what.criteria), 'string')} (one rubric, weight {describe(part.weight or ONE)})"
    included = include_of(part.what)
    if included is not None:
        weight = f"weight {describe(part.weight)}" if part.weight is not None else "cannot be read"
        return line(code(included), f" (included, {weight})")
    facts = [part.what.kind or "unknown type"]
    if "weight" in part.what.node.index and part.weight is not None:
        facts.append(f"weight {describe(part.weight)}")
    return line(_name(part.what), f" ({', '.join(facts)})")


def _name(evaluator: EvaluatorView) -> str | Markup:
    return code(evaluator.name.value) if evaluator.name is not None else "one without a name"


def _target(cursor: Cursor, case: CaseView) -> str | None:
    """Return the target of the case, or else the suite's."""
    own = nodes_at(case.node.get("execution"), ("target",))
    entries = (entry for _, entry in cursor.suite_entries() if entry.name in _TARGETS)
    inherited = (node for entry in entries for node in nodes_at(entry.value, _TARGETS[entry.name or ""]))
    target = next(chain(own, inherited), None)
    return target.value if target is not None else None


def about_evaluator(cursor: Cursor) -> Blocks:
    """Return what an evaluator of a case counts, on its dash, its name and its weight."""
    case = cursor.case
    used = own_list(case) if case is not None else None
    for view in used.evaluators if used is not None and cursor.last.record is not None else ():
        if case is not None and cursor.is_on(view.node, (view.record.name_key, "weight", "required", "min_score")):
            name = line(" ", code(view.name.value)) if view.name is not None else " without a name"
            word = capitalised(evaluator_noun(cursor.dialect))
            head = line(strong(word), name, f": {view.kind}." if view.kind is not None else ".")
            return head, bullets([_share_line(cursor, case, view), *_gate_line(cursor, case, view)])
    return _about_member(cursor, case) if case is not None else ()


def _about_member(cursor: Cursor, case: CaseView) -> Blocks:
    """Return what a member of a composite counts there, on its weight."""
    for view in (view for view in case.evaluators if view.composite is not None and view.composite.kind is not None):
        weights = [weight_of(member.node, cursor.version) for member in view.evaluators]
        for member, own in zip(view.evaluators, weights, strict=True):
            readable = [weight for weight in weights if weight is not None]
            if own and cursor.is_on(member.node, ("weight",)) and len(readable) == len(weights):
                return (line(capitalised(counted(own, exact_sum(readable), "the score of its list")), "."),)
    return ()


def _share_line(cursor: Cursor, case: CaseView, evaluator: EvaluatorView) -> str:
    if evaluator.is_dropped:
        return f"No effect on the score: {cursor.dialect.tool} drops it, because it does not define what to judge."
    parts = judging_parts(cursor, case)
    own = next((part.weight for part in parts if part.node is evaluator.node), None)
    weights = [part.weight for part in parts if part.weight is not None]
    if own is None or len(weights) < len(parts):
        what = "a weight of its list"
        if any(isinstance(part.what, EvaluatorView) and include_of(part.what) is not None for part in parts):
            what = f"{what}, or a file that it includes,"
        return f"Its share is unknown: {what} cannot be read."
    if not own:
        return "No effect on the score: its weight is 0."
    noun = case_noun(cursor.dialect)
    share = capitalised(counted(own, exact_sum(weights), f"the {noun}'s score"))
    return f"{share}; the criteria of the {noun} count 1." if parts[0].what is case.criteria else f"{share}."


def _gate_of(cursor: Cursor, case: CaseView, evaluator: EvaluatorView) -> Decimal | None:
    own = own_pass_mark(case)
    return gate_of(evaluator, case.version, own if own is not None else cursor.analysis.facts.suite.inherited.pass_mark)


def _gate_line(cursor: Cursor, case: CaseView, evaluator: EvaluatorView) -> list[str | Markup]:
    noun = case_noun(cursor.dialect)
    gate = _gate_of(cursor, case, evaluator)
    return [line(f"Required: with a score below {describe(gate)} the {noun} gets ", strong("0"), ".")] if gate else []
