"""Requests about names and paths: definition, references, highlights and rename of one, and links to files.

A target is renamed in the targets file, and in every eval file of the workspace that uses that file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.links import link_at, links
from rubric_core.assist.names.lookup import definition_of, name_at, own_provider, references_to
from rubric_core.assist.names.occurrences import Name, NameKind
from rubric_core.assist.names.rename import RenameError, renamable_at, rename, rename_uses
from rubric_core.dialects.eval_files import document_of
from rubric_core.files.definition_files import places_of_target, read_targets
from rubric_core.files.project import DiskProject
from rubric_core.files.read import ReadText, read_text
from rubric_core.syntax.document import Document
from rubric_core.syntax.edits import render_like
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.spans import Edit
from rubric_server.app import RubricServer
from rubric_server.convert import Ranges, edits_of_files, offset_of, range_of, text_edits_of, uri_of, workspace_edit_of
from rubric_server.documents import OpenDocument
from rubric_server.protocol.converter import RequestError
from rubric_server.work_queue import Work, about_this_text, on_latest_text

if TYPE_CHECKING:
    P = TypeVar("P", types.DefinitionParams, types.DocumentHighlightParams, types.ReferenceParams)
    RenameRequest = types.PrepareRenameParams | types.RenameParams
    AtPosition = types.DefinitionParams | types.DocumentHighlightParams | types.ReferenceParams | RenameRequest
    T = TypeVar("T")
    Definition = types.Location | list[types.LocationLink] | None

_READ, _WRITE = types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write
# A file without any of these words names no target.
_WORDS = ("target", "provider", "grader")
_TOOLTIPS = {"file": "Open the file", "prompt": "Open the prompt", "script": "Open the script"}


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
    request = _request_at(server, params, name_at)
    if request is None:
        return None
    return await server.work.run(about_this_text(request.document, answer(server, request, params)))


def _request_at(
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
    place = _target_place(server, document, name.text) if defined is None and name.kind is NameKind.TARGET else None
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
    place = _target_place(server, document, name.text) if with_definition and name.kind is NameKind.TARGET else None
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


def _target_place(server: RubricServer, document: OpenDocument, name: str) -> TargetPlace | None:
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


def prepare_rename(server: RubricServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Return what would be renamed at a position, with the name as it is now."""
    request = _rename_request(server, params)
    if request is None:
        return None
    document, _, name = request
    return types.PrepareRenamePlaceholder(range_of(document.text, name.span, server.client.encoding), name.text)


async def rename_name(server: RubricServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Return the edits that rename the name at a position. Raise RequestError with the reason why not."""
    request = _rename_request(server, params)
    if request is None:
        raise RequestError("Nothing to rename at the cursor.")
    return await server.work.run(about_this_text(request.document, _renamed(server, request, params.new_name)))


def _rename_request(server: RubricServer, params: RenameRequest) -> NameRequest | None:
    """Return the name to rename. Raise RequestError where that is not possible."""
    with _refusals():
        request = _request_at(server, params, renamable_at)
    if request is not None and _is_in_targets_file(request):
        _place_in_targets_file(server, request)
    return request


def _is_in_targets_file(request: NameRequest) -> bool:
    return request.name.kind is NameKind.TARGET and own_provider(request.analysis, request.name.text) is None


def _place_in_targets_file(server: RubricServer, request: NameRequest) -> TargetPlace:
    place = _target_place(server, request.document, request.name.text)
    if place is None:
        raise RequestError(f"The target `{request.name.text}` is not defined in a targets file of the workspace.")
    return place


def _renamed(server: RubricServer, request: NameRequest, new: str) -> Work[types.WorkspaceEdit]:
    document, analysis, name = request
    with _refusals():
        if _is_in_targets_file(request):
            return (yield from _rename_target(server, request, new.strip()))
        edits = yield from rename(analysis, name, new)
    return workspace_edit_of(document, edits, server.client)


@contextmanager
def _refusals() -> Iterator[None]:
    """Answer the request with the reason why something cannot be renamed."""
    try:
        yield
    except RenameError as error:
        raise RequestError(str(error)) from error


def _rename_target(server: RubricServer, request: NameRequest, new: str) -> Work[types.WorkspaceEdit]:
    old = request.name.text
    place = _place_in_targets_file(server, request)
    if new == old:
        return edits_of_files([], server.client)
    text = place.text.text
    if new in (read_targets(text) or {}):
        raise RequestError(f"The targets file already has a target `{new}`.")
    files = [(place.uri, place.version, _in_targets_file(server, place, old, new))]
    for document in server.documents.all():
        analysis, disk = document.analysis, document.disk
        if analysis is not None and disk is not None and place.path in disk.target_files():
            edits = yield from rename_uses(analysis, NameKind.TARGET, old, new)
            files.append((document.uri, document.version, text_edits_of(document.text, edits, server.client.encoding)))
    for path in server.closed_files():
        changes = yield from _in_closed_file(server, path, place, (old, new))
        files.append((uri_of(path), None, changes))
    return edits_of_files([file for file in files if file[2]], server.client)


def _in_targets_file(server: RubricServer, place: TargetPlace, old: str, new: str) -> list[types.TextEdit]:
    nodes = places_of_target(place.text.text, old)
    if not nodes:
        raise RequestError(f"The provider `{old}` has no label of its own; give it a `label` and use that.")
    if any(node.meta is not None for node in nodes):
        raise RequestError(f"The targets file has an anchor, an alias or a tag at `{old}`. Rename it by hand.")
    edits = tuple(Edit(node.start, node.end, render_like(node, new)) for node in nodes)
    return text_edits_of(place.text, edits, server.client.encoding)


def _in_closed_file(
    server: RubricServer, path: Path, place: TargetPlace, names: tuple[str, str]
) -> Work[list[types.TextEdit]]:
    """Return the edits of a file that is not open; a text without the name is not parsed."""
    yield
    config = server.workspace.config_in(path.parent, server.overrides)
    read = read_text(path, config.limits)
    if not isinstance(read, ReadText) or names[0] not in read.text or not any(word in read.text for word in _WORDS):
        return []
    if place.path not in DiskProject(path, config).target_files():
        return []
    from rubric_core.analysis.analysis import Analysis  # noqa: PLC0415 - it imports the rules.

    document = document_of(read.text, str(path), config.limits)
    edits = yield from rename_uses(Analysis(document, path=str(path), config=config), NameKind.TARGET, *names)
    return text_edits_of(document, edits, server.client.encoding)


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
