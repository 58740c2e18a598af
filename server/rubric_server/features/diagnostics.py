"""Problems: pushed after each change, or pulled by clients that ask; no client gets both."""

from __future__ import annotations

import gc
import json
from time import perf_counter

from lsprotocol import types

from rubric_server.app import RubricServer
from rubric_server.convert import uri_of
from rubric_server.documents import OpenDocument, configuration_diagnostics
from rubric_server.features.dialect import notify_dialect
from rubric_server.progress import progress
from rubric_server.protocol.converter import JsonText
from rubric_server.work_queue import Work

# While a file is read, the problems so far are shown after this many seconds, and again after twice as many each time.
_FIRST_LOOK = 0.02
# Work that takes longer than this many seconds reports progress.
_LONG = 0.5


def update_diagnostics(server: RubricServer, document: OpenDocument) -> None:
    """Find the problems of a document after the messages that have already arrived."""
    work = _find(server, document) if server.client.pull else _publish(server, document)
    server.work.put(("look", document.uri), work)


def clear_diagnostics(server: RubricServer, document: OpenDocument) -> None:
    """Forget a closed document and take its problems off the screen."""
    server.work.drop(("look", document.uri))
    if document.uri in server.shown:
        _send(server, document.uri, None, [])
    if not server.client.pull:
        show_configurations(server)


def refresh_diagnostics(server: RubricServer) -> None:
    """Find the problems of every open document anew where the configuration or the files around it changed."""
    changed = [document for document in server.documents.all() if document.reload_if_changed(server.overrides)]
    for document in changed:
        update_diagnostics(server, document)
    server.workspace.forget()
    if changed:
        server.refresh(types.WORKSPACE_DIAGNOSTIC_REFRESH)


def document_diagnostic(
    server: RubricServer, params: types.DocumentDiagnosticParams
) -> Work[JsonText | types.DocumentDiagnosticReport]:
    """Answer a pull: with all problems, or early with the first ones if the client supports a refresh."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    look = _take_first_step(document) + _FIRST_LOOK
    while document.step():
        yield
        if server.client.pull_refresh and perf_counter() > look:
            if _diagnostics(server, document):
                server.work.put(("look", document.uri), _find(server, document, ask_again=True))
                break
            look = perf_counter() + _FIRST_LOOK
    return _report(server, document, params.previous_result_id)


def _diagnostics(server: RubricServer, document: OpenDocument) -> list[str]:
    """Return the problems of a document, and what the last grading found in it, as JSON text."""
    problems = document.diagnostics(server.client)
    analysis = document.analysis if server.grades.in_file(document.uri) else None
    return problems if analysis is None else problems + server.grades.diagnostics(document.uri, analysis, server.client)


def _report(
    server: RubricServer, document: OpenDocument, result_id: str | None
) -> JsonText | types.DocumentDiagnosticReport:
    items = ", ".join(_diagnostics(server, document))
    number, text = document.last_report
    if number and text == items and result_id == str(number):
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
    document.last_report = (number + 1, items)
    return JsonText(f'{{"kind": "full", "resultId": "{number + 1}", "items": [{items}]}}')


def _find(server: RubricServer, document: OpenDocument, *, ask_again: bool = False) -> Work[None]:
    yield from _steps(server, document)
    _settle(document)
    notify_dialect(server, document)
    if ask_again:
        server.refresh(types.WORKSPACE_DIAGNOSTIC_REFRESH)


def _publish(server: RubricServer, document: OpenDocument) -> Work[None]:
    """Find the problems of a document and publish them, the first ones early; the same list is published once."""
    start = _take_first_step(document)
    look = start + _FIRST_LOOK
    shown: list[str] = []
    for _ in _steps(server, document):
        yield
        if perf_counter() > look:
            shown = _publish_once(server, document, shown)
            look = perf_counter() + (perf_counter() - start if shown else _FIRST_LOOK)
    if not document.is_settled:
        show_configurations(server)
    _settle(document)
    if document.is_shown() or document.uri in server.shown:
        _publish_once(server, document, shown or None)
    notify_dialect(server, document)


def _take_first_step(document: OpenDocument) -> float:
    """Take the first step, which may import the rules; return the time after it, so that this is not counted."""
    document.step()
    return perf_counter()


def _steps(server: RubricServer, document: OpenDocument) -> Work[None]:
    """Take all steps of the analysis; if it takes long, report progress to the client."""
    start = perf_counter()
    while document.step():
        yield
        if perf_counter() - start > _LONG and server.client.progress:
            name = document.path.rpartition("/")[2] or document.uri
            with progress(server, server.new_progress(), f"Checking {name}", cancellable=False) as show_progress:
                while document.step():
                    show_progress(f"{document.done:.0%}")
                    yield


def show_configurations(server: RubricServer) -> None:
    """Publish the errors of the configuration files of the open documents; an open one publishes its own."""
    by_uri: dict[str, list[str]] = {}
    for document in server.documents.all():
        loaded = document.configuration
        if loaded is not None and loaded.path is not None and document.is_shown():
            by_uri[uri_of(loaded.path)] = configuration_diagnostics(loaded, server.client)
    for uri in server.shown_configurations - by_uri.keys():
        by_uri[uri] = []
    server.shown_configurations.clear()
    for uri, diagnostics in by_uri.items():
        if server.documents.get(uri) is None and (diagnostics or uri in server.shown):
            _send(server, uri, None, diagnostics)
        if diagnostics:
            server.shown_configurations.add(uri)


def _publish_once(server: RubricServer, document: OpenDocument, shown: list[str] | None) -> list[str]:
    """Publish the problems so far, unless they are shown already, and return them."""
    diagnostics = _diagnostics(server, document)
    if diagnostics != shown:
        _send(server, document.uri, document.version, diagnostics)
    return diagnostics


def _settle(document: OpenDocument) -> None:
    """Exclude the document from garbage collection as long as it is open."""
    if not document.is_settled:
        document.is_settled = True
        gc.freeze()


def _send(server: RubricServer, uri: str, version: int | None, diagnostics: list[str]) -> None:
    (server.shown.add if diagnostics else server.shown.discard)(uri)
    about = f'"uri": {json.dumps(uri)}' + ("" if version is None else f', "version": {version}')
    params = JsonText(f'{{{about}, "diagnostics": [{", ".join(diagnostics)}]}}')
    server.protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
