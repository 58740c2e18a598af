"""`rubric.listFiles`: the eval files of the workspace, for a list of what can be graded."""

from __future__ import annotations

from typing import Any

from rubric_server.addresses import uri_of
from rubric_server.app import RubricServer
from rubric_server.features.workspace_symbols import names_of_file
from rubric_server.grading.cancellation import Token
from rubric_server.work_queue import Work


async def list_files(server: RubricServer, _argument: Any, _token: Token | None = None) -> dict[str, list[str]]:
    """Return the files that have a case, whether they are open or not, however they are called."""
    return {"files": await server.work.run(_files(server))}


def _files(server: RubricServer) -> Work[list[str]]:
    is_open = {document.path: document for document in server.documents}
    found: list[str] = []
    for path in server.workspace_files():
        document = is_open.get(str(path))
        if document is not None:
            # Its text may differ from what is on the disk.
            found += [document.uri] if document.analysis is not None and document.analysis.is_ours() else []
        elif (yield from names_of_file(server, path)):
            found.append(uri_of(path))
    return found
