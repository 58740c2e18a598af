"""Commands: what a client can have done by name. Each answers with what it did."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
from rubric_server.convert import workspace_edit_of
from rubric_server.endpoint import INVALID_PARAMS, Refused
from rubric_server.features.code_actions import FIX_ALL_TITLE, edit_of_data
from rubric_server.protocol import AppliedAction, CodeActionData, misfit
from rubric_server.slices import about_this_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.text.spans import Edit
    from rubric_server.app import RubricServer, Work
    from rubric_server.protocol import ExecuteCommandParams, Json
    from rubric_server.stops import Token

_CHANGED = "The file has changed in the meantime; ask for the action again."


def execute_command(server: RubricServer, params: ExecuteCommandParams) -> Work:
    """Do what a command asks for."""
    name = params["command"]
    command = _COMMANDS.get(name)
    arguments = params.get("arguments") or []
    if command is None:
        raise Refused(f"There is no command `{name}`.", INVALID_PARAMS)
    if name in CHANGING_COMMANDS and not server.client.applies_edits:
        raise Refused("This editor does not let a server change files.")
    argument = arguments[0] if arguments else None
    if isinstance(command, str):
        module, _, function = command.partition(":")
        work = getattr(import_module(f"rubric_server.features.{module}"), function)
        token = params.get("workDoneToken")
        return work(server, argument, None) if token is None else _stoppable(server, token, work, argument)
    return command(server, argument)


def _stoppable(server: RubricServer, token: Token, work: Callable[..., Work], argument: Any) -> Work:
    """Begin some work that can be stopped from the moment on at which it was asked for."""
    server.stops.expect(token)
    try:
        begun = work(server, argument, token)
    except Exception:
        server.stops.give_up(token)
        raise
    return _until_begun(server, token, begun)


def _until_begun(server: RubricServer, token: Token, work: Work) -> Work:
    try:
        return (yield from work)
    finally:
        server.stops.give_up(token)


def _fix_all(server: RubricServer, uri: Any) -> Work:
    """Apply all safe fixes of an open file. The argument is its address."""
    if not isinstance(uri, str):
        raise Refused(f"`{FIX_ALL}` needs the address of an open file.", INVALID_PARAMS)
    document = server.documents.get(uri)
    if document is None:
        raise Refused("The file is not open.")
    edits: tuple[Edit, ...] | None = ()
    if document.analysis is not None:
        edits = yield from about_this_text(document, fix_all(document.analysis))
    if edits is None:
        raise Refused("The file has changed while the fixes were worked out; try again.")
    if edits:
        _apply(server, FIX_ALL_TITLE, workspace_edit_of(document, edits, server.client))
    return {"uri": uri, "version": document.version, "edits": len(edits)}


def _apply_action(server: RubricServer, argument: Any) -> Work:
    """Apply an action that was offered as a command; one for an older text is refused."""
    edit: Json = None
    if misfit(argument, AppliedAction) is not None:
        raise Refused(f"`{APPLY_ACTION}` needs an action that was offered before.", INVALID_PARAMS)
    data = argument.get("data")
    if data is not None and misfit(data, CodeActionData) is None:
        edit = yield from edit_of_data(server, data)
    elif "edit" in argument:
        document = server.documents.get(argument.get("uri", ""))
        edit = argument["edit"] if document is not None and document.version == argument.get("version") else None
    if edit is None:
        raise Refused(_CHANGED)
    _apply(server, None, edit)
    return {"edits": _count(edit)}


def _apply(server: RubricServer, label: str | None, edit: Json) -> None:
    params = {"edit": edit} if label is None else {"label": label, "edit": edit}
    server.endpoint.request("workspace/applyEdit", params)


def _count(edit: Json) -> int:
    changes = [change["edits"] for change in edit.get("documentChanges", ())]
    return sum(map(len, (*changes, *edit.get("changes", {}).values())))


# What grades is imported when it is first asked for.
_COMMANDS: dict[str, str | Callable[[RubricServer, Any], Work]] = {
    FIX_ALL: _fix_all,
    APPLY_ACTION: _apply_action,
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
