"""`textDocument/definition`: where a name is defined."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.assist.names.lookup import definition_of
from rubric_core.assist.names.occurrences import NameKind
from rubric_server.convert import range_of
from rubric_server.features.names import NameRequest, about_name, target_place
from rubric_server.work_queue import Work

if TYPE_CHECKING:
    from rubric_server.app import RubricServer

    Found = types.Location | list[types.LocationLink] | None


async def definition(server: RubricServer, params: types.DefinitionParams) -> Found:
    """Return where the name at a position is defined: with what was clicked on, for clients that can show it."""
    return await about_name(server, params, partial(_answer, server))


def _answer(server: RubricServer, question: NameRequest) -> Work[Found]:
    document, analysis, name = question
    encoding = server.client.encoding
    if name.kind is NameKind.TARGET:
        place = target_place(server, document, name.text)
        if place is None:
            return None
        where = range_of(place.text, place.node.span, encoding)
        return _result(server, question, place.uri, where, where)
    found = yield from definition_of(analysis, name)
    if found is None:
        return None
    whole, chosen = (range_of(document.text, span, encoding) for span in (found.span, found.name_span))
    return _result(server, question, document.uri, whole, chosen)


def _result(server: RubricServer, question: NameRequest, uri: str, whole: types.Range, chosen: types.Range) -> Found:
    if not server.client.definition_links:
        return types.Location(uri, chosen)
    origin = range_of(question.document.text, question.name.span, server.client.encoding)
    return [types.LocationLink(uri, whole, chosen, origin)]
