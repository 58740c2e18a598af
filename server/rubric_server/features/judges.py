"""`rubric.listJudges`: who can judge the cases of a file or of the project, for a picker."""

from __future__ import annotations

import os
from typing import Any

from rubric_core.assist.commands import LIST_JUDGES
from rubric_server.addresses import path_of
from rubric_server.app import RubricServer
from rubric_server.arguments import JudgesArguments
from rubric_server.grading.cancellation import Token
from rubric_server.grading.command_target import optional_argument


async def list_judges(server: RubricServer, argument: Any, _token: Token | None = None) -> dict[str, Any]:
    """Return the judges by name, and the one that counts where nobody chooses."""
    params = optional_argument(argument, JudgesArguments, LIST_JUDGES)
    await server.grading_worker.import_grading()
    from rubric_core.grading.targets.targets import MANUAL, Targets  # noqa: PLC0415 - imported by the worker.
    from rubric_server.grading.run import config_of  # noqa: PLC0415 - the same.

    uri = params.uri or ""
    # Without a file there is still a project, in which some file will be.
    path = path_of(uri) or str(server.workspace.first_folder / "any.eval.yaml")
    open_file = server.documents.analysed(uri)
    config = open_file.document.config if open_file is not None else config_of(server, path)
    targets = Targets(path, config, os.environ)
    found: list[dict[str, Any]] = [{"name": name, "kind": name} for name in sorted(server.client.judges)]
    found += [{"name": name, "kind": kind} for name, kind in targets.judge_kinds.items()]
    return {"judges": found, "default": config.judge or MANUAL}
