"""Grading from the editor: one case, one criterion, or a whole file. The work is done by the worker."""

from __future__ import annotations

from typing import Any

from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.commands import GRADE_CASE, GRADE_CRITERION, GRADE_FILE
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.grading.cancellation import Token
from rubric_server.grading.command_target import CommandTarget, command_target, current_place, grade_arguments
from rubric_server.protocol.converter import JsonText
from rubric_server.protocol.errors import INVALID_PARAMS, RequestError

UNTRUSTED = "Grading runs commands and sends text to judges. Trust this workspace first."


async def grade_case(server: RubricServer, argument: Any, token: Token | None = None) -> JsonText:
    """Grade the case at a position, or of an id."""
    refuse_untrusted(server)
    params = grade_arguments(server, argument, GRADE_CASE)
    return await _grade(server, params, command_target(server, params)._replace(criterion=None, evaluator=None), token)


async def grade_criterion(server: RubricServer, argument: Any, token: Token | None = None) -> JsonText:
    """Grade one criterion of a case: the one at a position, or of an id."""
    refuse_untrusted(server)
    params = grade_arguments(server, argument, GRADE_CRITERION)
    asked = command_target(server, params)
    if asked.criterion is None:
        raise RequestError("No criterion at the cursor. Move it to a criterion and try again.", INVALID_PARAMS)
    return await _grade(server, params, asked, token)


async def grade_file(server: RubricServer, argument: Any, token: Token | None = None) -> JsonText:
    """Grade all cases of a file, or those that are named."""
    refuse_untrusted(server)
    params = grade_arguments(server, argument, GRADE_FILE)
    await server.grading_worker.import_grading()
    from rubric_server.grading.run import grade_many  # noqa: PLC0415 - imported by the worker.

    open_file = server.documents.analysed(params.uri)
    if open_file is not None:
        await server.work.run(read_all(open_file.analysis))
    return await grade_many(server, params, open_file, token)


def refuse_untrusted(server: RubricServer) -> None:
    """Refuse what sends or runs something in a workspace that the user does not trust."""
    if not server.is_trusted:
        raise RequestError(UNTRUSTED)


async def _grade(server: RubricServer, params: GradeArguments, asked: CommandTarget, token: Token | None) -> JsonText:
    await server.grading_worker.import_grading()
    from rubric_server.grading.run import grade_one  # noqa: PLC0415 - imported by the worker.

    open_file = server.documents.analysed(params.uri)
    standing = None
    if open_file is not None:
        standing = (open_file, await server.work.run(current_place(open_file.analysis, asked)))
    return await grade_one(server, params, asked, standing, token)
