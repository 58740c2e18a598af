"""`textDocument/foldingRange`: what can be folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.folding import Fold, FoldKind, folds, outermost
from rubric_server.protocol.converter import JsonText
from rubric_server.work_queue import Work, about_latest_text

if TYPE_CHECKING:
    from lsprotocol.types import FoldingRangeParams

    from rubric_core.analysis.analysis import Analysis
    from rubric_server.app import RubricServer


async def folding_range(server: RubricServer, params: FoldingRangeParams) -> JsonText | None:
    """Return the folds of a document, whole lines each: at most as many as the client wants, the outer ones first."""
    document = server.documents.get(params.text_document.uri)
    most = server.client.most_folds

    def collect(analysis: Analysis) -> Work[JsonText]:
        found = yield from folds(analysis)
        kept = found if most is None else outermost(found, most)
        return JsonText(f"[{', '.join(map(_encoded, kept))}]")

    return None if document is None else await server.work.run(about_latest_text(document, collect))


def _encoded(fold: Fold) -> str:
    kind = ', "kind": "comment"' if fold.kind is FoldKind.COMMENT else ""
    return f'{{"startLine": {fold.first_line}, "endLine": {fold.last_line}{kind}}}'
