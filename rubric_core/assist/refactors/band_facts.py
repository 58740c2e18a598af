"""What the refactors of score ranges ask of them first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from rubric_core.assist.refactors.layout import is_own_text
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Node
    from rubric_core.views.bands import Band, BandsView


def can_be_changed(view: BandsView) -> bool:
    """Tell whether the ranges stand in the text for themselves alone, each of them once and with bounds."""
    node = view.node
    if not isinstance(node, (Mapping, Sequence)) or not is_own_text(node) or not is_own_text(view.pair.key):
        return False
    if isinstance(node, Mapping) and node.duplicates:
        return False
    own = (
        is_own_text(part) for band in view.bands for part in (*_parts(band), band.lower_node, band.upper_node) if part
    )
    return view.is_readable and not view.is_empty and all(own)


def _parts(band: Band) -> tuple[Node, ...]:
    if isinstance(band.whole, Pair):
        return (band.whole.key,)
    return (band.whole, band.pair.key, band.pair.value) if band.pair is not None else (band.whole,)


def is_scale(view: BandsView) -> bool:
    """Tell whether each score from 0 to 10 belongs to exactly one range, and each range has a text."""
    extents = sorted((band.lower or 0, band.upper or 0) for band in view.bands)
    if not extents or extents[0][0] != LOWEST or extents[-1][1] != HIGHEST:
        return False
    if any(low > high for low, high in extents) or any(below[1] + 1 != above[0] for below, above in pairwise(extents)):
        return False
    return all(isinstance(band.outcome, Scalar) and not is_blank(band.outcome) for band in view.bands)
