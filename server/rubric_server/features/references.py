"""`textDocument/references`: all that has a name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from rubric_core.assist.names.lookup import references_to
from rubric_core.assist.names.occurrences import NameKind
from rubric_server.convert import NearbyRanges, range_of
from rubric_server.features.names import NameRequest, about_name, target_place
from rubric_server.work_queue import Work

if TYPE_CHECKING:
    from rubric_server.app import RubricServer


async def references(server: RubricServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """Return the places of the file that have the name at a position."""
    with_definition = params.context.include_declaration
    return await about_name(server, params, partial(_answer, server, with_definition=with_definition))


def _answer(server: RubricServer, question: NameRequest, *, with_definition: bool) -> Work[list[types.Location]]:
    document, analysis, name = question
    found = yield from references_to(analysis, name)
    ranges = NearbyRanges(document.text, server.client.encoding)
    wanted = [each.span for each in found if with_definition or not each.defines]
    places = [types.Location(document.uri, ranges.range(span)) for span in wanted]
    place = target_place(server, document, name.text) if with_definition and name.kind is NameKind.TARGET else None
    if place is not None:
        places.append(types.Location(place.uri, range_of(place.text, place.node.span, server.client.encoding)))
    return places
