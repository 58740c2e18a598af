"""Giving a target another name: in the targets file, and in every eval file of the workspace that uses that file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.assist.names.occurrences import NameKind
from rubric_core.assist.names.rename import RenameRefusal, rename_uses
from rubric_core.files.project import DiskProject, places_of_target, read_targets
from rubric_core.files.read import ReadText, read_text
from rubric_core.syntax.document import Document
from rubric_core.syntax.edits import render_like
from rubric_core.text.spans import Edit
from rubric_server.addresses import uri_of
from rubric_server.convert import edits_of_files, text_edits_of
from rubric_server.disk import RememberedProject
from rubric_server.features.names import target_place
from rubric_server.protocol.errors import RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from lsprotocol.types import TextEdit, WorkspaceEdit

    from rubric_server.app import RubricServer
    from rubric_server.features.names import NameRequest, TargetPlace
    from rubric_server.work_queue import Work


class _FileEdits(NamedTuple):
    """The edits of one file; `version` is None where it is not open."""

    uri: str
    version: int | None
    edits: list[TextEdit]


def rename_target(server: RubricServer, question: NameRequest, new: str) -> Work[WorkspaceEdit]:
    """Return the edits for all files, or refuse."""
    old = question.name.text
    place = target_place(server, question.document, old)
    if place is None:
        raise RequestError(f"The target `{old}` is not defined in a targets file of the workspace.")
    if new == old:
        return edits_of_files([], server.client)
    text = place.text.text
    if new in (read_targets(text) or {}):
        raise RequestError(f"The targets file already has a target `{new}`.")
    found = [_in_targets_file(server, place, old, new)]
    for document in server.documents:
        analysis = document.analysis
        project = document.project
        is_affected = isinstance(project, RememberedProject) and project.disk.targets_file() == place.path
        if analysis is not None and is_affected:
            edits = yield from rename_uses(analysis, NameKind.TARGET, old, new)
            found.append(_FileEdits(document.uri, document.version, _edits(server, document.text, edits)))
    is_open = {document.path for document in server.documents}
    for path in server.workspace_files():
        if str(path) not in is_open:
            edited = yield from _in_closed_file(server, path, place, (old, new))
            found.append(edited)
    return edits_of_files([each for each in found if each.edits], server.client)


def _in_targets_file(server: RubricServer, place: TargetPlace, old: str, new: str) -> _FileEdits:
    nodes = places_of_target(place.text.text, old)
    if any(node.meta is not None for node in nodes):
        raise RequestError(f"The targets file has an anchor, an alias or a tag at `{old}`. Rename it by hand.")
    edits = tuple(Edit(node.start, node.end, render_like(node, new)) for node in nodes)
    return _FileEdits(place.uri, place.version, _edits(server, place.text, edits))


def _in_closed_file(server: RubricServer, path: Path, place: TargetPlace, names: tuple[str, str]) -> Work[_FileEdits]:
    """Return the edits of a file that is not open; one that does not even have the word is not looked into."""
    nothing = _FileEdits(uri_of(path), None, [])
    yield
    config = server.workspace.config_in(path.parent, server.overrides)
    read = read_text(path, config.limits)
    if not isinstance(read, ReadText) or names[0] not in read.text or "target" not in read.text:
        return nothing
    if DiskProject(path, config).targets_file() != place.path:
        return nothing
    from rubric_core.analysis.analysis import Analysis  # noqa: PLC0415 - it imports the rules.

    document = Document(read.text, json_lines=path.suffix == ".jsonl", limits=config.limits)
    edits = yield from rename_uses(Analysis(document, path=str(path), config=config), NameKind.TARGET, *names)
    return nothing._replace(edits=_edits(server, document, edits))


def _edits(server: RubricServer, document: Document, edits: tuple[Edit, ...] | RenameRefusal) -> list[TextEdit]:
    if isinstance(edits, RenameRefusal):
        raise RequestError(edits.message)
    return text_edits_of(document, edits, server.client.encoding)
