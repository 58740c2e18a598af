"""Generate rubrics for the text of an editor."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from rubric_core.config.config import Config
from rubric_core.grading.ask import SelectiveCache
from rubric_core.grading.generation.service import GenerationFile, generate, proposal_tasks
from rubric_core.grading.generation.survey import Skipped
from rubric_core.grading.generation.verified_insertion import Generated
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import EDITOR, Targets
from rubric_server.grading.client_judge import ClientJudge
from rubric_server.grading.client_requests import ClientRequests

_NO_MODEL = "A person cannot propose criteria here; choose a model as judge, or name a target."


async def generate_for(  # noqa: PLR0913 - what the client has chosen, each by its name.
    client: ClientRequests,
    text: str,
    path: str,
    *,
    config: Config,
    project: Path,
    case_id: str | None,
    judge: str | None,
    target: str | None,
    ranges: bool,
) -> Generated:
    """Return the edits that give criteria to one case, or to all that have none. Raises CannotGrade."""
    missing = Targets(path, config).missing_variables
    environment = {**os.environ, **await client.secrets(missing)}
    editor: dict[str, Judge] = {EDITOR: ClientJudge(EDITOR, client, path)} if EDITOR in client.judges else {}
    if editor and config.judge is None:
        judge = judge or EDITOR
    targets = Targets(path, config, environment, judges=editor)
    file = GenerationFile.read(text, path, config, targets)
    file = file if case_id is None else file.only([case_id])
    tasks = proposal_tasks([file], judge, target, no_model=_NO_MODEL)
    outcome: list[Generated] = []

    def finish(_: GenerationFile, generated: Generated, failed: tuple[Skipped, ...]) -> None:
        outcome.append(replace(generated, skipped=(*file.found.skipped, *failed, *generated.skipped)))

    with Store.open(Store.at(project)) as store:
        await generate([file], tasks, finish, ranges=ranges, memory=SelectiveCache(store))
    return outcome[0]
