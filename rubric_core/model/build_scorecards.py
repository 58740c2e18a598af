"""From nodes to scorecards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.model.builder import below, text_of, value_of
from rubric_core.model.scorecards import Bonus, RedFlag, Scorecard
from rubric_core.schema.records import RECORDS
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.scalars import is_null
from rubric_core.views.scorecards import AdjustmentView

if TYPE_CHECKING:
    from rubric_core.model.builder import Builder
    from rubric_core.model.suite import ModelPath
    from rubric_core.syntax.document import Located

_SCORECARD = RECORDS["scorecard"]


def build_scorecard(builder: Builder, path: ModelPath, item: Located) -> Scorecard | None:
    """Build a scorecard; without a `skill` its history goes by the case's file and id."""
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "A scorecard is a mapping, or the name of one.")
        return None
    values: dict[str, Any] = {"skill": text_of(value_of(node, _SCORECARD, "skill")) or ""}
    weights = value_of(node, _SCORECARD, "weights")
    if isinstance(weights, Mapping):
        values["weights"] = {name: builder.number(pair.value) for name, pair in weights.index.items()}
    elif weights is not None:
        values["weights"] = builder.plain(weights)

    def build_flag(at: ModelPath, place: int, flag: Located) -> RedFlag | None:
        values = _adjustment(builder, flag, f"red-flag-{place + 1}")
        return builder.make(RedFlag, at, flag.span, values | _deduction(builder, flag))

    def build_bonus(at: ModelPath, place: int, bonus: Located) -> Bonus | None:
        return builder.make(Bonus, at, bonus.span, _adjustment(builder, bonus, f"bonus-{place + 1}"))

    flags = below(item, value_of(node, _SCORECARD, "red_flags"))
    bonuses = below(item, value_of(node, _SCORECARD, "bonuses"))
    values["red_flags"] = builder.each((*path, "red_flags"), flags, build_flag)
    values["bonuses"] = builder.each((*path, "bonuses"), bonuses, build_bonus)
    return builder.make(Scorecard, path, item.span, values)


def _adjustment(builder: Builder, item: Located, generated_id: str) -> dict[str, Any]:
    """Return the values of a red flag or a bonus; a plain string is its text."""
    view = AdjustmentView(item.node, 0, builder.version)
    return {"id": text_of(view.identifier) or generated_id, "expected_outcome": text_of(view.outcome)}


def _deduction(builder: Builder, item: Located) -> dict[str, Any]:
    """Return what a red flag takes away, where it says so. Bonuses have no such key."""
    pair = AdjustmentView(item.node, 0, builder.version).deduction
    return {} if pair is None or is_null(pair.value) else {"deduction": builder.number(pair.value)}
