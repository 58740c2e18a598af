"""`rubric.listJudges`: who can judge the cases of a file, for a picker."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rubric_core.assist.commands import LIST_JUDGES
from rubric_server.features.grading import checked

if TYPE_CHECKING:
    from rubric_server.app import RubricServer, Work
    from rubric_server.protocol import Json


def list_judges(server: RubricServer, argument: Json, _token: int | str | None = None) -> Work:
    """Return the judges by name, and the one that counts where nobody chooses."""
    params = checked(argument, LIST_JUDGES)
    yield from server.desk.made_ready()
    from rubric_core.grading.targets.targets import MANUAL, Targets  # noqa: PLC0415 - imported at the desk.
    from rubric_server.grading_orders import config_of, file_of  # noqa: PLC0415 - the same.

    path = file_of(params["uri"])
    open_file = server.documents.analysed(params["uri"])
    config = open_file.document.config if open_file is not None else config_of(server, path)
    targets = Targets.for_file(path, config, os.environ)
    found: list[dict[str, Any]] = [{"name": name, "kind": name} for name in sorted(server.client.judges)]
    found += [{"name": name, "kind": kind} for name, kind in targets.judge_kinds.items()]
    return {"judges": found, "default": config.judge or MANUAL}
