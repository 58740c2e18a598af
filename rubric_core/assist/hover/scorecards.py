"""Scorecards in short, and what a red flag or a bonus does to the grade."""

from decimal import Decimal

from rubric_core.assist.cursor import Cursor, CursorPart
from rubric_core.assist.hover.markup import Blocks, Markup, bullets, code, joined, line, quoted, strong
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.amounts import describe, exact_sum
from rubric_core.views.scorecards import DEFAULT_WEIGHTS, LARGEST_DEDUCTION, MOST_BONUSES, AdjustmentView, ScorecardView

_BONUS = Decimal("0.25")
_MOST_SHOWN = 6
_ON_ITSELF = frozenset({"id", "deduction"})


def about_scorecard(cursor: Cursor) -> Blocks:
    """Return the content of a scorecard: on its name in the suite, and on the `scorecard` of a case that names it."""
    pair, record = cursor.last.pair, cursor.record
    if pair is None or pair.name is None:
        return ()
    if record == "scorecards" and isinstance(pair.value, Mapping) and cursor.part is CursorPart.KEY:
        return _summary(pair.name, ScorecardView(pair.value, cursor.version))
    if record == "case" and pair.name == "scorecard" and isinstance(pair.value, Scalar):
        name = pair.value.value
        for chunk, entry in cursor.suite_entries():
            named = entry.value.get(name) if entry.name == "scorecards" and isinstance(entry.value, Mapping) else None
            if isinstance(named, Mapping):
                return _summary(name, ScorecardView(named, cursor.document.version(chunk)))
    return ()


def _summary(name: str, scorecard: ScorecardView) -> Blocks:
    lines: list[str | Markup] = []
    skill = scorecard.node.get("skill")
    if isinstance(skill, Scalar) and not is_blank(skill):
        lines.append(line("Skill: ", code(skill.value)))
    lines.append(_weights_line(scorecard))
    if scorecard.red_flags:
        taken = exact_sum(flag.counted or Decimal(0) for flag in scorecard.red_flags)
        most = describe(min(taken, LARGEST_DEDUCTION))
        lines.append(line(f"Red flags, {most} off at most: ", _named(scorecard.red_flags)))
    if scorecard.bonuses:
        most = describe(_BONUS * min(len(scorecard.bonuses), MOST_BONUSES))
        lines.append(line(f"Bonuses, {most} more at most: ", _named(scorecard.bonuses)))
    return line(strong("Scorecard"), " ", code(name)), bullets(lines)


def _weights_line(scorecard: ScorecardView) -> str:
    given = scorecard.given_weights
    if given is None:
        return "Weights: one of them cannot be read"
    weights = given or DEFAULT_WEIGHTS
    heaviest = sorted(weights.items(), key=lambda entry: -entry[1])
    default = "" if given else " (the default)"
    return f"Weights{default}: {', '.join(f'{name} {describe(weight)}' for name, weight in heaviest)}"


def _named(adjustments: list[AdjustmentView]) -> Markup:
    shown: list[str | Markup] = []
    for adjustment in adjustments[:_MOST_SHOWN]:
        identifier, outcome = adjustment.identifier, adjustment.outcome
        if identifier is not None:
            shown.append(code(identifier.value))
        elif outcome is not None:
            shown.append(quoted(outcome.value))
    more = len(adjustments) - len(shown)
    return joined([*shown, f"{more} more"] if more else shown, "; ")


def about_adjustment(cursor: Cursor) -> Blocks:
    """Return what a red flag or a bonus does, on its dash, its string, its id or its deduction."""
    for index, step in enumerate(cursor.steps):
        record = step.record.name if step.record is not None else ""
        node = cursor.node_below(index)
        is_item = record in {"red-flag", "bonus"} and not isinstance(step.node, Mapping)
        if is_item and node is not None and cursor.is_on(node, _ON_ITSELF):
            effect = _effect(AdjustmentView(node, 1, cursor.version)) if record == "red-flag" else _EFFECT_OF_BONUS
            return (line(effect),)
    return ()


_EFFECT_OF_BONUS = (
    f"A bonus: it adds {describe(_BONUS)} to the grade; all bonuses together add "
    f"{describe(_BONUS * MOST_BONUSES)} at most."
)


def _effect(flag: AdjustmentView) -> str:
    amount = flag.counted
    if amount is None:
        return "A red flag: what it takes off cannot be read."
    return (
        f"A red flag: it takes {describe(amount)} off the grade; all red flags together take "
        f"{describe(LARGEST_DEDUCTION)} off at most."
    )
