"""Commands, which a client runs by name. Each returns its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from rubric_core.assist import commands as names
from rubric_core.assist.actions import refactors_in
from rubric_core.assist.fix_all import fix_all
from rubric_core.files.write import make_file
from rubric_core.grading.failures import CannotGrade
from rubric_core.text.spans import Edit, Span
from rubric_server.app import RubricServer, function_of, module_of
from rubric_server.arguments import ActionArguments, ActionData, GradeArguments, ProjectArguments
from rubric_server.convert import uri_of, workspace_edit_of
from rubric_server.features.code_actions import FIX_ALL_TITLE, edit_of_data, path_of_new_file
from rubric_server.features.workspace_symbols import names_of_file
from rubric_server.grading.command_target import CaseCommand, CommandTarget, find_target
from rubric_server.progress import Token
from rubric_server.protocol.converter import RequestError, structure, structured_or_none
from rubric_server.work_queue import Work, about_this_text

T = TypeVar("T")
_NO_GRADING = "Grading runs commands and sends text to judges. Trust this workspace first."
_NO_STORE = "Stored results are not read in an untrusted workspace. Trust the workspace first."


async def execute_command(server: RubricServer, params: types.ExecuteCommandParams) -> Any:
    """Run a command. Its work can be cancelled by its token from now on."""
    name, token = params.command, params.work_done_token
    if name not in _COMMANDS:
        raise JsonRpcInvalidParams(f"There is no command `{name}`.")
    if name in names.CHANGING_COMMANDS and not server.client.applies_edits:
        raise RequestError("The editor does not support edits by a language server.")
    command = _COMMANDS[name]
    if command.refusal and not server.is_trusted:
        raise RequestError(command.refusal)
    argument = command.read(server, params.arguments[0] if params.arguments else None, name)
    server.cancellations.expect(token)
    try:
        if command.grades:
            await server.grading_worker.import_module(module_of(command.function))
        return await function_of(command.function)(server, argument, token)
    except CannotGrade as failure:
        raise RequestError(failure.reason) from None
    finally:
        server.cancellations.end(token)


def _structured(argument: Any, kind: type[T], about: str) -> T:
    try:
        return structure(argument, kind, "argument")
    except JsonRpcInvalidParams as error:
        raise JsonRpcInvalidParams(f"{about}{error.message}") from None


def _project_arguments(_server: RubricServer, argument: Any, name: str) -> ProjectArguments:
    return _structured({} if argument is None else argument, ProjectArguments, f"`{name}`: ")


def _grade_arguments(server: RubricServer, argument: Any, name: str) -> GradeArguments:
    arguments = _structured(argument, GradeArguments, f"`{name}` needs an object with the `uri` of a file: ")
    return attrs.evolve(arguments, uri=server.documents.address_of(arguments.uri))


def _case_command(server: RubricServer, argument: Any, name: str) -> CaseCommand:
    # A position is looked up now, in the text that the user sees.
    params = _grade_arguments(server, argument, name)
    return CaseCommand(params, find_target(server, params))


def _generate_command(server: RubricServer, argument: Any, name: str) -> tuple[GradeArguments, CommandTarget | None]:
    params = _grade_arguments(server, argument, name)
    has_case = params.case_id is not None or params.position is not None
    return params, find_target(server, params) if has_case else None


def _plain_argument(_server: RubricServer, argument: Any, _name: str) -> Any:
    return argument


class Command(NamedTuple):
    """A command: its function below `features`, what reads its argument, and what it needs.

    The function gets the server, the argument and the progress token. Its module is imported when it is first called,
    on the worker thread where it takes the libraries of grading.
    """

    function: str
    read: Callable[[RubricServer, Any, str], Any]
    # The message for the user in an untrusted workspace; empty if no trust is needed.
    refusal: str = ""
    grades: bool = True


_COMMANDS = {
    names.FIX_ALL: Command("commands:fix_all_problems", _plain_argument, grades=False),
    names.APPLY_ACTION: Command("commands:apply_action", _plain_argument, grades=False),
    names.LIST_FILES: Command("commands:list_files", _plain_argument, grades=False),
    names.GRADE_CASE: Command("grading:grade_case", _case_command, _NO_GRADING),
    names.GRADE_CRITERION: Command("grading:grade_criterion", _case_command, _NO_GRADING),
    names.GRADE_FILE: Command("grading:grade_file", _grade_arguments, _NO_GRADING),
    names.GENERATE_RUBRICS: Command("generate_rubrics:generate_rubrics", _generate_command, _NO_GRADING),
    names.PREVIEW_PROMPT: Command("preview_prompt:preview_prompt", _case_command),
    names.LIST_TESTS: Command("tests:list_tests", _grade_arguments),
    names.LIST_JUDGES: Command("judges:list_judges", _project_arguments),
    names.SHOW_REPORT: Command("reports:show_report", _project_arguments, _NO_STORE),
    names.COMPARE: Command("reports:compare", _project_arguments, _NO_STORE),
}


async def fix_all_problems(server: RubricServer, uri: Any, _token: Token | None) -> dict[str, Any]:
    """Apply all safe fixes of an open file. The argument is its address."""
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams(f"`{names.FIX_ALL}` needs the address of an open file.")
    document = server.documents.get(uri)
    if document is None:
        raise RequestError("The file is not open.")
    edits: tuple[Edit, ...] | None = ()
    if document.analysis is not None:
        edits = await server.work.run(about_this_text(document, fix_all(document.analysis)))
    if edits is None:
        raise RequestError("The file changed while fixes were computed. Try again.")
    if edits:
        server.apply_edit(workspace_edit_of(document, edits, server.client), FIX_ALL_TITLE)
    return {"uri": uri, "version": document.version, "edits": len(edits)}


async def apply_action(server: RubricServer, argument: Any, _token: Token | None) -> dict[str, int]:
    """Apply an action that was offered as a command; one for an older text is refused."""
    action = structured_or_none(argument, ActionArguments)
    if action is None:
        raise JsonRpcInvalidParams(f"`{names.APPLY_ACTION}` needs an action that was offered before.")
    data = structured_or_none(action.data, ActionData)
    edit: types.WorkspaceEdit | None = None
    if data is not None:
        edit = await server.work.run(edit_of_data(server, data))
    elif action.edit is not None:
        document = server.documents.get(action.uri or "")
        edit = action.edit if document is not None and document.version == action.version else None
    if edit is None:
        raise RequestError("The file has changed since this action was offered. Request it again.")
    if data is not None and not server.client.makes_files:
        _make_file(server, data)
    server.apply_edit(edit)
    changed = [change.edits for change in edit.document_changes or () if isinstance(change, types.TextDocumentEdit)]
    return {"edits": sum(map(len, (*changed, *(edit.changes or {}).values())))}


def _make_file(server: RubricServer, data: ActionData) -> None:
    """Make the file of a refactor for a client that cannot; an existing file is not overwritten."""
    suite = server.documents.analysed(data.uri)
    offered = None
    if suite is not None and data.do == "refactor":
        offered = next(refactors_in(suite.analysis, Span(data.start, data.end), data.name), None)
    if suite is None or offered is None or offered.new_file is None:
        return
    path = path_of_new_file(suite.document, offered.new_file)
    problem = make_file(path, offered.new_file.text)
    if problem is not None:
        raise RequestError(f"{path.name} was not made. {problem.message}")


async def list_files(server: RubricServer, _argument: Any, _token: Token | None) -> dict[str, list[str]]:
    """Return the files of the workspace that have a case, open or not, whatever their names."""
    return {"files": await server.work.run(_files(server))}


def _files(server: RubricServer) -> Work[list[str]]:
    is_open = {document.path: document for document in server.documents.values()}
    addresses: list[str] = []
    for path in server.workspace_files():
        document = is_open.get(str(path))
        if document is not None:
            # Its text may differ from what is on the disk.
            addresses += [document.uri] if document.analysis is not None and document.analysis.is_ours() else []
        elif (yield from names_of_file(server, path)):
            addresses.append(uri_of(path))
    return addresses
