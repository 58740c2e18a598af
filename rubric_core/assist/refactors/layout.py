"""What refactors share: indentation, checks of nodes and ranges, where scorecards are."""

from collections.abc import Collection
from itertools import pairwise

from rubric_core.assist.cursor import Cursor
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.indentation import shifted
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, walk
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.lines import line_end
from rubric_core.views.bands import BandsView
from rubric_core.views.files import PlacedPair

# A text that is not cut has no chunk of its own for each entry of the suite, and JSON lines have no suite.
_CUT = frozenset({ChunkKind.ITEM, ChunkKind.ENTRY})
_ENTRIES = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
USUAL_STEP = 2


def is_own_text(node: Node) -> bool:
    """Return whether a node has no alias, no anchor, no tag and no merge key."""
    return node.meta is None


def is_movable(node: Node) -> bool:
    """Return whether a node is a mapping with entries, of which every node is its own text."""
    return isinstance(node, Mapping) and bool(node.pairs) and all(map(is_own_text, walk(node)))


def quote_of(node: Node) -> str:
    """Return the quotes around a scalar of one line, or nothing."""
    return {"single-quoted": "'", "double-quoted": '"'}.get(node.style.value, "") if isinstance(node, Scalar) else ""


def changeable_bands(cursor: Cursor) -> BandsView | None:
    """Return the score ranges at the cursor if they are there for themselves alone, each once and with bounds."""
    view = cursor.bands
    return view if view is not None and _can_be_changed(view) else None


def _can_be_changed(view: BandsView) -> bool:
    node = view.node
    if not isinstance(node, (Mapping, Sequence)) or not is_own_text(node) or not is_own_text(view.pair.key):
        return False
    if isinstance(node, Mapping) and node.duplicates:
        return False
    parts: list[Node | None] = []
    for band in view.bands:
        whole, bounds = band.whole, band.pair
        parts += [whole.key if isinstance(whole, Pair) else whole, band.lower_node, band.upper_node]
        parts += [bounds.key, bounds.value] if bounds is not None and not isinstance(whole, Pair) else []
    return view.is_readable and not view.is_empty and all(is_own_text(part) for part in parts if part)


def is_scale(view: BandsView) -> bool:
    """Return whether each score from 0 to 10 belongs to exactly one range, and each range has a text."""
    extents = sorted((band.lower or 0, band.upper or 0) for band in view.bands)
    if not extents or extents[0][0] != LOWEST or extents[-1][1] != HIGHEST:
        return False
    if any(low > high for low, high in extents) or any(below[1] + 1 != above[0] for below, above in pairwise(extents)):
        return False
    return all(isinstance(band.outcome, Scalar) and not is_blank(band.outcome) for band in view.bands)


# Scorecards


def scorecard_at(cursor: Cursor) -> Pair | None:
    """Return the `scorecard` of the case if the place is on it and it is there for itself alone."""
    case = cursor.case.node if cursor.case is not None else None
    pair = case.index.get("scorecard") if case is not None else None
    if case is None or pair is None or cursor.tree.external or cursor.chunk.kind not in _CUT:
        return None
    if not cursor.holds(pair.span, flow=case.flow) or not is_own_text(pair.key) or case.duplicates:
        return None
    behind = cursor.text[pair.key.end : pair.value.start].lstrip(" \t")
    return pair if behind.startswith(":") else None


def named_scorecards(cursor: Cursor) -> PlacedPair | None:
    """Return the `scorecards` of the suite."""
    return suite_entry(cursor, ("scorecards",))


def suite_entry(cursor: Cursor, names: Collection[str]) -> PlacedPair | None:
    """Return the first top-level entry of one of the names in the YAML document of the cursor."""
    document = cursor.document
    index = 0
    # Reading a chunk may join it with others, so that the list is not gone through as it was.
    while index < len(document.chunks):
        chunk = document.chunks[index]
        if chunk.kind in _ENTRIES and chunk.section == cursor.chunk.section:
            index = document.read(index)
            root = document.tree(index).root
            for pair in root.pairs if isinstance(root, Mapping) else ():
                if pair.name in names:
                    return PlacedPair(document.chunks[index], pair)
        index += 1
    return None


def moved_below(text: str, pair: Pair, column: int, step: int, line_break: str) -> str:
    """Return the mapping of a pair as it follows a key in another column; its own keys are one step further in.

    A comment between the key and the mapping is part of it, and so is one behind its last line.
    """
    value = pair.value
    if isinstance(value, Mapping) and value.flow:
        return f" {shifted(text[value.start : value.end], column - column_of(text, pair.key.start))}"
    lines = text[line_end(text, pair.key.end) : line_end(text, value.end)].lstrip("\r\n").lstrip(" ")
    below = shifted(lines, column + step - column_of(text, value.start))
    return f"{line_break}{' ' * (column + step)}{below}"


def step_of(text: str, pair: Pair) -> int:
    """Return how far the value of a key is indented."""
    value = pair.value
    if not isinstance(value, Mapping) or value.flow or not value.pairs:
        return USUAL_STEP
    return max(column_of(text, value.pairs[0].key.start) - column_of(text, pair.key.start), 1)
