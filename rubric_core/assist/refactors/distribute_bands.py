"""Spread score ranges evenly over 0-10, in their order and with their texts; the lower ones get what is left over."""

from collections.abc import Iterator

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import changeable_bands
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, keeps_texts, proposal
from rubric_core.rules.messages import in_words
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.entries import change_integer
from rubric_core.text.spans import Edit
from rubric_core.views.bands import Band

_FEWEST = 2


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it for two ranges or more that are not spread evenly yet."""
    view = changeable_bands(cursor)
    if view is None or not _FEWEST <= len(view.bands) <= HIGHEST - LOWEST + 1:
        return None
    bands = view.in_order()
    # Two ranges of the same scores have no order of their own.
    extents = {band.extent for band in bands if not band.is_inverted}
    if len(extents) < len(view.bands):
        return None
    shares = evenly(len(bands))
    edits = [edit for band, share in zip(bands, shares, strict=True) for edit in _set_bounds(band, share)]
    spread = ", ".join(in_words(*share) for share in shares)
    return proposal(cursor, f"Spread the {len(bands)} ranges evenly: {spread}", edits)


def evenly(count: int) -> list[tuple[int, int]]:
    """Divide the scores 0-10 into ranges of nearly the same size."""
    size, left = divmod(HIGHEST - LOWEST + 1, count)
    shares: list[tuple[int, int]] = []
    low = LOWEST
    for number in range(count):
        high = low + size - (number >= left)
        shares.append((low, high))
        low = high + 1
    return shares


def _set_bounds(band: Band, share: tuple[int, int]) -> Iterator[Edit]:
    """Write the bounds that are not right yet. A map has only the lower ones."""
    for node, old, new in ((band.lower_node, band.lower, share[0]), (band.upper_node, band.upper, share[1])):
        if node is not None and old != new:
            yield change_integer(node, new)


REFACTOR = Refactor("distribute-bands", propose, keeps=keeps_texts)
