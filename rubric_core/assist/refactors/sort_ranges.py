"""Bring score ranges into the order of their scores, each with its comments."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import changeable_bands
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.syntax.entries import sort_entries
from rubric_core.syntax.nodes import Mapping, Sequence


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it where a range is behind a higher one."""
    view = changeable_bands(cursor)
    if view is None or not isinstance(view.node, (Mapping, Sequence)):
        return None
    ordered = sorted(view.bands, key=lambda band: min(band.lower or 0, band.upper or 0))
    if ordered == view.bands:
        return None
    edits = sort_entries(cursor.text, view.node, [band.whole for band in ordered])
    return proposal(cursor, "Sort the ranges", edits or ())


REFACTOR = Refactor("sort-ranges", propose)
