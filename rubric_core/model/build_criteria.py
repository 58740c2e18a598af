"""From nodes to criteria and their score ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion
from rubric_core.syntax.scalars import is_null
from rubric_core.views.bands import Flaw
from rubric_core.views.criteria import CriterionView

if TYPE_CHECKING:
    from rubric_core.model.builder import Builder
    from rubric_core.model.suite import ModelPath
    from rubric_core.syntax.document import Located
    from rubric_core.views.bands import Band, BandsView

_FLAWS = {
    Flaw.MALFORMED: "score_range is not a list of two integers from 0 to 10.",
    Flaw.NOT_INTEGER: "A bound of the range is not an integer.",
}


def build_criterion(
    builder: Builder, path: ModelPath, place: int, item: Located
) -> ChecklistCriterion | ScoreRangeCriterion | None:
    """Build one criterion; without an id it is called `rubric-N` by its place in the list as written."""
    view = CriterionView(item.node, place + 1, builder.version)
    if not view.is_readable:
        builder.leave_out(path, item.span, "A criterion is a string or a mapping.")
        return None
    builder.name(path, item.span, f"criterion {view.identifier}")
    values: dict[str, Any] = {"id": view.identifier}
    if view.text:
        values["expected_outcome"] = view.text
    _add(builder, view, values, "weight")
    if view.bands is None:
        _add(builder, view, values, "required")
        return builder.make(ChecklistCriterion, path, item.span, values)
    # `required` has no effect beside score ranges, and `required_min_score` none without them.
    _add(builder, view, values, "required_min_score")
    values["score_ranges"] = _build_ranges(builder, (*path, "score_ranges"), view.bands, item.base)
    return builder.make(ScoreRangeCriterion, path, item.span, values)


def _add(builder: Builder, view: CriterionView, values: dict[str, Any], name: str) -> None:
    """Take over a value as it is written, for the model to accept or refuse; nothing where there is none."""
    pair = view.pair(name)
    if pair is not None and not is_null(pair.value):
        values[name] = builder.number(pair.value) if name == "weight" else builder.plain(pair.value)


def _build_ranges(builder: Builder, path: ModelPath, bands: BandsView, base: int) -> tuple[ScoreRange, ...]:
    """Build the ranges of either form in the order of their scores; those of a map run up to the next key."""
    for stranger in bands.strangers:
        builder.leave_out(path, stranger.span.shifted(base), "A score range is a mapping.")
    ranges: list[ScoreRange] = []
    for band in sorted(bands.bands, key=_lower_bound):
        at: ModelPath = (*path, len(ranges))
        span = band.whole.span.shifted(base)
        if band.lower is not None and band.upper is not None:
            low, high = sorted((band.lower, band.upper))
            builder.name(path, span, f"range {low}" if low == high else f"range {low}-{high}")
        if band.flaw is not None:
            builder.leave_out(at, span, _FLAWS[band.flaw])
            continue
        values = {"minimum": band.lower, "maximum": band.upper, "expected_outcome": band.text}
        made = builder.make(ScoreRange, at, span, values)
        if made is not None:
            ranges.append(made)
    return tuple(ranges)


def _lower_bound(band: Band) -> int:
    return -1 if band.lower is None else band.lower
