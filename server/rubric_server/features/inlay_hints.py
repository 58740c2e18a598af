"""`textDocument/inlayHint`: extents of bands, shares of the weight and generated ids between the words of the text."""

from __future__ import annotations

import attrs
from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.hints import Hint, HintKind, hints
from rubric_core.text.spans import Span
from rubric_server.app import RubricServer
from rubric_server.arguments import HintData
from rubric_server.convert import offset_of, position_of, span_of
from rubric_server.documents import OpenDocument
from rubric_server.protocol.converter import structured_or_none
from rubric_server.settings import Settings
from rubric_server.work_queue import Work, about_this_text


async def inlay_hint(server: RubricServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """Return the hints of a range, of the kinds that the user did not switch off."""

    def collect(document: OpenDocument, analysis: Analysis) -> Work[list[types.InlayHint]]:
        span = span_of(document.text, params.range, server.client.encoding)
        shown = yield from hints(analysis, span, wanted_kinds(server.settings), server.grades.in_file(document.uri))
        encoded: list[types.InlayHint] = []
        for hint in shown:
            encoded.append(_encoded(server, document, hint))
            yield
        return encoded

    return await server.on_latest_text(params.text_document.uri, collect)


def wanted_kinds(settings: Settings) -> frozenset[HintKind]:
    """Return the kinds of hints that are switched on."""
    switches = {
        HintKind.EXTENT: settings.inlay_extents,
        HintKind.SHARE: settings.inlay_shares,
        HintKind.GATE: settings.inlay_shares,
        HintKind.IDENTIFIER: settings.inlay_ids,
        HintKind.GRADE: settings.inlay_grades,
    }
    return frozenset(kind for kind, is_on in switches.items() if is_on)


def _encoded(server: RubricServer, document: OpenDocument, hint: Hint) -> types.InlayHint:
    encoded = types.InlayHint(position_of(document.text, hint.offset, server.client.encoding), hint.label)
    if hint.is_before:
        encoded.padding_right = True
    else:
        encoded.padding_left = True
    if server.client.later_tooltips:
        encoded.data = attrs.asdict(HintData(uri=document.uri, version=document.version, kind=hint.kind.name))
    else:
        encoded.tooltip = hint.tooltip
    return encoded


async def resolve(server: RubricServer, hint: types.InlayHint) -> types.InlayHint:
    """Return a hint with its tooltip; one of an older text comes back as it is."""
    data = structured_or_none(hint.data, HintData)
    document = server.documents.get(data.uri) if data is not None else None
    if data is None or document is None or document.version != data.version or document.analysis is None:
        return hint
    offset = offset_of(document.text, hint.position, server.client.encoding)
    work = hints(document.analysis, Span(offset, offset), grades=server.grades.in_file(document.uri))
    shown = await server.work.run(about_this_text(document, work))
    tooltip = next((hint.tooltip for hint in shown or () if hint.kind.name == data.kind), None)
    return hint if tooltip is None else attrs.evolve(hint, tooltip=tooltip)
