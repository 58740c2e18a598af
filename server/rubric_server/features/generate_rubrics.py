"""`rubric.generateRubrics`: a judge proposes the criteria that cases lack, and they are written into the text."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from rubric_core.assist.commands import GENERATE_RUBRICS
from rubric_server.app import RubricServer
from rubric_server.convert import workspace_edit_of
from rubric_server.features.grading import refuse_untrusted
from rubric_server.grading.cancellation import Token
from rubric_server.grading.command_target import NO_EVAL_FILE, command_target, current_place, grade_arguments
from rubric_server.protocol.errors import RequestError


async def generate_rubrics(server: RubricServer, argument: Any, token: Token | None = None) -> dict[str, Any]:
    """Let a judge propose criteria for the case at a position, of an id, or for every case that has none."""
    refuse_untrusted(server)
    params = grade_arguments(server, argument, GENERATE_RUBRICS)
    if server.documents.analysed(params.uri) is None:
        raise RequestError(NO_EVAL_FILE)
    speaks_of_one = params.case_id is not None or params.position is not None
    asked = command_target(server, params) if speaks_of_one else None
    await server.grading_worker.import_grading()
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - imported by the worker.
    from rubric_server.grading.client_requests import ClientRequests  # noqa: PLC0415 - the same.
    from rubric_server.grading.generation import generate_for  # noqa: PLC0415 - the same.
    from rubric_server.grading.run import file_of  # noqa: PLC0415 - the same.
    from rubric_server.progress import GradingProgress  # noqa: PLC0415 - the same.

    open_file = server.documents.analysed(params.uri)
    if open_file is None:
        raise RequestError(NO_EVAL_FILE)
    wanted = None if asked is None else (await server.work.run(current_place(open_file.analysis, asked))).case_id
    document = open_file.document
    version, path = document.version, file_of(params.uri)
    progress = GradingProgress(server, token, f"Proposing criteria for {wanted or 'the cases without any'}", 1)
    generating = generate_for(
        ClientRequests(server, progress.token),
        document.text.text,
        path,
        config=document.config,
        project=server.workspace.project_of(path),
        case_id=wanted,
        judge=params.judge,
        target=params.target,
        ranges=bool(params.ranges),
    )
    future = server.grading_worker.submit(generating)
    server.cancellations.begin(progress.token, future.cancel)
    try:
        outcome = await asyncio.wrap_future(future)
    except CannotGrade as failure:
        raise RequestError(failure.reason) from None
    finally:
        server.cancellations.end(progress.token)
        progress.end("done")
    current = server.documents.get(params.uri)
    # A file that was opened again may count its versions from the start.
    if current is not document or current.version != version:
        raise RequestError("The file changed while criteria were generated. Try again.")
    if outcome.edits:
        edit = workspace_edit_of(current, outcome.edits, server.client)
        server.protocol.request_without_answer(
            types.WORKSPACE_APPLY_EDIT, types.ApplyWorkspaceEditParams(edit, "Insert proposed criteria")
        )
    return {
        "inserted": [{"caseId": each.case_id, "criteria": each.criteria} for each in outcome.written],
        "skipped": [{"caseId": each.case_id, "reason": each.reason} for each in outcome.skipped],
    }
