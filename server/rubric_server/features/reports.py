"""`rubric.showReport` and `rubric.compare`: what the store knows of earlier gradings, in pages made by the worker."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from lsprotocol import types

from rubric_core.assist.commands import COMPARE, SHOW_REPORT
from rubric_server.addresses import path_of, uri_of
from rubric_server.app import RubricServer
from rubric_server.arguments import CompareArguments, ReportArguments
from rubric_server.grading.cancellation import Token
from rubric_server.grading.command_target import optional_argument
from rubric_server.protocol.errors import RequestError

REPORT_FILE = "rubric-report.html"


async def show_report(server: RubricServer, argument: Any, _token: Token | None = None) -> Any:
    """Return the report of a run, or of the latest one (of a case, where one is named).

    A client that shows none gets a file opened.
    """
    _refuse_untrusted(server)
    params = optional_argument(argument, ReportArguments, SHOW_REPORT)
    await server.grading_worker.import_grading()
    from rubric_server.grading.stored_reports import report_of  # noqa: PLC0415 - imported by the worker.

    project = _project(server, params.uri)
    path = path_of(params.uri) if params.uri else ""
    page = await _made(server, report_of(project, params.run, path, params.case_id))
    if page is not None and not server.client.report:
        _show_file(server, project / REPORT_FILE, page["html"])
    return page


async def compare(server: RubricServer, argument: Any, _token: Token | None = None) -> Any:
    """Return what changed between two runs, the previous and the latest one where none are named."""
    _refuse_untrusted(server)
    params = optional_argument(argument, CompareArguments, COMPARE)
    await server.grading_worker.import_grading()
    from rubric_server.grading.stored_reports import comparison_of  # noqa: PLC0415 - imported by the worker.

    return await _made(server, comparison_of(_project(server, params.uri), params.before, params.after))


def _refuse_untrusted(server: RubricServer) -> None:
    if not server.is_trusted:
        raise RequestError("Stored results are not read in an untrusted workspace. Trust the workspace first.")


async def _made(server: RubricServer, work: Coroutine[Any, Any, Any]) -> Any:
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - imported by the worker.

    try:
        return await asyncio.wrap_future(server.grading_worker.submit(work))
    except CannotGrade as failure:
        raise RequestError(failure.reason) from None


def _project(server: RubricServer, uri: str | None) -> Path:
    path = path_of(uri) if uri else ""
    return server.workspace.project_of(path) if path else server.workspace.first_folder


def _show_file(server: RubricServer, path: Path, page: str) -> None:
    from rubric_core.files.write import write_text  # noqa: PLC0415 - few clients need it.

    failure = write_text(path, page)
    if failure is not None:
        raise RequestError(f"{path}: {failure.message}")
    if server.client.shows_documents:
        server.protocol.request_without_answer(
            types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams(uri_of(path), external=True)
        )
