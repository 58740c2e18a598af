"""`textDocument/codeLens`: commands above the text that they are about."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.commands import FIX_ALL
from rubric_core.assist.lenses import Lens, lenses
from rubric_server.app import RubricServer
from rubric_server.convert import range_of
from rubric_server.documents import OpenDocument
from rubric_server.grading.stored_grades import refresh_grades
from rubric_server.work_queue import Work, on_latest_text


@on_latest_text
def code_lens(
    server: RubricServer, _params: types.CodeLensParams, document: OpenDocument, analysis: Analysis
) -> Work[list[types.CodeLens] | None]:
    """Return the lenses of a document; none where the user switched them off."""
    if not server.settings.code_lens:
        return None
    shown = yield from lenses(analysis, server.commands, server.grades.in_file(document.uri))
    if shown:
        # Only now, so that the problems of the file are shown first.
        refresh_grades(server, document.uri)
    return [_encoded(server, document, lens) for lens in shown]


def _encoded(server: RubricServer, document: OpenDocument, lens: Lens) -> types.CodeLens:
    # The oldest command takes the address itself, the others take an object.
    about: Any = document.uri if lens.command == FIX_ALL else {"uri": document.uri}
    if lens.case_id is not None:
        about["caseId"] = lens.case_id
    command = types.Command(title=lens.title, command=lens.command, arguments=[about])
    return types.CodeLens(range_of(document.text, lens.span, server.client.encoding), command)
