"""`workspace/diagnostic`: the problems of all eval files of the workspace, open or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from rubric_core.analysis.slow_last import slow_last
from rubric_server.app import RubricServer
from rubric_server.convert import uri_of
from rubric_server.documents import OpenDocument, configuration_diagnostics
from rubric_server.progress import progress
from rubric_server.protocol.converter import JsonText
from rubric_server.work_queue import Work


class _Report(NamedTuple):
    """The report of one document; the text of its diagnostics is JSON."""

    uri: str
    version: int | None
    result_id: str
    diagnostics: str

    def text(self) -> str:
        version = "null" if self.version is None else str(self.version)
        about = f'"uri": {json.dumps(self.uri)}, "version": {version}, "resultId": {json.dumps(self.result_id)}'
        return f'{{"kind": "full", {about}, "items": [{self.diagnostics}]}}'


def workspace_diagnostic(server: RubricServer, params: types.WorkspaceDiagnosticParams) -> Work[JsonText]:
    """Report every eval file that differs from the client's last report, and those that are gone as empty."""
    previous = {result.uri: result.value for result in params.previous_result_ids}
    items: list[str] = []
    seen: set[str] = set()
    gone = (_Report(uri, None, "gone", "") for uri in previous if uri not in seen and previous[uri] != "gone")
    with progress(server, params.work_done_token, "Checking the eval files of the workspace") as show_progress:
        for report in chain(_reports(server), gone):
            if report is not None:
                seen.add(report.uri)
                if previous.get(report.uri) != report.result_id:
                    items.append(report.text())
                show_progress(f"{len(seen)} files")
            if items and params.partial_result_token is not None:
                # A client that accepts partial results gets none of the reports with the answer.
                token = json.dumps(params.partial_result_token)
                part = JsonText(f'{{"token": {token}, "value": {{"items": [{items.pop()}]}}}}')
                server.protocol.notify(types.PROGRESS, part)
            yield
    return JsonText(f'{{"items": [{", ".join(items)}]}}')


def _reports(server: RubricServer) -> Iterator[_Report | None]:
    """Yield the report of each file; None where there is none, or none yet."""
    is_open = {document.path for document in server.documents.values()}
    yield from slow_last(server.documents.all(), partial(_open_report, server))
    yield from slow_last(server.closed_files(), partial(_closed_report, server))
    for loaded in server.workspace.configurations():
        if str(loaded.path) not in is_open:
            diagnostics = ", ".join(configuration_diagnostics(loaded, server.client))
            yield _Report(uri_of(str(loaded.path)), None, str(hash(diagnostics)), diagnostics)


def _open_report(server: RubricServer, document: OpenDocument) -> Iterator[_Report | None]:
    while document.step():
        yield None
    diagnostics = ", ".join(document.diagnostics(server.client))
    if document.is_shown() or diagnostics:
        yield _Report(document.uri, document.version, f"{document.version}-{hash(diagnostics)}", diagnostics)


def _closed_report(server: RubricServer, path: Path) -> Iterator[_Report | None]:
    report = yield from server.workspace.report(path, server.overrides, server.client)
    if report is not None and report.is_ours:
        yield _Report(uri_of(path), None, report.result_id, report.diagnostics)
