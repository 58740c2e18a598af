"""`textDocument/documentLink`: the files that an eval file refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.assist.links import Link, links
from rubric_server.addresses import uri_of
from rubric_server.convert import NearbyRanges
from rubric_server.disk import RememberedProject
from rubric_server.work_queue import Work, about_latest_text

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_server.app import RubricServer
    from rubric_server.documents import OpenDocument

_TOOLTIPS = {"file": "Open the file", "prompt": "Open the prompt", "script": "Open the script"}


async def document_link(server: RubricServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """Return the links of a document to files that exist and that we may look at."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None

    def collect(analysis: Analysis) -> Work[list[types.DocumentLink]]:
        found = yield from links(analysis)
        known: dict[str, str | None] = {}
        ranges = NearbyRanges(document.text, server.client.encoding)
        shown: list[types.DocumentLink] = []
        for link in found:
            if link.path not in known:
                known[link.path] = _find(document, link.path)
                yield
            path = known[link.path]
            if path is not None:
                shown.append(_link(server, link, ranges.range(link.span), path))
        return shown

    return await server.work.run(about_latest_text(document, collect))


def _find(document: OpenDocument, reference: str) -> str | None:
    project = document.project
    return project.disk.find(reference) if isinstance(project, RememberedProject) else None


def _link(server: RubricServer, link: Link, place: types.Range, path: str) -> types.DocumentLink:
    tooltip = _TOOLTIPS[link.kind] if server.client.link_tooltips else None
    return types.DocumentLink(place, uri_of(path), tooltip)
