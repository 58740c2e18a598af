"""Commands: what a client can have done by name. Each answers with what it did."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from rubric_core.assist.commands import (
    APPLY_ACTION,
    CHANGING_COMMANDS,
    COMPARE,
    FIX_ALL,
    GENERATE_RUBRICS,
    GRADE_CASE,
    GRADE_CRITERION,
    GRADE_FILE,
    LIST_FILES,
    LIST_JUDGES,
    PREVIEW_PROMPT,
    SHOW_REPORT,
)
from rubric_core.assist.fix_all import fix_all
from rubric_core.text.spans import Edit
from rubric_server.app import RubricServer, function_of
from rubric_server.arguments import ActionArguments
from rubric_server.convert import workspace_edit_of
from rubric_server.features.code_actions import FIX_ALL_TITLE, action_data, edit_of_data
from rubric_server.grading.cancellation import Token
from rubric_server.protocol.converter import structure
from rubric_server.protocol.errors import INVALID_PARAMS, RequestError
from rubric_server.work_queue import about_this_text

# Where each command stands below `features`; it is imported when it is first called.
_COMMANDS = {
    FIX_ALL: "commands:fix_all_problems",
    APPLY_ACTION: "commands:apply_action",
    GRADE_CASE: "grading:grade_case",
    GRADE_CRITERION: "grading:grade_criterion",
    GRADE_FILE: "grading:grade_file",
    GENERATE_RUBRICS: "generate_rubrics:generate_rubrics",
    PREVIEW_PROMPT: "preview_prompt:preview_prompt",
    SHOW_REPORT: "reports:show_report",
    COMPARE: "reports:compare",
    LIST_JUDGES: "judges:list_judges",
    LIST_FILES: "files:list_files",
}


async def execute_command(server: RubricServer, params: types.ExecuteCommandParams) -> Any:
    """Do what a command asks for. Work under a token can be stopped from the moment on at which it was asked for."""
    name = params.command
    if name not in _COMMANDS:
        raise RequestError(f"There is no command `{name}`.", INVALID_PARAMS)
    if name in CHANGING_COMMANDS and not server.client.applies_edits:
        raise RequestError("The editor does not support edits by a language server.")
    command = function_of(_COMMANDS[name])
    argument = params.arguments[0] if params.arguments else None
    token = params.work_done_token
    if token is None:
        return await command(server, argument)
    server.cancellations.expect(token)
    try:
        return await command(server, argument, token)
    finally:
        server.cancellations.forget_unbegun(token)


async def fix_all_problems(server: RubricServer, uri: Any, _token: Token | None = None) -> dict[str, Any]:
    """Apply all safe fixes of an open file. The argument is its address."""
    if not isinstance(uri, str):
        raise RequestError(f"`{FIX_ALL}` needs the address of an open file.", INVALID_PARAMS)
    document = server.documents.get(uri)
    if document is None:
        raise RequestError("The file is not open.")
    edits: tuple[Edit, ...] | None = ()
    if document.analysis is not None:
        edits = await server.work.run(about_this_text(document, fix_all(document.analysis)))
    if edits is None:
        raise RequestError("The file changed while fixes were computed. Try again.")
    if edits:
        _apply(server, workspace_edit_of(document, edits, server.client), FIX_ALL_TITLE)
    return {"uri": uri, "version": document.version, "edits": len(edits)}


async def apply_action(server: RubricServer, argument: Any, _token: Token | None = None) -> dict[str, int]:
    """Apply an action that was offered as a command; one for an older text is refused."""
    try:
        action = structure(argument, ActionArguments, "argument")
    except RequestError:
        raise RequestError(f"`{APPLY_ACTION}` needs an action that was offered before.", INVALID_PARAMS) from None
    data = action_data(action.data)
    edit: types.WorkspaceEdit | None = None
    if data is not None:
        edit = await server.work.run(edit_of_data(server, data))
    elif action.edit is not None:
        document = server.documents.get(action.uri or "")
        edit = action.edit if document is not None and document.version == action.version else None
    if edit is None:
        raise RequestError("The file has changed since this action was offered. Request it again.")
    _apply(server, edit)
    return {"edits": _count(edit)}


def _apply(server: RubricServer, edit: types.WorkspaceEdit, label: str | None = None) -> None:
    server.protocol.request_without_answer(types.WORKSPACE_APPLY_EDIT, types.ApplyWorkspaceEditParams(edit, label))


def _count(edit: types.WorkspaceEdit) -> int:
    changed = [each.edits for each in edit.document_changes or () if isinstance(each, types.TextDocumentEdit)]
    return sum(map(len, (*changed, *(edit.changes or {}).values())))
