"""`textDocument/hover`: what is said about the place under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.hover import hover as hover_at
from rubric_server.convert import offset_of, range_of

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.protocol import Json, TextDocumentPositionParams


def hover(server: RubricServer, params: TextDocumentPositionParams) -> Json:
    """Return what is said at a position, in the form that the client prefers."""
    suite = server.documents.analysed(params["textDocument"]["uri"])
    if suite is None:
        return None
    document, analysis = suite
    encoding = server.client.encoding
    found = hover_at(analysis, offset_of(document.text, params["position"], encoding))
    if found is None:
        return None
    markdown = server.client.markdown_hovers
    contents = (
        {"kind": "markdown", "value": found.markdown} if markdown else {"kind": "plaintext", "value": found.plain}
    )
    return {"contents": contents, "range": range_of(document.text, found.span, encoding)}
