"""`textDocument/foldingRange`: what can be folded."""

from __future__ import annotations

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.folding import Fold, folds, outermost
from rubric_server.app import RubricServer
from rubric_server.documents import OpenDocument
from rubric_server.protocol.converter import JsonText
from rubric_server.work_queue import Work, on_latest_text


@on_latest_text
def folding_range(
    server: RubricServer, _params: types.FoldingRangeParams, _document: OpenDocument, analysis: Analysis
) -> Work[JsonText]:
    """Return the folds of a document, whole lines: at most as many as the client accepts, the outer ones first."""
    most = server.client.most_folds
    ranges = yield from folds(analysis)
    outer = ranges if most is None else outermost(ranges, most)
    return JsonText(f"[{', '.join(map(_encoded, outer))}]")


def _encoded(fold: Fold) -> str:
    kind = ', "kind": "comment"' if fold.is_comment else ""
    return f'{{"startLine": {fold.first_line}, "endLine": {fold.last_line}{kind}}}'
