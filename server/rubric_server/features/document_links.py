"""`textDocument/documentLink`: the files that an eval file refers to."""

from __future__ import annotations

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.links import links
from rubric_server.app import RubricServer
from rubric_server.convert import Ranges, uri_of
from rubric_server.documents import OpenDocument
from rubric_server.work_queue import Work, on_latest_text

_TOOLTIPS = {"file": "Open the file", "prompt": "Open the prompt", "script": "Open the script"}


@on_latest_text
def document_link(
    server: RubricServer, _params: types.DocumentLinkParams, document: OpenDocument, analysis: Analysis
) -> Work[list[types.DocumentLink]]:
    """Return the links of a document to files that exist and may be read."""
    file_links = yield from links(analysis)
    targets: dict[str, str | None] = {}
    ranges = Ranges(document.text, server.client.encoding)
    shown: list[types.DocumentLink] = []
    for link in file_links:
        if link.path not in targets:
            targets[link.path] = document.disk.find(link.path) if document.disk is not None else None
            yield
        path = targets[link.path]
        if path is not None:
            tooltip = _TOOLTIPS[link.kind] if server.client.link_tooltips else None
            shown.append(types.DocumentLink(ranges(link.span), uri_of(path), tooltip))
    return shown
