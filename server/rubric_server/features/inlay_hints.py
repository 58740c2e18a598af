"""`textDocument/inlayHint`: extents of bands, shares of the weight and generated ids between the words of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.hints import Hint, HintKind, hints
from rubric_core.text.spans import Span
from rubric_server.convert import offset_of, position_of, span_of
from rubric_server.protocol import InlayHintData, misfit
from rubric_server.slices import about_latest_text, about_this_text

if TYPE_CHECKING:
    from collections.abc import Generator

    from rubric_core.analysis.analysis import Analysis
    from rubric_server.app import RubricServer, Work
    from rubric_server.documents import OpenDocument
    from rubric_server.protocol import InlayHint, Json, TextDocumentRangeParams
    from rubric_server.settings import Settings


def inlay_hint(server: RubricServer, params: TextDocumentRangeParams) -> Work | None:
    """Return the hints of a range, of the kinds that the user did not switch off."""
    document = server.documents.get(params["textDocument"]["uri"])
    if document is None:
        return None

    def collect(analysis: Analysis) -> Generator[None, None, list[Json]]:
        span = span_of(document.text, params["range"], server.client.encoding)
        found = yield from hints(analysis, span, wanted_kinds(server.settings), server.gradings.in_file(document.uri))
        encoded: list[Json] = []
        for hint in found:
            encoded.append(_encoded(server, document, hint))
            yield
        return encoded

    return about_latest_text(document, collect)


def wanted_kinds(settings: Settings) -> frozenset[HintKind]:
    """Return the kinds of hints that are switched on."""
    switches = {
        HintKind.EXTENT: settings.inlay_extents,
        HintKind.SHARE: settings.inlay_shares,
        HintKind.IDENTIFIER: settings.inlay_ids,
        HintKind.GRADE: settings.inlay_grades,
    }
    return frozenset(kind for kind, is_on in switches.items() if is_on)


def _encoded(server: RubricServer, document: OpenDocument, hint: Hint) -> Json:
    client = server.client
    found: dict[str, Json] = {"position": position_of(document.text, hint.offset, client.encoding), "label": hint.label}
    found["paddingRight" if hint.is_before else "paddingLeft"] = True
    if client.later_tooltips:
        found["data"] = {"uri": document.uri, "version": document.version, "kind": hint.kind.name}
    else:
        found["tooltip"] = hint.tooltip
    return found


def resolve(server: RubricServer, params: InlayHint) -> Work:
    """Return a hint with its tooltip; one of an older text comes back as it is."""
    data: Json = params.get("data")
    document = server.documents.get(data["uri"]) if misfit(data, InlayHintData) is None else None
    analysis = document.analysis if document is not None and document.version == data["version"] else None
    if document is not None and analysis is not None:
        offset = offset_of(document.text, params["position"], server.client.encoding)
        grades = server.gradings.in_file(document.uri)
        found = yield from about_this_text(document, hints(analysis, Span(offset, offset), grades=grades))
        tooltip = next((hint.tooltip for hint in found or () if hint.kind.name == data["kind"]), None)
        return {**params, "tooltip": tooltip} if tooltip is not None else params
    return params
