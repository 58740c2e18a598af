"""`rubric.listJudges`: the judges of a file or of the project."""

from __future__ import annotations

import os
from typing import Any

from rubric_core.grading.targets.targets import MANUAL, Targets
from rubric_server.app import RubricServer
from rubric_server.arguments import ProjectArguments
from rubric_server.convert import path_of
from rubric_server.grading.chosen_cases import config_of
from rubric_server.progress import Token


async def list_judges(server: RubricServer, params: ProjectArguments, _token: Token | None) -> dict[str, Any]:
    """Return the judges by name, and the default judge."""
    uri = params.uri or ""
    # Without a file there is still a project, in which some file will be.
    path = path_of(uri) or str(server.workspace.first_folder / "any.eval.yaml")
    config = config_of(server, path, server.documents.analysed(uri))
    targets = Targets(path, config, os.environ)
    judges: list[dict[str, Any]] = [{"name": name, "kind": name} for name in sorted(server.client.judges)]
    judges += [{"name": name, "kind": kind} for name, kind in targets.judge_kinds.items()]
    return {"judges": judges, "default": config.judge or MANUAL}
