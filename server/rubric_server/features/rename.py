"""`textDocument/prepareRename` and `textDocument/rename`: another name for what is at a position."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lsprotocol import types

from rubric_core.assist.names.lookup import own_provider
from rubric_core.assist.names.occurrences import NameKind
from rubric_core.assist.names.rename import RenameError, renamable_at, rename, rename_uses
from rubric_core.dialects.eval_files import document_of
from rubric_core.files.definition_files import places_of_target, read_targets
from rubric_core.files.project import DiskProject
from rubric_core.files.read import ReadText, read_text
from rubric_core.syntax.edits import render_like
from rubric_core.text.spans import Edit
from rubric_server.app import RubricServer
from rubric_server.convert import edits_of_files, range_of, text_edits_of, uri_of, workspace_edit_of
from rubric_server.features.names import NameRequest, TargetPlace, request_at, target_place
from rubric_server.protocol.converter import RequestError
from rubric_server.work_queue import Work, about_this_text

# A file without any of these words names no target.
_WORDS = ("target", "provider", "grader")


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


def _rename_request(server: RubricServer, params: types.PrepareRenameParams | types.RenameParams) -> NameRequest | None:
    """Return the name to rename. Raise RequestError where that is not possible."""
    with _refusals():
        request = request_at(server, params, renamable_at)
    if request is not None and _is_in_targets_file(request):
        _place_in_targets_file(server, request)
    return request


def _is_in_targets_file(request: NameRequest) -> bool:
    return request.name.kind is NameKind.TARGET and own_provider(request.analysis, request.name.text) is None


def _place_in_targets_file(server: RubricServer, request: NameRequest) -> TargetPlace:
    place = target_place(server, request.document, request.name.text)
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
    """Rename a target in the targets file, and in every eval file of the workspace that uses that file."""
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
