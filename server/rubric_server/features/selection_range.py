"""`textDocument/selectionRange`: what is selected when a selection grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.selection import selections
from rubric_server.convert import offset_of, range_of

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.text.encodings import PositionEncoding
    from rubric_server.app import RubricServer
    from rubric_server.protocol import Json, Position, SelectionRangeParams


def selection_range(server: RubricServer, params: SelectionRangeParams) -> list[Json] | None:
    """Return a chain of ranges for each position, the smallest one first."""
    suite = server.documents.analysed(params["textDocument"]["uri"])
    if suite is None:
        return None
    return [_chain(suite.analysis, position, server.client.encoding) for position in params["positions"]]


def _chain(analysis: Analysis, position: Position, encoding: PositionEncoding) -> Json:
    document = analysis.document
    chain: Json = None
    for span in reversed(selections(analysis, offset_of(document, position, encoding))):
        found = {"range": range_of(document, span, encoding)}
        chain = {**found, "parent": chain} if chain is not None else found
    # Each position has to have an answer, also where nothing is ours.
    return chain if chain is not None else {"range": {"start": position, "end": position}}
