"""`textDocument/selectionRange`: what is selected when a selection grows."""

from __future__ import annotations

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.selection import selections
from rubric_core.text.encodings import PositionEncoding
from rubric_server.app import RubricServer
from rubric_server.convert import offset_of, range_of


def selection_range(server: RubricServer, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """Return a chain of ranges for each position, the smallest one first."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None:
        return None
    return [_chain(suite.analysis, position, server.client.encoding) for position in params.positions]


def _chain(analysis: Analysis, position: types.Position, encoding: PositionEncoding) -> types.SelectionRange:
    document = analysis.document
    chain: types.SelectionRange | None = None
    for span in reversed(selections(analysis, offset_of(document, position, encoding))):
        chain = types.SelectionRange(range_of(document, span, encoding), chain)
    # The protocol requires an answer for each position.
    return chain or types.SelectionRange(types.Range(position, position))
