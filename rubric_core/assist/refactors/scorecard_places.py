"""Where the scorecard of a case stands, and where the suite has its named ones."""

from collections.abc import Collection

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import is_own_text
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.nodes import Mapping, Pair
from rubric_core.text.lines import line_end
from rubric_core.views.files import PlacedPair

# A text that is not cut has no chunk of its own for each entry of the suite, and JSON lines have no suite.
_CUT = frozenset({ChunkKind.ITEM, ChunkKind.ENTRY})
_ENTRIES = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
USUAL_STEP = 2


def scorecard_at(cursor: Cursor) -> Pair | None:
    """Return the `scorecard` of the case if the place is on it and it stands there for itself alone."""
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
    document = cursor.analysis.document
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


def lines_below(text: str, pair: Pair) -> str:
    """Return the lines of a block mapping below its key, the first one without its indentation.

    A comment between the key and the mapping is part of them, and so is one behind its last line.
    """
    start = line_end(text, pair.key.end)
    return text[start : line_end(text, pair.value.end)].lstrip("\r\n").lstrip(" ")


def step_of(text: str, pair: Pair) -> int:
    """Return how far the value of a key is indented."""
    value = pair.value
    if not isinstance(value, Mapping) or value.flow or not value.pairs:
        return USUAL_STEP
    return max(column_of(text, value.pairs[0].key.start) - column_of(text, pair.key.start), 1)
