"""`rubric.generateRubrics`: a judge proposes the criteria that cases lack, and they are written into the text."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from rubric_core.assist.commands import GENERATE_RUBRICS
from rubric_server.asked import NO_EVAL_FILE, asked_case, checked, place_now
from rubric_server.convert import workspace_edit_of
from rubric_server.features.grading import refuse_untrusted
from rubric_server.protocol.errors import RequestError

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.stops import Token


async def generate_rubrics(server: RubricServer, argument: Any, token: Token | None = None) -> dict[str, Any]:
    """Let a judge propose criteria for the case at a position, of an id, or for every case that has none."""
    refuse_untrusted(server)
    params = checked(server, argument, GENERATE_RUBRICS)
    if server.documents.analysed(params.uri) is None:
        raise RequestError(NO_EVAL_FILE)
    speaks_of_one = params.case_id is not None or params.position is not None
    asked = asked_case(server, params) if speaks_of_one else None
    await server.desk.make_ready()
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - imported at the desk.
    from rubric_server.generation import generate_for  # noqa: PLC0415 - what it imports is imported at the desk.
    from rubric_server.grading_orders import file_of  # noqa: PLC0415 - the same.
    from rubric_server.progress import GradingProgress  # noqa: PLC0415 - the same.
    from rubric_server.talk import Talk  # noqa: PLC0415 - the same.

    open_file = server.documents.analysed(params.uri)
    if open_file is None:
        raise RequestError(NO_EVAL_FILE)
    wanted = None if asked is None else (await server.work.run(place_now(open_file.analysis, asked))).case_id
    document = open_file.document
    version, path = document.version, file_of(params.uri)
    progress = GradingProgress(server, token, f"Proposing criteria for {wanted or 'the cases without any'}", 1)
    generating = generate_for(
        Talk(server, progress.token),
        document.text.text,
        path,
        config=document.config,
        project=server.workspace.project_of(path),
        case_id=wanted,
        judge=params.judge,
        target=params.target,
        ranges=bool(params.ranges),
    )
    future = server.desk.begin(generating)
    if progress.token is not None:
        server.stops.begin(progress.token, future.cancel)
    try:
        outcome = await asyncio.wrap_future(future)
    except CannotGrade as failure:
        raise RequestError(failure.reason) from None
    finally:
        if progress.token is not None:
            server.stops.end(progress.token)
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
