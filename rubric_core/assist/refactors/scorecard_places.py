"""Where the scorecard of a case stands, and where the suite has its named ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.refactors.layout import is_own_text
from rubric_core.schema.records import CASE_LIST_NAMES
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.lines import line_end

if TYPE_CHECKING:
    from rubric_core.assist.refactors.place import Place
    from rubric_core.syntax.nodes import Pair
    from rubric_core.views.files import PlacedPair

# A text that is not cut has no chunk of its own for each entry of the suite, and JSON lines have no suite.
_CUT = frozenset({ChunkKind.ITEM, ChunkKind.ENTRY})
USUAL_STEP = 2


def scorecard_at(place: Place) -> Pair | None:
    """Return the `scorecard` of the case if the place is on it and it stands there for itself alone."""
    case = place.case.node if place.case is not None else None
    pair = case.index.get("scorecard") if case is not None else None
    tree = place.chunk.tree
    if case is None or pair is None or tree is None or tree.external or place.chunk.kind not in _CUT:
        return None
    if not place.holds(pair.span, flow=case.flow) or not is_own_text(pair.key) or case.duplicates:
        return None
    behind = place.text[pair.key.end : pair.value.start].lstrip(" \t")
    return pair if behind.startswith(":") else None


def suite_entry(place: Place, *names: str) -> PlacedPair | None:
    """Return a top-level entry of the YAML document that a place is in, by its name."""
    for entries in place.analysis.facts.view(None).documents:
        for entry in entries:
            if entry.pair.name in names and entry.chunk.section == place.chunk.section:
                return entry
    return None


def named_scorecards(place: Place) -> PlacedPair | None:
    """Return the `scorecards` of the suite."""
    return suite_entry(place, "scorecards")


def case_list(place: Place) -> PlacedPair | None:
    """Return the key of the list of cases."""
    return suite_entry(place, *CASE_LIST_NAMES)


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
