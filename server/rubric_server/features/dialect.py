"""`rubric/dialect`: the dialect of an open file and the reason for it."""

from __future__ import annotations

import json

from rubric_server.app import RubricServer
from rubric_server.documents import OpenDocument
from rubric_server.protocol.converter import JsonText


def notify_dialect(server: RubricServer, document: OpenDocument) -> None:
    """Notify the client of the dialect of a checked document, if it has changed since the last notification."""
    analysis = document.analysis
    if not server.client.dialect or analysis is None or not document.is_shown():
        return
    decided_by = (analysis.facts.dialect, frozenset(analysis.facts.marks))
    if decided_by == document.notified_dialect:
        return
    from rubric_core.analysis.explanations import explain_dialect  # noqa: PLC0415 - a start has no time for the rules.

    document.notified_dialect = decided_by
    dialect, why, _ = explain_dialect(analysis)
    params = {"uri": document.uri, "dialect": dialect.name, "title": dialect.title, "reason": why}
    server.protocol.notify("rubric/dialect", JsonText(json.dumps(params)))
