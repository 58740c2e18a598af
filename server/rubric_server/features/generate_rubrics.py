"""`rubric.generateRubrics`: a judge proposes the criteria that cases lack, and they are written into the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.commands import GENERATE_RUBRICS
from rubric_server.asked import NO_EVAL_FILE, asked_case, checked, place_now
from rubric_server.convert import workspace_edit_of
from rubric_server.deferred import Deferred
from rubric_server.endpoint import Refused
from rubric_server.features.grading import refuse_untrusted

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rubric_server.app import RubricServer, Work
    from rubric_server.asked import AskedCase
    from rubric_server.protocol import GradeParams, Json
    from rubric_server.stops import Token


def generate_rubrics(server: RubricServer, argument: Json, token: Token | None = None) -> Work:
    """Let a judge propose criteria for the case at a position, of an id, or for every case that has none."""
    refuse_untrusted(server)
    params = checked(server, argument, GENERATE_RUBRICS)
    if server.documents.analysed(params["uri"]) is None:
        raise Refused(NO_EVAL_FILE)
    speaks_of_one = "caseId" in params or "position" in params
    return _generate(server, params, asked_case(server, params) if speaks_of_one else None, token)


def _generate(server: RubricServer, params: GradeParams, asked: AskedCase | None, token: Token | None) -> Work:
    yield from server.desk.made_ready()
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - imported at the desk.
    from rubric_server.generation_work import Generation  # noqa: PLC0415 - what it imports is imported at the desk.
    from rubric_server.grading_orders import file_of  # noqa: PLC0415 - the same.
    from rubric_server.grading_progress import GradingProgress  # noqa: PLC0415 - the same.
    from rubric_server.talk import Talk  # noqa: PLC0415 - the same.

    open_file = server.documents.analysed(params["uri"])
    if open_file is None:
        raise Refused(NO_EVAL_FILE)
    wanted = None if asked is None else (yield from place_now(open_file.analysis, asked)).case_id
    document = open_file.document
    version, path = document.version, file_of(params["uri"])
    generation = Generation(
        text=document.text.text,
        path=path,
        config=document.config,
        project=server.workspace.project_of(path),
        wanted=wanted,
        judge=params.get("judge"),
        target=params.get("target"),
        ranges=bool(params.get("ranges")),
    )
    progress = GradingProgress(server, token, f"Proposing criteria for {wanted or 'the cases without any'}", 1)
    future = server.desk.begin(generation.run(Talk(server, progress.token)))
    if progress.token is not None:
        server.stops.begin(progress.token, future.cancel)

    def close() -> None:
        if progress.token is not None:
            server.stops.end(progress.token)
        progress.end("done")

    def finish(done: Future[Json]) -> Json:
        try:
            outcome = done.result()
        except CannotGrade as failure:
            raise Refused(failure.reason) from None
        current = server.documents.get(params["uri"])
        # A file that was opened again may count its versions from the start.
        if current is not document or current.version != version:
            raise Refused("The file has changed while the criteria were proposed; generate again.")
        if outcome.edits:
            edit = workspace_edit_of(current, outcome.edits, server.client)
            server.endpoint.request("workspace/applyEdit", {"label": "Insert proposed criteria", "edit": edit})
        return {
            "inserted": [{"caseId": each.case_id, "criteria": each.criteria} for each in outcome.written],
            "skipped": [{"caseId": each.case_id, "reason": each.reason} for each in outcome.skipped],
        }

    future.add_done_callback(lambda _done: server.endpoint.post(close))
    return Deferred(future, finish)
