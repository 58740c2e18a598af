"""`rubric.listFiles`: the eval files of the workspace, for a list of what can be graded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_server.addresses import uri_of
from rubric_server.features.workspace_symbols import names_of_file

if TYPE_CHECKING:
    from rubric_server.app import RubricServer, Work
    from rubric_server.protocol import Json
    from rubric_server.stops import Token


def list_files(server: RubricServer, _argument: Json, _token: Token | None = None) -> Work:
    """Return the files that have a case, whether they are open or not, however they are called."""
    is_open = {document.path: document for document in server.documents}
    found: list[str] = []
    for path in server.workspace_files():
        document = is_open.get(str(path))
        if document is not None:
            # Its text may differ from what is on the disk.
            found += [document.uri] if document.analysis is not None and document.analysis.is_ours() else []
        elif (yield from names_of_file(server, path)):
            found.append(uri_of(path))
    return {"files": found}
