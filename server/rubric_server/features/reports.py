"""`rubric.showReport` and `rubric.compare`: what the store knows of earlier gradings, in pages made at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.commands import COMPARE, SHOW_REPORT
from rubric_server.addresses import path_of, uri_of
from rubric_server.asked import optional_argument
from rubric_server.deferred import Deferred
from rubric_server.endpoint import Refused
from rubric_server.protocol import CompareParams, ReportParams

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from rubric_server.app import RubricServer, Work
    from rubric_server.protocol import Json
    from rubric_server.stops import Token

REPORT_FILE = "rubric-report.html"


def show_report(server: RubricServer, argument: Json, _token: Token | None = None) -> Work:
    """Return the report of a run, or of the latest one (of a case, where one is named).

    A client that shows none gets a file opened.
    """
    _refuse_untrusted(server)
    params: ReportParams = optional_argument(argument, ReportParams, SHOW_REPORT)
    yield from server.desk.made_ready()
    from rubric_server.stored_reports import Wanted, report_of  # noqa: PLC0415 - what it imports is imported at the desk.

    uri = params.get("uri")
    project = _project(server, uri)
    wanted = Wanted(params.get("run"), path_of(uri) if uri else "", params.get("caseId"))

    def show(page: Json) -> Json:
        if page is not None and not server.client.report:
            _show_file(server, project / REPORT_FILE, page["html"])
        return page

    return Deferred(server.desk.begin(report_of(project, wanted)), _finished(show))


def compare(server: RubricServer, argument: Json, _token: Token | None = None) -> Work:
    """Return what changed between two runs, the previous and the latest one where none are named."""
    _refuse_untrusted(server)
    params: CompareParams = optional_argument(argument, CompareParams, COMPARE)
    yield from server.desk.made_ready()
    from rubric_server.stored_reports import comparison_of  # noqa: PLC0415 - what it imports is imported at the desk.

    project = _project(server, params.get("uri"))
    work = comparison_of(project, params.get("before"), params.get("after"))
    return Deferred(server.desk.begin(work), _finished(lambda comparison: comparison))


def _refuse_untrusted(server: RubricServer) -> None:
    if not server.is_trusted:
        raise Refused("Results in a workspace that you do not trust may be anybody's; trust it first.")


def _finished(then: Callable[[Json], Json]) -> Callable[[Future[Json]], Json]:
    def finish(future: Future[Json]) -> Json:
        from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - imported at the desk.

        try:
            return then(future.result())
        except CannotGrade as failure:
            raise Refused(failure.reason) from None

    return finish


def _project(server: RubricServer, uri: str | None) -> Path:
    path = path_of(uri) if uri else ""
    return server.workspace.project_of(path) if path else server.workspace.first_folder


def _show_file(server: RubricServer, path: Path, page: str) -> None:
    from rubric_core.files.write import write_text  # noqa: PLC0415 - few clients need it.

    failure = write_text(path, page)
    if failure is not None:
        raise Refused(f"{path}: {failure.message}")
    if server.client.shows_documents:
        server.endpoint.request("window/showDocument", {"uri": uri_of(path), "external": True})
