"""`textDocument/prepareRename` and `textDocument/rename`: giving something another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.assist.names.occurrences import NameKind
from rubric_core.assist.names.rename import RenameRefusal, renamable_at, rename
from rubric_server.convert import offset_of, range_of, workspace_edit_of
from rubric_server.features.names import NameRequest, target_place
from rubric_server.features.target_rename import rename_target
from rubric_server.protocol.errors import RequestError
from rubric_server.work_queue import Work, about_this_text

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.features.names import AtPosition


def prepare_rename(server: RubricServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Return what would be renamed at a position, with the name as it is now."""
    question = _asked(server, params)
    if question is None:
        return None
    document, _, name = question
    return types.PrepareRenamePlaceholder(range_of(document.text, name.span, server.client.encoding), name.text)


async def rename_name(server: RubricServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Return the edits that give the name at a position another one, or say in one sentence why not."""
    question = _asked(server, params)
    if question is None:
        raise RequestError("Nothing to rename at the cursor.")
    return await server.work.run(about_this_text(question.document, _answer(server, question, params.new_name)))


def _asked(server: RubricServer, params: AtPosition) -> NameRequest | None:
    """Return what is to be renamed; refuse where that cannot be done well."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None:
        return None
    document, analysis = suite
    found = renamable_at(analysis, offset_of(document.text, params.position, server.client.encoding))
    if isinstance(found, RenameRefusal):
        raise RequestError(found.message)
    if found is None:
        return None
    if found.kind is NameKind.TARGET and target_place(server, document, found.text) is None:
        raise RequestError(f"The target `{found.text}` is not defined in a targets file of the workspace.")
    return NameRequest(document, analysis, found)


def _answer(server: RubricServer, question: NameRequest, new: str) -> Work[types.WorkspaceEdit]:
    document, analysis, name = question
    if name.kind is NameKind.TARGET:
        return (yield from rename_target(server, question, new.strip()))
    edits = yield from rename(analysis, name, new)
    if isinstance(edits, RenameRefusal):
        raise RequestError(edits.message)
    return workspace_edit_of(document, edits, server.client)
