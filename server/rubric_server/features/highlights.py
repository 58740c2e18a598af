"""`textDocument/documentHighlight`: the other places of the name under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.names.lookup import references_to
from rubric_server.convert import NearbyRanges
from rubric_server.features.names import asked
from rubric_server.slices import about_this_text

if TYPE_CHECKING:
    from collections.abc import Generator

    from rubric_server.app import RubricServer
    from rubric_server.features.names import Question
    from rubric_server.protocol import Json, TextDocumentPositionParams

_READ, _WRITE = 2, 3


def document_highlight(server: RubricServer, params: TextDocumentPositionParams) -> Generator[None, None, Json] | None:
    """Return the places of the name at a position; without one, the editor looks for the same word on its own."""
    question = asked(server, params)
    return None if question is None else about_this_text(question.document, _answer(server, question))


def _answer(server: RubricServer, question: Question) -> Generator[None, None, Json]:
    document, analysis, name = question
    found = yield from references_to(analysis, name)
    ranges = NearbyRanges(document.text, server.client.encoding)
    return [{"range": ranges.range(each.span), "kind": _WRITE if each.defines else _READ} for each in found]
