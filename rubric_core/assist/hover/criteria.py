"""A criterion: how much it counts, and what failing it does to the verdict."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from rubric_core.assist.hover.markup import Block, Bullets, Inline, Strong, Verbatim, paragraph
from rubric_core.rules.range_words import in_words
from rubric_core.schema.scales import BORDERLINE_MARK, HIGHEST, LOWEST, PASS_MARK
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode
from rubric_core.views.percentages import counted, percent, score_in_words
from rubric_core.views.shares import shares_of
from rubric_core.views.wording import capitalised

if TYPE_CHECKING:
    from rubric_core.assist.hover.place import HoverChunk, HoverPlace
    from rubric_core.views.shares import Share

_KINDS = {Mode.CHECKLIST: "checklist criterion, met or not", Mode.SCORE_RANGE: "score-range criterion, 0 to 10"}
_MOST_SHOWN = 12
_ON_ITSELF = frozenset({"id", "weight", "required", "required_min_score"})


def criterion_at(spot: HoverChunk, place: HoverPlace) -> tuple[CriteriaView, CriterionView] | None:
    """Return the criterion that a place is in, with its list."""
    for index in range(len(place.steps) - 1, 0, -1):
        step, owner = place.steps[index], place.steps[index - 1]
        is_list = isinstance(step.node, Sequence) and step.record is not None and step.record.name == "criterion"
        if is_list and owner.pair is not None and isinstance(owner.node, Mapping):
            criteria = CriteriaView(owner.pair, owner.node, spot.version)
            node = place.node_below(index)
            found = next((each for each in criteria.readable if each.node is node), None)
            return (criteria, found) if found is not None else None
    return None


def speaks_of_criterion(place: HoverPlace, criterion: CriterionView) -> bool:
    """Tell whether a place stands for its criterion: its dash, its string, or one of the keys about it."""
    if place.node is criterion.node:
        return True
    pair = place.last.pair
    return place.last.node is criterion.node and pair is not None and pair.name in _ON_ITSELF


def about_criterion(criteria: CriteriaView, criterion: CriterionView, *, is_beside_others: bool) -> tuple[Block, ...]:
    """Return what a criterion counts and decides; `is_beside_others` tells that its case has other evaluators too."""
    pair = criterion.pair("id")
    generated = " (a generated id)" if pair is None or is_blank(pair.value) else ""
    head = paragraph(
        Strong("Criterion"), " ", Verbatim(criterion.identifier), f"{generated}: {_KINDS[criterion.mode]}."
    )
    lines = [_share_line(criteria, criterion), *_verdict_lines(criteria, criterion)]
    if is_beside_others and len(lines) > 1:
        lines.append(("Other evaluators of the case count beside this list, so the case's score moves less.",))
    return head, Bullets(tuple(lines))


def about_criteria(criteria: CriteriaView) -> tuple[Block, ...]:
    """Return what each criterion of a list counts, and which of them are gates."""
    shares = {id(share.criterion): share for share in shares_of(criteria)}
    lines = [_overview_line(each, shares.get(id(each))) for each in criteria.readable[:_MOST_SHOWN]]
    if len(criteria.readable) > _MOST_SHOWN:
        lines.append((f"{len(criteria.readable) - _MOST_SHOWN} more",))
    return (Bullets(tuple(lines)),) if lines else ()


def _overview_line(criterion: CriterionView, share: Share | None) -> tuple[Inline, ...]:
    weight = percent(share.part) if share is not None else "no share"
    return (Verbatim(criterion.identifier), f": {weight}{_gate_in_words(criterion)}")


def _gate_in_words(criterion: CriterionView) -> str:
    if criterion.mode is Mode.CHECKLIST:
        return ", required" if criterion.is_required else ""
    return f", {criterion.minimum} or more required" if criterion.minimum else ""


def _share(criteria: CriteriaView, criterion: CriterionView) -> Share | None:
    return next((share for share in shares_of(criteria) if share.criterion is criterion), None)


def _share_line(criteria: CriteriaView, criterion: CriterionView) -> tuple[Inline, ...]:
    share = _share(criteria, criterion)
    if share is not None:
        return (f"{capitalised(counted(share.weight, share.total))}.",)
    if not _is_readable(criteria):
        return ("What it counts cannot be told: a criterion or a weight of its list cannot be read.",)
    return ("Counts nothing: its weight is 0.",)


def _is_readable(criteria: CriteriaView) -> bool:
    return all(each.is_readable and each.weight is not None for each in criteria.criteria)


def _verdict_lines(criteria: CriteriaView, criterion: CriterionView) -> list[tuple[Inline, ...]]:
    share = _share(criteria, criterion)
    # Without any weight there is no score; a criterion of weight 0 beside others takes nothing away.
    is_known = _is_readable(criteria) and bool(shares_of(criteria))
    part = share.part if share is not None else Fraction(0) if is_known else None
    return _checklist_lines(criterion, part) if criterion.mode is Mode.CHECKLIST else _range_lines(criterion, part)


def _checklist_lines(criterion: CriterionView, part: Fraction | None) -> list[tuple[Inline, ...]]:
    if criterion.is_required:
        why = "Required" if criterion.pair("required") is not None else "Required, which is the default"
        left = f" All others alone give {score_in_words(1 - part)}." if part is not None else ""
        return [(f"{why}: failing it is a ", Strong("fail"), f", whatever the score.{left}")]
    if part is None:
        return []
    left_score = 1 - part
    return [("If only it fails, the score is ", f"{score_in_words(left_score)}: ", *_verdict(left_score))]


def _verdict(score: Fraction) -> tuple[Inline, ...]:
    """Return a verdict with the limit that decides it."""
    name = verdict_of(score)
    limit = {"pass": "0.8 or more", "borderline": "from 0.6 to below 0.8", "fail": "below 0.6"}[name]
    return Strong(name), f" ({limit})."


def verdict_of(score: Fraction) -> str:
    """Return the verdict on a score where no gate failed."""
    if score >= PASS_MARK:
        return "pass"
    return "borderline" if score >= BORDERLINE_MARK else "fail"


def _range_lines(criterion: CriterionView, part: Fraction | None) -> list[tuple[Inline, ...]]:
    gate = criterion.minimum
    lines: list[tuple[Inline, ...]] = []
    if gate:
        lines.append((f"Gate: a score below {gate} here is a ", Strong("fail"), ", whatever the rest."))
    if part is None:
        return lines
    by_score = [
        (score, "fail" if score < (gate or LOWEST) else verdict_of(1 - part + part * Fraction(score, HIGHEST)))
        for score in range(LOWEST, HIGHEST + 1)
    ]
    parts: list[Inline] = ["With all else perfect: "]
    for name, group in groupby(by_score, key=lambda entry: entry[1]):
        scores = [score for score, _ in group]
        parts += [", " if len(parts) > 1 else "", f"{in_words(scores[0], scores[-1])} ", Strong(name)]
    return [*lines, (*parts, f". A 0 leaves {score_in_words(1 - part)}; pass starts at 0.8, borderline at 0.6.")]
