"""`textDocument/documentHighlight`: the other places of the name under the cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.assist.names.lookup import references_to
from rubric_server.convert import NearbyRanges
from rubric_server.features.names import NameRequest, about_name
from rubric_server.work_queue import Work

if TYPE_CHECKING:
    from rubric_server.app import RubricServer


async def document_highlight(
    server: RubricServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Return the places of the name at a position; without one, the editor looks for the same word on its own."""
    return await about_name(server, params, partial(_answer, server))


def _answer(server: RubricServer, question: NameRequest) -> Work[list[types.DocumentHighlight]]:
    document, analysis, name = question
    found = yield from references_to(analysis, name)
    ranges = NearbyRanges(document.text, server.client.encoding)
    read, write = types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write
    return [types.DocumentHighlight(ranges.range(each.span), write if each.defines else read) for each in found]
