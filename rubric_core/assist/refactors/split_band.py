"""Split a score range in the middle. The lower half keeps the text, the upper half gets one to fill in."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import changeable_bands
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, adds_one_band, proposal
from rubric_core.rules.messages import in_words, placeholder
from rubric_core.syntax.edits import Data, replace_node
from rubric_core.syntax.entries import insert_entry, write_item, write_pair
from rubric_core.syntax.nodes import Mapping, Node, Pair, Sequence
from rubric_core.text.spans import Edit
from rubric_core.views.bands import Band


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on a range of two scores or more that it shares with no other range."""
    view, band = changeable_bands(cursor), cursor.band
    if view is None or band is None or band.extent != (band.lower, band.upper):
        return None
    low, high = band.extent
    if low == high or any(_shares(band, other) for other in view.bands if other is not band):
        return None
    middle = low + (high - low + 2) // 2
    text = placeholder(middle, high)
    edits: list[Edit] = []
    if isinstance(view.node, Mapping) and isinstance(band.whole, Pair):
        edits += insert_entry(cursor.text, view.node, band.whole, write_pair(view.node, band.whole, middle, text))
    elif isinstance(view.node, Sequence) and isinstance(band.whole, Node) and band.upper_node is not None:
        fields: dict[str | int, Data] = {"score_range": [middle, high], cursor.dialect.range_text_keys[0]: text}
        written = write_item(cursor.text, view.node, band.whole, fields)
        edits.append(replace_node(band.upper_node, str(middle - 1)))
        edits += insert_entry(cursor.text, view.node, band.whole, written)
    halves = f"{in_words(low, middle - 1)} and {in_words(middle, high)}"
    return proposal(cursor, f"Split {in_words(low, high)} into {halves}", edits)


def _shares(band: Band, other: Band) -> bool:
    mine, theirs = band.extent, other.extent
    return mine is not None and theirs is not None and mine[0] <= theirs[1] and theirs[0] <= mine[1]


REFACTOR = Refactor("split-band", propose, keeps=adds_one_band)
