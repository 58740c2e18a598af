"""`rubric.generateRubrics`: a judge proposes criteria for cases without any, and they are inserted into the text."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from rubric_core.grading.ask import SelectiveCache
from rubric_core.grading.generation.service import GenerationFile, generate, proposal_tasks
from rubric_core.grading.generation.survey import Skipped
from rubric_core.grading.generation.verified_insertion import Generated
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import EDITOR, Targets
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.convert import workspace_edit_of
from rubric_server.grading.client_judge import ClientJudge, ClientRequests
from rubric_server.grading.client_run import file_of
from rubric_server.grading.command_target import NO_EVAL_FILE, CommandTarget, current_place
from rubric_server.progress import GradingProgress, Token
from rubric_server.protocol.converter import RequestError, members

_NO_MODEL = "A person cannot propose criteria here; choose a model as judge, or name a target."


async def generate_rubrics(
    server: RubricServer, command: tuple[GradeArguments, CommandTarget | None], token: Token | None
) -> dict[str, Any]:
    """Let a judge propose criteria for the case at a position, of an id, or for every case that has none."""
    params, target = command
    open_file = server.documents.analysed(params.uri)
    if open_file is None:
        raise RequestError(NO_EVAL_FILE)
    place = None if target is None else await server.work.run(current_place(open_file.analysis, target))
    if target is not None and place is None:
        raise RequestError(f"There is no case {target.case_id} in this file.")
    case_id = None if place is None else place.case_id
    document = open_file.document
    text, version, path, config = document.text.text, document.version, file_of(params.uri), document.config
    project = server.workspace.project_of(path)
    progress = GradingProgress(server, token, f"Proposing criteria for {case_id or 'the cases without any'}", 1)
    client = ClientRequests(server, progress.token)

    async def propose() -> Generated:
        environment = await client.environment(path, config)
        editor: dict[str, Judge] = {EDITOR: ClientJudge(EDITOR, client, path)} if EDITOR in client.judges else {}
        judge = EDITOR if editor and config.judge is None and not params.judge else params.judge
        file = GenerationFile.read(text, path, config, Targets(path, config, environment, judges=editor))
        file = file if case_id is None else file.only([case_id])
        tasks = proposal_tasks([file], judge, params.target, no_model=_NO_MODEL)
        outcome: list[Generated] = []

        def finish(_: GenerationFile, generated: Generated, failed: tuple[Skipped, ...]) -> None:
            outcome.append(replace(generated, skipped=(*file.survey.skipped, *failed, *generated.skipped)))

        with Store.open(Store.at(project)) as store:
            await generate([file], tasks, finish, ranges=bool(params.ranges), memory=SelectiveCache(store))
        return outcome[0]

    future = server.grading_worker.submit(propose())
    server.cancellations.begin(progress.token, future.cancel)
    try:
        outcome = await asyncio.wrap_future(future)
    finally:
        progress.end("done")
    current = server.documents.get(params.uri)
    # The versions of a file that was opened again may start from the first one.
    if current is not document or current.version != version:
        raise RequestError("The file changed while criteria were generated. Try again.")
    if outcome.edits:
        server.apply_edit(workspace_edit_of(current, outcome.edits, server.client), "Insert proposed criteria")
    return {
        "inserted": [members(case, "case_id", "criteria") for case in outcome.written],
        "skipped": [members(case, "case_id", "reason") for case in outcome.skipped],
    }
