"""`textDocument/foldingRange`: what can be folded."""

from __future__ import annotations

from lsprotocol.types import FoldingRangeParams

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.folding import Fold, folds, outermost
from rubric_server.app import RubricServer
from rubric_server.documents import OpenDocument
from rubric_server.protocol.converter import JsonText
from rubric_server.work_queue import Work


async def folding_range(server: RubricServer, params: FoldingRangeParams) -> JsonText | None:
    """Return the folds of a document, whole lines each: at most as many as the client wants, the outer ones first."""
    most = server.client.most_folds

    def collect(_document: OpenDocument, analysis: Analysis) -> Work[JsonText]:
        ranges = yield from folds(analysis)
        outer = ranges if most is None else outermost(ranges, most)
        return JsonText(f"[{', '.join(map(_encoded, outer))}]")

    return await server.on_latest_text(params.text_document.uri, collect)


def _encoded(fold: Fold) -> str:
    kind = ', "kind": "comment"' if fold.is_comment else ""
    return f'{{"startLine": {fold.first_line}, "endLine": {fold.last_line}{kind}}}'
