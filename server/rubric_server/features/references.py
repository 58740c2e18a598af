"""`textDocument/references`: all that has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.names.lookup import references_to
from rubric_core.assist.names.occurrences import NameKind
from rubric_server.convert import NearbyRanges, range_of
from rubric_server.features.names import asked, target_place
from rubric_server.slices import about_this_text

if TYPE_CHECKING:
    from collections.abc import Generator

    from rubric_server.app import RubricServer
    from rubric_server.features.names import Question
    from rubric_server.protocol import Json, ReferenceParams


def references(server: RubricServer, params: ReferenceParams) -> Generator[None, None, Json] | None:
    """Return the places of the file that have the name at a position."""
    question = asked(server, params)
    if question is None:
        return None
    with_definition = params["context"]["includeDeclaration"]
    return about_this_text(question.document, _answer(server, question, with_definition=with_definition))


def _answer(server: RubricServer, question: Question, *, with_definition: bool) -> Generator[None, None, Json]:
    document, analysis, name = question
    found = yield from references_to(analysis, name)
    ranges = NearbyRanges(document.text, server.client.encoding)
    wanted = [each.span for each in found if with_definition or not each.defines]
    places = [{"uri": document.uri, "range": ranges.range(span)} for span in wanted]
    place = target_place(server, document, name.text) if with_definition and name.kind is NameKind.TARGET else None
    if place is not None:
        places.append({"uri": place.uri, "range": range_of(place.text, place.node.span, server.client.encoding)})
    return places
