"""`textDocument/definition`, `references` and `documentHighlight`: the name or path at a position."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.links import link_at
from rubric_core.assist.names.lookup import definition_of, name_at, references_to
from rubric_core.assist.names.occurrences import Name, NameKind
from rubric_core.files.definition_files import read_targets
from rubric_core.files.read import ReadText, read_text
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Scalar
from rubric_server.app import RubricServer
from rubric_server.convert import Ranges, offset_of, range_of, uri_of
from rubric_server.documents import OpenDocument
from rubric_server.work_queue import Work, about_this_text

if TYPE_CHECKING:
    P = TypeVar("P", types.DefinitionParams, types.DocumentHighlightParams, types.ReferenceParams)
    RenameRequest = types.PrepareRenameParams | types.RenameParams
    AtPosition = types.DefinitionParams | types.DocumentHighlightParams | types.ReferenceParams | RenameRequest
    T = TypeVar("T")
    Definition = types.Location | list[types.LocationLink] | None

_READ, _WRITE = types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write


class NameRequest(NamedTuple):
    """A request about the name at a position."""

    document: OpenDocument
    analysis: Analysis
    name: Name


async def definition(server: RubricServer, params: types.DefinitionParams) -> Definition:
    """Return where the name at a position is defined: with what was clicked on, for clients that can show it."""
    places = await _about_name(server, params, _definition)
    return places if places is not None else _file_at(server, params)


async def references(server: RubricServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """Return the places of the file that have the name at a position."""
    return await _about_name(server, params, _references)


async def document_highlight(
    server: RubricServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """Return the places of the name at a position; without one, the editor searches for the same word itself."""
    return await _about_name(server, params, _highlights)


async def _about_name(
    server: RubricServer, params: P, answer: Callable[[RubricServer, NameRequest, P], Work[T]]
) -> T | None:
    """Return the answer about the name at a position; None if there is no name."""
    request = request_at(server, params, name_at)
    if request is None:
        return None
    return await server.work.run(about_this_text(request.document, answer(server, request, params)))


def request_at(
    server: RubricServer, params: AtPosition, find: Callable[[Analysis, int], Name | None]
) -> NameRequest | None:
    """Return the name at a position with its document; None if there is no name or no eval file."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None:
        return None
    name = find(suite.analysis, offset_of(suite.document.text, params.position, server.client.encoding))
    return None if name is None else NameRequest(*suite, name)


def _file_at(server: RubricServer, params: types.DefinitionParams) -> types.Location | None:
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None or suite.document.disk is None:
        return None
    link = link_at(suite.analysis, offset_of(suite.document.text, params.position, server.client.encoding))
    path = suite.document.disk.find(link.path) if link is not None else None
    start = types.Position(0, 0)
    return types.Location(uri_of(path), types.Range(start, start)) if path is not None else None


def _definition(server: RubricServer, request: NameRequest, _params: types.DefinitionParams) -> Work[Definition]:
    document, analysis, name = request
    encoding = server.client.encoding
    defined = yield from definition_of(analysis, name)
    place = target_place(server, document, name.text) if defined is None and name.kind is NameKind.TARGET else None
    if defined is not None:
        uri = document.uri
        whole, chosen = (range_of(document.text, span, encoding) for span in (defined.span, defined.name_span))
    elif place is not None:
        uri, whole = place.uri, range_of(place.text, place.node.span, encoding)
        chosen = whole
    else:
        return None
    if not server.client.definition_links:
        return types.Location(uri, chosen)
    return [types.LocationLink(uri, whole, chosen, range_of(document.text, name.span, encoding))]


def _references(
    server: RubricServer, request: NameRequest, params: types.ReferenceParams
) -> Work[list[types.Location]]:
    document, analysis, name = request
    with_definition = params.context.include_declaration
    uses = yield from references_to(analysis, name)
    ranges = Ranges(document.text, server.client.encoding)
    places = [types.Location(document.uri, ranges(use.span)) for use in uses if with_definition or not use.defines]
    place = target_place(server, document, name.text) if with_definition and name.kind is NameKind.TARGET else None
    if place is not None:
        places.append(types.Location(place.uri, range_of(place.text, place.node.span, server.client.encoding)))
    return places


def _highlights(
    server: RubricServer, request: NameRequest, _params: types.DocumentHighlightParams
) -> Work[list[types.DocumentHighlight]]:
    uses = yield from references_to(request.analysis, request.name)
    ranges = Ranges(request.document.text, server.client.encoding)
    return [types.DocumentHighlight(ranges(use.span), _WRITE if use.defines else _READ) for use in uses]


class TargetPlace(NamedTuple):
    """Where a target gets its name: the targets file, as it is in the editor or on the disk, and the name in it."""

    uri: str
    path: Path
    version: int | None
    text: Document
    node: Scalar


def target_place(server: RubricServer, document: OpenDocument, name: str) -> TargetPlace | None:
    """Find the name of a target in the targets files of a document."""
    paths = document.disk.target_files() if document.disk is not None else ()
    places = (_place_in(server, document, path, name) for path in paths)
    return next((place for place in places if place is not None), None)


def _place_in(server: RubricServer, document: OpenDocument, path: Path, name: str) -> TargetPlace | None:
    # Clients spell addresses in more than one way, so the open files are compared by their paths.
    opened = next((other for other in server.documents.values() if other.path == str(path)), None)
    if opened is not None:
        text = opened.text.text
    else:
        read = read_text(path, document.config.limits)
        if not isinstance(read, ReadText):
            return None
        text = read.text
    node = (read_targets(text, document.config.limits) or {}).get(name)
    uri, version = (opened.uri, opened.version) if opened is not None else (uri_of(path), None)
    return TargetPlace(uri, path, version, Document(text), node) if node is not None else None
